"""What the user passed -> a checked corpus and checked options, or an error.

Every error that a user can see is raised here or by one of the `check_*` functions from here, before any work: it names the argument, where in
the data, what it must be and what it was. Nothing is converted but the kind of list. `evaluate` itself looks at the first example only and turns the
others into strings.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import evaluate
import numpy as np

from .ragged import batches, flattened, offsets_of_lengths

_CHUNK_CHARACTERS = 1 << 20  # texts of both sides that are scored together: some 2,000 pairs of short summaries
_CHARACTERS_OF_TOKEN = 5

_MIN_CHUNKS_OF_BAR = 8
_SECONDS_BEFORE_BAR = 2

Options = TypeVar("Options")


@dataclass(frozen=True)
class Corpus:
    """Predictions and their references.

    Parameters
    ----------
    predictions : list
        Texts, or lists of tokens.
    references : list
        The references of all items, one after the other, in the same form as the predictions.
    reference_offsets : ndarray of int64, shape (n_items + 1,)
        The references of item i are `references[reference_offsets[i]:reference_offsets[i + 1]]`.
    is_tokenized : bool
        Whether the texts are lists of tokens.
    """

    predictions: list[Any]
    references: list[Any]
    reference_offsets: np.ndarray
    is_tokenized: bool

    def __len__(self) -> int:
        return len(self.predictions)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges (first, end) of items to be scored together: arrays of that size stay in the cache, and memory stays flat.

        A long corpus shows a progress bar, if `evaluate` is set to show them.
        """
        n_prediction, n_reference = (np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) for texts in (self.predictions, self.references))
        # A prediction is held against each of its references.
        size = n_prediction * np.diff(self.reference_offsets) + np.add.reduceat(n_reference, self.reference_offsets[:-1])
        ranges = list(batches(size + 1, _CHUNK_CHARACTERS // (_CHARACTERS_OF_TOKEN if self.is_tokenized else 1)))
        if len(ranges) < _MIN_CHUNKS_OF_BAR:
            yield from ranges
            return
        with evaluate.logging.tqdm(total=len(self), unit=" items", delay=_SECONDS_BEFORE_BAR, leave=False) as bar:
            for first, end in ranges:
                yield first, end
                bar.update(end - first)

    def texts_of_items(self, first: int, end: int) -> tuple[list[Any], np.ndarray]:
        """Return the predictions of a range of items followed by their references, and the offsets of the items' references among those."""
        offsets = self.reference_offsets[first : end + 1]
        return self.predictions[first:end] + self.references[offsets[0] : offsets[-1]], offsets - offsets[0]

    @property
    def references_of_items(self) -> list[list[Any]]:
        bounds = self.reference_offsets.tolist()
        return [self.references[start:end] for start, end in pairwise(bounds)]


def checked_corpus(predictions: Any, references: Any) -> Corpus:
    """Return predictions and references in one form.

    Parameters
    ----------
    predictions : list of str, or list of lists of str
        Texts or lists of tokens. Tuples, numpy arrays, pandas Series and columns of datasets are lists too.
    references : list
        For each prediction one reference or a list of references, each of the form of a prediction.

    Raises
    ------
    TypeError
        Something is not a string or not a list.
    ValueError
        The lengths differ, an item has no reference, or a string holds a lone surrogate.
    """
    if predictions is None or references is None:
        missing = "predictions" if predictions is None else "references"
        raise ValueError(f"{missing} is missing: give predictions and references together")
    predictions = _as_list(predictions, "predictions", "a list of strings or of lists of tokens")
    references = _as_list(references, "references", "a list with one reference, or one list of references, for each prediction")
    if len(predictions) != len(references):
        hint = ""
        if references and all(_is_listlike(item) and len(item) == len(predictions) for item in references):
            hint = ": give one list of references for each prediction, not one for each set of references"
        raise ValueError(f"predictions and references must have the same length, got {len(predictions)} and {len(references)}{hint}")
    if not predictions:
        return Corpus([], [], np.zeros(1, dtype=np.int64), False)
    if isinstance(predictions[0], str):
        return _text_corpus(predictions, references)
    if _is_listlike(predictions[0]):
        return _token_corpus(predictions, references)
    raise TypeError(f"predictions[0] must be a string or a list of tokens, got {shown(predictions[0])}{_hint(predictions[0])}")


def checked_item(prediction: Any, reference: Any) -> Corpus:
    """Return one prediction and its reference or references as a corpus of one item; errors as from `checked_corpus`."""
    if prediction is None or reference is None:
        missing = "prediction" if prediction is None else "reference"
        raise ValueError(f"{missing} is missing: give prediction and reference together")
    try:
        return checked_corpus([prediction], [reference])
    except (TypeError, ValueError) as error:
        message = str(error).replace("predictions[0]", "prediction").replace("references[0]", "reference")
        raise type(error)(message) from None


def _text_corpus(predictions: list[Any], references: list[Any]) -> Corpus:
    _check_strings(predictions, "predictions[{}]", "a string like predictions[0]")
    if isinstance(references[0], str):
        _check_strings(references, "references[{}]", "a string like references[0]")
        return Corpus(predictions, references, np.arange(len(references) + 1), False)
    lists = [_as_list(item, f"references[{i}]", _TEXT_REFERENCES) for i, item in enumerate(references)]
    flat, offsets = flattened(lists)
    if not _are_strings(flat):
        for i, item in enumerate(lists):
            _check_strings(item, f"references[{i}][{{}}]", "a string")
    _check_not_empty(offsets)
    _check_encodable(flat, partial(_place_in_lists, "references[{}][{}]", offsets))
    return Corpus(predictions, flat, offsets, False)


_TEXT_REFERENCES = "a string or a list of strings, the same for all items"
_TOKEN_REFERENCES = "a list of tokens, or a list of such lists, since predictions are lists of tokens"


def _token_corpus(predictions: list[Any], references: list[Any]) -> Corpus:
    predictions = _checked_token_lists(predictions, "predictions[{}]", "a list of tokens like predictions[0]")
    if all(len(tokens) == 1 for tokens in predictions) and len(predictions[0][0].split()) > 1:
        raise ValueError(f"predictions[0] is a list with one text, which would count as one token, got {shown(predictions[0])}: give the text itself")
    lists = [_as_list(item, f"references[{i}]", _TOKEN_REFERENCES) for i, item in enumerate(references)]
    first = next((item[0] for item in lists if item), "")
    if isinstance(first, str):  # one reference each; [] is a reference without tokens
        return Corpus(predictions, _checked_token_lists(lists, "references[{}]", _TOKEN_REFERENCES), np.arange(len(lists) + 1), True)
    _check_not_empty(offsets_of_lengths(np.array([len(item) for item in lists])))
    checked = [_checked_token_lists(item, f"references[{i}][{{}}]", "a list of tokens") for i, item in enumerate(lists)]
    flat, offsets = flattened(checked)
    return Corpus(predictions, flat, offsets, True)


def _checked_token_lists(lists: list[Any], place: str, expected: str) -> list[list[str]]:
    lists = [_as_list(item, place.format(i), expected) for i, item in enumerate(lists)]
    flat, offsets = flattened(lists)
    if not _are_strings(flat):
        for i, item in enumerate(lists):
            _check_strings(item, place.format(i) + "[{}]", "a string")
    _check_encodable(flat, partial(_place_in_lists, place + "[{}]", offsets))
    return lists


def _check_not_empty(offsets: np.ndarray) -> None:
    is_empty = np.diff(offsets) == 0
    if is_empty.any():
        raise ValueError(f"references[{int(is_empty.argmax())}] is empty: each prediction needs at least one reference")


def _check_strings(column: list[Any], place: str, expected: str) -> None:
    """Raise where an element is not a string; `place` says where it stands, with {} for its index."""
    if not _are_strings(column):
        index, value = next((i, value) for i, value in enumerate(column) if not isinstance(value, str))
        raise TypeError(f"{place.format(index)} must be {expected}, got {shown(value)}{_hint(value)}")
    _check_encodable(column, place.format)


def _are_strings(column: Iterable[Any]) -> bool:
    return all(issubclass(kind, str) for kind in set(map(type, column)))


def _check_encodable(texts: list[str], place: Callable[[int], str]) -> None:
    """Raise where a text has a lone surrogate, half of a character, which no file or column of text can hold."""
    for index, text in enumerate(texts):
        if text.isascii():
            continue
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{place(index)} must be valid Unicode text, got a lone surrogate {text[error.start]!a} at position {error.start}"
            ) from None


def _place_in_lists(place: str, offsets: np.ndarray, index: int) -> str:
    row = int(np.searchsorted(offsets, index, side="right")) - 1
    return place.format(row, index - int(offsets[row]))


def _is_listlike(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray, memoryview, dict)):
        return False
    return isinstance(value, Sequence) or (_list_method(value) is not None and getattr(value, "ndim", 1) > 0)


