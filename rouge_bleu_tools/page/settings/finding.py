"""Reported numbers and the texts that they are of -> the settings that give them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.find_settings.printed import code_of, in_words
from rouge_bleu_tools.commands.find_settings.reported import note_on_scales, parsed_numbers
from rouge_bleu_tools.commands.find_settings.search import Findings, Found, find_settings
from rouge_bleu_tools.page.shared.limits import (
    MAX_SEARCHED_ROWS,
    Refusal,
    check_size,
    checked_file,
    checked_prediction,
    checked_references,
    refusals,
    without_folder,
)
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.tables import texts_of_file

Say = Callable[[str, float], None]

_MAX_REPORTED = 500  # characters
_N_GROUPS = 10
_N_OTHERS = 12


def checked_numbers(reported: Any, names: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric of reported numbers, and their texts.

    >>> checked_numbers("ROUGE-1 = 41.16, rougeL=38.2", ["rouge_full"])
    ('rouge_full', ['rouge1=41.16', 'rougeL=38.2'])
    """
    if not isinstance(reported, str):
        raise Refusal("The reported numbers must be a text such as rouge1=41.16.")
    if len(reported) > _MAX_REPORTED:
        raise Refusal(f"The reported numbers must be up to {_MAX_REPORTED} characters.")
    text = reported.replace(" =", "=").replace("= ", "=")
    words = text.replace(",", " ").replace(";", " ").split()
    if not words:
        raise Refusal("Enter the reported numbers, such as rouge1=41.16 rougeL=38.2.")
    with refusals():
        numbers = parsed_numbers(words)
    if numbers[0].metric not in names:
        raise Refusal(
            f"This page is about {' and '.join(names)}; {numbers[0].name} is a score of "
            f"{numbers[0].metric}."
        )
    return numbers[0].metric, [f"{one.name}={one.text}" for one in numbers]


# Settings that are not the default, so that there is something to find.
_OF_SAMPLE: dict[str, dict[str, Any]] = {
    "rouge_full": {"preset": "pltrdy", "output": "fmeasure"},
    "bleu_full": {"preset": "nltk", "output": "score"},
}


def sample_numbers(metrics: Metrics, path: Path) -> str:
    """Return numbers of the sample file, as a paper would report them."""
    name = metrics.names[0]
    (predictions,), references, _ = texts_of_file(
        path, ["prediction"], ["reference"], allow_empty=False
    )
    result = metrics.fresh(name).compute(
        predictions=predictions, references=references, **_OF_SAMPLE[name]
    )
    return " ".join(f"{key}={100 * score:.2f}" for key, score in result.items())


def search_settings(
    folder: str,
    reported: str,
    prediction: str | None,
    references: Sequence[str],
    path: str | None,
    prediction_column: str | None,
    reference_columns: Sequence[str],
    allow_empty: bool,
    progress: Say,
) -> dict[str, Any]:
    """Return what a search found; of a file if there is one, else of one prediction.

    Returns
    -------
    dict
        "n_settings" and "n_distinct", how many were tried and how many of them the
        texts tell apart; "matches", "of_other_seeds" and "nearest": groups of settings
        that give the same numbers, with "words", "code", "signature", "scores", "scale",
        "is_cut" and "others"; "note", where nothing matches: what may be wrong with the
        numbers, or None.
    """
    metrics = Metrics.of_folder(Path(folder))
    name, numbers = checked_numbers(reported, metrics.names)
    if path is None:
        text, filled = checked_prediction(prediction), checked_references(references)
        check_size([text, *filled])
        predictions, all_references = [text], [filled]
    else:
        file = checked_file(path)
        progress(f"Reading {file.name}", 0.02)
        try:
            (predictions,), all_references, _ = texts_of_file(
                file,
                [prediction_column or ""],
                reference_columns,
                allow_empty=allow_empty,
                max_rows=MAX_SEARCHED_ROWS,
            )
        except Exception as error:
            raise type(error)(without_folder(str(error), file)) from error

    def with_progress(runs: Sequence[Any]) -> Iterator[Any]:
        for number, run in enumerate(runs, start=1):
            progress(f"Settings: run {number} of {len(runs)}", number / (len(runs) + 1))
            yield run

    findings = find_settings(
        metrics.fresh(name), predictions, all_references, numbers, progress=with_progress
    )
    return {
        "metric": name,
        "reported": numbers,
        "n_rows": len(predictions),
        "n_settings": findings.n_settings,
        "n_distinct": findings.n_distinct,
        **{
            kind: [_group(findings, one) for one in getattr(findings, kind)[:_N_GROUPS]]
            for kind in ("matches", "of_other_seeds", "nearest")
        },
        "n_groups": len(findings.matches),
        "note": None if findings.matches else note_on_scales(findings.reported),
    }


def _group(findings: Findings, found: Found) -> dict[str, Any]:
    first, *others = found.settings
    return {
        "words": in_words(first),
        "output": first.output,
        "code": code_of(findings.metric, first, findings.reported),
        "signature": found.signatures[0],
        "scores": found.score_of_name,
        "scale": found.scale,
        "distance": found.distance,
        "is_cut": found.agreement == "cut off",
        "others": [in_words(one) for one in others[:_N_OTHERS]],
        "n_others": len(others),
    }
