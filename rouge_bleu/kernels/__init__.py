"""Ids in, arrays out: matches and totals of n-grams and skip-bigrams.

Knows no option, no preset and no text. May import `ground`.
"""
