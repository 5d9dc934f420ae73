"""A page as a browser sees it, for tests that read one."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any


@dataclass
class Element:
    name: str
    attributes: dict[str, str | None]
    text: str = ""


class Page(HTMLParser):
    """A page as a browser sees it: elements, their text, and that all of them are closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.tables: list[list[list[str]]] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(element.attributes) == len(attrs)
        self.elements.append(element)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag not in ("meta", "link"):
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        element = self.open.pop()
        assert element.name == tag
        if tag in ("td", "th"):
            self.tables[-1][-1].append(element.text)

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
    """The page without the text of plotly.js, its first script, which is not ours."""
    start = page.index("<script>")
    return page[:start] + page[page.index("</script>", start) :]
