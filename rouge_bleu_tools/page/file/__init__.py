"""The tab "Score a file". May import `page.shared` and views of `page.try_it`."""
