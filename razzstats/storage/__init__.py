"""The DuckDB database: all loading ends here, all reading begins here."""

from razzstats.storage.columns import HandColumns
from razzstats.storage.database import (
    Database,
    FileRow,
    RejectedHand,
    RejectedText,
    StoredText,
    storable,
)
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
    "PlayerLuckRow",
    "RejectedHand",
    "RejectedText",
    "StartingHandRow",
    "StoredText",
    "hand_key",
    "hand_rows",
    "storable",
    "text_hash",
]
