"""What the user gave: checked, as one corpus, cut into chunks, shared among processes.

Predictions and references are refused here, before any work, and never for an option.
May import `ground` and `text`.
"""
