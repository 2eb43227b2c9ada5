"""The records of rouge types, and the scores of a pair from its matches and totals.

May import `spans`, `kernels` and `ground`.
"""
