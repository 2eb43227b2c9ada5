"""Numbers as papers print them, and whether a score is one of them.

A printed number says how far it can be trusted: 41.16 stands for all scores that are
rounded to it, half a unit of its last digit up or down, or that begin so, where the
rest was cut off. It may be the score itself or 100 times the score.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from rouge_bleu_tools.commands.inputs.errors import FileError

OUTPUTS = ("precision", "recall", "fmeasure")

SACREBLEU = "sacrebleu"  # BLEU as the package of that name has it
_TOLERANCE = 1e-9  # of a unit of the last digit, for the last bits of a score

_ROUGE = re.compile(r"rouge[-_ ]?(.+?)(?:_(precision|recall|fmeasure))?", re.IGNORECASE)
_BLEU = re.compile(r"bleu[-_ ]?([1-9])?", re.IGNORECASE)
_LETTERS = {"l": "L", "lsum": "Lsum", "w": "W", "s": "S", "su": "SU"}
_TYPE = re.compile(r"([1-9][0-9]{0,2}|L|Lsum|W(-[0-9.]+)?|SU?([0-9]{1,3}|\*)?)")
_EXAMPLES = "such as rouge1=41.16, rougeL_recall=0.38 or bleu=27.3"


@dataclass(frozen=True)
class Reported:
    """A number of a paper.

    Parameters
    ----------
    name : str
        The score that it is said to be, such as rouge1, rougeL_recall, bleu, bleu2 or sacrebleu.
    text : str
        As it is printed.
    """

    name: str
    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def last_digit(self) -> float:
        """One unit of the last digit that is printed."""
        exponent = Decimal(self.text).as_tuple().exponent
        return float(Decimal(1).scaleb(int(exponent)))

    @property
    def metric(self) -> str:
        return "rouge_full" if self.name.startswith("rouge") else "bleu_full"

    @property
    def preset(self) -> str | None:
        """The package that the name says, as a preset."""
        return self.name if self.name == SACREBLEU else None

    @property
    def rouge_type(self) -> str:
        return self.name.partition("_")[0]

    @property
    def output(self) -> str | None:
        """Precision, recall or F, where the name says it."""
        return self.name.partition("_")[2] or None

    @property
    def order(self) -> int:
        """The number of orders of a BLEU."""
        return int(self.name.removeprefix("bleu") or 4) if self.preset is None else 4

    def is_rounded_from(self, score: float, scale: int) -> bool:
        """Whether a score is this number when it is rounded, half a unit up or down.

        >>> reported = Reported("rouge1", "41.16")
        >>> reported.is_rounded_from(0.411649, 100), reported.is_rounded_from(0.41166, 100)
        (True, False)
        """
        return abs(self.difference(score, scale)) <= self.last_digit * (0.5 + _TOLERANCE)

    def is_cut_from(self, score: float, scale: int) -> bool:
        """Whether a score is this number when further digits are cut off.

        >>> reported = Reported("rouge1", "41.16")
        >>> reported.is_cut_from(0.41166, 100), reported.is_cut_from(0.4117, 100)
        (True, False)
        """
        above = self.difference(score, scale) / self.last_digit
        return -_TOLERANCE <= above < 1 - _TOLERANCE

    def difference(self, score: float, scale: int) -> float:
        """Return how far a score is above this number, in units of the number."""
        return score * scale - self.value


def scales(reported: Sequence[Reported]) -> tuple[int, ...]:
    """Return by what scores may have been multiplied; numbers above 1 are times 100."""
    return (100,) if any(one.value > 1 for one in reported) else (1, 100)


def note_on_scales(reported: Sequence[Reported]) -> str | None:
    """Return what to say of numbers that may be on two scales; None: they are on one.

    It is a note and no error: a score below 1 % may stand beside larger ones.

    >>> note = note_on_scales([Reported("rouge1", "75.86"), Reported("rouge2", "0.5")])
    >>> note.partition(":")[0]
    'rouge1=75.86 is above 1, so rouge2=0.5 is read as 100 times a score too'
    """
    above = [one for one in reported if one.value > 1]
    below = [f"{one.name}={one.text}" for one in reported if 0 < one.value <= 1]
    if not above or not below:
        return None
    verb, are_scores, them = "is", "it is a score", "it"
    if len(below) > 1:
        verb, are_scores, them = "are", "these are scores", "them"
    return (
        f"{above[0].name}={above[0].text} is above 1, so {', '.join(below)} {verb} read "
        f"as 100 times a score too: if {are_scores} from 0 to 1, multiply {them} by 100"
    )


def parsed_numbers(texts: Sequence[str] | Mapping[str, str]) -> list[Reported]:
    """Return the numbers of texts such as "rouge1=41.16", of one metric.

    ROUGE-1 and BLEU-4 are understood as rouge1 and bleu4. A mapping has the names as
    keys, and the numbers as strings, which keep the digits that were printed.
    """
    if isinstance(texts, Mapping):
        texts = [f"{name}={number}" for name, number in texts.items()]
    if not texts:
        raise FileError(f"--reported needs at least one number, {_EXAMPLES}")
    reported = [_parsed_number(text) for text in texts]
    names = [one.name for one in reported]
    for name in names:
        if names.count(name) > 1:
            raise FileError(f"--reported has {name!r} {names.count(name)} times")
    if len({one.metric for one in reported}) > 1:
        raise FileError(
            "--reported must be scores of one metric, got ROUGE and BLEU: search for "
            "them one after the other"
        )
    return reported


def _parsed_number(text: str) -> Reported:
    name, sign, number = map(str.strip, text.partition("="))
    if not sign:
        raise FileError(f"--reported must be name=number, {_EXAMPLES}, got {text!r}")
    name = _checked_name(name)
    try:
        value = Decimal(number)
    except InvalidOperation as error:
        raise FileError(
            f"--reported {name} must be a number, {_EXAMPLES}, got {number!r}"
        ) from error
    if not value.is_finite() or not 0 <= value <= 100:
        raise FileError(f"--reported {name} must be from 0 to 100, got {number!r}")
    if "e" in number.lower() or "_" in number:
        raise FileError(f"--reported {name} must be written with all its digits, got {number!r}")
    return Reported(name, number)


def _checked_name(name: str) -> str:
    if name.lower() in ("sacrebleu", "sacre-bleu"):
        return SACREBLEU
    if match := _BLEU.fullmatch(name):
        return f"bleu{match[1] or ''}"
    if match := _ROUGE.fullmatch(name):
        letters = re.sub(
            "^[a-z]+", lambda found: _LETTERS.get(found[0], found[0]), match[1].lower()
        )
        if _TYPE.fullmatch(letters):
            return f"rouge{letters}" + (f"_{match[2].lower()}" if match[2] else "")
    raise FileError(
        "--reported must name bleu, bleu1, bleu2, ..., sacrebleu, or a rouge type such as rouge1, "
        "rougeL or rougeSU4, with _precision, _recall or _fmeasure behind it where the "
        f"paper says so, got {name!r}"
    )
