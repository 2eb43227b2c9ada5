"""Implementations that are followed, a module for each: values of options, and rules that have no option.

A module says how its package differs and how that was found; none contains code of one. `registry.py` has the
names, and imports a module when its name is used.
"""
