"""What every code means, why its hand is left out, and an example: what ``explain`` prints.

The examples are excerpts at $0.04/$0.08, unless a header says otherwise.
"""

from collections.abc import Mapping

EXPLANATIONS: Mapping[str, str] = {
    # RZ0: files
    "RZ001": """\
What it means: The file could not be opened or read: it is gone, locked or
damaged, or you have no right to read it.
What happens to the file: It is left out as a whole, and the other files are
read. Import it again once it can be read.
Example:
    razzstats import old/razz-2009.txt
    error[RZ001]: the file cannot be read: there is no such file or folder""",
    "RZ002": """\
What it means: A line of the hand holds bytes that are no text in any encoding
that rooms write, often because the file was damaged on its way.
Why the hand is left out: A name or an amount that is guessed may be the wrong
one, and its chips would go to somebody else.
Example (the byte 81 stands in the name):
    Seat 3: B\\x81n ($1.71 in chips)
    error[RZ002]: the line is neither UTF-8 nor Windows-1252 text""",
    "RZ003": """\
What it means: The file has text, but no line in it begins a hand of a room that
razzstats knows.
What happens to the file: It is left out as a whole, and the other files are
read.
Example:
    Corner Club, Razz evening, table 2
    Anna won $4.10, Ben lost $4.10
    error[RZ003]: no hand of a known room is in the file""",
    "RZ004": """\
What it means: The hand is of another game than Razz, as most hands of a mixed game
(HORSE, 8-Game) are. 2-7 Razz shares the word, but ranks hands in another way.
What happens to the hand: It is counted as a hand of another game and left out
of the statistics. Nothing is wrong with it.
Example:
    PokerStars Hand #102: 7 Card Stud Limit ($0.04/$0.08 USD) - 2012/05/23 23:25:40 ET
    note[RZ004]: a hand of 7 Card Stud, not Razz""",
    "RZ005": """\
What it means: The file is empty, or holds nothing but blank lines.
What happens to the file: It is passed over, and the other files are read. A
room may have made it before the first hand was over.
Example:
    razzstats import today.txt
    warning[RZ005]: the file has no text in it""",
    "RZ006": """\
What it means: There is text that belongs to no hand, as before the first hand of
a file.
What happens to the file: The text is passed over; the hands around it are read
as usual. If a hand is missing, look here for its header.
Example:
    My best session so far!
    PokerStars Hand #101: Razz Limit ($0.04/$0.08 USD) - 2012/05/23 23:24:52 ET
    warning[RZ006]: text that belongs to no hand""",
    # RZ1: syntax
    "RZ101": """\
What it means: A line of the hand cannot stand where it stands: the room writes
no such line, or not at this point of a hand.
Why the hand is left out: What the line says is not known, and may matter.
Example:
    Anna collected $0.39 from pot
    *** SUMMARY ***
    Pot in all $0.41
    error[RZ101]: found 'Pot in all $0.41'; expected the total pot""",
    "RZ102": """\
What it means: The text of the hand breaks off before the summary is complete.
Why the hand is left out: How it ended is not known. If the file is still being
written, the hand is read again when the file has grown.
Example (the end of the file):
    Anna collected $0.39 from pot
    *** SUMMARY ***
    error[RZ102]: the hand breaks off; expected the total pot""",
    "RZ103": """\
What it means: A card, or a rank in a printed low, does not exist. A card is a
rank (A 2-9 T J Q K) and a suit (c d h s), as in Td.
Why the hand is left out: Without the card, neither the turn to act nor the best
low is known.
Example:
    *** 4th STREET ***
    Dealt to Anna [3s] [1h]
    error[RZ103]: '1h' is not a card""",
    "RZ104": """\
What it means: An amount cannot be read: it is no number, has another currency's
sign, or more decimals than the currency has.
Why the hand is left out: With one amount unknown, no stack and no pot adds up.
Example:
    Anna: bets $0.04
    Ben: calls $0,04
    error[RZ104]: '$0,04' is not an amount in USD""",
    "RZ105": """\
What it means: The first line says Razz, but its number, stakes or date are not
where the room writes them; or the hand is written in another language than English,
which the message names. Set the client's hand-history language to English then.
Why the hand is left out: The sizes of all wagers follow from the stakes.
Example (the big bet is missing):
    PokerStars Hand #101: Razz Limit ($0.04 USD) - 2012/05/23 23:24:52 ET
    error[RZ105]: the header of this Razz hand cannot be read""",
    "RZ106": """\
What it means: The time of the hand cannot be read, or its time zone is not known.
What happens to the hand: It is counted in the statistics and flagged; when it
was played stays unknown.
Example:
    PokerStars Hand #101: Razz Limit ($0.04/$0.08 USD) - 2012/05/23 23:24:52 XYZ
    warning[RZ106]: the time zone XYZ is not known""",
    "RZ107": """\
What it means: The room itself called the hand off, and everybody got back what
he had put in.
Why the hand is left out: Nobody won or lost anything in it.
Example:
    Ben: brings in for $0.02
    Hand cancelled
    error[RZ107]: the room cancelled this hand""",
    # RZ2: table
    "RZ201": """\
What it means: Somebody is dealt in, acts or collects who is not in the seat list
at the head of the hand.
Why the hand is left out: It is not known where he sits and what his stack is.
Example:
    Seat 1: Anna ($1.33 in chips)
    Seat 3: Ben ($1.71 in chips)
    Eve: posts the ante $0.01
    error[RZ201]: Eve is not in the seat list""",
    "RZ202": """\
What it means: The seat list gives one seat to two players, or two seats to one.
Why the hand is left out: The actions could not be told apart by player.
Example:
    Seat 3: Anna ($1.33 in chips)
    Seat 3: Ben ($1.71 in chips)
    error[RZ202]: seat 3 is taken by Anna and by Ben""",
    "RZ203": """\
What it means: No table has these stakes: the big bet is not twice the small bet,
or the amounts are in another currency than the header says.
Why the hand is left out: The sizes of all wagers follow from the stakes, and so
do results counted in big bets.
Example:
    PokerStars Hand #101: Razz Limit ($0.08/$0.04 USD) - 2012/05/23 23:24:52 ET
    error[RZ203]: the stakes $0.08/$0.04 are not a small bet and a bigger bet""",
    "RZ204": """\
What it means: The seats in the summary are not those of the seat list: a line
names another player for a seat, or a player has no line at all.
Why the hand is left out: One of the two is wrong, and nothing tells which.
Example:
    Seat 3: Ben ($1.71 in chips)
    *** SUMMARY ***
    Seat 5: Ben folded on the 4th Street
    error[RZ204]: Ben is in seat 5, but sat down in seat 3""",
    # RZ3: dealing
    "RZ205": """\
What it means: The seat list, the summary or the table line has a seat number, or a
number of seats, that no room's table has; or more players are dealt in than the cards
are for.
Why the hand is left out: Seats say who is next to whom, and so who acts when.
Example:
    Seat 300: Ben ($1.71 in chips)
    error[RZ205]: there is no seat 300; expected 1 to 10""",
    "RZ301": """\
What it means: One card is seen twice in the hand. There is one deck of 52 cards,
and no card comes back into it.
Why the hand is left out: One of the two places is wrong, and with it that
player's cards.
Example:
    Dealt to Anna [3s] [6h]
    Dealt to Ben [7h] [6h]
    error[RZ301]: 6h is dealt a second time""",
    "RZ302": """\
What it means: A player has too many or too few cards. Third street gives three
cards, two down and one up; each later street gives one more.
Why the hand is left out: The turn to act and the low depend on the cards.
Example:
    *** 4th STREET ***
    Dealt to Anna [3s] [6h 8c]
    error[RZ302]: Anna is dealt 2 up cards and 0 down cards on fourth street;
    expected 1 and 0""",
    "RZ303": """\
What it means: A street begins at a time when it cannot, as when only one live
player is left.
Why the hand is left out: Lines are missing or in the wrong order, so the betting
cannot be followed.
Example (two players):
    Anna: bets $0.04
    Ben: folds
    *** 5th STREET ***
    error[RZ303]: fifth street begins, but only one player is left""",
    "RZ304": """\
What it means: A player who has folded is dealt another card. Only live players
are.
Why the hand is left out: Either the fold or the card belongs to somebody else.
Example:
    Ben: folds
    *** 5th STREET ***
    Dealt to Anna [3s 6h] [8c]
    Dealt to Ben [7h 2c] [Jd]
    error[RZ304]: Ben is dealt a card after folding""",
    "RZ305": """\
What it means: A community card is dealt although the deck has a card for every
live player. Only where it has not is one card dealt face up on the river, as
everybody's seventh card.
Why the hand is left out: Each live player should have a seventh card of his own.
Example (all three players are live):
    *** RIVER *** [6h]
    error[RZ305]: a community card is dealt, but 34 cards are left for 3 players""",
    # RZ4: betting
    "RZ401": """\
What it means: The player who brings in does not have the highest door card. Kings
are high and aces low; equal ranks go by suit: spades, hearts, diamonds, clubs.
If that player has no chips left, the next one clockwise who can pay brings in.
Why the hand is left out: The order of all actions follows from the bring-in, and
so do the steals and defences that are counted.
Example:
    Dealt to Anna [Td]
    Dealt to Ben [Qc]
    Anna: brings in for $0.02
    error[RZ401]: Anna brings in, but Ben has the highest door card (Qc)""",
    "RZ402": """\
What it means: A player acts out of turn. After the bring-in it goes clockwise;
from fourth street on the lowest exposed hand begins, and of equal ones any may.
Why the hand is left out: An action is missing, or given to the wrong player.
Example (Anna shows six-three, Ben seven-deuce):
    *** 4th STREET ***
    Dealt to Anna [3s] [6h]
    Dealt to Ben [7h] [2c]
    Ben: bets $0.04
    error[RZ402]: Ben bets, but it is Anna's turn""",
    "RZ403": """\
What it means: A wager is not of the fixed size. It is one small bet on third and
fourth street and one big bet from fifth street on; less only by an all-in. A
completion makes the bring-in up to one small bet.
Why the hand is left out: The pot and what there is to call would be wrong.
Example:
    *** 5th STREET ***
    Dealt to Anna [3s 6h] [8c]
    Dealt to Ben [7h 2c] [Jd]
    Anna: bets $0.04
    error[RZ403]: Anna bets to $0.04; expected $0.08""",
    "RZ404": """\
What it means: A player raises although the betting on this street is capped, which
it is after four wagers. The completion counts as the first, the bring-in does not.
Why the hand is left out: The room would have taken no such raise.
Example:
    Ben: brings in for $0.02
    Carla: raises $0.02 to $0.04
    Anna: raises $0.04 to $0.08
    Carla: raises $0.04 to $0.12
    Anna: raises $0.04 to $0.16
    Carla: raises $0.04 to $0.20
    error[RZ404]: Carla raises, but the betting is capped after 4 wagers""",
    "RZ405": """\
What it means: A player checks although there is a bet. He may fold, call or raise.
Why the hand is left out: Which of these he did is not known.
Example:
    *** 4th STREET ***
    Anna: bets $0.04
    Ben: checks
    error[RZ405]: Ben checks, but has $0.04 to call""",
    "RZ406": """\
What it means: A player calls for more or less than there is to call, and is not
all-in.
Why the hand is left out: The pot and the stacks would be wrong.
Example:
    Anna: bets $0.08
    Ben: calls $0.04
    error[RZ406]: Ben calls $0.04; expected $0.08""",
    "RZ407": """\
What it means: A player did not do what he had to do: post the ante, bring in, or
act when it was his turn.
Why the hand is left out: A line is missing, and what it said is not known.
Example:
    Anna: bets $0.04
    *** 5th STREET ***
    error[RZ407]: fifth street begins, but Ben has not acted on fourth street""",
    "RZ408": """\
What it means: A wager is named or measured wrongly: the amount that a raise is
printed to be made by does not fit, or a bet was made already and a player "bets".
What happens to the hand: It is counted in the statistics and flagged. The amount
that a wager is made to is trusted.
Example (at $0.05/$0.10):
    Ben: brings in for $0.02
    Anna: raises $0.02 to $0.05
    warning[RZ408]: Anna raises by $0.02 to $0.05; expected by $0.03""",
    "RZ409": """\
What it means: A player's ante differs from the others'. All post the same; only a
player who is all-in for the ante posts less.
Why the hand is left out: The pot and the stacks would be wrong from the start.
Example:
    Anna: posts the ante $0.02
    Ben: posts the ante $0.01
    Carla: posts the ante $0.02
    error[RZ409]: Ben posts $0.01; expected the ante $0.02""",
    "RZ410": """\
What it means: The bring-in has a size that it cannot have. It is a part of the
small bet, typically a third to a half.
Why the hand is left out: What there is to call and to complete would be wrong.
Example:
    Dealt to Ben [Kd]
    Ben: brings in for $0.06
    error[RZ410]: Ben brings in for $0.06; expected less than the small bet $0.04""",
    "RZ411": """\
What it means: A player raises who may only call or fold. An all-in for less than
half a bet does not reopen the betting to those who have acted already.
Why the hand is left out: The room would have taken no such raise.
Example:
    *** 4th STREET ***
    Ben: bets $0.04
    Carla: calls $0.04
    Anna: raises $0.01 to $0.05 and is all-in
    Ben: raises $0.03 to $0.08
    error[RZ411]: Ben raises, but the all-in before him did not reopen the betting""",
    "RZ412": """\
What it means: A player folds where he could have checked.
What happens to the hand: It is counted in the statistics and flagged. The fold
gives away a free card.
Example:
    *** 4th STREET ***
    Anna: folds
    warning[RZ412]: Anna folds, but could check""",
    "RZ413": """\
What it means: A line says all-in of a player who has chips left, or does not say
it where he puts in his last ones.
What happens to the hand: It is counted in the statistics and flagged.
Example:
    Seat 3: Ben ($0.05 in chips)
    Ben: posts the ante $0.01
    Ben: calls $0.04
    warning[RZ413]: Ben puts in the last chips, but is not said to be all-in""",
    "RZ414": """\
What it means: The room says that the betting is capped on a street that has seen
fewer wagers than the cap.
What happens to the hand: It is counted in the statistics and flagged.
Example:
    Anna: bets $0.08
    Ben: raises $0.08 to $0.16
    Betting is capped
    warning[RZ414]: the betting is said to be capped after 2 wagers; expected 4""",
    # RZ5: money
    "RZ415": """\
What it means: Several boards were equally low, and not the one in the lowest seat
acted first. Rule texts differ on who does; PokerStars lets the lowest seat.
What happens to the hand: It is counted. Most likely the room has another rule, but
a check before this action may also be missing from the text.
Example:
    Dealt to Anna [7h] [2c]
    Dealt to Ben [7d] [2s]
    Ben: bets $0.04
    note[RZ415]: Ben opens with a board that ties with Anna's""",
    "RZ501": """\
What it means: The pot in the summary, or one of the side pots that it lists, is not
what the players put in, less the uncalled bet.
Why the hand is left out: An amount is missing or wrong, and so is a result.
Example (antes, bring-in and calls come to $0.41):
    *** SUMMARY ***
    Total pot $0.45 | Rake $0.02
    error[RZ501]: the summary says a pot of $0.45; expected $0.41, what the players
    put in""",
    "RZ502": """\
What it means: What the players collected is not the pot less the rake, or a pot was
not shared as it must be.
Why the hand is left out: Somebody's winnings are wrong.
Example:
    Anna collected $0.35 from pot
    *** SUMMARY ***
    Total pot $0.41 | Rake $0.02
    error[RZ502]: $0.35 was collected from a pot of $0.41, which leaves a rake of
    $0.06; the summary says $0.02""",
    "RZ503": """\
What it means: More was collected than was in the pot, so that the rake would be
less than nothing.
Why the hand is left out: Chips cannot come from nowhere.
Example:
    Anna collected $0.45 from pot
    *** SUMMARY ***
    Total pot $0.41 | Rake $0
    error[RZ503]: $0.45 was collected from a pot of $0.41""",
    "RZ504": """\
What it means: The uncalled bet, the part of a wager that nobody matched, is not
what was returned; or it was not returned, or not to the player who made it.
Why the hand is left out: The pot and the stacks would be wrong.
Example:
    Anna: bets $0.08
    Ben: folds
    Uncalled bet ($0.04) returned to Anna
    error[RZ504]: $0.04 is returned to Anna; expected $0.08 to Anna""",
    "RZ505": """\
What it means: A player puts in more chips than his stack in the seat list has left.
Why the hand is left out: An amount or the stack is wrong, and so are the pots that
he can win.
Example:
    Seat 3: Ben ($0.05 in chips)
    Ben: posts the ante $0.01
    Ben: calls $0.08
    error[RZ505]: Ben puts in $0.08, but has $0.04""",
    # RZ6: showdown
    "RZ506": """\
What it means: At the same table, within half an hour, a player begins a hand with
another stack than the hand before left him.
What happens to the hand: It is counted. Rooms do not print it when a player adds
chips or comes back with others; if he did not, hands between the two are missing.
Example:
    Seat 1: Anna ($1.30 in chips)
    note[RZ506]: Anna begins with $1.30; expected $1.27, which hand #101 left""",
    "RZ507": """\
What it means: No line says who took one of the pots. The summary says what each
player won or lost, and from that follows who took it and how much it was.
What happens to the hand: It is counted and marked, for the room's list is not whole.
Example:
    Seat 1: Ann (912.50) -87.50
    Seat 4: Ben (1,150) +90
    Ben wins pot (270)
    warning[RZ507]: Ann collects 92.50 from side pot 1, which only the net tells""",
    "RZ601": """\
What it means: A pot goes to a player whose low is not the best of those who can
win it. The lowest hand wins, straights and flushes do not count, equal lows split.
Why the hand is left out: The cards or the winner are wrong, and so is the result.
Example:
    Anna: shows [Ad 3s 6h 8c 9s 9d Qc] (Lo: 9,8,6,3,A)
    Ben: shows [2c 4d 7h 7s 8d Th Ks] (Lo: T,8,7,4,2)
    Ben collected $0.39 from pot
    error[RZ601]: Ben collects with T-8-7-4-2, but Anna has 9-8-6-3-A""",
    "RZ602": """\
What it means: The low that the room prints for a hand is not the best low of its
cards, the lowest five, where aces are low and a pair is bad.
Why the hand is left out: A card or the low is wrong, and nothing tells which.
Example:
    Anna: shows [Ad 3s 6h 8c 9s 9d Qc] (Lo: 8,6,4,3,A)
    error[RZ602]: Anna's low is printed as 8,6,4,3,A; expected 9,8,6,3,A""",
    "RZ603": """\
What it means: A player shows, or is said to hold, other cards than those dealt to
him.
Why the hand is left out: His up cards decided the turn to act, his low the pot;
one of the two lines is wrong.
Example:
    Dealt to Anna [3s] [6h]
    *** 5th STREET ***
    Dealt to Anna [3s 6d] [8c]
    error[RZ603]: Anna is said to hold [3s 6d]; expected [3s 6h]""",
    "RZ604": """\
What it means: Cards are turned up or mucked where no showdown was reached, or a
live player neither shows nor mucks at the showdown.
Why the hand is left out: Who could have won the pot is not known.
Example (Anna and Ben are live):
    *** SHOW DOWN ***
    Anna: shows [Ad 3s 6h 8c 9s 9d Qc] (Lo: 9,8,6,3,A)
    Anna collected $0.39 from pot
    error[RZ604]: Ben neither shows nor mucks at the showdown""",
    "RZ605": """\
What it means: The summary tells another story than the hand: another street for a
fold, another amount won, other cards, another winner.
Why the hand is left out: One of the two is wrong, and nothing tells which.
Example:
    *** 4th STREET ***
    Ben: folds
    *** SUMMARY ***
    Seat 3: Ben folded on the 6th Street
    error[RZ605]: Ben is said to have folded on sixth street; expected fourth street""",
    "RZ606": """\
What it means: Who made the last wager on seventh street shows first; if nobody made
one, who opened the street, or the first seat, by another rule text. Here somebody else
is first.
What happens to the hand: It is counted, for the order changes no result. Most likely
the room has another rule, but a wager may also be missing from the text.
Example:
    *** RIVER ***
    Ben: bets $0.08
    Anna: calls $0.08
    *** SHOW DOWN ***
    Anna: shows [Ad 3s 6h 8c 9s 9d Qc] (Lo: 9,8,6,3,A)
    note[RZ606]: Anna is first at the showdown; expected Ben""",
    # RZ7: storage
    "RZ702": """\
What it means: The database has a hand of this room and number, but with another
text.
Why the hand is left out: A hand is counted once. The text that came first stays
and is not overwritten; the new one is only reported.
Example (in the database, Ben folds):
    PokerStars Hand #101: Razz Limit ($0.04/$0.08 USD) - 2012/05/23 23:24:52 ET
    Ben: calls $0.04
    error[RZ702]: hand #101 is already in the database with another text""",
    # RZ9: internal
    "RZ901": """\
What it means: The fault is in razzstats itself, which failed on this hand. Most
likely nothing is wrong with the hand.
Why the hand is left out: A hand that was not checked to its end proves nothing.
Please report it with the text of the hand; `razzstats rejected export` gives it,
and `razzstats anonymize` hides the names.
Example:
    PokerStars Hand #101: Razz Limit ($0.04/$0.08 USD) - 2012/05/23 23:24:52 ET
    error[RZ901]: razzstats failed on this hand""",
}
"""By code id, in plain text."""
