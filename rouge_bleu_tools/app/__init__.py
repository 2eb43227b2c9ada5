"""The page of `rouge-bleu page` and of a Space.

settings    the fields of the page -> options of `rouge_bleu.rouge` and `rouge_bleu.bleu`; links
scoring     texts and settings -> scores, other packages, code to paste
words       which words match, and the calculation
drawing     alignment, matrix, bars, packages as dots; tables
worker      long work in processes
file        texts of files -> scores, tables, settings that give a score
file_tabs   the tabs "Score a file" and "Reproduce a score"
layout      the page: components, events, functions for programs
"""
