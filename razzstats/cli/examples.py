"""Examples of every command, as its --help shows them; a test runs them all."""

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """One command line and what it is good for."""

    line: str
    """What is typed behind `razzstats`."""
    meaning: str
    needs: str = ""
    """What must be there that a test has not: a terminal, or folders of one's own."""


EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "import": (
        Example("import", "your folders, or those of the rooms on this machine", needs="folders"),
        Example("import sample_histories", "everything below a folder"),
        Example('import "sample_histories/**/*.txt" --jobs 2', "files by a pattern, two at a time"),
        Example("import sample_histories --dry-run -v", "what would become of each file"),
    ),
    "watch": (
        Example("watch", "the folders of the rooms, while you play", needs="folders"),
        Example("watch sample_histories --every 5", "a folder, every five seconds", needs="time"),
    ),
    "sql": (
        Example('sql "SHOW TABLES"', "what there is to ask"),
        Example('sql "SELECT kind, count(*) FROM actions GROUP BY ALL"', "what is done how often"),
        Example('sql "FROM hands" --format csv > hands.csv', "a table for a spreadsheet"),
    ),
    "lake": (
        Example("lake import sample_histories --lake archive", "hands into a lake"),
        Example("stats door-cards --db archive", "what a lake answers", needs="lake"),
    ),
    "lake import": (
        Example("lake import sample_histories --lake archive", "into a lake, two files at a time"),
        Example(
            "lake import /data/hands --lake s3://hands/lake --scheduler tcp://scheduler:8786",
            "an object store, by the workers of a cluster",
            needs="cluster",
        ),
    ),
    "lake files": (
        Example("lake files hands --lake archive", "the Parquet files of a table", needs="lake"),
        Example(
            "lake files actions --lake s3://hands/lake --format jsonl",
            "with rooms, months and rows, for a program",
            needs="lake",
        ),
    ),
    "lake export": (
        Example("lake export --lake archive", "your database, into a lake"),
        Example("lake export --db other.duckdb --lake archive", "another one", needs="a database"),
    ),
    "lake extract": (
        Example(
            "lake extract --lake archive --hero RazzHero --db hero.duckdb",
            "a player's hands, into a database of his own",
            needs="lake",
        ),
        Example(
            "lake extract --lake archive --hero RazzHero --site pokerstars --db hero.duckdb",
            "those of one room",
            needs="lake",
        ),
    ),
    "lake compact": (
        Example("lake compact --lake archive", "after many imports", needs="lake"),
        Example(
            "lake compact --lake archive --site pokerstars --unused-days 30",
            "one room; what was used in the last month stays",
            needs="lake",
        ),
    ),
    "anonymize": (
        Example("anonymize sample_histories/kingsclub shown", "a folder, to show it to others"),
        Example(
            'anonymize sample_histories/kingsclub shown --salt "a secret of mine" --force',
            "with the same made-up names each time",
        ),
    ),
    "doctor": (
        Example("doctor", "what a report of a fault should tell"),
        Example("doctor --format json", "for a program"),
    ),
    "rebuild": (
        Example("rebuild", "after an upgrade: what is outdated is read again"),
        Example("rebuild --all", "everything is read again from the texts in the database"),
        Example("rebuild --anew", "the database is made anew"),
        Example("rebuild sample_histories", "anew, from these files too"),
    ),
    "backup": (
        Example("backup razz-backup.duckdb", "a copy of the database"),
        Example("backup razz-backup.duckdb --force", "in the place of an earlier copy"),
    ),
    "restore": (
        Example("restore razz-backup.duckdb", "the copy back in its place", needs="a backup"),
        Example(
            "restore razz-backup.duckdb --db other.duckdb", "to look at it apart", needs="a backup"
        ),
    ),
    "report": (
        Example("report", "the report of all your hands, in the terminal"),
        Example("report --session last --html report.html", "the last session, as a page"),
        Example("report sample_histories --html report.html", "files that are not imported"),
    ),
    "stats": (
        Example("stats --list", "all tables and what their columns mean"),
        Example("stats door-cards --since 2026-01-01", "door cards, from this day on"),
        Example("stats hand-rates --by stakes --cash", "how you play at each stake"),
        Example("stats sessions --format csv > sessions.csv", "for a spreadsheet"),
    ),
    "leaks": (
        Example("leaks", "your mistakes, the dearest first"),
        Example("leaks --hands 301", "the hands of one of them"),
        Example("leaks --session last", "the last session beside what is usual for you"),
        Example("leaks --as four2go", "another player's"),
    ),
    "show": (
        Example("show 262000000707", "a hand that was imported"),
        Example("show pokerstars:262000000707 sample_histories", "a hand in files"),
    ),
    "variance": (
        Example("variance", "the next 10,000 hands"),
        Example("variance --hands 2000 --stakes 0.04/0.08", "fewer, at these stakes"),
        Example("variance --courses 5000 --seed 7 --format json", "for a program"),
    ),
    "equity": (
        Example("equity Ac2d3h 7s8cKd", "on third street"),
        Example("equity Ac2d3h 7s8cKd xx --dead 4s5h", "against a third, with dead cards"),
        Example("equity Ac2d3h9sKd 4s5c6d8hTs --streets", "street by street"),
        Example('equity A23 "[8-]" --samples 20000', "against any unpaired eight or lower"),
    ),
    "check": (
        Example("check sample_histories", "what is wrong with which line"),
        Example("check sample_histories --select RZ4 --format full", "one kind, with the lines"),
        Example("check sample_histories/winamax --format json", "for a program"),
    ),
    "parse": (
        Example("parse sample_histories/pokerstars", "a JSON object for each hand"),
        Example("parse sample_histories > hands.jsonl", "into a file"),
    ),
    "simulate": (
        Example("simulate", "100 hands at six seats, into simulated.txt"),
        Example("simulate --hands 1000 --players 8 --seed 7 --out eight.txt", "more of them"),
    ),
    "export": (
        Example("export --out tables", "all tables as Parquet"),
        Example("export --format csv --since 2026-01-01 --out tables", "from this day on, as CSV"),
        Example("export --format phh --out hands", "the hands in the PHH format"),
    ),
    "explain": (
        Example("explain RZ401", "what a code means"),
        Example("explain bring-in-wrong-seat", "the same by its name"),
        Example("explain --format json", "all codes, for a program"),
    ),
    "rejected": (
        Example("rejected list", "all of them"),
        Example("rejected retry", "after an upgrade of razzstats"),
    ),
    "rejected list": (
        Example("rejected list", "with file, line and reason"),
        Example("rejected list --format json", "with their texts, for a program"),
    ),
    "rejected show": (
        Example("rejected show 262000000303", "by the hand's number", needs="a rejected hand"),
        Example("rejected show 1b2c3d4e", "by the id that the list prints", needs="a hand"),
    ),
    "rejected retry": (
        Example("rejected retry", "after an upgrade of razzstats"),
        Example("rejected retry --variant home-game", "by other rules"),
    ),
    "rejected export": (
        Example("rejected export --out rejected.txt", "all of them, into a file"),
        Example("rejected export 262000000303", "one of them", needs="a rejected hand"),
    ),
    "config": (
        Example("config", "every setting, its value and where that comes from"),
        Example("config set hero RazzHero", "whose hands are counted"),
        Example("config set folders sample_histories", "what `razzstats import` reads"),
        Example("config unset hero", "the default again"),
    ),
    "config list": (
        Example("config list", "every setting"),
        Example("config list --format json", "for a program"),
    ),
    "config get": (
        Example("config get db", "where the database is"),
        Example("config get folders", "what `razzstats import` reads"),
    ),
    "config set": (
        Example("config set format csv", "how data is written"),
        Example("config set session_gap 60", "minutes of pause that end a session"),
        Example("config set folders sample_histories sample_histories/merge", "several values"),
    ),
    "config unset": (
        Example("config unset format", "a table again"),
        Example("config unset folders", "look for the rooms' folders again"),
    ),
    "config path": (
        Example("config path", "where the file lies"),
        Example('"$EDITOR" "$(razzstats config path)"', "open it", needs="an editor"),
    ),
}
"""By the command's name."""


def epilog(command: str) -> str:
    """Return a command's examples as the end of its help."""
    lines = ["Examples:"]
    for example in EXAMPLES[command]:
        begin = "" if example.line.startswith('"$') else "razzstats "
        lines += [f"  {begin}{example.line}", f"      {example.meaning}"]
    return "\n".join(lines).replace("[", "\\[")
