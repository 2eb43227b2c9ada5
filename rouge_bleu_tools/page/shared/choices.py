"""What is chosen on the page -> options of `compute`.

What is left as it is gives no option, so that a preset keeps what it is made of. The
fields of a metric are one table; the panel, links and the code go by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from rouge_bleu_tools.page.shared.limits import Refusal
from rouge_bleu_tools.page.shared.meanings import (
    MEANINGS,
    meaning_of_type,
    meanings_of_card,
    paper_name,
    with_meaning,
)
from rouge_bleu_tools.page.shared.metrics import ROUGE_TYPES, Metrics

Form = Mapping[str, Any]

DEFAULT = "default"  # the first choice of lists
_DEFAULT_WEIGHT = 1.2
_WEIGHTED_TYPE = re.compile(r"rougeW-[0-9]{1,2}(\.[0-9]{1,6})?")
_MAX_LINE = 500
_MAX_SETS = 20
_MAX_RESAMPLES = 10_000

# The values that each field has at first, in the order of the panel.
ROUGE_FORM: dict[str, Any] = {
    "rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum"],
    "weight": _DEFAULT_WEIGHT,
    "tokenizer": DEFAULT,
    "use_stemmer": False,
    "sentences": False,
    "multi_reference": DEFAULT,
    "beta": None,
    "preset": DEFAULT,
    "command": "",
}
BLEU_FORM: dict[str, Any] = {
    "tokenizer": DEFAULT,
    "max_order": None,
    "weights": "",
    "smoothing": DEFAULT,
    "lowercase": False,
    "preset": DEFAULT,
}
FORMS: dict[str, dict[str, Any]] = {"rouge_full": ROUGE_FORM, "bleu_full": BLEU_FORM}

# The fields that are lists, and what one can choose there.
_CHOICES: dict[str, Callable[[Metrics, str], list[str]]] = {
    "rouge_types": lambda metrics, name: list(ROUGE_TYPES),
    "tokenizer": lambda metrics, name: [DEFAULT, *metrics.tokenizers(name)],
    "multi_reference": lambda metrics, name: [DEFAULT, *metrics.multi_references()],
    "smoothing": lambda metrics, name: [DEFAULT, *metrics.smoothings()],
    "preset": lambda metrics, name: [DEFAULT, *metrics.presets(name)],
}


def field_choices(metrics: Metrics, name: str) -> dict[str, list[str]]:
    """Return what one can choose in the fields of a metric that are lists."""
    return {field: _CHOICES[field](metrics, name) for field in FORMS[name] if field in _CHOICES}


def labelled_choices(
    metrics: Metrics, name: str, preset: str = DEFAULT
) -> dict[str, list[tuple[str, str]]]:
    """Return the lists of `field_choices` with a label before each name.

    The label of the default says what it is with this preset.
    """
    of_preset = "" if preset == DEFAULT else f" of {preset:.30}"
    card = metrics.card(name)
    of_tokenizers = meanings_of_card(card, "Tokenizers") | dict(MEANINGS["tokenizer"])
    meanings = {
        **MEANINGS,
        "tokenizer": of_tokenizers,
        "preset": meanings_of_card(card, "Presets"),
        "rouge_types": {one: meaning_of_type(one) for one in ROUGE_TYPES},
    }
    labelled = {}
    for field, names in field_choices(metrics, name).items():
        shown = {one: paper_name(one) for one in names if field == "rouge_types"}
        labels = {one: with_meaning(shown.get(one, one), meanings[field].get(one)) for one in names}
        if DEFAULT in labels:
            default = default_of(metrics, name, field, preset)
            labels[DEFAULT] = "none" if field == "preset" else f"{default} (default{of_preset})"
        labelled[field] = [(label, one) for one, label in labels.items()]
    return labelled


def default_of(metrics: Metrics, name: str, field: str, preset: str = DEFAULT) -> Any:
    """Return what counts where a field is left as it is.

    >>> default_of(Metrics.of_folder(), "bleu_full", "tokenizer", "nltk")
    'whitespace'
    """
    options_class = metrics.of_name[name].options_class
    found = None if preset == DEFAULT else options_class.preset_of_name(preset)
    value = None if found is None else found.options.get(field)
    if value is not None:
        return value
    if field == "tokenizer":
        return options_class().tokenizer_name
    if field == "max_order":
        return options_class().highest_order
    return getattr(options_class, field)


def options_of_form(name: str, form: Form) -> dict[str, Any]:
    """Return the options that are chosen for a metric.

    >>> options_of_form("bleu_full", BLEU_FORM | {"weights": "1, 1", "lowercase": True})
    {'weights': [1.0, 1.0], 'lowercase': True}
    """
    options = {}
    for field, value in form.items():
        if field == "weight" or _is_blank(value):
            continue
        read = _READERS.get(field)
        options.update({field: value} if read is None else read(value, form))
    return options


def _is_blank(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip() in ("", DEFAULT)
    return value is None or value is False or value == []


def _types(values: Any, form: Form) -> dict[str, Any]:
    if not isinstance(values, list):
        raise Refusal(f"The types must be a list, got {values!r:.60}.")
    return {"rouge_types": [_with_weight(value, form.get("weight")) for value in values]}


def _with_weight(rouge_type: Any, weight: Any) -> Any:
    """Return a type, rougeW with its weight where that is not the usual one."""
    if rouge_type != "rougeW" or weight in (None, _DEFAULT_WEIGHT):
        return rouge_type
    weight = number(weight, "The weight of rougeW")
    if not 1 <= weight <= 20:
        raise Refusal(f"The weight of rougeW must be from 1 to 20, got {weight:g}.")
    return f"rougeW-{weight:g}"


def _sentences(value: Any, form: Form) -> dict[str, Any]:
    return {"sentence_splitter": "sentences"}


def _command(text: Any, form: Form) -> dict[str, Any]:
    if not isinstance(text, str) or len(text) > _MAX_LINE:
        raise Refusal(f"The command line must be a text of up to {_MAX_LINE} characters.")
    if not _is_blank(form.get("preset")):
        raise Refusal("Choose a preset, or paste a command line: not both.")
    if " " not in text.strip():
        raise Refusal(
            "The command line must be one of ROUGE-1.5.5.pl with its options, such as "
            f"ROUGE-1.5.5.pl -n 2 -m -a, got {text.strip()!r:.60}."
        )
    # Resamples of one text say nothing, and those of a file are asked for there.
    return {"preset": text.strip(), "confidence_level": None}


def _listed_weights(text: Any, form: Form) -> dict[str, Any]:
    words = str(text).replace(",", " ").replace(";", " ").split()
    return {"weights": [number(word, "Each of the weights") for word in words]}


def _whole_order(value: Any, form: Form) -> dict[str, Any]:
    order = number(value, "The longest n-grams")
    if order != int(order):
        raise Refusal(f"The longest n-grams must be a whole number, got {order:g}.")
    return {"max_order": int(order)}


def _beta(value: Any, form: Form) -> dict[str, Any]:
    return {"beta": number(value, "Beta")}


_READERS: dict[str, Callable[[Any, Form], dict[str, Any]]] = {
    "rouge_types": _types,
    "sentences": _sentences,
    "command": _command,
    "weights": _listed_weights,
    "max_order": _whole_order,
    "beta": _beta,
}


def number(value: Any, name: str) -> float:
    """Return a number that a visitor gave."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise Refusal(f"{name} must be a number, got {value!r:.60}.") from None
    if not math.isfinite(found):
        raise Refusal(f"{name} must be a finite number, got {value!r:.60}.")
    return found


