"""What the shell suggests behind TAB, asked as bash, zsh, fish and PowerShell ask."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli import COMMAND, HOSTILE_NAMES, environment, hand, python, razzstats, shell, write

from razzstats.stats.catalogue import TABLES

# Names that a shell would take apart, run or expand if they were not written for it.
UNRULY_NAMES = (
    "low baller", "$(touch pwned)", "`touch pwned`", "; touch pwned;", "*", "[FR] Benoît",
    "O'Brick", 'say "hi"', "back\\slash", "a&b|c>d", "~root", "!!", "#1", "{a,b}",
    "-x", "()", "tab\there",
)  # fmt: skip
SEEN = "Anna"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    names = (SEEN, *UNRULY_NAMES, *HOSTILE_NAMES)
    texts = [hand(number, name=name) for number, name in enumerate(names, 1)]
    texts.append(
        hand(900).replace("0.04/$0.08", "0.25/$0.50").replace("Ben: brings", "Ann: brings")
    )
    write(folder, a="".join(texts))
    razzstats("import", folder / "a.txt", "--db", folder / "x.duckdb")
    return folder / "x.duckdb"


def ask(variables: dict[str, str], folder: Path) -> str:
    """Run the command as a shell does that wants suggestions; nothing may go wrong with it."""
    done = subprocess.run(
        [COMMAND], cwd=folder, env=environment(**variables), capture_output=True, timeout=60,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode("utf-8")


def in_bash(folder: Path, *words: str, **variables: str) -> list[str]:
    """Return what bash suggests for the last of the words, as they stand on its command line."""
    asked = {
        "_RAZZSTATS_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(("razzstats", *words)),
        "COMP_CWORD": str(len(words)),
    }
    return [word for word in ask(asked | variables, folder).split("\n") if word]


def in_fish(folder: Path, line: str, **variables: str) -> dict[str, str]:
    """Return what fish suggests behind a command line, and what each means."""
    asked = {
        "_RAZZSTATS_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_ARGS": f"razzstats {line}",
    }
    rows = [row.partition("\t") for row in ask(asked | variables, folder).splitlines()]
    return {word: meaning for word, _, meaning in rows if word}


# ---- what is suggested


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("stats", "door-"), {"door-cards", "door-streets"}),
        (("stats", "door-cards", "--by", "stak"), {"stakes"}),
        (("stats", "--site", "p"), {"pokerstars", "phh"}),
        (("stats", "--stakes", ""), {"0.04/0.08"}),
        (("stats", "--currency", ""), {"USD"}),
        (("stats", "--hero", "An"), {SEEN}),
        (("stats", "--opponent", "B"), {"Ben"}),
        (("leaks", "--as", "low"), {r"low\ baller"}),
        (("leaks", "--hands", "80"), {"801", "805"}),
        (("report", "--starting-class", "two"), {"two-low"}),
        (("stats", "--session", ""), {"last", "2026-01-09"}),
        (("explain", "RZ40"), {"RZ401"}),
        (("explain", "bring-in-w"), {"bring-in-wrong-seat"}),
        (("check", "x", "--variant", "h"), {"home-game"}),
        (("config", "set", "fo"), {"format", "folders"}),
        (("stats", "--format", "js"), {"json", "jsonl"}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_words_are_suggested(words: tuple[str, ...], expected: set[str], db: Path) -> None:
    found = in_bash(db.parent, *words, RAZZSTATS_DB=str(db))
    assert expected <= {*found}
    written = words[-1]
    assert all(word.startswith(written) for word in found)


def test_a_suggestion_says_what_it_means(db: Path) -> None:
    tables = in_fish(db.parent, "stats ", RAZZSTATS_DB=str(db))
    assert {*tables} == {table.name for table in TABLES}
    assert tables["door-cards"] == next(t.title for t in TABLES if t.name == "door-cards")
    assert in_fish(db.parent, "leaks --hands 301")["301"] == "Weak starting hands"


def test_the_database_is_found_as_the_command_finds_it(db: Path, tmp_path: Path) -> None:
    asked = ("stats", "--hero", "Ann")
    assert in_bash(tmp_path, "stats", "--db", str(db), "--hero", "Ann") == [SEEN]
    assert in_bash(tmp_path, *asked, RAZZSTATS_DB=str(db)) == [SEEN]
    config = tmp_path / "config.toml"
    config.write_text(f"db = '{db}'\n")
    assert in_bash(tmp_path, *asked, RAZZSTATS_CONFIG=str(config)) == [SEEN]


def test_there_are_never_many(tmp_path: Path) -> None:
    write(tmp_path, a="".join(hand(n, name=f"Player {n:03}") for n in range(120)))
    razzstats("import", tmp_path / "a.txt", "--db", tmp_path / "x.duckdb")
    found = in_bash(tmp_path, "stats", "--db", "x.duckdb", "--opponent", "Player")
    assert len(found) == 50
    assert in_bash(tmp_path, "stats", "--db", "x.duckdb", "--opponent", "'Player 11") == [
        f"Player 11{digit}" for digit in range(10)
    ]


# ---- what may be wrong


@pytest.mark.parametrize("what", ["absent", "damaged", "folder", "locked", "wrong settings"])
def test_nothing_is_suggested_and_nothing_said_where_there_is_no_database(
    what: str, db: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.duckdb"
    config = tmp_path / "config.toml"
    if what == "damaged":
        path.write_bytes(b"no database" * 1000)
    elif what == "folder":
        path.mkdir()
    elif what == "locked":
        shutil.copy(db, path)
    elif what == "wrong settings":
        config.write_text("hero = \n")
    variables = {} if what == "wrong settings" else {"RAZZSTATS_DB": str(path)}
    before = {*tmp_path.iterdir()}
    holder = None
    if what == "locked":
        holder = subprocess.Popen(
            [sys.executable, "-c", "import duckdb, sys; c = duckdb.connect(sys.argv[1]);"
             " print(flush=True); sys.stdin.read()", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert holder.stdout is not None
        holder.stdout.readline()
    try:
        for words in (("stats", "--hero", ""), ("stats", "--stakes", ""), ("rejected", "show", "")):
            found = in_bash(tmp_path, *words, RAZZSTATS_CONFIG=str(config), **variables)
            assert found == []
    finally:
        if holder is not None:
            holder.communicate()
    assert {*tmp_path.iterdir()} == before


# ---- names that are not to be trusted


def test_names_reach_bash_as_one_word_and_run_nothing(db: Path, tmp_path: Path) -> None:
    # What --show-completion prints in bash; asked so it need not find out which shell runs it.
    script = ask({"_RAZZSTATS_COMPLETE": "source_bash"}, tmp_path)
    asked = f"""{script}
        COMP_WORDS=(razzstats stats --db {shlex.quote(str(db))} --hero '')
        COMP_CWORD=5
        _razzstats_completion razzstats
        for word in "${{COMPREPLY[@]}}"; do eval "printf '%s\\n' $word"; done
    """
    run = shell(asked, tmp_path)
    assert run.code == 0, run
    expected = {name for name in UNRULY_NAMES if "\t" not in name} | {SEEN, "Ben"}
    plain = {name for name in HOSTILE_NAMES if name.isprintable()}
    assert {*run.out.splitlines()} == expected | plain
    assert [*tmp_path.iterdir()] == []


def test_a_quote_that_was_opened_is_kept_to(db: Path) -> None:
    asked: Sequence[tuple[str, list[str]]] = (
        ("'low b", ["low baller"]),
        ('"low b', ["low baller"]),
        (r"low\ b", [r"low\ baller"]),
        ("'O", []),
        ('"$', []),
    )
    for typed, expected in asked:
        found = in_bash(db.parent, "stats", "--hero", typed, RAZZSTATS_DB=str(db))
        assert found == expected, typed


@pytest.mark.parametrize("kind", ["zsh", "powershell"])
def test_names_that_a_shell_would_misread_are_left_out(kind: str, db: Path) -> None:
    asked = {
        "_RAZZSTATS_COMPLETE": f"complete_{kind}",
        "_TYPER_COMPLETE_ARGS": "razzstats stats --hero ",
        "RAZZSTATS_DB": str(db),
    }
    found = ask(asked, db.parent)
    assert not {*found} & {chr(code) for code in (*range(10), *range(11, 32), 0x7F, 0x9B, 0x202E)}
    if kind == "zsh":
        assert '"low baller"' in found
        assert "slash" not in found  # zsh would take the quote behind a backslash for text
        assert "\\$(touch pwned)" in found
        assert "Brick" not in found
    else:
        words = [line.partition(":::")[0] for line in found.splitlines()]
        assert {"'low baller'", "'O''Brick'", "'$(touch pwned)'", SEEN} <= {*words}


# ---- installing


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_the_script_is_shown_and_installed(kind: str, tmp_path: Path) -> None:
    variables = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(tmp_path)}
    shown = shell(f"razzstats --show-completion {kind}", tmp_path, **variables)
    assert shown.code == 0, shown
    assert f"_RAZZSTATS_COMPLETE=complete_{kind}" in shown.out
    installed = shell(f"razzstats --install-completion {kind}", tmp_path, **variables)
    assert installed.code == 0, installed
    scripts = [path for path in tmp_path.rglob("*razzstats*") if path.is_file()]
    assert [path.read_text().strip() for path in scripts] == [shown.out.strip()]


def test_a_suggestion_loads_only_what_it_needs(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "os.environ.update(_RAZZSTATS_COMPLETE='complete_fish', _TYPER_COMPLETE_ARGS="
        "'razzstats explain ', _TYPER_COMPLETE_FISH_ACTION='get-args')\n"
        "from razzstats.cli.app import main\n"
        "sys.argv = ['razzstats']\n"
        "try:\n    main()\n"
        "finally:\n"
        "    heavy = {'duckdb', 'pandas', 'numpy', 'plotly', 'lark', 'tomlkit'}\n"
        "    sys.stderr.write(' '.join(sorted(heavy & sys.modules.keys())))\n"
    )
    run = python(code, tmp_path)
    assert (run.code, run.err) == (0, "")
    assert "RZ401\tbring-in-wrong-seat" in run.out
