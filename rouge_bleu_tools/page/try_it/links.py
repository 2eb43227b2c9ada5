"""What is on the page <-> the query of a link that fills it in again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from rouge_bleu_tools.page.shared.choices import FORMS
from rouge_bleu_tools.page.shared.limits import MAX_REFERENCES

MAX_LINK = 8_000  # characters; servers refuse much longer ones


def link_query(
    name: str, prediction: str, references: Sequence[str], form: Mapping[str, Any]
) -> str:
    """Return the query that fills in texts and options; empty if it would be too long.

    Options that are as they are at first are left out.

    >>> link_query("bleu_full", "a b", ["a"], FORMS["bleu_full"] | {"lowercase": True})
    'metric=bleu_full&prediction=a+b&reference=a&lowercase=true'
    """
    fields: list[tuple[str, str]] = [("metric", name), ("prediction", prediction)]
    fields += [("reference", text) for text in references if text.strip()]
    first = FORMS[name]
    fields += [
        (field, value if isinstance(value, str) else json.dumps(value))
        for field, value in form.items()
        if field in first and value != first[field]
    ]
    query = urlencode(fields)
    return query if len(query) <= MAX_LINK else ""


def filled_in(
    pairs: Sequence[tuple[str, str]], names: Sequence[str]
) -> tuple[str, str | None, list[str], dict[str, Any]]:
    """Return metric, prediction, references and form of a query.

    What it does not say, or what makes no sense, is as it is at first. The prediction is
    None where the query has no texts.
    """
    found = dict(pairs)
    name = found.get("metric", "")
    if name not in names:
        name = names[0]
    references = [value for key, value in pairs if key == "reference"][:MAX_REFERENCES]
    prediction = found.get("prediction")
    if prediction is None and references:
        prediction = ""
    form = dict(FORMS[name])
    for field, first in form.items():
        if field in found:
            form[field] = _value_like(first, found[field])
    return name, prediction, references, form


def _value_like(first: Any, text: str) -> Any:
    """Return the value of a field, of the kind of its first value."""
    if isinstance(first, str):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return first
    if first is None or isinstance(first, float):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value if is_number else first
    if isinstance(first, list):
        is_list = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return value if is_list else first
    return value if isinstance(value, type(first)) else first
