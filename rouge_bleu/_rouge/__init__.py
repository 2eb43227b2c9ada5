"""ROUGE: `scorer` is the way from a checked corpus to the result.

From the top, each room importing from those below it:

    signature             the line that says how a score was made
    scorer                the result, and the explanation, by the convention of the preset
    conventions           the table of ways to count
    paper, perl, distinct Lin 2004; the script ROUGE-1.5.5; each n-gram once
    pairs                 what conventions share: texts to result, texts to explanation
    options               options, checked, and presets
    families              the families of rouge types, a file for each
    measures              the records of types, and scores from counts

May import all rooms of the package but `bleu`.
"""
