"""The command lines. A folder is a command; `inputs` is what all of them share.

May import nothing of the page and of staging. Metrics are loaded by `evaluate`, after
files and options were checked.
"""