def _list_method(value: Any) -> Callable[[], list[Any]] | None:
    """Return what makes a list of a numpy array, pandas or polars Series, or Arrow array."""
    return next((getattr(value, name) for name in ("tolist", "to_pylist", "to_list") if hasattr(value, name)), None)


def _as_list(value: Any, place: str, expected: str) -> list[Any]:
    """Return a list, tuple, numpy array, pandas Series, Arrow array or column of a dataset as a list."""
    if type(value) is list:
        return value
    if not _is_listlike(value):
        hint = ": split it into tokens as the predictions are" if isinstance(value, str) and "list of tokens" in expected else _hint(value)
        raise TypeError(f"{place} must be {expected}, got {shown(value)}{hint}")
    to_list = _list_method(value)
    if to_list is not None:
        return to_list()
    try:
        return list(value[:])  # of a column of a dataset a slice is a list at once
    except TypeError:
        return list(value)


def shown(value: Any) -> str:
    """Return type and value, as an error message shows them."""
    if value is None:
        return "None"
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def _hint(value: Any) -> str:
    """Return what may help somebody who passed this where text is expected."""
    if isinstance(value, str):
        return ": put a single text into a list"
    if type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        return ": if a value is missing, put an empty string there"
    if isinstance(value, (bytes, bytearray)):
        return ": decode it first"
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return ": decode token ids to text first"
    return ""


