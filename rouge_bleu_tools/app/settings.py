"""The fields of the page, their options, and links that fill them in.

Settings are a dict with a value for each of `FIELDS`. A value equal to the field's default gives
no option, so that a preset keeps its own. Links and programs can set only values that the fields accept.
"""

from __future__ import annotations

import csv
import difflib
import inspect
import json
import math
import traceback
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlencode

import rouge_bleu
from rouge_bleu_tools.cli.inputs import CommandError

Settings = dict[str, Any]
Texts = tuple[str, str, list[str]]  # second prediction, prediction, references
TILES = ("rouge1", "rouge2", "rougeL", "rougeLsum")  # always shown, beside BLEU
TABS = {  # name in links -> title
    "texts": "Score texts",
    "file": "Score a file",
    "reproduce": "Reproduce a score",
    "use": "Use it",
}
MAX_CHARACTERS = 40_000
MAX_REFERENCES = 20
_MAX_PARTS = {"beta": 1, "weight": 1, "weights": 9, "command": 40}
_MAX_LINK = 8_000  # characters; servers refuse much longer addresses


class Refusal(ValueError):
    """What is wrong with the input, in a sentence for the visitor."""


# How metrics and files refuse something.
ERRORS = (TypeError, ValueError, ImportError, CommandError)


def reason_of(error: Exception) -> str:
    """Return what a visitor reads of an error; the server's log has what nobody expected."""
    if isinstance(error, MemoryError):
        return "Too large: this takes more memory than the server has."
    if isinstance(error, ERRORS) and str(error).strip():
        return str(error)
    traceback.print_exception(error)
    return f"This page failed ({type(error).__name__}). Please report the texts and settings."


# --- packages -----------------------------------------------------------------------------------

_FOLDER = Path(__file__).parent


def _read_packages() -> list[dict[str, Any]]:
    """Return the rows of the table, with options as `rouge_bleu` takes them."""
    with (_FOLDER / "packages.tsv").open(encoding="utf-8") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        rows: list[dict[str, Any]] = list(reader)
    for row in rows:
        row |= {name: json.loads(row[name] or "{}") for name in ("rouge", "bleu")}
        # What the package calls a score -> the rouge type that reproduces it.
        row["types"] = {one.split("=")[0]: one.split("=")[-1] for one in row["types"].split()}
        row["preset"] = {**row["rouge"], **row["bleu"]}["preset"]
    return rows


PACKAGES = _read_packages()
_ROUGE_PRESETS = {one["rouge"].get("preset") for one in PACKAGES}
_BLEU_PRESETS = {one["bleu"].get("preset") for one in PACKAGES}

# --- fields -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    default: Any  # of the type of the values
    label: str
    info: str = ""
    placeholder: str = ""  # of fields to type into
    expected: str = ""  # what numbers it takes
    choices: dict[str, str] = field(default_factory=dict)  # value -> its label in the list


_DECLARATIONS = json.loads((_FOLDER / "fields.json").read_text(encoding="utf-8"))
FIELDS = {name: Field(**values) for name, values in _DECLARATIONS.items()}
PRESETS: dict[str, str] = {}  # preset -> the name of its package
for _one in PACKAGES:
    _name = _one["preset"]
    if _name not in PRESETS and " " not in _name:
        PRESETS[_name] = _one["package"].partition(",")[0]
        _metrics = " and ".join(name.upper() for name in ("rouge", "bleu") if _one[name])
        FIELDS["preset"].choices[_name] = f"{_one['group']} · {PRESETS[_name]} ({_metrics})"
MORE = tuple(FIELDS)[3:]  # behind "More options"
_NUMBERS = ("beta", "weight", "max_order", "weights")


def default_settings() -> Settings:
    return {name: one.default for name, one in FIELDS.items()}


def chosen(settings: Settings) -> dict[str, Any]:
    """Return what differs from the defaults."""
    return {name: value for name, value in settings.items() if value != FIELDS[name].default}


def _options(settings: Settings, presets: set[str | None], *names: str) -> dict[str, Any]:
    options = {name: value for name, value in chosen(settings).items() if name in names}
    return options | ({"preset": settings["preset"]} if settings["preset"] in presets else {})


def rouge_options(settings: Settings) -> dict[str, Any]:
    """Return the options of `rouge_bleu.rouge`, without the types."""
    options = _options(settings, _ROUGE_PRESETS, "tokenizer", "use_stemmer", "multi_reference")
    if settings["beta"]:
        options["beta"] = float(settings["beta"])
    if line := settings["command"].strip():
        line = line if not line.startswith("-") else f"ROUGE-1.5.5.pl {line}"
        # An interval of one text says nothing, and the file tab asks for its own.
        options |= {"preset": line, "confidence_level": None}
    return options | ({"sentence_splitter": "sentences"} if settings["sentences"] else {})


