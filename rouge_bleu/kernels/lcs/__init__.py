"""Longest common subsequences: of texts, and their unions over sentences.

Bit-parallel; `rows` holds tables as machine words, `integers` as Python integers.
May import `ground` and `kernels`.
"""
