"""A page as a browser sees it, for tests that read one."""

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, NamedTuple


class Defined(NamedTuple):
    """A name whose definition opens on demand."""

    section: str | None
    name: str
    definition: str
    """What is read when it is open."""
    title: str | None
    """What shows under the mouse."""


@dataclass
class Element:
    name: str
    attributes: dict[str, str | None]
    text: str = ""


class Page(HTMLParser):
    """A page as a browser sees it: elements, their text, and that all of them are closed.

    Definitions that open on demand are no part of the text around them.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.tables: list[list[list[str]]] = []
        self.sections_of_tables: list[str | None] = []
        self.defined: list[Defined] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(element.attributes) == len(attrs)
        self.elements.append(element)
        if tag == "table":
            self.tables.append([])
            self.sections_of_tables.append(self.section)
        if tag == "tr":
            self.tables[-1].append([])
        if tag not in ("meta", "link"):
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        element = self.open.pop()
        assert element.name == tag
        if tag in ("td", "th"):
            self.tables[-1][-1].append(element.text)
        if tag == "p" and self.open[-1].attributes.get("class") == "defined":
            self.keep_definition(element.text)

    def keep_definition(self, words: str) -> None:
        for element in self.open:
            element.text = element.text.removesuffix(words)
        details = self.open[-1]
        title = details.attributes.get("title")
        self.defined.append(Defined(self.section, details.text, words, title))

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def all(self, name: str) -> list[Element]:
        return [element for element in self.elements if element.name == name]

    @property
    def shape(self) -> list[tuple[str, dict[str, str | None]]]:
        return [(element.name, element.attributes) for element in self.elements]

    def values(self, attribute: str) -> Iterator[str]:
        for element in self.elements:
            if (value := element.attributes.get(attribute)) is not None:
                yield value

    def by_id(self, id: str) -> Element:
        (found,) = (element for element in self.elements if element.attributes.get("id") == id)
        return found

    def tables_of(self, section: str) -> list[list[list[str]]]:
        """Return the tables of a section: rows of cells, the headings first."""
        pairs = zip(self.tables, self.sections_of_tables, strict=True)
        return [table for table, found in pairs if found == section]

    @property
    def section(self) -> str | None:
        """The section in which the parser is."""
        ids = [each.attributes.get("id") for each in self.open if each.name == "section"]
        return ids[-1] if ids else None

    @property
    def charts(self) -> dict[str, Any]:
        charts: dict[str, Any] = json.loads(self.by_id("charts").text)["charts"]
        return charts


def policy(page: Page) -> dict[str, str]:
    (content,) = (
        element.attributes["content"] or ""
        for element in page.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    return dict(rule.strip().split(" ", 1) for rule in content.split(";"))


def own_text(page: str) -> str:
    """The page without plotly.js, which is packed and not ours."""
    start = page.find('<script type="text/plain" id="plotly"')
    return page if start < 0 else page[:start] + page[page.index("</script>", start) :]


def unpacked_plotly(page: Page) -> str:
    """Return the script that the page carries packed, as the page's own script unpacks it."""
    block = page.by_id("plotly")
    # What means something in HTML is spelled with signs that this alphabet does not have.
    words = block.text.translate(str.maketrans(",.:", "<>&"))
    packed = base64.b85decode(words)[: int(block.attributes["data-size"] or "")]
    return gzip.decompress(packed).decode()
