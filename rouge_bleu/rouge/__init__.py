"""ROUGE: `scorer` is the way from a checked corpus to the result.

How pairs are counted has a room for each convention: `paper` (Lin 2004), `perl` (the
script ROUGE-1.5.5 and what follows it) and `distinct` (each n-gram once, as PyPI's rouge).
May import all rooms but `bleu`.
"""