def warn_caller(message: str) -> None:
    """Warn in the name of the line that called the metric, whatever modules of ours and of `evaluate` are between."""
    frame, level = sys._getframe(1), 2
    own_packages = ("evaluate", __name__.rpartition(".")[0] or __name__)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(own_packages):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


# --- options ---------------------------------------------------------------------------------------------------------


# Other names that arguments have elsewhere, in sacreBLEU and in training scripts.
_OTHER_NAMES = {
    **dict.fromkeys(("prediction", "preds", "pred", "hypotheses", "candidates"), "predictions"),
    **dict.fromkeys(("reference", "refs", "ref", "labels", "targets"), "references"),
    "smooth_method": "smoothing",
    "smooth_value": "smoothing_value",
    "use_effective_order": "effective_order",
    "tokenize": "tokenizer",
}


# Options that only one of the two metrics has; `evaluate.combine` hands each option to all.
_OPTIONS_OF_ONE = {
    "rouge_full": (
        "rouge_types use_stemmer output beta multi_reference stemmer stopwords max_words"
        " max_bytes sentence_splitter cross_sentences summary_lcs seed corpus_average"
        " document_order confidence_level n_resamples"
    ).split(),
    "bleu_full": (
        "max_order smooth weights smoothing smoothing_value effective_order reference_length"
    ).split(),
}


