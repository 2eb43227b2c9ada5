"""What is common to the options of both metrics: checks, presets, signatures.

May import `ground`, `text`, `data` and `resampling`.
"""
