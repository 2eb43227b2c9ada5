"""What both metrics add to `evaluate.Metric`: whole data, safe `add` and `compute`, pickling.

May import `data`, `options`, `streaming` and what these import.
"""
