"""BLEU: `scorer` is the way from a checked corpus to the result and its explanation.

options           what users give, with `presets`
counts            texts -> counts and lengths of each item
smoothing         counts -> precisions; lengths -> the brevity penalty
                  and formulas of other implementations
"""
