"""The tab "Try it": texts, scores, the words that match. May import `page.shared`."""
