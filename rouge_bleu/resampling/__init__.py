"""Intervals and paired tests from the numbers of items, and weights of items in resamples.

Nothing here knows what the numbers are; draws of other programs stay with their scores.
Imports nothing of this package.
"""
