"""A game's XML becomes a ParsedHand."""

from dataclasses import replace

from razzstats.chips import Chips
from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import Event, ParsedHand, Stakes, Summary
from razzstats.locations import HandId, HandText
from razzstats.parsing.conventions import Conventions, settle
from razzstats.parsing.forced_bets import usual_ante, usual_bring_in
from razzstats.parsing.merge.document import Document
from razzstats.parsing.merge.events import Story
from razzstats.parsing.merge.header import Heading
from razzstats.parsing.merge.table import number_of_seats

CONVENTIONS = Conventions(return_unsaid=True, showdown_unsaid=True, summary_lists_everybody=False)


def build_hand(
    document: Document, heading: Heading, hand: HandText, hand_id: HandId
) -> Result[ParsedHand]:
    """Return the hand that the XML tells; raises BadLine at the first place that cannot be true."""
    story = Story(document, heading, hand)
    events = tuple(settle(story.events(), story.players, CONVENTIONS))
    parsed = ParsedHand(
        hand_id=hand_id,
        played_at=None,
        table=heading.table,
        max_seats=number_of_seats(heading.game, story.players),
        tournament=heading.tournament,
        mixed_game=heading.mix,
        club=None,
        stakes=_stakes(story, heading, events),
        players=tuple(story.players),
        hero=story.hero,
        events=events,
        summary=_summary(story, heading, events),
        text=hand,
    )
    return _timed(parsed, heading, document.first_stamp)


def _stakes(story: Story, heading: Heading, events: tuple[Event, ...]) -> Stakes:
    small_bet, big_bet = heading.stakes(events, story.chips)
    return Stakes(
        money=heading.money,
        ante=usual_ante(events),
        bring_in=usual_bring_in(events),
        small_bet=small_bet,
        big_bet=big_bet,
    )


def _summary(story: Story, heading: Heading, events: tuple[Event, ...]) -> Summary:
    """Return what the room says of the end; a tournament takes no rake, and others rarely tell."""
    rake: Chips | None = None
    if heading.game.get("rake") is not None:
        rake = story.chips.of(heading.game, "rake")
    elif heading.tournament is not None:
        rake = Chips(0)
    return Summary(
        rake=rake,
        board=story.community,  # which the room does not tell a second time
        seats=story.ending.summaries(),
        lists_everybody=CONVENTIONS.summary_lists_everybody,
        line=events[-1].line,
    )


def _timed(parsed: ParsedHand, heading: Heading, stamp: str | None) -> Result[ParsedHand]:
    try:
        return Result(replace(parsed, played_at=heading.played_at(stamp)))
    except ValueError:
        time = heading.game.get("starttime") or ""
        found = Diagnostic(
            code=codes.MALFORMED_TIME,
            message=f"'{time}' is not a date and a time",
            span=parsed.text.find(heading.game.line, time),
            hand_id=parsed.hand_id,
        )
        return Result(parsed, (found,))
