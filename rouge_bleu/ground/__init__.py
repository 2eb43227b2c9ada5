"""What everything stands on: rows of unequal length, the tokens of a column, messages.

What enters is needed by several rooms, and knows neither a metric nor how texts are cut.
Imports nothing of this package.
"""
