"""Hands and counts that reports list, as text for the page and the terminal alike."""

from typing import Any

from razzstats.cards import RANK_SYMBOLS
from razzstats.chips import Money
from razzstats.known_sites import SITE_TITLES
from razzstats.reports import formats
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import Kind
from razzstats.stats.hands import DataQuality
from razzstats.stats.intervals import FEW


def hand_name(row: dict[str, Any]) -> str:
    """Return a hand's site and number."""
    if formats.is_missing(row["hand_no"]):
        return formats.DASH
    return f"{SITE_TITLES.get(row['site'], row['site'])} #{row['hand_no']}"


POT_HEADINGS = (
    Heading("Hand", "", is_text=True),
    Heading("Played (UTC)", "", is_text=True),
    Heading("Player", "whose result it is", is_text=True),
    Heading("Stakes", "small bet and big bet", is_text=True),
    Heading("Door", "the player's door card", is_text=True),
    Heading("Until", "the last street the player reached", is_text=True),
    Heading("Low", "the low that the player's cards came to, if they are known", is_text=True),
    Heading("Pot", "all chips put in"),
    Heading("Pot, BB", "the pot in big bets of its table"),
    Heading("Net", "what the player won less what he put in"),
    Heading("Net BB", "the same in big bets"),
)
"""What `hand_name`, `pot_words` and `pot_numbers` give, in this order."""


def pot_words(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the words of a pot: when, who, stakes, door card, how far, which low."""
    money = Money(str(row["currency"]), int(row["decimals"]))
    door = row["door_rank"]
    return (
        formats.moment(row["played_at"]),
        str(row["name"]),
        f"{money.format(int(row['small_bet']))}/{money.format(int(row['big_bet']))}",
        formats.DASH if formats.is_missing(door) else RANK_SYMBOLS[int(door) - 1],
        "showdown" if row["showdown"] else formats.street(row["last_street"]),
        formats.value(row["low"], Kind.TEXT),
    )


def pot_numbers(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the numbers of a pot: its size and the player's result, each in money and BB."""
    money = Money(str(row["currency"]), int(row["decimals"]))
    return (
        money.format(int(row["pot"])),
        formats.number(row["pot_big_bets"], 1),
        formats.amount(row["net"], money),
        formats.signed(row["net_big_bets"]),
    )


QUALITY_WORDS: dict[str, tuple[str, str]] = {
    "files": ("Files", "read, counted once each"),
    "failed_files": ("Failed files", "unreadable, or without any hand"),
    "stored": ("Hands stored", "they passed every check"),
    "rejected": ("Rejected", "they broke a rule or could not be read"),
    "conflicts": ("Conflicts", "a known hand number with another text"),
    "other_games": ("Other games", "no Razz, left out"),
    "incomplete": ("Incomplete", "the file breaks off; read again when it grows"),
    "warnings": ("Warnings", "oddities in hands that count"),
    "stack_gaps": ("Stack gaps", "chips were added between two hands, or hands are missing"),
}
"""What each number of the data quality is, by its name in `DataQuality`."""


def quality_rows(quality: DataQuality) -> list[tuple[str, int, str]]:
    """Return the title, number and meaning of each count."""
    counts = quality._asdict()
    return [(title, counts[name], words) for name, (title, words) in QUALITY_WORDS.items()]


def luck_words(row: dict[str, Any]) -> str:
    """Return in words what luck did at all showdowns, and how sure that is."""
    if formats.is_missing(row["luck_big_bets"]):
        return "No showdown could be measured: that takes the cards of all live players."
    luck, swing = (float(row[key]) for key in ("luck_big_bets", "swing_big_bets"))
    course = "Luck took" if luck < 0 else "Luck gave"
    words = f"{course} {formats.number(abs(luck), 1)} big bets"
    if int(row["measured"]) >= FEW:
        size = "less" if abs(luck) < swing else "more"
        words += f", {size} than one standard deviation of such luck ({formats.number(swing, 1)})"
    words += (
        f". {formats.count(row['measured'])} of "
        f"{formats.count(row['hands'])} showdowns were measured, with "
        f"{formats.rate(row['pots_measured'])} of the pots"
    )
    won, lost = row["won_measured"], row["lost_measured"]
    if formats.is_missing(won) or formats.is_missing(lost):
        return f"{words}."
    return f"{words}: {formats.rate(won)} of those won, {formats.rate(lost)} of those lost."
