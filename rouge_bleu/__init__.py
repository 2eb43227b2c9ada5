"""The scorers of `rouge_full` and `bleu_full`: what `evaluate` copies with a metric script.

    texts -> tokens -> token ids -> matches and totals of each pair
          -> precision, recall, F / BLEU -> references -> items -> result

Each folder is a room with one purpose, which its own `__init__` says. Imports go down
this list; import-linter holds them to it (`pyproject.toml`):

    rouge, bleu     the two metrics, each in rooms by convention
    metric          what both metrics add to `evaluate.Metric`
    folding         scores of data that no machine has as a whole
    options         checks, presets, options at load, signatures
    data            what the user gave, checked, in chunks
    spans           which words match, for explanations
    resampling      intervals and paired tests
    kernels         ids in, matches out
    text            from strings to ids
    ground          rows of unequal length, tokens of a column, messages

Nothing is imported here, so that what needs one room loads no other.
"""
