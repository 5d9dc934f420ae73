"""Frames as charts in plotly's terms: light colours on no ground, text from files escaped.

A chart is a plain dictionary. Plotly's own classes would check each of its values, which takes a
page a third of a second and finds nothing; `figures` makes them for those who want to go on.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from razzstats.chips import Money
from razzstats.diagnostics.visible import visible
from razzstats.reports import formats, palette
from razzstats.reports.listings import hand_name
from razzstats.stats.intervals import FEW

Chart: TypeAlias = dict[str, Any]
"""The traces (``data``) and the ``layout`` of a chart, as plotly.js takes them."""

MOST_POINTS = 2_000
"""A curve of more hands is thinned to about so many points."""

CURVES = ("total", "luck_adjusted", "at_showdown", "without_showdown")
"""The columns of the running results that are shown, in the order of the tables."""
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"


# ---- the cumulative result


def thin(results: pd.DataFrame, most: int = MOST_POINTS) -> pd.DataFrame:
    """Return at most ``most`` rows: the first, the last, and each curve's extremes in between."""
    if len(results) <= most:
        return results
    stretches = (most - 2) // (2 * len(CURVES))
    rows = results.reset_index(drop=True)
    stretch = pd.Series(np.arange(len(rows)) * stretches // len(rows))
    keep = {0, len(rows) - 1}
    for curve in CURVES:
        grouped = rows[curve].groupby(stretch)
        keep.update(grouped.idxmin(), grouped.idxmax())
    return rows.iloc[sorted(keep)]


def results_chart(results: pd.DataFrame) -> Chart:
    """Return the running result in big bets, with luck taken out, and with and without showdown."""
    rows = thin(results)
    details = [_hand_details(row) for row in formats.records(rows)]
    hover = "<b>%{y:+,.1f} BB</b><br>%{customdata}"
    curves: tuple[tuple[str, str, str, float, dict[str, Any]], ...] = (  # the net on top
        ("without_showdown", "Without showdown", palette.WITHOUT_SHOWDOWN, 1.4, {}),
        ("at_showdown", "At showdown", palette.AT_SHOWDOWN, 1.4, {}),
        ("luck_adjusted", "Luck-adjusted", palette.LUCK_ADJUSTED, 1.6, {}),
        ("total", "Net", palette.NET, 2.4, {"customdata": details, "hovertemplate": hover}),
    )
    traces = [
        {
            "type": "scatter",
            "x": rows["number"].tolist(),
            "y": _rounded(rows[curve]),
            "name": name,
            "mode": "lines" if len(rows) > 1 else "markers",
            "line": {"color": color, "width": width},
            "hovertemplate": "%{y:+,.1f} BB",
            **more,
        }
        for curve, name, color, width, more in curves
    ]
    hands = {
        "rangemode": "tozero",
        "unifiedhovertitle": {"text": "Hand %{x:,d}"},
        "spikethickness": 1,
        "spikedash": "dot",
        "spikecolor": palette.ZERO,
    }
    layout = _layout(_axis("Hands", zeroline=False, **hands), _amounts("Big bets won"))
    legend = {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "yanchor": "bottom",
        "traceorder": "reversed",
        "font": {"size": 12},
    }
    more = {"showlegend": True, "hovermode": "x unified", "legend": legend}
    return {"data": traces, "layout": layout | more}


def _hand_details(row: dict[str, Any]) -> str:
    """Return what the hover says of a hand, as the markup that plotly takes."""
    money = Money(str(row["currency"]), int(row["decimals"]))
    result = f"{formats.signed(row['big_bets'])} BB ({formats.amount(row['net'], money)})"
    parts = (
        hand_name(row),
        formats.moment(row["played_at"]),
        result,
    )
    return "<br>".join(_plain(part) for part in parts)


# ---- door cards


def door_win_rate_chart(door_cards: pd.DataFrame) -> Chart:
    """Return how often hands with each door card were won, with Wilson's 95 % intervals."""
    chart = _door_chart(door_cards, "win_rate", 100.0, _amounts("Hands won, %", rangemode="tozero"))
    played, won = door_cards["hands"].sum(), door_cards["won"].sum()
    if played:
        chart["layout"] |= _average_line(float(100 * won / played))
    return chart


def door_result_chart(door_cards: pd.DataFrame) -> Chart:
    """Return the big bets won per 100 hands with each door card, with their 95 % intervals."""
    return _door_chart(door_cards, "big_bets_per_100", 1.0, _amounts("BB/100"))


def _door_chart(door_cards: pd.DataFrame, key: str, scale: float, amounts: dict[str, Any]) -> Chart:
    shown = door_cards[door_cards[key].notna()]
    many = (shown["hands"] >= FEW).astype(bool)
    groups = ((shown[many], palette.NET, ""), (shown[~many], palette.FEW_HANDS, " (few)"))
    doors = {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": door_cards["door"].tolist(),
        "tickmode": "array",
        "tickvals": door_cards["door"].tolist(),
        "ticktext": [_door_tick(row) for row in formats.records(door_cards)],
        "range": [-0.6, len(door_cards) - 0.4],
        "showgrid": False,
        "tickangle": 0,
    }
    axis = _axis("Door card, and how many hands", zeroline=False, **doors)
    return {
        "data": [_whiskers(group, key, scale, *look) for group, *look in groups],
        "layout": _layout(axis, amounts) | {"hovermode": "closest"},
    }


def _average_line(average: float) -> dict[str, Any]:
    """Return the parts of a layout that mark the average of all hands, in per cent."""
    line = {
        "type": "line",
        "xref": "x domain",
        "x0": 0,
        "x1": 1,
        "y0": average,
        "yref": "y",
        "y1": average,
        "line": {"color": palette.MUTED, "width": 1, "dash": "dot"},
    }
    words = {
        "text": f"dotted line: all hands, {average:.1f}\N{NO-BREAK SPACE}%",
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12, "color": palette.MUTED},
    }
    return {"shapes": [line], "annotations": [words], "margin": _MARGIN | {"t": 26}}


