"""What both metrics add to `evaluate.Metric`: whole data, safe `add` and `compute`, pickling.

May import `data`, `options`, `folding` and what these import.
"""
