"""Scores of data that no machine has as a whole: statistics of batches, sums, the fold.

May import `ground`, `data`, `options` and `resampling`.
"""