def _whiskers(
    rows: pd.DataFrame, key: str, scale: float, color: str, remark: str
) -> dict[str, Any]:
    """Return the trace of one group of doors: a dot for the value, whiskers for its interval."""
    value = rows[key].astype(float)
    # A single hand has no interval: no whiskers.
    low, high = (rows[f"{key}_{end}"].astype(float).fillna(value) for end in ("low", "high"))
    return {
        "type": "scatter",
        "x": rows["door"].tolist(),
        "y": _rounded(scale * value),
        "mode": "markers",
        "cliponaxis": False,
        "marker": {"color": color, "size": 9},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": _rounded(scale * (high - value)),
            "arrayminus": _rounded(scale * (value - low)),
            "color": color,
            "thickness": 1.6,
            "width": 4,
        },
        "customdata": [_door_details(row, key, remark) for row in formats.records(rows)],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _door_details(row: dict[str, Any], key: str, remark: str) -> str:
    if key == "win_rate":
        value, low, high = (100 * row[name] for name in (key, f"{key}_low", f"{key}_high"))
        first = f"won {formats.count(row['won'])} of {formats.count(row['hands'])} hands{remark}"
        second = f"{value:.1f} %, 95 % interval {low:.1f} to {high:.1f} %"
    else:
        first = f"{formats.count(row['hands'])} hands{remark}"
        second = f"{formats.signed(row[key])} BB/100"
        if not formats.is_missing(row[f"{key}_low"]):
            low, high = formats.signed(row[f"{key}_low"]), formats.signed(row[f"{key}_high"])
            second += f", 95 % interval {low} to {high}"
    return f"<b>{row['door']} up</b>: {first}<br>{second}"


def _door_tick(row: dict[str, Any]) -> str:
    hands = int(row["hands"])
    short = f"{hands / 1000:.0f}k" if hands >= 10_000 else str(hands)
    return f"<b>{row['door']}</b><br><span style='font-size:10px'>{short}</span>"


# ---- door card and street


def door_street_chart(door_streets: pd.DataFrame) -> Chart:
    """Return a heat map: big bets per hand that reached the street, by door card and street."""
    doors = list(dict.fromkeys(door_streets["door"]))
    streets = sorted(set(door_streets["street"].astype(int)))
    cells = {
        (row["door"], int(row["street"])): _street_cell(row)
        for row in formats.records(door_streets)
    }
    grid = [[cells[door, street] for street in streets] for door in doors]
    return _heat_map(grid, [formats.street(street) for street in streets], doors, "")


def door_pair_chart(door_pairs: pd.DataFrame) -> Chart:
    """Return a heat map: big bets per hand by own door card and that of the bring-in player."""
    doors = list(dict.fromkeys(door_pairs["door"]))
    against = list(dict.fromkeys(door_pairs["bring_in_door"]))
    cells = {
        (row["door"], row["bring_in_door"]): _pair_cell(row) for row in formats.records(door_pairs)
    }
    grid = [[cells[door, other] for other in against] for door in doors]
    return _heat_map(grid, against, doors, "The bring-in\N{RIGHT SINGLE QUOTATION MARK}s door card")


