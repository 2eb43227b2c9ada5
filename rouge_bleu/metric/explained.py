"""`explain`: what the score of one item is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..data.corpus import Corpus, checked_item
from ..data.texts_in_lists import check_tokens
from ..options.checked import CheckedOptions, checked_options


class ExplainedItem:
    """Mixin for an `evaluate.Metric`, to stand before it among the bases.

    A metric defines `explanation(corpus, options)`.
    """

    options_class: ClassVar[type[CheckedOptions]]
    _load_options: Mapping[str, Any]

    def explanation(self, corpus: Corpus, options: Any) -> dict[str, Any]:
        """Return the explanation of a corpus of one item."""
        raise NotImplementedError

    def explain(
        self,
        *unnamed: Any,
        prediction: Any = None,
        reference: Any = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Return what the score of one item is made of, and which of its words match.

        Options are those of `compute`, with those of `load` as defaults; those that
        concern a corpus only, such as `use_aggregator` and `output`, have no effect.
        What was added is left alone.

        Parameters
        ----------
        prediction : str or list of str
            A text, or its tokens.
        reference : str or list
            One reference, or a list of references, as in `add`.

        Returns
        -------
        dict
            Lists, dicts and numbers only.

            rouge_full: for each type "precision", "recall" and "fmeasure" of the item;
            "chosen", the index of the reference whose scores these are, or None where
            several count; and "references", a list with "matches", "prediction_total",
            "reference_total", "precision", "recall" and "fmeasure" of each reference.
            With summary_lcs="best" rougeLsum has "prediction_matches" too.

            bleu_full: the result of the item; "chosen", the index of the reference
            whose length counts, or None; and "orders", a list with "order", "matches",
            "total" and "precision" of each. Smoothings that look at one order more have
            it under "next_order".

            Each reference, or order, has "prediction_spans" and "reference_spans": for
            each token that takes part in a match [start, end) in characters of the text
            as it was given, or None where a function changed the token or it is empty,
            as with preset="pltrdy". Of given tokens it is [i, i + 1). In bleu_full
            "reference_spans" is a list for each reference.

        Raises
        ------
        TypeError, ValueError, ImportError
            As in `compute`.
        """
        check_names("explain", unnamed)
        checked = checked_options(
            self.options_class,
            options,
            load_options=self._load_options,
            caller="explain",
            other_arguments=("prediction", "reference"),
        )
        corpus = checked_item(prediction, reference)
        checked.check_form(is_tokenized=corpus.is_tokenized)
        check_tokens(corpus)
        return self.explanation(corpus, checked)


def check_names(method: str, unnamed: tuple[Any, ...]) -> None:
    """Raise where a method got arguments without their names."""
    if unnamed:
        singular = "prediction=..., reference=..."
        names = (
            singular
            if method in ("add", "explain")
            else "predictions=..., references=..."
        )
        raise TypeError(f"{method}() takes its arguments by name: {names}")
