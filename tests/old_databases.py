"""Databases as earlier versions of razzstats left them, one for each schema there has been.

Each was made by the code of its day: the last revision of this project that had the schema imported
MEASURED and measured it, then imported UNMEASURED and was stopped before it measured that, as
`make` does. Before a new migration is released, such a database of the schema it begins with is
added, with the last revision that has this schema:

    git archive REVISION | tar -x -C FOLDER
    ln -s ../grammars FOLDER/razzstats/grammars
    PYTHONPATH=FOLDER python tests/old_databases.py tests/databases/schema-VERSION.duckdb.gz

run where the paths below lead to their files, which the database records.
"""

import gzip
import sys
import tempfile
from pathlib import Path

import duckdb

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "databases"

MEASURED = (
    "sample_histories/pokerstars/edge-community-card.txt",
    "sample_histories/pokerstars/edge-mixed-games.txt",
    "sample_histories/pokerstars/edge-short-all-ins.txt",
    "sample_histories/pokerstars/edge-split-pot-odd-cent.txt",
    "sample_histories/fulltilt/cash-0.50-1-six-max.txt",
    "sample_histories/fulltilt/edge-hostile-names.txt",
    "sample_histories/winamax/edge-tournament.txt",
    "sample_histories/kingsclub/edge-side-pot.txt",
    "sample_histories/ongame/cash-0.50-1-five-handed.txt",
    "sample_histories/merge/edge-all-in.xml",
    "sample_histories/phh/cash-live-five-handed.phhs",
    "tests/databases/kept-apart.txt",
)
"""Hands of all rooms, a rejected one, a conflict, one that is cut off and one with a warning."""
UNMEASURED = ("sample_histories/winamax/cash-1-2-four-handed.txt",)

_BLOCK = 16_384  # bytes, the least that DuckDB knows; its usual ones would be mostly empty


def versions() -> list[int]:
    """Return the schemas of which there is a database."""
    return sorted(int(path.name.split(".")[0].split("-")[1]) for path in FOLDER.glob("*.gz"))


def unpack(version: int, folder: Path) -> Path:
    """Put the database of a schema into a folder; return where it is."""
    path = folder / f"schema-{version}.duckdb"
    path.write_bytes(gzip.decompress((FOLDER / f"{path.name}.gz").read_bytes()))
    return path


def make(packed: Path) -> None:
    """Import the hands with whatever razzstats is there, and pack the database."""
    from razzstats.importing import import_paths
    from razzstats.storage import Database

    with tempfile.TemporaryDirectory() as name:
        made, small = Path(name) / "made.duckdb", Path(name) / "small.duckdb"
        with Database.open(made) as database:
            import_paths(database, MEASURED)
            _measure(database)
            import_paths(database, UNMEASURED)
        _shrink(made, small)
        packed.write_bytes(gzip.compress(small.read_bytes(), mtime=0))


def _measure(database: object) -> None:
    try:
        from razzstats.measuring import measure_hands
    except ImportError:  # the first schema had nothing to measure into
        return
    measure_hands(database)  # type: ignore[arg-type]


def _shrink(made: Path, small: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{made}' AS made (READ_ONLY)")
        connection.execute(f"ATTACH '{small}' AS small (BLOCK_SIZE {_BLOCK})")
        connection.execute("COPY FROM DATABASE made TO small")
        connection.execute("DETACH small")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
