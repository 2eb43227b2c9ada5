"""Which tokens take part in a match, and where they stand in the text: for explanations.

May import `ground`, `text` and `kernels`.
"""
