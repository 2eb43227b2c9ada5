"""BLEU: `scorer` is the way from a checked corpus to the result.

    options      what users give, with `presets` and `weights`
    counts       texts -> counts and lengths of each item
    smoothing    counts -> precisions; `brevity`, lengths -> the penalty
    levels       these -> scores of the corpus, or of sentences
    explanation, folding, signature    what else a metric of this package gives

What enters is about BLEU alone. May import all rooms but `rouge`.
"""
