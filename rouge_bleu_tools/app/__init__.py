"""The page of `rouge-bleu page` and of a Space.

settings    the fields of the page -> options of `rouge_bleu.rouge` and `rouge_bleu.bleu`
scoring     texts and settings -> scores, tiles, the calculation, hints
marks       which words match, as HTML
packages    the scores of the same texts in other packages
file        the tab "Score a file"
reproduce   the tab "Reproduce a score"
share       code to paste, links, tables in Markdown and LaTeX
layout      the page: components, events, functions for programs
style       theme and CSS
"""
