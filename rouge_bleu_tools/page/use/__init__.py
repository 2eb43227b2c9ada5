"""The tab "Use it": code for the options on the page. May import `page.shared`."""
