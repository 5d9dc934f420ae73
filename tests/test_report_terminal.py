"""The report in the terminal, and that nothing in it steers the terminal."""

import dataclasses
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from report_hands import (
    HOSTILE,
    history,
    report,
    report_of_nothing,
    report_of_samples,
    small_report,
    small_tables,
    with_text,
)
from rich.console import Console

from razzstats.reports.data import ReportData
from razzstats.reports.terminal import print_report
from razzstats.reports.terminal_tables import print_table
from razzstats.reports.views import view
from razzstats.stats.filters import Filters
from razzstats.stats.tables import TABLE_FUNCTIONS


@pytest.fixture(scope="module")
def data() -> ReportData:
    return small_report()


@pytest.fixture(scope="module")
def samples() -> ReportData:
    return report_of_samples()


@pytest.fixture(scope="module")
def empty() -> ReportData:
    return report_of_nothing()


def printed(data: ReportData, width: int, **options: Any) -> str:
    console = Console(file=StringIO(), width=width, highlight=False, **options)
    print_report(data, console)
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_report_in_the_terminal(data: ReportData) -> None:
    assert printed(data, 100) == EXPECTED.strip("\n")


@pytest.mark.parametrize("width", [60, 70, 80, 100, 120])
def test_the_terminal_report_fits(width: int, samples: ReportData) -> None:
    lines = printed(samples, width).splitlines()
    rejected = lines.index("Rejected hands")
    quality = lines.index("Data quality")
    # Places and messages are not broken: an editor takes them as they are.
    assert max(map(len, lines[:rejected] + lines[quality:])) <= width


def test_no_escape_sequences_without_colour(data: ReportData) -> None:
    assert "\x1b" not in printed(data, 100)
    assert "\x1b[" in printed(data, 100, force_terminal=True, color_system="standard")


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_text_from_files_cannot_steer_the_terminal(hostile: str, data: ReportData) -> None:
    out = printed(with_text(data, hostile), 300)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800]", out)
    if hostile.isprintable():
        assert out.count(hostile) >= 5


def test_a_terminal_report_without_hands_says_so(empty: ReportData, tmp_path: Path) -> None:
    assert "No hand is stored yet." in printed(empty, 80)
    none = report(tmp_path, history(), Filters(hero="Nobody"))
    assert "None of the 6 stored hands matches." in printed(none, 80)


def test_only_so_many_rejected_hands_are_printed(data: ReportData) -> None:
    many = pd.concat([data.rejected] * 15, ignore_index=True)
    out = printed(dataclasses.replace(data, rejected=many), 100)
    assert "and 5 more; `razzstats report --html FILE` lists more" in out


@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
@pytest.mark.parametrize("width", [20, 80, 120])
def test_every_table_prints_all_its_values(name: str, width: int, data: ReportData) -> None:
    frame = small_tables()[name]
    console = Console(file=StringIO(), width=width)
    print_table(name, frame, console, data.money)
    assert isinstance(console.file, StringIO)
    words = console.file.getvalue().split()
    for row in view(name, frame, data.money).rows:
        for cell in row:
            if width > 20:  # else long words are broken
                assert set(cell.text.split()) <= set(words)


