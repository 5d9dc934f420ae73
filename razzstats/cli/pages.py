"""What commands that write pages share."""

from pathlib import Path
from typing import Annotated

import typer

from razzstats.cli.common import remark
from razzstats.errors import RazzstatsError

MaskOption = Annotated[
    bool,
    typer.Option(
        "--mask-names", help="Call players Hero and Player 1, 2, …; leave out texts with names."
    ),
]


def write_page(path: Path, page: str) -> None:
    """Write a page and say so; raises RazzstatsError if that cannot be done."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RazzstatsError(f"{path} cannot be written: {error.strerror}") from None
    remark(f"wrote {path} ({len(page.encode()) / 1e6:.1f} MB)")
