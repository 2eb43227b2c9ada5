"""Ids in, counts out: what matches in many pairs of texts at once, without options or texts.

`plain.py` has the same definitions for two lists of tokens; tests compare both.
"""
