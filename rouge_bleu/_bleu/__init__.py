"""BLEU: `results` is the way from a checked corpus to the result."""
