"""Statistics to scores, of a corpus and of sentences.

    scores      counts and lengths -> precisions and brevity penalty -> BLEU
    parts       what stands beside BLEU in a result
    sentences   scores of items, the choice of a reference, means

May import all of `bleu` but `scorer` and what stands upon it.
"""
