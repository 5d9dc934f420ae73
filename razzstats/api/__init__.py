"""What `razzstats` offers to scripts and notebooks, as functions with defaults and examples.

The layers below do the work. Here is what they leave to their callers: names instead of objects,
filters that may be left out, and the files and databases that are opened for reading.
"""
