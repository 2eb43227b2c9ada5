"""Scores of the texts in a file. May import `commands.inputs`."""
