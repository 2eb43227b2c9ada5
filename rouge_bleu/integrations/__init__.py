"""ROUGE and BLEU in the places where people work, each module for the package of its name.

docs/integrations.md has an example of each. `import rouge_bleu` imports none of them.
"""
