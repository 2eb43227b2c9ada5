"""Explanations of one example, with options checked as `compute` checks them."""

from rouge_bleu._rouge.explain import rouge_explanations
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.corpus import checked_example
from rouge_bleu.options import checked_options


def checked(**options):
    return checked_options(RougeOptions, options)


def explained(prediction, reference, **options):
    return rouge_explanations(checked_example(prediction, reference), checked(**options))[0]


def shown(written, spans):
    """The words at some spans of a text."""
    return [written[slice(*span)] for span in spans]
