"""The replayer of a hand: what its script gets, and the list that tells the same without it."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest
from report_hands import (
    HOSTILE,
    report_of_samples,
    sample_hand,
    sample_hands,
    simulated_hands,
    told_with_text,
)
from report_html import Element, Page

from razzstats.diagnostics.visible import visible
from razzstats.replay import ReplayedHand
from razzstats.reports.hand_page import render_hand
from razzstats.reports.hand_words import HandWords, equity_words, mark_words, share_words
from razzstats.reports.page import render_page
from razzstats.reports.replayer import anchor_of, hand_anchor, replay_data, replayer
from razzstats.reports.told import ToldHand, ToldStep, tell_hand, tell_plainly
from razzstats.rules.actions import ActionKind
from razzstats.stats.leaks import RULES
from razzstats.stats.leaks.marks import Mark
from razzstats.story import QUICK, Equities


def told_hands() -> Iterator[ToldHand]:
    """Yield hands of two to eight players with equities and marks, and all samples without."""
    for players in range(2, 9):
        for hand in simulated_hands(3, players, seed=players):
            yield tell_hand(hand, marks_of_some(hand), QUICK)
    for number in ("262000000101", "262000000202", "15200440105", "88-10532ef0bf10"):
        yield tell_hand(sample_hand(number), marks_of_some(sample_hand(number)), QUICK)
    for hand in sample_hands():
        yield tell_plainly(hand, whole=True)


def marks_of_some(hand: ReplayedHand) -> dict[int, tuple[Mark, ...]]:
    """Return marks at every fifth action, of all kinds of costs."""
    costs = (None, 0.0, -0.5, 1.25)
    return {
        seq: tuple(Mark(rule, costs[(seq + k) % 4]) for k, rule in enumerate(RULES[: 1 + seq % 2]))
        for seq in range(0, len(hand.actions), 5)
    }


@pytest.fixture(scope="module")
def told() -> list[ToldHand]:
    return list(told_hands())


# ---- what the script gets


def rebuilt(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all that holds at each step, as the script puts it together."""
    states: list[dict[str, Any]] = []
    for step in json.loads(json.dumps(data))["steps"]:
        states.append((states[-1] if states else {}) | step)
    return states


def cards(held: Any) -> str:
    return "".join("xx" if card is None else str(card) for card in held)


def test_the_steps_put_together_are_the_story(told: list[ToldHand]) -> None:
    steps = 0
    for hand in told:
        ((anchor, data),) = replay_data([hand]).items()
        assert anchor == anchor_of(hand)
        money = hand.hand.parsed.stakes.money
        states = rebuilt(data)
        assert len(states) == len(hand.steps)
        for state, each in zip(states, hand.steps, strict=True):
            step = each.step
            steps += 1
            assert state["street"].lower() == step.street.title
            assert state["pot"] == money.format(step.pot)
            assert state["folded"] == sorted(step.folded)
            assert state["dead"] == cards(step.dead)
            assert state["cards"] == {str(seat): cards(c) for seat, c in step.cards.items()}
            for key, amounts in (("bets", step.bets), ("stacks", step.stacks)):
                assert state[key] == {str(s): money.format(n) for s, n in amounts.items()}
            assert state["seat"] == (step.action.seat if step.action else None)
            words = HandWords(hand.hand)
            assert state["words"] == (
                words.action(step.action) if step.action else words.deal(step.street)
            )
            assert state["price"] == words.price(step)
            costs = [mark.cost or 0.0 for mark in each.marks]
            marks = sorted(zip(costs, each.marks, strict=True), key=lambda pair: -pair[0])
            assert [mark["words"] for mark in state["marks"]] == [mark_words(m) for _, m in marks]
            assert [mark["advice"] for mark in state["marks"]] == [m.rule.advice for _, m in marks]
    assert steps > 10_000


def latest(steps: tuple[ToldStep, ...], which: str) -> Iterator[Equities | None]:
    """Yield the parts of the pot that hold at each step: the last ones, until a player goes."""
    found = None
    for each in steps:
        folds = each.step.action is not None and each.step.action.kind is ActionKind.FOLD
        found = getattr(each, which) or (None if folds else found)
        yield found


