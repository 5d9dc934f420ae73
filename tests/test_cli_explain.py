"""`razzstats explain`: every code, by number and by name."""

import pytest
from cli import razzstats

from razzstats.diagnostics import Code
from razzstats.diagnostics.codes import CODES


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_every_code_is_explained_by_number_and_by_name(code: Code) -> None:
    run = razzstats("explain", code.id)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"{code.id} {code.name} ({code.severity})\n\n{code.summary}\n\n{code.explanation}\n"
    )
    for other in (f" {code.id.lower()} ", code.name.upper()):
        assert razzstats("explain", other) == run


def test_without_a_code_all_are_listed() -> None:
    run = razzstats("explain")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        [code.id, str(code.severity), code.name] for code in CODES
    ]
    assert all(line.endswith(code.summary) for line, code in zip(lines, CODES, strict=True))


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("bring-in-wrong-seats", "did you mean bring-in-wrong-seat?"),
        ("RZ9011", "did you mean RZ901?"),
        ("nothing of the kind", "`razzstats explain` lists them all"),
        ("", "`razzstats explain` lists them all"),
    ],
)
def test_a_code_that_does_not_exist_is_a_wrong_command(wanted: str, hint: str) -> None:
    run = razzstats("explain", wanted)
    assert (run.code, run.out) == (2, "")
    assert run.sentence.endswith(f"there is no diagnostic {wanted!r}; {hint}")