def rouge_types(settings: Settings) -> list[str]:
    """Return the types to score, ROUGE-W with its weight."""
    weighted = f"rougeW-{float(settings['weight'] or 1.2):g}"
    more = (weighted if name == "rougeW" else name for name in settings["rouge_types"])
    return [*TILES, *more]


@dataclass(frozen=True)
class Resolved:
    """What the options of ROUGE mean, with those of the preset."""

    types: list[str]  # those of the settings that the preset has
    warnings: list[str]  # about options
    output: str  # the score that the preset returns; F, if it returns all three
    word: str  # how that score is called; F with an extreme beta is recall or precision


def resolved(settings: Settings) -> Resolved:
    """Return what the options of ROUGE mean; raise if the preset has none of the types."""
    return _resolved(json.dumps({**settings}, sort_keys=True))


_WARNINGS = Lock()  # Python records those of all threads
warnings.simplefilter("ignore", rouge_bleu.TextWarning)  # the page shows those it needs


@lru_cache(maxsize=256)
def _resolved(line: str) -> Resolved:
    settings = json.loads(line)
    given: dict[str, Any] = {"predictions": ["a"], "references": ["a"], "signature": "json"}
    given |= rouge_options(settings)
    types, refusal = [], None
    with _WARNINGS, warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for name in rouge_types(settings):
            try:
                options = rouge_bleu.rouge(**given, rouge_types=[name])["signature"]["options"]
                types.append(name)
            except ValueError as error:
                refusal = refusal or error
    if not types:
        raise refusal or ValueError("no type is chosen")
    of_options = [str(one.message) for one in found if one.category is UserWarning]
    output = "fmeasure" if options["output"] == "all" else options["output"]
    of_beta = {0.0: "precision", 1.0: "F", math.inf: "recall"}
    word = of_beta.get(float(options["beta"]), f"F with beta {options['beta']:g}")
    word = word if output == "fmeasure" else output
    return Resolved(types, list(dict.fromkeys(of_options)), output, word)


def options_with_types(settings: Settings) -> dict[str, Any]:
    """Return the options of `rouge_bleu.rouge`, with the types that the preset has."""
    return {"rouge_types": resolved(settings).types, **rouge_options(settings)}


def bleu_options(settings: Settings) -> dict[str, Any]:
    """Return the options of `rouge_bleu.bleu`."""
    options = _options(settings, _BLEU_PRESETS, "tokenizer", "smoothing", "lowercase")
    if settings["max_order"]:
        options["max_order"] = int(settings["max_order"])
    if weights := settings["weights"].replace(",", " ").split():
        options["weights"] = list(map(float, weights))
    return options


# --- values of the fields -----------------------------------------------------------------------


def checked(values: Mapping[str, Any]) -> tuple[Settings, dict[str, str]]:
    """Return settings with the values that the fields accept, and the errors of the others."""
    settings, problems = default_settings(), {}
    for name, value in values.items():
        if value is None:  # an emptied list
            continue
        if name in _NUMBERS:  # a program has numbers
            listed = value if isinstance(value, list) else [value]
            if all(type(one) in (int, float) for one in listed):
                value = " ".join(f"{one:g}" for one in listed)
        if message := _problem(name, value):
            problems[name] = message
        else:
            settings[name] = value
    return settings, problems


def settings_of_fields(values: Sequence[Any]) -> Settings:
    """Return the settings that the components show, in the order of the fields."""
    settings, problems = checked(dict(zip(FIELDS, values, strict=True)))
    if problems:
        raise Refusal(next(iter(problems.values())))
    return settings


