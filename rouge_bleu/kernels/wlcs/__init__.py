"""Weighted longest common subsequences, by tables of numbers.

`scores` has the values of the last cells, `way_back` the matches on the ways back, which
ROUGE-1.5.5 takes sentence by sentence. Both walk through `tables` along `matches`. May
import `ground`.
"""
