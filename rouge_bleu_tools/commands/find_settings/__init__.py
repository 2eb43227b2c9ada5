"""From reported numbers to the settings that give them. May import `commands.inputs`."""
