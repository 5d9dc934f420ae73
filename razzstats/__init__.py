"""razzstats: a tracker for Razz."""
