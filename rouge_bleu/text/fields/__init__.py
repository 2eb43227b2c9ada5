"""Tokenizers of single fields, a file for each group of them.

    answers         of answers and dialogue: parlai, squad
    code            of code and its comments: codexglue, conala
    international   of mteval and tensor2tensor for all scripts: intl-entities, t2t

Facts about what programs do; none of their code is here. May import `rules` and `words`
of `text`.
"""