def name_fields(function: Any, own: Mapping[str, Any], fields: Mapping[str, Field]) -> Any:
    """Give a function of `*values` its own parameters, by type, and one for each field."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind, annotation=one) for name, one in own.items()]
    for name, one in fields.items():
        given: Any = list[str] if isinstance(one.default, list) else type(one.default)
        given = float | str if name in _NUMBERS else given
        parameters.append(inspect.Parameter(name, kind, default=one.default, annotation=given))
    function.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])
    function.__annotations__ = {one.name: one.annotation for one in parameters}
    return function


def _problem(name: str, value: Any) -> str:
    if name not in FIELDS:
        return f"settings must be some of {', '.join(FIELDS)}, got {name!r:.60}"
    one = FIELDS[name]
    refused = f"{name} must be {one.expected or f'like {one.default!r}'}, got {value!r:.60}"
    if type(value) is not type(one.default):
        return refused
    if one.choices:
        values = value if isinstance(value, list) else [value]
        is_known = all(isinstance(each, str) and each in one.choices for each in values)
        return "" if is_known else f"{name} must be of {', '.join(filter(None, one.choices))}"
    if value == one.default or isinstance(value, bool):
        return ""
    if len(value) > 500 or len(value.split()) > _MAX_PARTS[name]:
        return refused if one.expected else f"{name} is too long"
    if name == "command" and not value.strip().lower().startswith(("rouge", "-")):
        return "command must begin with ROUGE-1.5.5.pl or with an option, such as -n 2"
    settings = default_settings() | {name: value}
    try:  # the metrics check combinations
        types = rouge_types(settings | {"rouge_types": ["rougeW"]})
        rouge_bleu.rouge(["a"], ["a"], rouge_types=types, **rouge_options(settings))
        rouge_bleu.bleu(["a"], ["a"], **bleu_options(settings))
    except (TypeError, ValueError, OverflowError) as error:
        return refused if one.expected else f"{name} is refused: {error}".replace(" preset:", "")
    return ""


def settings_of_options(options: dict[str, Any]) -> tuple[Settings, list[str]]:
    """Return the fields that show options of a metric, and the options that have no field."""
    values = {}
    for name, value in options.items():
        if name == "sentence_splitter":
            values["sentences"] = value == "sentences"
        elif name == "preset" and " " in str(value):
            values["command"] = value
        elif name != "confidence_level" and (name, value) != ("output", "fmeasure"):
            values[name] = value
    settings, problems = checked(values)
    return settings, [f"{name}={values[name]}" for name in problems]


# --- links --------------------------------------------------------------------------------------


def link_query(
    second: str, prediction: str, references: Sequence[str], settings: Settings, measure: str = ""
) -> str:
    """Return the query of a link with these texts and settings."""
    fields = [("second", second), ("prediction", prediction)]
    fields += [("reference", one) for one in references]
    for name, value in {**chosen(settings), "measure": measure}.items():
        fields.append((name, value if isinstance(value, str) else json.dumps(value)))
    query = urlencode([(name, value) for name, value in fields if value])
    if len(query) > _MAX_LINK:
        raise Refusal("The texts are too long for a link.")
    return f"?{query}"


def read_query(query: str) -> tuple[Texts | None, Settings, list[str], list[str]]:
    """Return the texts and settings of a link, its measure and tab, and the parts that set nothing.

    Anybody can write a link: it can set only values that a visitor could type or choose.
    """
    pairs = parse_qsl(query, keep_blank_values=True)
    given = dict(pairs)
    values: dict[str, Any] = {name: text for name, text in given.items() if name in FIELDS}
    for name, text in values.items():
        if not isinstance(FIELDS[name].default, str):  # such values are JSON
            with suppress(ValueError, RecursionError):
                values[name] = json.loads(text[:500])
    settings, problems = checked(values)
    shown = {"measure": [*rouge_types(settings), "bleu"], "tab": list(TABS)}
    view = [given[name] if given.get(name) in known else "" for name, known in shown.items()]
    ignored = [*problems, *(name for name in shown if name in given and given[name] not in view)]
    of_texts = ("second", "prediction", "reference")
    known = (*of_texts, "embed", *shown, *FIELDS)
    for name in dict.fromkeys(name for name, _ in pairs if name not in known):
        if not name.startswith("__"):  # of Gradio
            close = difflib.get_close_matches(name, known, 1)
            ignored.append(f"{name:.40}" + (f" (did you mean {close[0]}?)" if close else ""))
    references = [value for name, value in pairs if name == "reference"]
    if len(references) > MAX_REFERENCES:
        ignored.append(f"references after the first {MAX_REFERENCES}")
        references = references[:MAX_REFERENCES]
    texts = (given.get("second", ""), given.get("prediction", ""), references)
    if sum(map(len, [*texts[:2], *references])) > MAX_CHARACTERS:
        return None, settings, view, [*ignored, "texts that are too long"]
    return texts if given.keys() & {*of_texts} else None, settings, view, ignored


def shown_name(name: str) -> str:
    """Return a score's name as papers print it."""
    return name.replace("_", "-").replace("rouge", "ROUGE-").replace("bleu", "BLEU")


MEASURES = [(shown_name(name), name) for name in (*TILES, "bleu")]  # choices of a list


def percent(score: float | None) -> str:
    """Return a score from 0 to 1 as papers print it."""
    return "–" if score is None or math.isnan(score) else f"{100 * score:.1f}"
