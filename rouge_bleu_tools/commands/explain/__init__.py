"""Which words of two texts match. May import `commands.inputs`."""
