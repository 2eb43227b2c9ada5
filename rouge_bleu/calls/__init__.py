"""One call of a metric, from arguments to its result, without `evaluate`.

May import `data`, `options` and what these import.
"""