def checked_options(
    options_class: Callable[..., Options],
    given: dict[str, Any],
    *,
    load_options: Mapping[str, Any] | None = None,
    caller: str = "compute",
    other_arguments: Sequence[str] = ("predictions", "references"),
) -> Options:
    """Return the checked options of one call.

    Of several values of an option the last of these wins: that of the preset of `load`,
    that of `load`, that of the preset of this call, that of this call. A preset of this
    call, `None` too, takes the place of the preset of `load`.

    Parameters
    ----------
    options_class
        A frozen dataclass that checks itself, with the values of its `presets`.
    given
        The options of this call.
    load_options
        The options that `load` was given, already checked.
    caller
        The method that was called, for error messages.
    other_arguments
        What that method takes beside options, for error messages.

    Raises
    ------
    TypeError
        A name is not known, or a value is of the wrong type.
    ValueError
        A value is not allowed, alone or beside the others.
    """
    names = [field.name for field in dataclasses.fields(options_class)]  # type: ignore[arg-type]
    _check_option_names(given, names, caller, other_arguments)
    presets = options_class.presets  # type: ignore[attr-defined]
    preset = given.get("preset")
    if preset is not None:
        is_load = caller == "load"
        place = "preset (or the second argument of load)" if is_load else "preset"
        check_choice(place, preset, tuple(presets))
    load_options = load_options or {}
    load_preset = None if "preset" in given else load_options.get("preset")
    values = {
        **presets.get(load_preset, {}),
        **load_options,
        **presets.get(preset, {}),
        **given,
    }
    return options_class(**values)


def _check_option_names(
    given: Iterable[str], names: list[str], caller: str, other_arguments: Sequence[str]
) -> None:
    """Raise where a name is not known, and say what may have been meant."""
    known = (*other_arguments, *names)
    for name in given:
        if name not in names:
            hint = _hint_for_name(name, known, caller)
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}{hint}")


def _hint_for_name(name: str, known: Sequence[str], caller: str) -> str:
    """Return what may help somebody who gave an option of this name."""
    owner = next((metric for metric, own in _OPTIONS_OF_ONE.items() if name in own), None)
    if owner is not None:
        hint = f", which is an option of {owner}"
        if caller == "compute":
            hint += (
                ". In evaluate.combine give each metric its options at load,"
                f" as in evaluate.load({owner!r}, {name}=...)"
            )
        return hint
    near = difflib.get_close_matches(name, known, n=1)
    if _OTHER_NAMES.get(name) in known:
        near = [_OTHER_NAMES[name]]
    return f". Did you mean {near[0]!r}?" if near else f", it takes {', '.join(known)}"


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in choices:
        near = difflib.get_close_matches(value, choices, n=1, cutoff=0.65) if isinstance(value, str) else []
        hint = f". Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        raise ValueError(f"{name} must be {listed}, got {value!r}{hint}")


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_integer(name: str, value: Any, *, minimum: int, maximum: int | None = None) -> None:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {value!r}")


def is_number(value: Any) -> bool:
    """Whether this is a number that a float can hold."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        return False
    return not isinstance(value, int) or abs(value) < 2**1023


def check_number(name: str, value: Any, *, minimum: float, may_be_infinite: bool = False) -> None:
    if not is_number(value) or not value >= minimum or (math.isinf(value) and not may_be_infinite):
        infinite = ", or math.inf" if may_be_infinite else ""
        raise ValueError(f"{name} must be a number >= {minimum:g}{infinite}, got {value!r}")


def check_level(name: str, value: Any) -> None:
    if not isinstance(value, (float, np.floating)) or not 0 < value < 1:
        raise ValueError(f"{name} must be a number between 0 and 1 such as 0.95, got {value!r}")


def check_zero_division(value: Any) -> None:
    if not is_number(value) or not (value == 0 or math.isnan(value)):
        raise ValueError(f"zero_division must be 0.0 or math.nan, got {value!r}")


def check_tokenizer(value: Any, names: Sequence[str]) -> None:
    if not callable(value):
        if not isinstance(value, str):
            raise TypeError(f"tokenizer must be a name or a function from a string to a list of strings, got {shown(value)}")
        check_choice("tokenizer", value, names)
