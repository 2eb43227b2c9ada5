"""Scores of data that no machine has as a whole: statistics of batches, sums, the fold.

Nothing here knows a measure: each metric says in a `FoldPlan` what its items and sums are.
May import `ground`, `data`, `options` and `resampling`.
"""
