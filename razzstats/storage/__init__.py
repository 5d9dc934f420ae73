"""The DuckDB database: all loading ends here, all reading begins here."""

from razzstats.storage.columns import HandColumns
from razzstats.storage.database import (
    Database,
    FileRow,
    RejectedHand,
    RejectedText,
    StoredReading,
    StoredText,
)
from razzstats.storage.opening import InUse, storable
from razzstats.storage.rows import (
    PARSER_VERSION,
    HandLuckRow,
    HandRows,
    PlayerLuckRow,
    StartingHandRow,
    hand_key,
    hand_rows,
    text_hash,
)

__all__ = [
    "PARSER_VERSION",
    "Database",
    "FileRow",
    "HandColumns",
    "HandLuckRow",
    "HandRows",
    "InUse",
    "PlayerLuckRow",
    "RejectedHand",
    "RejectedText",
    "StartingHandRow",
    "StoredReading",
    "StoredText",
    "hand_key",
    "hand_rows",
    "storable",
    "text_hash",
]