EXPECTED = """
RazzHero
Hands of the hero; 2026-01-10

Overview
Statistic                      Value             95 %  Made  Chances  Unit
──────────────────────────────────────────────────────────────────────────────
Hands                              6                                  hands
Sessions                           1                                  sessions
Net in USD                    -$2.90                               6  USD
Big bets per 100 hands         -24.2  -119.1 to +70.8              6  BB/100
Luck-adjusted BB/100           -11.6   -82.7 to +59.5              6  BB/100
Hands won                     50.0 %      18.8–81.2 %     3        6
Brought in                     0.0 %       0.0–39.0 %     0        6
VPIP                          66.7 %      30.0–90.3 %     4        6
Completed                    100.0 %     51.0–100.0 %     4        4
Saw fourth street             16.7 %       3.0–56.4 %     1        6
Saw fifth street              16.7 %       3.0–56.4 %     1        6
Saw sixth street              16.7 %       3.0–56.4 %     1        6
Saw seventh street            16.7 %       3.0–56.4 %     1        6
Folded after entering          0.0 %       0.0–49.0 %     0        4
Went to showdown (WTSD)      100.0 %     20.7–100.0 %     1        1
Went to showdown from fifth  100.0 %     20.7–100.0 %     1        1
Won at showdown (W$SD)         0.0 %       0.0–79.3 %     0        1
Shared at showdown             0.0 %       0.0–79.3 %     0        1
Gained at showdown             0.0 %       0.0–79.3 %     0        1
Won without showdown          50.0 %      18.8–81.2 %     3        6
Won when saw fourth (W$S4)     0.0 %       0.0–79.3 %     0        1
Won when saw fifth (W$S5)      0.0 %       0.0–79.3 %     0        1

Door cards
                   Hands
Door  Hands  Won     won         95 %     Net  BB/100              95 %          VPIP     Completed
───────────────────────────────────────────────────────────────────────────────────────────────────
A         0    0       —            —       —       —                 —             —             —
2         0    0       —            —       —       —                 —             —             —
3         0    0       —            —       —       —                 —             —             —
4         4    3  75.0 %  30.1–95.4 %  -$2.50   -31.2  -180.7 to +118.2  100.0 % of 4  100.0 % of 4
5         0    0       —            —       —       —                 —             —             —
6         0    0       —            —       —       —                 —             —             —
7         0    0       —            —       —       —                 —             —             —
8         0    0       —            —       —       —                 —             —             —
9         0    0       —            —       —       —                 —             —             —
T         0    0       —            —       —       —                 —             —             —
J         2    0   0.0 %   0.0–65.8 %  -$0.40   -10.0    -10.0 to -10.0    0.0 % of 2             —
Q         0    0       —            —       —       —                 —             —             —
K         0    0       —            —       —       —                 —             —             —

         Saw       Went to      Won at
      fourth      showdown    showdown
Door  street        (WTSD)      (W$SD)
──────────────────────────────────────
A          —             —           —
2          —             —           —
3          —             —           —
4     25.0 %  100.0 % of 1  0.0 % of 1
5          —             —           —
6          —             —           —
7          —             —           —
8          —             —           —
9          —             —           —
T          —             —           —
J      0.0 %             —           —
Q          —             —           —
K          —             —           —

Streets
                                      Net
Street  Reached  Folded  Ended  Won    BB  Checks  Bets  Raises  Calls  Fold to bet        95 %
───────────────────────────────────────────────────────────────────────────────────────────────
3rd           6       2      5    3  +1.2       0     4       0      0  33.3 % of 6  9.7–70.0 %
4th           1       0      0    0   0.0       1     0       0      0            —           —
5th           1       0      0    0   0.0       1     0       0      0            —           —
6th           1       0      0    0   0.0       0     0       0      1   0.0 % of 1  0.0–79.3 %
7th           1       0      1    0  -2.6       0     0       0      1   0.0 % of 1  0.0–79.3 %

Street    AF
────────────
3rd        —
4th        —
5th        —
6th     0.00
7th     0.00

Door cards by street
Big bets a hand from the ante on, and hands that reached the street
Door          3rd          4th          5th          6th          7th
─────────────────────────────────────────────────────────────────────
A               —            —            —            —            —
2               —            —            —            —            —
3               —            —            —            —            —
4     -0.31     4  -2.60     1  -2.60     1  -2.60     1  -2.60     1
5               —            —            —            —            —
6               —            —            —            —            —
7               —            —            —            —            —
8               —            —            —            —            —
9               —            —            —            —            —
T               —            —            —            —            —
J     -0.10     2            —            —            —            —
Q               —            —            —            —            —
K               —            —            —            —            —

Starting hands by class
                                                   Hands
Class               Hands   Dealt  Expected  Won     won         95 %     Net  BB/100
─────────────────────────────────────────────────────────────────────────────────────
three wheel cards       4  66.7 %     2.9 %    3  75.0 %  30.1–95.4 %  -$2.50   -31.2
three to a seven        0   0.0 %     7.2 %    0       —            —       —       —
three to an eight       0   0.0 %     6.1 %    0       —            —       —       —
three to a nine         0   0.0 %     8.1 %    0       —            —       —       —
two low, one high       0   0.0 %    32.4 %    0       —            —       —       —
low pair, low card      0   0.0 %     6.1 %    0       —            —       —       —
other                   2  33.3 %    37.2 %    0   0.0 %   0.0–65.8 %  -$0.40   -10.0

                                                                     Saw
                                                                  fourth
Class                           95 %          VPIP     Completed  street
────────────────────────────────────────────────────────────────────────
three wheel cards   -180.7 to +118.2  100.0 % of 4  100.0 % of 4  25.0 %
three to a seven                   —             —             —       —
three to an eight                  —             —             —       —
three to a nine                    —             —             —       —
two low, one high                  —             —             —       —
low pair, low card                 —             —             —       —
other                 -10.0 to -10.0    0.0 % of 2             —   0.0 %

Luck
Luck took 0.8 big bets. 1 of 1 showdowns were measured, with 100.0 % of the pots.
                                      of           Luck  Swing
Showdowns  Hands  Measured  of pots  won  of lost    BB     BB
──────────────────────────────────────────────────────────────
all-in         0         0        —    —        —     —      —
last card      1         1  100.0 %    —  100.0 %  -0.8   0.76
all            1         1  100.0 %    —  100.0 %  -0.8   0.76

Leaks
None.

Dearest mistakes
                                                                  Pot,  Price,  Cost,
Hand             Street  Did    Mistake                             BB      BB     BB
─────────────────────────────────────────────────────────────────────────────────────
PokerStars #103  4th     check  403 Not betting the better board   1.3     0.0   0.42

Luckiest
None.

Unluckiest
                                                    Pot,           Net
Hand             Stakes  Door  Until     Low          BB     Net    BB  Luck
────────────────────────────────────────────────────────────────────────────
PokerStars #103  $1/$2   4     showdown  J-8-4-3-2   5.3  -$5.20  -2.6  -0.8

Biggest pots
                                                    Pot,           Net
Hand             Stakes  Door  Until     Low          BB     Net    BB
──────────────────────────────────────────────────────────────────────
PokerStars #103  $1/$2   4     showdown  J-8-4-3-2   5.3  -$5.20  -2.6
PokerStars #101  $1/$2   4     3rd       —           0.8  +$0.90  +0.5
PokerStars #104  $1/$2   4     3rd       —           0.8  +$0.90  +0.5
PokerStars #106  $1/$2   4     3rd       —           0.8  +$0.90  +0.5

Rejected hands
razz.txt:189  PokerStars #107  RZ401  Ben brings in, but Ann has the highest door card (Ks)

Data quality
Files         1  read, counted once each
Failed files  0  unreadable, or without any hand
Hands stored  6  they passed every check
Rejected      1  they broke a rule or could not be read
Conflicts     0  a known hand number with another text
Other games   0  no Razz, left out
Incomplete    0  the file breaks off; read again when it grows
Warnings      0  oddities in hands that count
Stack gaps    5  chips were added between two hands, or hands are missing
"""
