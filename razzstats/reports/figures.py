"""The charts of the report as plotly figures, for those who want to change or save them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from razzstats.reports import charts

if TYPE_CHECKING:
    import plotly.graph_objects as go


def results_figure(results: pd.DataFrame) -> go.Figure:
    """Return the running result in big bets, with luck taken out, and with and without showdown.

    ``results`` is the frame of `razzstats.results`: one row a hand.

    >>> figure = razzstats.results_figure(razzstats.results(database))
    >>> sorted(curve.name for curve in figure.data)
    ['At showdown', 'Luck-adjusted', 'Net', 'Without showdown']
    """
    return _figure(charts.results_chart(results))


def door_win_rate_figure(door_cards: pd.DataFrame) -> go.Figure:
    """Return how often hands with each door card were won, with Wilson's 95 % intervals.

    ``door_cards`` is the frame of `razzstats.door_cards`; the chart shows rates in per cent.
    Doors with few hands are grey.

    >>> figure = razzstats.door_win_rate_figure(razzstats.door_cards(database))
    >>> sum(len(group.x) for group in figure.data)
    13
    """
    return _figure(charts.door_win_rate_chart(door_cards))


def door_result_figure(door_cards: pd.DataFrame) -> go.Figure:
    """Return the big bets won per 100 hands with each door card, with their 95 % intervals.

    ``door_cards`` is the frame of `razzstats.door_cards`. Doors with few hands are grey.

    >>> figure = razzstats.door_result_figure(razzstats.door_cards(database))
    >>> figure.layout.yaxis.title.text
    'BB/100'
    """
    return _figure(charts.door_result_chart(door_cards))


def door_street_figure(door_streets: pd.DataFrame) -> go.Figure:
    """Return a heat map: big bets per hand that reached the street, by door card and street.

    ``door_streets`` is the frame of `razzstats.door_streets`. Cells with few hands are grey.

    >>> figure = razzstats.door_street_figure(razzstats.door_streets(database))
    >>> list(figure.data[0].x)
    ['3rd', '4th', '5th', '6th', '7th']
    """
    return _figure(charts.door_street_chart(door_streets))


def door_pair_figure(door_pairs: pd.DataFrame) -> go.Figure:
    """Return a heat map: big bets per hand by own door card and that of the bring-in player.

    ``door_pairs`` is the frame of `razzstats.door_pairs`. Cells with few hands are grey.

    >>> figure = razzstats.door_pair_figure(razzstats.door_pairs(database))
    >>> len(figure.data[0].x), len(figure.data[0].y)
    (13, 13)
    """
    return _figure(charts.door_pair_chart(door_pairs))


def _figure(chart: charts.Chart) -> go.Figure:
    import plotly.graph_objects as go

    # Plotly's classes add their own template, which the charts are not made for.
    figure = go.Figure(chart)
    figure.layout.template = "none"
    return figure
