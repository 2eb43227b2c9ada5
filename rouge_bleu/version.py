"""The version of the package and of both metrics."""

# A script that is loaded has no metadata, so the version is a constant here. Signatures have it, and
# the build of the package reads it (pyproject.toml).
VERSION = "0.5.0"
