"""Files become hand texts: encodings, archives, and hands cut at their first lines, as a stream."""

from razzstats.sources.cutting import Cutting
from razzstats.sources.finding import HISTORY_SUFFIXES, STANDARD_INPUT, find_files
from razzstats.sources.reading import read_hands
from razzstats.sources.stretches import WHOLE_FILE, Stretch, Survey, read_stretch, survey

__all__ = [
    "HISTORY_SUFFIXES",
    "STANDARD_INPUT",
    "WHOLE_FILE",
    "Cutting",
    "Stretch",
    "Survey",
    "find_files",
    "read_hands",
    "read_stretch",
    "survey",
]
