"""What everything stands on: rows of unequal length, the tokens of a column, messages.

Imports nothing of this package.
"""
