"""Counting as in Lin 2004 and rouge_score, by columns, and for few texts pair by pair.

May import `rouge.pairs` and what stands below it; no other convention.
"""
