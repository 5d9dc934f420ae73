"""Each sample is still understood as it was: what `check --dump` prints, beside what it printed.

RAZZSTATS_UPDATE_GOLDEN=1 writes the present output; read the difference before you commit it.
"""

import os
from pathlib import Path

import pytest
from cli import razzstats
from hands import SAMPLES

GOLDEN = Path(__file__).parent / "golden"
SAMPLE_FILES = sorted(path.relative_to(SAMPLES) for path in SAMPLES.glob("*/*.*"))
HANDS_OF_A_SESSION = 3
"""Of long files only the first hands: they are simulated, and their hands much alike."""

_UPDATE = os.environ.get("RAZZSTATS_UPDATE_GOLDEN") == "1"


def golden_of(sample: Path) -> Path:
    return GOLDEN / sample.with_suffix(".golden")


def dump(sample: Path, folder: Path) -> str:
    """Return what the command tells of the sample's first hands, with the file's bare name."""
    content = (SAMPLES / sample).read_bytes()
    if not sample.name.startswith("edge-"):
        content = b"\n\n\n".join(content.split(b"\n\n\n")[:HANDS_OF_A_SESSION]) + b"\n"
    file = folder / sample.name
    file.write_bytes(content)
    run = razzstats("check", file, "--dump", "--notes")
    return (run.out + "\n" + run.err).replace(str(file), sample.name)


@pytest.mark.parametrize("sample", SAMPLE_FILES, ids=str)
def test_a_sample_is_understood_as_before(sample: Path, tmp_path: Path) -> None:
    told, golden = dump(sample, tmp_path), golden_of(sample)
    if _UPDATE:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(told, encoding="utf-8", newline="\n")
    assert golden.exists(), f"{sample} has no golden file; RAZZSTATS_UPDATE_GOLDEN=1 writes it"
    assert told == golden.read_text(encoding="utf-8")


def test_every_golden_file_has_its_sample() -> None:
    assert {*GOLDEN.rglob("*.golden")} == {golden_of(sample) for sample in SAMPLE_FILES}
