"""HTML as a type of its own: only `text` and `tag` make it, so nothing gets in unescaped."""

import html
from collections.abc import Iterable
from typing import NewType

from razzstats.diagnostics.visible import visible

Html = NewType("Html", str)
"""Finished markup; a type checker refuses a plain string in its place."""

_VOID = frozenset(("meta", "br", "hr"))


def text(value: object) -> Html:
    """Return any text as what it is: no markup, no control characters, no change of direction."""
    return Html(html.escape(visible(str(value))))


def tag(name: str, *children: Html, **attributes: str | bool | None) -> Html:
    """Return an element; ``class_`` and ``aria_label`` are written as HTML spells them.

    An attribute that is True stands without a value, one that is False or None is left out.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{''.join(children)}</{name}>")


def join(parts: Iterable[Html], separator: Html = Html("")) -> Html:
    """Return markup put together."""
    return Html(separator.join(parts))


def preformatted(block: str) -> Html:
    """Return a text of several lines as it stands, tabs as spaces."""
    lines = block.replace("\r\n", "\n").split("\n")
    return Html("\n".join(text(line.expandtabs(4)) for line in lines))


def _attribute(key: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'
