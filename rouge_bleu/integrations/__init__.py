"""ROUGE and BLEU in the places where people work: docs/integrations.md.

Each module has the name of a package and needs it, except `rouge_score`, which replaces its package.
`import rouge_bleu` imports none of them.
"""