# --- options that programs give -------------------------------------------------------

OPTIONS = {
    "rouge_full": {
        *("rouge_types", "tokenizer", "use_stemmer", "sentence_splitter"),
        *("multi_reference", "beta", "preset", "lowercase", "cross_sentences"),
        *("summary_lcs", "zero_division", "max_words", "max_bytes"),
        "confidence_level",
    },
    "bleu_full": {
        *("tokenizer", "max_order", "weights", "smoothing", "smoothing_value"),
        *("smooth", "effective_order", "reference_length", "lowercase", "preset"),
        "zero_division",
    },
}


def checked_choices(metrics: Metrics, name: str, options: Any) -> dict[str, Any]:
    """Return options without those by which a visitor could keep the page busy.

    All others are checked by the metric.
    """
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise Refusal(f"The options must be a mapping, got {type(options).__name__}.")
    for option in options:
        if option not in OPTIONS[name]:
            raise Refusal(
                f"The page has no option {option!r:.60} of {name}; it has "
                f"{', '.join(sorted(OPTIONS[name]))}."
            )
    tokenizer = options.get("tokenizer")
    if tokenizer is not None and tokenizer not in metrics.tokenizers(name):
        raise Refusal(
            f"The tokenizer must be one of {', '.join(metrics.tokenizers(name))}, got "
            f"{tokenizer!r:.60}."
        )
    types = options.get("rouge_types") or []
    if not isinstance(types, list):
        raise Refusal(f"The types must be a list, got {types!r:.60}.")
    for one in types:
        if one not in ROUGE_TYPES and not _WEIGHTED_TYPE.fullmatch(str(one)):
            raise Refusal(
                f"The types must be some of {', '.join(ROUGE_TYPES)}, or rougeW with a "
                f"weight such as rougeW-1.5, got {one!r:.60}."
            )
    if isinstance(weights := options.get("weights"), dict) and len(weights) > _MAX_SETS:
        raise Refusal(f"The weights must be at most {_MAX_SETS} lists.")
    preset = options.get("preset")
    if preset is not None and (not isinstance(preset, str) or len(preset) > _MAX_LINE):
        raise Refusal(f"The preset must be a name, got {preset!r:.60}.")
    if isinstance(preset, str) and preset not in metrics.presets(name):
        _check_resamples(metrics, name, preset)
        return {**options, "confidence_level": None}
    return dict(options)


def _check_resamples(metrics: Metrics, name: str, line: str) -> None:
    """Raise where a command line asks for more samples than the page draws."""
    found = metrics.of_name[name].options_class.preset_of_name(line)
    n_resamples = 0 if found is None else found.options.get("n_resamples", 0)
    if n_resamples > _MAX_RESAMPLES:
        raise Refusal(
            f"-r of the command line must be at most {_MAX_RESAMPLES:,} on the page, got "
            f"{n_resamples:,}."
        )
