"""The replayer: a hand as a list of steps that can be read, and as data that is drawn as a table.

The page's script draws the table; without it the list tells the same story.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from razzstats.cards import MaybeCard, format_cards
from razzstats.events import Seat
from razzstats.reports.hand_words import (
    HandWords,
    dearest_first,
    equity_words,
    mark_words,
    share_words,
)
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.tables import note
from razzstats.reports.told import ToldHand, ToldStep
from razzstats.rules.actions import ActionKind
from razzstats.story import Equities


def hand_anchor(site: str, number: str) -> str:
    """Return the place of a hand on the page, for links: ``hand-pokerstars-262000000303``."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in number)
    return f"hand-{site}-{kept}"


def anchor_of(told: ToldHand) -> str:
    """Return the place of a told hand on the page."""
    return hand_anchor(*told.hand.parsed.hand_id)


def replayer(told: ToldHand, *, is_open: bool = False) -> Html:
    """Return a hand that opens on demand: a place for the table, and the story in words."""
    words = HandWords(told.hand)
    anchor = anchor_of(told)
    summary = tag(
        "summary",
        tag("span", text(words.title), class_="hand-title"),
        text(" "),
        note(f"{words.played}; {_outcome(words)}"),
    )
    return tag(
        "details",
        summary,
        tag("p", text(words.game), class_="note"),
        tag("div", class_="replayer"),
        tag("ol", *_story(told, words), class_="story"),
        _results(words, told.whole),
        class_="hand",
        id=anchor,
        open=is_open,
    )


def replay_data(told: Sequence[ToldHand]) -> dict[str, Any]:
    """Return what the script draws, by the hands' places on the page."""
    return {anchor_of(each): _hand_data(each) for each in told}


# ---- in words


def _outcome(words: HandWords) -> str:
    """Return who won the hand, and how much."""
    won = [result for result in words.hand.results if result.collected]
    parts = (
        f"{words.names[result.seat]} won {words.money(result.collected)}"
        + (f" with {result.low}" if result.low else "")
        for result in won
    )
    return ", ".join(parts) or "nobody won"


def _story(told: ToldHand, words: HandWords) -> Iterator[Html]:
    for place, each in enumerate(told.steps):
        step = each.step
        if step.action is None:
            pots = words.pots(step)
            pot = f", pot {words.money(step.pot)}" + (f" ({pots})" if pots else "")
            content = [tag("b", text(words.deal(step.street))), text(pot)]
            content.append(tag("ul", *_boards(each, words)))
        else:
            name = tag("bdi", text(words.names[step.action.seat]))
            content = [name, text(f" {words.action(step.action)}")]
            if price := words.price(step):
                content.append(text(f" ({price})"))
        content += [
            tag("span", text(mark_words(mark)), class_="mark") for mark in dearest_first(each.marks)
        ]
        yield tag("li", join(content), data_step=str(place))


def _boards(told: ToldStep, words: HandWords) -> Iterator[Html]:
    for seat, name in words.names.items():
        if seat not in told.step.folded:
            cards = tag("code", text(format_cards(told.step.cards[seat])))
            share = text(f" {equity_words(told, seat)}")
            yield tag("li", tag("bdi", text(name)), text(" "), cards, share)


def _results(words: HandWords, whole: bool) -> Html:
    hand = words.hand
    parts = (
        tag("li", tag("bdi", text(words.names[result.seat])), text(
            f" {words.net(result)}, {format_cards(result.cards)}"
            + (f", {result.low}" if result.low else "")
        ))
        for result in hand.results
    )  # fmt: skip
    total = tag("b", text(words.total(whole=whole)))
    return tag("div", tag("p", total), tag("ul", *parts), class_="results")


# ---- as data


def _hand_data(told: ToldHand) -> dict[str, Any]:
    hand, words = told.hand, HandWords(told.hand)
    most = max(hand.parsed.max_seats or 0, *(int(result.seat) for result in hand.results))
    return {
        "title": words.title,
        "places": most,
        "hero": hand.parsed.hero,
        "bringIn": hand.bring_in_seat,
        "players": {
            str(result.seat): {"name": words.names[result.seat], "cards": _cards(result.cards)}
            for result in hand.results
        },
        "steps": list(_changes(told, words)),
    }


def _changes(told: ToldHand, words: HandWords) -> Iterator[dict[str, Any]]:
    """Yield the steps, each with what differs from the one before: the page stays small."""
    before: dict[str, Any] = {}
    for each in told.steps:
        now = _state(each, words, before)
        yield {key: value for key, value in now.items() if before.get(key) != value}
        before = now


def _state(told: ToldStep, words: HandWords, before: Mapping[str, Any]) -> dict[str, Any]:
    step, action = told.step, told.step.action
    return {
        "street": step.street.title.capitalize(),
        "seat": None if action is None else action.seat,
        "words": words.deal(step.street) if action is None else words.action(action),
        "price": words.price(step),
        "pot": words.money(step.pot),
        "pots": words.pots(step),
        "bets": _by_seat(step.bets, words),
        "stacks": _by_seat(step.stacks, words),
        "folded": sorted(step.folded),
        "cards": {str(seat): _cards(cards) for seat, cards in step.cards.items()},
        "dead": _cards(step.dead),
        # Parts of the pot stay as they are until cards or players change.
        "seen": _shares(told.seen) or _unless_folded(told, before.get("seen")),
        "held": _shares(told.held) or _unless_folded(told, before.get("held")),
        "marks": [
            {"words": mark_words(mark), "advice": mark.rule.advice}
            for mark in dearest_first(told.marks)
        ],
    }


def _unless_folded(told: ToldStep, earlier: Any) -> Any:
    return None if told.step.action and told.step.action.kind is ActionKind.FOLD else earlier


def _by_seat(amounts: Mapping[Seat, int], words: HandWords) -> dict[str, str]:
    return {str(seat): words.money(amount) for seat, amount in amounts.items()}


def _cards(cards: Sequence[MaybeCard]) -> str:
    return "".join("xx" if card is None else str(card) for card in cards)


def _shares(found: Equities | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "exact": found.exact,
        "whole": found.whole,
        "by": {
            str(seat): [share_words(found, seat), round(float(share), 4)]
            for seat, share in found.shares.items()
        },
    }
