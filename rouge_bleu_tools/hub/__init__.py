"""Folders of both metrics that `evaluate` can load: Spaces for the Hub, and its module cache."""
