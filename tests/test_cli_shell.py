"""The commands in a shell: pipes, colours, encodings, exit codes, help, and how they start."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from cli import (
    COMMAND,
    HOSTILE_NAMES,
    environment,
    hand,
    python,
    razzstats,
    shell,
    warned_hand,
    write,
    wrong_hand,
)

COMMANDS = (
    "parse", "check", "import", "report", "stats", "show", "export", "rejected", "simulate",
    "explain", "equity", "leaks", "variance", "config",
)  # fmt: skip
WITH_DATABASE = ("import", "report", "stats", "show", "export", "leaks", "variance")
ESCAPE = "\x1b"


# ---- help


def test_the_help_names_every_command_and_the_exit_codes() -> None:
    run = razzstats("--help")
    assert (run.code, run.err) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^\W*{command} ", run.out, re.MULTILINE), command
    assert "Exit codes: 0 done; 1 done, but a file failed" in " ".join(run.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_says_where_the_database_is(command: str) -> None:
    run = razzstats(command, "--help")
    assert (run.code, run.err) == (0, "")
    assert razzstats(command, "-h") == run
    words = " ".join(run.out.replace("│", " ").split())
    assert f"razzstats {command} " in words
    assert ("--db" in words) == (command in WITH_DATABASE)
    if command in WITH_DATABASE:
        assert "RAZZSTATS_DB" in words
        assert "razzstats.duckdb" in words.replace(" ", "")


def test_without_a_command_the_help_is_shown() -> None:
    run = razzstats()
    assert run.code == 2
    assert "Usage: razzstats" in run.out + run.err
    assert "import     Import hand histories" in run.out + run.err


def test_the_version_is_printed() -> None:
    run = razzstats("--version")
    assert (run.code, run.err) == (0, "")
    assert re.fullmatch(r"razzstats \d+\.\d+\.\d+\n", run.out)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("frobnicate",), "No such command 'frobnicate'."),
        (("--nonsense",), "No such option: --nonsense"),
        (("parse",), "Missing argument 'PATH...'."),
        (("check",), "Missing argument 'PATH...'."),
        (("show",), "Missing argument 'hand'."),
        (("parse", "--nonsense", "x"), "No such option: --nonsense"),
        (("check", "x", "--format", "table"), "'table' is not one of 'full', 'concise', 'json'."),
        (("import", "x", "--format", "xml"), "'xml' is not one of 'table', 'json', 'jsonl',"),
        (("import", "x", "--db"), "Option '--db' requires an argument."),
        (("report", "--html"), "Option '--html' requires an argument."),
        (("explain", "a", "b"), "Got unexpected extra argument(s) (b)"),
        (("simulate", "--hands"), "Option '--hands' requires an argument."),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...], sentence: str
) -> None:
    run = razzstats(*arguments)
    assert (run.code, run.out) == (2, "")
    assert sentence.lower() in run.sentence.lower()
    assert "Traceback" not in run.err


# ---- how it starts


def test_the_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from razzstats.cli.app import main\n"
        "sys.argv = ['razzstats', '--help']\n"
        "try:\n    main()\n"
        "finally:\n"
        "    heavy = {'duckdb', 'pandas', 'numpy', 'plotly', 'lark', 'tomlkit', 'rich.progress',"
        "        'razzstats.pipeline', 'razzstats.settings', 'razzstats.room_folders'}\n"
        "    sys.stderr.write(' '.join(sorted(heavy & sys.modules.keys())))\n"
    )
    run = python(code, tmp_path)
    assert (run.code, run.err) == (0, "")
    assert "Usage: razzstats" in run.out


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["explain", "RZ401"], {"duckdb", "pandas", "plotly", "lark"}),
        pytest.param(
            ["import", "a.txt", "--db", "a.db"], {"pandas", "plotly"}, marks=pytest.mark.slow
        ),
        (["stats", "overview", "--db", "b.db"], {"plotly", "lark"}),
    ],
)
def test_a_command_loads_only_what_it_needs(
    tmp_path: Path, arguments: list[str], unwanted: set[str]
) -> None:
    write(tmp_path, a=hand())
    razzstats("import", tmp_path / "a.txt", "--db", tmp_path / "b.db")
    code = (
        "import sys\n"
        "from razzstats.cli.app import main\n"
        f"sys.argv = ['razzstats', *{arguments!r}]\n"
        "try:\n    main()\n"
        "finally:\n"
        f"    print('loaded:', *sorted({unwanted!r} & sys.modules.keys()))\n"
    )
    run = python(code, tmp_path)
    assert run.code == 0, run.err
    assert run.out.endswith("loaded:\n")


# ---- pipes


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, a="".join(map(hand, range(1, 500))), b="".join(map(wrong_hand, range(1, 500))))
    script = (
        "razzstats parse a.txt | head -1; echo ${PIPESTATUS[0]}\n"
        "razzstats check b.txt --format full | head -1; echo ${PIPESTATUS[0]}\n"
        "razzstats explain | true; echo ${PIPESTATUS[0]}\n"
        "razzstats stats --list | head -1; echo ${PIPESTATUS[0]}\n"
    )
    run = shell(script, tmp_path)
    first, *rest = run.out.splitlines()
    assert json.loads(first)["hand_id"] == "1"
    assert rest == [
        "0",
        "error[RZ401]: Anna brings in, but Ben has the highest door card (Kd)",
        "0",
        "0",
        "overview: results and rates over all hands that match",
        "0",
    ]
    assert run.err == ""


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has such a device")
    write(tmp_path, a="".join(map(hand, range(1, 100))))
    run = shell("razzstats explain >/dev/full; echo $?; razzstats parse a.txt >/dev/full", tmp_path)
    assert (run.code, run.out) == (2, "2\n")
    assert run.err == "razzstats: the output: No space left on device\n" * 2


def test_standard_input_can_be_piped(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + hand(2))
    script = (
        "cat a.txt | razzstats import - --db x.duckdb\n"
        "razzstats show 2 --db x.duckdb | tail -n +2 | head -1\n"
        "razzstats stats door-cards --db x.duckdb --format csv | cut -d, -f1,2 | head -5\n"
        "gzip -c a.txt > a.gz && razzstats parse a.gz | wc -l\n"
    )
    run = shell(script, tmp_path)
    assert run.out.splitlines() == [
        "1 file, 2 Razz hands: 2 stored, 0 known already, 0 in conflict, 0 rejected, 0 incomplete; "
        "0 hands of other games left out",
        "Razz $0.04/$0.08, ante $0.01, bring-in $0.02, table Halley 2",
        "door,hands",
        "A,0",
        "2,0",
        "3,0",
        "4,2",
        "2",
    ]


def test_an_interrupted_import_keeps_what_is_done(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    process = subprocess.Popen(
        [COMMAND, "import", "a.txt", "-", "--db", "x.duckdb", "-v"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # It is ignored in what a shell starts in the background, and in all that this starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        assert process.stdin is not None
        # The pipe holds no more than 64 KiB: when all is written, the command is reading it.
        process.stdin.write("".join(map(hand, range(2, 402))))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "razzstats: interrupted; what was stored so far is whole\n"
    shown = razzstats("show", "1", "--db", tmp_path / "x.duckdb")
    assert shown.code == 0


# ---- colours and terminals


def in_terminal(command: str, folder: Path, **variables: str) -> str:
    """Return what a command writes when its output is a terminal."""
    script = f"script -qec {json.dumps(command)} /dev/null"
    return shell(script, folder, TERM="xterm-256color", **variables).out


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("check --format full a.txt", marks=pytest.mark.slow),
        pytest.param("stats overview --db x.duckdb", marks=pytest.mark.slow),
        "report a.txt",
    ],
)
def test_colours_are_for_terminals_that_want_them(tmp_path: Path, command: str) -> None:
    write(tmp_path, a=warned_hand() + hand(1))
    razzstats("import", tmp_path / "a.txt", "--db", tmp_path / "x.duckdb")
    command = f"razzstats {command}"
    piped = shell(command, tmp_path, FORCE_COLOR="1")
    assert piped.code == 0
    assert ESCAPE not in piped.out + piped.err
    if shell("command -v script", tmp_path).code:
        pytest.skip("there is no `script` to make a terminal with")
    assert ESCAPE in in_terminal(command, tmp_path)
    assert ESCAPE + "[3" not in in_terminal(command, tmp_path, NO_COLOR="1")


# ---- encodings


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        pytest.param({"PYTHONIOENCODING": "ascii"}, marks=pytest.mark.slow),
        pytest.param({"PYTHONIOENCODING": "cp1252"}, marks=pytest.mark.slow),
    ],
)
def test_what_the_terminal_cannot_show_is_written_out(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    name = "Дед Ngọc 🂡"
    write(tmp_path, a=hand(1, name=name), b=wrong_hand(2).replace("Anna", name), **{"ë": hand(3)})
    run = shell("razzstats show 1 . && razzstats report .", tmp_path, **variables)
    assert (run.code, "Traceback" in run.err) == (0, False), run.err
    assert rb"\u0414\u0435\u0434 Ng\u1ecdc \U0001f0a1" in run.raw


# ---- hostile names


def hostile_hands() -> str:
    """Return hands whose players try to steer the terminal: one good, one wrong, one with chat."""
    parts = []
    for number, name in enumerate(HOSTILE_NAMES):
        parts.append(hand(100 + number, name=name))
        parts.append(wrong_hand(200 + number).replace("Anna", name))
        chat = f'Ben: folds\n{name} said, "{name}"'
        parts.append(hand(300 + number, name=name).replace("Ben: folds", chat))
    return "".join(parts)


def test_names_are_only_text_in_every_command(tmp_path: Path) -> None:
    file, db = tmp_path / "a.txt", tmp_path / "x.duckdb"
    write(tmp_path, a=hostile_hands())
    commands: list[tuple[int, tuple[str | Path, ...]]] = [
        (0, ("import", file, "--db", db, "-v")),
        (0, ("parse", file)),
        (1, ("check", file)),
        (1, ("check", file, "--format", "full")),
        (1, ("check", file, "--format", "json")),
        (1, ("check", file, "--dump")),
        (0, ("report", "--db", db)),
    ]
    for number, name in enumerate(HOSTILE_NAMES):
        commands += [
            (0, ("show", str(200 + number), "--db", db)),
            (0, ("stats", "overview", "--db", db, "--hero", name)),
            (2, ("stats", "overview", "--db", db, "--hero", name + "x")),
            (2, ("show", name, "--db", db)),
            (2, ("explain", name)),
            (2, ("stats", "overview", "--door", name + "x")),
        ]
    for code, arguments in commands:
        run = razzstats(*arguments)
        assert run.code == code, run
        assert run.is_plain, run
        assert "Traceback" not in run.err
    parsed = map(json.loads, razzstats("parse", file).out.splitlines())
    assert {hand["players"][0]["name"] for hand in parsed} == {*HOSTILE_NAMES}


def test_hostile_file_names_are_only_text(tmp_path: Path) -> None:
    for number, name in enumerate(HOSTILE_NAMES):
        (tmp_path / f"{name.replace('/', '_')}.txt").write_text(wrong_hand(number))
    (tmp_path / "\udcff.txt").write_text(wrong_hand(99))  # a name that is no UTF-8
    (tmp_path / "empty\x1b[2J.txt").touch()
    db = tmp_path / "x\x1b[2J.duckdb"
    for arguments, code in (
        (("check", tmp_path), 1),
        (("import", tmp_path, "--db", db, "-v"), 1),
        (("report", tmp_path), 1),
        (("report", "--db", db), 0),
        (("report", tmp_path / "\x1b[2J"), 1),
        (("show", "99", "--db", db), 0),
        (("stats", "overview", "--db", tmp_path / "\x1b[2J"), 2),
    ):
        run = razzstats(*arguments)
        assert run.code == code, run
        assert run.is_plain, run
