"""Intervals and paired tests from the scores of items.

Imports nothing of this package.
"""
