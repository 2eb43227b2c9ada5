"""BLEU: `scorer` is the way from a checked corpus to the result and its explanation."""
