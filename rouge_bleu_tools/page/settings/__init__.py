"""The tab "Which settings?". May import `page.shared` and `commands.find_settings`."""
