"""A page around its content: one file that asks for nothing and runs no script but its own."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import NamedTuple

import numpy as np

from razzstats.reports.markup import Html, join, tag, text

_DIGITS = np.frombuffer(
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~",
    dtype=np.uint8,
)
"""The digits of base 85 on the page: RFC 1924's, but for those that mean something in HTML."""


def render(
    *,
    title: str,
    body: Html,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: Mapping[str, object],
    with_plotly: bool = False,
) -> str:
    """Return a whole page; the same bytes for the same input.

    ``styles`` and ``scripts`` name files of this package, ``data`` is what the scripts read, by
    the ids of its elements. Nothing in the page asks for anything outside of it, and its policy
    forbids it to: scripts run only if they are the ones of this page, by their hashes.
    """
    sources = [_script(_resource(name)) for name in scripts]
    hashes = [_hash(source) for source in sources]
    blocks = [_data_block(id, value) for id, value in data.items()]
    if with_plotly:
        plotly = _packing().result()
        hashes.append(plotly.hash)
        blocks.append(_packed_block(plotly))
    return Template(_resource("shell.html")).substitute(
        policy=text(_policy(hashes)),
        title=text(title),
        style="".join(map(_resource, styles)),
        body=body,
        scripts="".join(blocks) + "".join(f"<script>{source}</script>\n" for source in sources),
    )


def footer() -> Html:
    """Return what stands below every page."""
    made = f"Made by razzstats {version('razzstats')}. Times are UTC."
    return tag("footer", text(f"{made} This page works without a network."))


def header(kicker: str, title: str, about: str) -> Html:
    """Return what stands above every page: what it is, whose it is, and what it is about."""
    return tag(
        "header",
        tag("p", text(kicker), class_="kicker"),
        tag("h1", tag("bdi", text(title))),
        tag("p", tag("bdi", text(about)), class_="about"),
    )


def page(*parts: Html) -> Html:
    """Return the body of a page from its parts."""
    return tag("div", join(parts, Html("\n")), class_="page")


def inert_json(value: object) -> str:
    """Return JSON that ends no script element and starts no comment, whatever text is in it."""
    encoded = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        encoded = encoded.replace(character, f"\\u{ord(character):04x}")
    return encoded


def _resource(name: str) -> str:
    return files("razzstats.reports").joinpath(name).read_text("utf-8")


def _data_block(id: str, value: object) -> str:
    return f'<script type="application/json" id="{id}">{inert_json(value)}</script>\n'


# ---- scripts


def _script(source: str) -> str:
    # In JavaScript's strings and patterns the backslash says nothing; for HTML it says a lot.
    return re.sub("<(?=/script|!--)", r"<\\", _one_kind_of_line_end(source), flags=re.IGNORECASE)


def _one_kind_of_line_end(source: str) -> str:
    # A browser hashes what it reads, where every line end is one line feed.
    return source.replace("\r\n", "\n").replace("\r", "\n")


class _Packed(NamedTuple):
    """A script that the page carries compressed, and unpacks when it is opened."""

    hash: str
    size: int
    """Bytes when compressed."""
    content: str


@cache
def _packing() -> Future[_Packed]:
    return ThreadPoolExecutor(max_workers=1).submit(_packed_plotly)


def pack_plotly() -> None:
    """Begin to pack plotly's script, which goes on beside whatever is done before the page."""
    _packing()


def _packed_plotly() -> _Packed:
    """Return the script of the installed plotly: a newer plotly brings a newer one by itself."""
    # Read beside plotly's own code, which takes a fifth of a second to load for the same bytes.
    script = files("plotly").joinpath("package_data", "plotly.min.js").read_text("utf-8")
    source = _one_kind_of_line_end(script)
    packed = gzip.compress(source.encode(), compresslevel=9, mtime=0)
    return _Packed(_hash(source), len(packed), _in_base_85(packed))


def _in_base_85(packed: bytes) -> str:
    """Return five digits for each four bytes; what fills up the last four is cut off by the size.

    That is an eighth shorter than base 64.
    """
    words = np.frombuffer(packed + bytes(-len(packed) % 4), dtype=">u4").astype(np.int64)
    places = 85 ** np.arange(4, -1, -1)
    return str(_DIGITS[words[:, None] // places % 85].tobytes(), "ascii")


def _packed_block(packed: _Packed) -> str:
    head = f'<script type="text/plain" id="plotly" data-size="{packed.size}">'
    return f"{head}{packed.content}</script>\n"


def _policy(hashes: Sequence[str]) -> str:
    allowed = " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "connect-src 'none'; form-action 'none'; base-uri 'none'"
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