def test_parts_of_the_pot_hold_until_cards_or_players_change(told: list[ToldHand]) -> None:
    shown = 0
    for hand in told:
        states = rebuilt(replay_data([hand])[anchor_of(hand)])
        for key in ("seen", "held"):
            for state, found in zip(states, latest(hand.steps, key), strict=True):
                if found is None:
                    assert state.get(key) is None
                    continue
                shown += 1
                assert (state[key]["exact"], state[key]["whole"]) == (found.exact, found.whole)
                parts = {seat: part for seat, (_, part) in state[key]["by"].items()}
                assert parts == {
                    str(seat): round(float(share), 4) for seat, share in found.shares.items()
                }
                assert {seat: words for seat, (words, _) in state[key]["by"].items()} == {
                    str(seat): share_words(found, seat) for seat in found.shares
                }
    assert shown > 500


def test_a_step_holds_nothing_that_the_one_before_it_said(told: list[ToldHand]) -> None:
    for hand in told:
        data = replay_data([hand])[anchor_of(hand)]
        before: dict[str, Any] = {}
        for step in data["steps"]:
            assert not [key for key, value in step.items() if before.get(key, step) == value]
            before |= step


def test_what_stays_the_same_is_told_once(told: list[ToldHand]) -> None:
    for hand in told:
        data = replay_data([hand])[anchor_of(hand)]
        assert data["title"] == HandWords(hand.hand).title
        assert data["hero"] == hand.hand.parsed.hero
        assert data["bringIn"] == hand.hand.bring_in_seat
        assert data["places"] >= max(result.seat for result in hand.hand.results)
        assert data["players"] == {
            str(result.seat): {"name": visible(result.name), "cards": cards(result.cards)}
            for result in hand.hand.results
        }


# ---- the list that can be read


def items(page: Page) -> list[Element]:
    """Return the steps of the list."""
    return [item for item in page.all("li") if "data-step" in item.attributes]


def test_the_list_says_what_the_script_shows(told: list[ToldHand]) -> None:
    for hand in told:
        page = Page(replayer(hand))
        states = rebuilt(replay_data([hand])[anchor_of(hand)])
        found = items(page)
        assert [item.attributes["data-step"] for item in found] == list(
            map(str, range(len(states)))
        )
        for item, state, each in zip(found, states, hand.steps, strict=True):
            marks = "".join(mark["words"] for mark in state["marks"])
            if state["seat"] is not None:
                name = HandWords(hand.hand).names[state["seat"]]
                price = f" ({state['price']})" if state["price"] else ""
                assert item.text == f"{name} {state['words']}{price}{marks}"
                continue
            assert item.text.startswith(f"{state['words']}, pot {state['pot']}")
            for seat, held in state["cards"].items():
                if int(seat) not in state["folded"]:
                    spaced = " ".join(held[k : k + 2] for k in range(0, len(held), 2))
                    equity = equity_words(each, int(seat))  # type: ignore[arg-type]
                    assert f"{spaced} {equity}" in item.text


def test_only_live_players_are_listed_with_their_cards(told: list[ToldHand]) -> None:
    for hand in told:
        deals = [each.step for each in hand.steps if each.step.action is None]
        boards = [item for item in items(Page(replayer(hand))) if ", pot " in item.text]
        texts = [item.text for item in boards]
        assert len(deals) == len(texts)
        codes = [element.text for element in Page(replayer(hand)).all("code")]
        live = [seat for step in deals for seat in step.cards if seat not in step.folded]
        assert len(codes) == len(live)


def test_the_results_are_those_of_the_hand(told: list[ToldHand]) -> None:
    for hand in told:
        page = Page(replayer(hand))
        (results,) = (each for each in page.all("div") if each.attributes.get("class") == "results")
        money = hand.hand.parsed.stakes.money
        pot, rake = money.format(hand.hand.pot), money.format(hand.hand.rake)
        assert results.text.startswith(f"Results, pot {pot}, rake {rake}")
        for result in hand.hand.results:
            sign = "+" if result.net > 0 else ""
            assert f"{visible(result.name)} {sign}{money.format(result.net)}, " in results.text


# ---- kinds of hands


