"""One HTML file with what `rouge_bleu.analyze` finds, for `--report` of the command.

    analyses -> sections (`page.py`) with charts (`charts.py`) and examples (`examples.py`) -> one file

The file loads nothing. Its Content-Security-Policy allows only its own style and script.
"""
