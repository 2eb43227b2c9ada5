"""Starts the page. May import `commands.inputs`; it runs `app.py`, and imports nothing of it."""
