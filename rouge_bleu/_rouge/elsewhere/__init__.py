"""What single implementations of ROUGE do otherwise, a file for each.

Each file has its rules in its docstring. May import the ways to count and what stands
below them.
"""
