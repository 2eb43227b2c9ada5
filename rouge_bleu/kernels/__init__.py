"""Ids in, arrays out: what of two texts matches, counted in many pairs at once.

N-grams and skip-bigrams stand here, common subsequences in `lcs`, weighted ones in `wlcs`;
`plain.py` has the definitions. What enters knows no option, no preset and
no text, and has a slow twin in the tests. May import `ground`.
"""