def one_of(kind: str) -> ReplayedHand:
    """Return a sample hand of a kind."""

    def fits(hand: ReplayedHand) -> bool:
        parsed = hand.parsed
        return {
            "tournament": parsed.tournament is not None,
            "play money": parsed.tournament is None and parsed.stakes.money.currency == "play",
            "observed": parsed.hero is None,
            "mixed game": parsed.mixed_game is not None,
            "community card": hand.community is not None,
            "eight players": len(hand.results) == 8,
            "two players": len(hand.results) == 2,
            "euros": parsed.stakes.money.currency == "EUR",
        }[kind]

    return next(hand for hand in sample_hands() if fits(hand))


KINDS = ("tournament", "play money", "observed", "mixed game", "community card", "eight players",
         "two players", "euros")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_hands_of_every_kind_make_a_page(kind: str) -> None:
    hand = one_of(kind)
    page = Page(render_hand(tell_plainly(hand, whole=True)))
    assert page.all("h1")[0].text == HandWords(hand).title
    about = page.all("header")[0].text
    money = hand.parsed.stakes.money
    stakes = f"{money.format(hand.parsed.stakes.small_bet)}/"
    assert stakes in about
    if hand.parsed.tournament:
        assert f"tournament {hand.parsed.tournament.number}" in about
    if hand.parsed.mixed_game:
        assert f"in {hand.parsed.mixed_game}" in about
    assert len(items(page)) == len(tell_plainly(hand, whole=True).steps)


def test_the_card_for_all_is_named_on_seventh() -> None:
    hand = one_of("community card")
    told = tell_hand(hand, {}, QUICK)
    seventh = [state for state in rebuilt(replay_data([told])[anchor_of(told)])
               if state["street"] == "Seventh street"]  # fmt: skip
    assert seventh[0]["words"] == f"Seventh street, community card {hand.community}"
    assert seventh[0]["seen"]["by"]
    assert f"community card {hand.community}, pot" in Page(replayer(told)).all("ol")[0].text


# ---- places on the page


def test_no_two_hands_have_one_place(told: list[ToldHand]) -> None:
    hands = {hand.parsed.hand_id for hand in sample_hands()}
    assert len({hand_anchor(*hand) for hand in hands}) == len(hands) > 400


def test_links_of_a_report_lead_to_its_replayers() -> None:
    data = report_of_samples()
    page = Page(render_page(data))
    ids = list(page.values("id"))
    assert len(ids) == len(set(ids))
    places = [each.attributes["id"] for each in page.all("details")
              if each.attributes.get("class") == "hand"]  # fmt: skip
    assert places == [anchor_of(told) for told in data.told]
    assert sorted(json.loads(page.by_id("replays").text)) == sorted(map(str, places))
    links = [href[1:] for href in page.values("href") if href.startswith("#")]
    assert set(links) <= set(ids)
    assert set(places) <= set(links)


# ---- names that try to get out


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_hostile_names_are_text_everywhere(hostile: str) -> None:
    told = tell_hand(sample_hand("262000000101"), {}, QUICK)
    source = render_hand(told_with_text(told, hostile), (hostile,))
    page, plain = Page(source), Page(render_hand(told_with_text(told, "plain"), ("plain",)))
    assert page.shape == plain.shape
    shown = visible(hostile)
    assert f"{shown} won $12.73" in page.all("summary")[0].text
    assert f"{shown} posts the ante" in page.all("ol")[0].text
    (data,) = json.loads(page.by_id("replays").text).values()
    assert {player["name"] for player in data["players"].values()} == {shown}
    assert "<" not in page.by_id("replays").text


def test_shown_cards_are_told_with_the_low_that_they_make(told: list[ToldHand]) -> None:
    for hand in told:
        for kind, group in groupby(
            hand.steps, lambda each: each.step.action and each.step.action.kind
        ):
            if kind is not ActionKind.SHOW:
                continue
            for each in group:
                action = each.step.action
                assert action is not None
                words = HandWords(hand.hand).action(action)
                up = [card for card in each.step.cards[action.seat] if card is not None]
                if len(each.step.cards[action.seat]) == 7 and len(up) == 7:
                    low = HandWords(hand.hand).result(action.seat).low
                    assert words.startswith(f"shows [{' '.join(map(str, up))}]")
                    assert low is None or words.endswith(f"({low})")
