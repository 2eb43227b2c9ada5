"""BLEU: `scorer` is the way from a checked corpus to the result.

options           what users give, with `presets` and `weights`
counts            texts -> counts and lengths of each item
smoothing         counts -> precisions; lengths -> the brevity penalty
other_packages    formulas of other implementations in place of a smoothing
explain           the tokens that match
"""
