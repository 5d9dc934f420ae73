"""Legal Razz hands made up by simple strategies, and their text in PokerStars' format."""

from razzstats.simulate.payout import NO_RAKE, Rake
from razzstats.simulate.play import simulate_hands
from razzstats.simulate.setup import DOLLARS, EUROS, Setup, TournamentPlan, usual_stakes
from razzstats.simulate.strategy import STRATEGIES, Strategy
from razzstats.simulate.text import render_hand, render_hands

__all__ = [
    "DOLLARS",
    "EUROS",
    "NO_RAKE",
    "STRATEGIES",
    "Rake",
    "Setup",
    "Strategy",
    "TournamentPlan",
    "render_hand",
    "render_hands",
    "simulate_hands",
    "usual_stakes",
]
