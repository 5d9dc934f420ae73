"""The section of the page on single hands: those that stand out, and what happened in them."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.leak_listings import DECISION_HEADINGS, decision_words
from razzstats.reports.listings import POT_HEADINGS, hand_name, pot_numbers, pot_words
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.replayer import anchor_of, hand_anchor, replayer
from razzstats.reports.sections import paragraph, section
from razzstats.reports.tables import csv_link, data_cell, note, row_heading, table
from razzstats.reports.told import ToldHand
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import Kind


class HandLinks:
    """Names of hands; those that the page tells step by step are links to that."""

    def __init__(self, told: Sequence[ToldHand]) -> None:
        self._anchors = {anchor_of(each) for each in told}

    def link(self, site: Any, hand_no: Any, words: str | None = None) -> Html:
        """Return a hand's name, by its number if no other words are given."""
        shown = text(words or f"#{hand_no}")
        if formats.is_missing(site) or formats.is_missing(hand_no):
            return shown
        anchor = hand_anchor(str(site), str(hand_no))
        return tag("a", shown, href=f"#{anchor}") if anchor in self._anchors else shown


def hands(data: ReportData, links: HandLinks) -> Html:
    """Return the hands that stand out, and the replayer of each."""
    content = [
        tag("h3", text("Dearest mistakes")),
        _worst_decisions(data.worst_decisions, links),
        *_pots("Luckiest", "luckiest", data.luckiest, links),
        *_pots("Unluckiest", "unluckiest", data.unluckiest, links),
        *_pots("Biggest pots", "biggest-pots", data.biggest_pots, links),
    ]
    if data.told:
        content.append(tag("h3", text("Replays")))
        content.append(paragraph(
            "Each opens with a table to step through, by the buttons or the arrow keys. Equities "
            "are exact unless they are marked as sampled (≈)."
        ))  # fmt: skip
        content += [replayer(each) for each in data.told]
    return section("hands", "Hands", *content)


# ---- decisions

_MISTAKE = [heading.text for heading in DECISION_HEADINGS[1:]].index("Mistake")


def _worst_decisions(frame: pd.DataFrame, links: HandLinks) -> Html:
    if frame.empty:
        return paragraph("No mistake was found that a rule knows and that has a price.")
    rows = []
    for row in formats.records(frame):
        hand, *words = decision_words(row)
        cells = [
            data_cell(text(each), words=heading.is_text)
            for each, heading in zip(words, DECISION_HEADINGS[1:], strict=True)
        ]
        cells[_MISTAKE] = tag("td", text(words[_MISTAKE]), note(row["advice"]), class_="words wrap")
        rows.append([row_heading(links.link(row["site"], row["hand_no"], hand)), *cells])
    caption = _caption("Decisions that cost most; the hand may have been won all the same.",
                       "dearest-mistakes", frame)  # fmt: skip
    return table(caption, DECISION_HEADINGS, rows, "Dearest mistakes")


# ---- hands

_LUCK_HEADING = Heading("Luck, BB", "what luck did to the player at the showdown, in big bets")
_CAPTIONS = {
    "luckiest": "Showdowns in which luck gave most: what was won less what the cards were worth.",
    "unluckiest": "Showdowns in which luck took most.",
    "biggest-pots": "The biggest pots in big bets of their own tables.",
}


def _pots(title: str, name: str, frame: pd.DataFrame, links: HandLinks) -> list[Html]:
    if frame.empty:
        return [tag("h3", text(title)), paragraph("No showdown of this kind was measured.")]
    with_luck = "luck" in frame
    headings = (*POT_HEADINGS, _LUCK_HEADING) if with_luck else POT_HEADINGS
    rows = [_pot_row(row, links, with_luck) for row in formats.records(frame)]
    shown = table(_caption(_CAPTIONS[name], name, frame), headings, rows, title)
    return [tag("h3", text(title)), shown]


def _pot_row(row: dict[str, Any], links: HandLinks, with_luck: bool) -> list[Html]:
    cells = [
        row_heading(links.link(row["site"], row["hand_no"], hand_name(row))),
        *(data_cell(cell, words=True) for cell in map(text, pot_words(row))),
        *(data_cell(text(each)) for each in pot_numbers(row)),
    ]
    if with_luck:
        cells.append(data_cell(text(formats.value(row["luck"], Kind.RESULT))))
    return cells


def _caption(words: str, name: str, frame: pd.DataFrame) -> Html:
    return join((text(f"{words} "), csv_link(name, frame.drop(columns="hid"))))
