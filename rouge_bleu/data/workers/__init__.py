"""Tasks shared out among this process and others: forks, or Python programs that it starts.

One rule keeps it safe: what no other process has delivered is done in this one.
May import nothing.
"""
