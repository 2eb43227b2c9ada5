"""ROUGE and BLEU in other packages; each module is named after its package.

docs/integrations.md has an example of each. `import rouge_bleu` imports none of them.
"""
