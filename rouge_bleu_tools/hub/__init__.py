"""Folders of both metrics that `evaluate` can load: Spaces for the Hub, and its module cache.

python -m rouge_bleu_tools.hub build --output build    a Space folder for each metric
python -m rouge_bleu_tools.hub install                 evaluate.load("rouge_full") works here
"""
