"""Longest common subsequences: of texts, and their unions over sentences.

Tables are rows of bits: `rows` holds them as machine words, `integers` as Python integers.
May import `ground` and `kernels`.
"""
