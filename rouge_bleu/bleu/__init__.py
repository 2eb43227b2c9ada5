"""BLEU: `scorer` is the way from a checked corpus to the result.

May import all rooms but `rouge`.
"""
