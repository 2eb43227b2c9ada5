"""The rows of a table, some at a time: what formats share, and a module for each format."""
