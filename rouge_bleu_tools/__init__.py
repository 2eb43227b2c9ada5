"""What people run: the commands, the page of a Space, and what puts both in their place.

`evaluate` never copies it, so that no edit here changes the hash of a metric.
"""