class _HeatCell(NamedTuple):
    """What one cell of a heat map shows."""

    hands: int
    value: float
    details: str

    @property
    def few(self) -> bool:
        return self.hands < FEW


def _street_cell(row: dict[str, Any]) -> _HeatCell:
    head = f"{row['door']} up, {formats.street(row['street'])} street"
    last = f"won {formats.count(row['won'])}, folded here {row['folded']}"
    return _heat_cell(head, last, row["net_big_bets"], int(row["reached"]))


def _pair_cell(row: dict[str, Any]) -> _HeatCell:
    head = f"{row['door']} up, {row['bring_in_door']} brings in"
    last = f"won {formats.count(row['won'])}, entered {formats.count(row['entered'])}"
    return _heat_cell(head, last, row["net_big_bets"], int(row["hands"]))


def _heat_cell(head: str, last: str, net: float, hands: int) -> _HeatCell:
    value = float(net) / hands if hands else 0.0
    details = f"<b>{head}</b><br>{formats.signed(value, 2)} BB a hand, {formats.count(hands)} hands"
    return _HeatCell(hands, value, f"{details}<br>{last}" if hands else details)


def _heat_map(
    grid: list[list[_HeatCell]], columns: list[str], rows: list[str], x_title: str
) -> Chart:
    """Return a heat map; cells with few hands are grey, and those without are left open."""
    told = [abs(cell.value) for row in grid for cell in row if cell.hands and not cell.few]
    faint = [abs(cell.value) for row in grid for cell in row if cell.hands and cell.few]
    traces = [
        _heat(grid, few, max(values, default=0.0) or 1.0) | {"x": columns, "y": rows}
        for few, values in ((False, told), (True, faint))
    ]
    names = {"showgrid": False, "type": "category", "fixedrange": True, "zeroline": False}
    layout = _layout(
        _axis(x_title, side="top", **names), _axis("Door card", autorange="reversed", **names)
    )
    return {
        "data": traces,
        "layout": layout | {"margin": _MARGIN | {"t": 56 if x_title else 36, "b": 24}},
    }


def _heat(grid: list[list[_HeatCell]], few: bool, most: float) -> dict[str, Any]:
    """Return the trace of the cells with few hands, or of the others; the rest is left open."""
    scale = (
        (palette.FEW_LOSS, palette.FEW_EVEN, palette.FEW_GAIN)
        if few
        else (palette.LOSS, palette.EVEN, palette.GAIN)
    )

    def pick(get: Callable[[_HeatCell], Any], otherwise: Any = None) -> list[list[Any]]:
        return [
            [get(cell) if cell.hands and cell.few is few else otherwise for cell in row]
            for row in grid
        ]

    trace = {
        "type": "heatmap",
        "z": pick(lambda cell: round(cell.value, 3)),
        "text": pick(lambda cell: formats.signed(cell.value, 2), ""),
        "texttemplate": "%{text}",
        "customdata": pick(lambda cell: cell.details),
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "zmin": -most,
        "zmax": most,
        "colorscale": [[0, scale[0]], [0.5, scale[1]], [1, scale[2]]],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    return trace | {"textfont": {"color": palette.FEW_INK}} if few else trace


# ---- all of them


_MARGIN = {"l": 8, "r": 20, "t": 12, "b": 8}


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {
            "text": title,
            "font": {"size": 12, "color": palette.MUTED},
            "standoff": 8,
        },
        "gridcolor": palette.GRID,
        "zerolinecolor": palette.ZERO,
        "zerolinewidth": 1.2,
        "zeroline": True,
        "linecolor": palette.GRID,
        "ticks": "",
        "automargin": True,
        "tickfont": {"size": 12},
        **more,
    }


def _amounts(title: str, **more: Any) -> dict[str, Any]:
    return _axis(title, fixedrange=True, **more)


def _layout(x_axis: dict[str, Any], y_axis: dict[str, Any]) -> dict[str, Any]:
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": 13, "color": palette.INK},
        "margin": _MARGIN,
        "showlegend": False,
        "hoverlabel": {
            "bgcolor": palette.SURFACE,
            "bordercolor": palette.ZERO,
            "font": {"family": _FONT, "size": 13, "color": palette.INK},
            "align": "left",
        },
        "xaxis": x_axis,
        "yaxis": y_axis,
    }


def _rounded(values: pd.Series[float]) -> list[float]:
    # Plain lists of short numbers: a smaller page, and the same bytes on every machine.
    return [round(float(value), 3) + 0.0 for value in values]


def _plain(text: str) -> str:
    """Return text that plotly shows as it is; it takes a few tags for markup."""
    return html.escape(visible(text))
