"""What all ways to count the pairs of a chunk have in common, and to explain them.

May import `rouge.options`, `rouge.measures` and what stands below `rouge`.
"""
