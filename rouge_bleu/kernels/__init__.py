"""Token ids -> counts of matches in many pairs of texts at once, without options or texts.

`rouge_types/` has the same definitions for two lists of tokens; tests compare both.
"""
