"""The version of the package and of both metrics, which signatures have."""

VERSION = "0.3.0"
