"""What is on the page <-> the query of a link that fills it in again.

Anybody can write a link. It fills in what one could choose or type on the page, and what
else it asks for is left out and named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from rouge_bleu_tools.page.shared.choices import FORMS, OPTIONS, field_choices
from rouge_bleu_tools.page.shared.limits import MAX_REFERENCES, Refusal
from rouge_bleu_tools.page.shared.metrics import Metrics

MAX_LINK = 8_000  # characters; servers refuse much longer ones
_LARGEST = 1e15  # up to which a browser knows each whole number
_NO_JSON = object()


@dataclass(frozen=True)
class FilledIn:
    """What a link fills in.

    Parameters
    ----------
    metric : str
    prediction : str or None
        None: the link has no texts.
    references : list of str
    form : dict
        The fields of the metric; those that the link leaves alone are as they are at
        first.
    left_out : list of str
        What the link asks for and the page does not take: a sentence for each.
    """

    metric: str
    prediction: str | None
    references: list[str]
    form: dict[str, Any]
    left_out: list[str]


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
        if field in first and not _is_as_at_first(value, first[field])
    ]
    query = urlencode(fields)
    return query if len(query) <= MAX_LINK else ""


def _is_as_at_first(value: Any, first: Any) -> bool:
    is_emptied_list = value is None and isinstance(first, str)
    return bool(value == first or is_emptied_list)


def filled_in(pairs: Sequence[tuple[str, str]], metrics: Metrics) -> FilledIn:
    """Return what the query of a link fills in.

    Names that are no option of a metric are left alone: they may be for others, as
    Gradio's `__theme`.
    """
    left_out = []
    found = dict(pairs)
    name = found.get("metric", metrics.names[0])
    if name not in metrics.names:
        left_out.append(f"metric must be {' or '.join(metrics.names)}, got {name!r:.60}")
        name = metrics.names[0]
    references = [value for key, value in pairs if key == "reference"]
    if len(references) > MAX_REFERENCES:
        left_out.append(f"the references after the first {MAX_REFERENCES}")
    form, refused = _form(found, name, field_choices(metrics, name))
    return FilledIn(
        name,
        found.get("prediction", "" if references else None),
        references[:MAX_REFERENCES],
        form,
        [f"Left out of the link: {words}." for words in left_out + refused],
    )


def _form(
    found: Mapping[str, str], name: str, choices: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Any], list[str]]:
    """Return the form of a metric, and what of the query is refused."""
    form = dict(FORMS[name])
    options = set().union(*FORMS.values(), *OPTIONS.values())
    refused = []
    for field, text in found.items():
        if field in form:
            try:
                form[field] = _value(field, text, form[field], choices.get(field, ()))
            except Refusal as refusal:
                refused.append(str(refusal))
        elif field in options:
            refused.append(f"{field}, which the page has no field for with {name}")
    return form, refused


def _value(field: str, text: str, first: Any, choices: Sequence[str]) -> Any:
    """Return the value of a field, of the kind of its first value."""
    value = text if isinstance(first, str) else _parsed(text)
    takes, kind = _rule(field, first, choices)
    if not takes(value):
        raise Refusal(f"{field} must be {kind}, got {text!r:.60}")
    return value


def _rule(field: str, first: Any, choices: Sequence[str]) -> tuple[Callable[[Any], bool], str]:
    """Return which values a field takes: as a function, and in words."""
    names = ", ".join(choices)
    if isinstance(first, str):
        return lambda value: not choices or value in choices, f"one of {names}"
    if isinstance(first, list):
        return lambda value: _are_some_of(value, choices), f"a list of some of {names}"
    if isinstance(first, bool):
        return lambda value: isinstance(value, bool), "true or false"
    if field == "max_order":
        return _is_whole_number, f"a whole number up to {_LARGEST:g}"
    return _is_number, f"a number up to {_LARGEST:g}"


def _are_some_of(values: Any, choices: Sequence[str]) -> bool:
    return isinstance(values, list) and all(value in choices for value in values)


def _is_number(value: Any) -> bool:
    """Whether a value is a number that a browser can show, or null for an empty field."""
    if value is None:
        return True
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) <= _LARGEST  # neither infinite nor NaN


def _is_whole_number(value: Any) -> bool:
    return _is_number(value) and (value is None or value % 1 == 0)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NO_JSON
