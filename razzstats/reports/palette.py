"""The colours of the charts, apart for colour-blind eyes, and what they become in the dark."""

# Lines: blue, bluish green and vermillion of Okabe and Ito, "Color universal design" (2008).
NET = "#0072b2"
AT_SHOWDOWN = "#009e73"
WITHOUT_SHOWDOWN = "#d55e00"
LUCK_ADJUSTED = "#b0568b"  # reddish purple, darker than theirs for a line on a light ground

INK = "#22262b"
MUTED = "#676d74"
GRID = "#e6e2da"
ZERO = "#8e949b"
SURFACE = "#fffefb"
FEW_HANDS = "#a6abb1"
"""The grey of numbers with little behind them."""

LOSS, EVEN, GAIN = "#d9752a", "#f1eee7", "#2f86bd"
FEW_LOSS, FEW_EVEN, FEW_GAIN = "#dcd5cf", "#e6e5e2", "#d0d6db"
FEW_INK = "#7b8187"

DARK = {
    NET: "#56b4e9",
    AT_SHOWDOWN: "#2fc296",
    WITHOUT_SHOWDOWN: "#ff965a",
    LUCK_ADJUSTED: "#e39ac4",
    INK: "#e8e5de",
    MUTED: "#a0a6ad",
    GRID: "#31363c",
    ZERO: "#737a82",
    SURFACE: "#1e2226",
    FEW_HANDS: "#6b7279",
    LOSS: "#c8692a",
    EVEN: "#2c3136",
    GAIN: "#3787b8",
    FEW_LOSS: "#3d3733",
    FEW_EVEN: "#303336",
    FEW_GAIN: "#333b42",
    FEW_INK: "#949aa1",
}
"""The colour that takes the place of each one on a dark ground; the page's script swaps them."""
