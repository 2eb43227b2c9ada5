"""Several systems compared, with intervals and tests. May import `commands.inputs`."""
