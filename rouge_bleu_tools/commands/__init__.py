"""The command `rouge-bleu`. A folder is a subcommand; `inputs` is what all of them share.

May import nothing of the page and of `hub`; `main` starts theirs by name. Modules of
`rouge_bleu` are imported where they are needed: they take longer than `--help` may.
"""
