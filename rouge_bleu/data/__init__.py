"""What the user gave: checked, as one corpus, cut into chunks, shared among processes.

May import `ground` and `text`.
"""
