"""Counting each n-gram of a text once, as PyPI's rouge and rouge-chinese.

May import `rouge.pairs` and what stands below it; no other convention.
"""
