"""What a rouge type names, and the scores of a pair from its matches and totals.

May import `ground` and `kernels`.
"""
