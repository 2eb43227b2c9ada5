"""Weighted longest common subsequences: scores, and the way back through their tables.

May import `ground`.
"""
