"""What stands for an implementation of BLEU: values of options, and rules beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ..kernels.ngrams import MAX_ORDER
from ..options import Preset
from .other_lines import perl_options, sacrebleu_options
from .smoothing import (
    COCO_CAPTION,
    CODEXGLUE,
    MTEVAL,
    NLTK_3_2_5,
    NLTK_3_4_5,
    NLTK_3_5,
    PYMTEVAL,
    Smoothing,
)


@dataclass(frozen=True, kw_only=True)
class BleuRules:
    """What an implementation does that no option says. The defaults are ours."""

    # Weights are scaled to a sum of one. NLTK and torchmetrics do not scale them.
    scales_weights: bool = True
    # Each example divides by at least so many n-grams of each order: 1 in NLTK. Below 0 in
    # pymteval, where a short text takes some off.
    least_total: int = 0
    # What chen-cherry-5 and -7 take for the order after the last one. NLTK takes 5, and smooths the
    # orders of all weightings together; None: the next one.
    next_order: int | None = None
    # Smoothings under which an order with a precision of 0 is left out. In NLTK chen-cherry-4 gives
    # 0 for a single token, whose ln(c) is 0.
    skips_zero_with: frozenset[str] = frozenset()
    # 13a keeps spaces at the end of a text, as in evaluate's `bleu` and torchmetrics'
    # sacre_bleu_score: a hyphen before them is then the end of a line like any other.
    keeps_trailing_blanks: bool = False
    # 13a splits texts as they are, and words are lowercased then, as in torchmetrics'
    # sacre_bleu_score: <SKIPPED> and &AMP; stay, and a final sigma is that of a word.
    lowercases_words: bool = False
    # `effective_order` is True for sentences, as in sacreBLEU.
    sentences_use_effective_order: bool = False
    # The result has the keys of `BLEU_COUNTS`, as in sacreBLEU.
    returns_counts: bool = False
    # BLEU is 0 where the predictions have fewer tokens than there are weights, as in MATLAB.
    needs_every_order: bool = False
    # A prediction that has tokens scores 0 where the references have none, instead of
    # `zero_division`, as in MATLAB.
    scores_against_nothing: bool = False
    # Of two references that are equally close in length, the first one counts and not the shorter,
    # as in torchmetrics.
    takes_first_of_closest: bool = False
    # BLEU is 0 where an order has no match, with any smoothing, as in torchmetrics.
    needs_every_match: bool = False
    # lowercase=True is about A to Z only, except for tokenizers for all scripts, as in mteval and
    # multi-bleu.perl.
    lowercases_ascii: bool = False
    # Only spaces of ASCII separate the words of "whitespace", as in multi-bleu.perl.
    takes_ascii_blanks: bool = False
    # What replaces smoothings, by their names.
    formulas: Mapping[str, Smoothing] = field(default_factory=dict)
    # Options that must keep the value of the preset, or their default, since its formula does not
    # use them.
    fixed_options: frozenset[str] = frozenset()


NO_PRESET = Preset(options={}, rules=BleuRules())
_NLTK = BleuRules(
    scales_weights=False, least_total=1, next_order=5, skips_zero_with=frozenset({"chen-cherry-4"})
)
_MTEVAL = BleuRules(
    formulas={"exp": MTEVAL},
    lowercases_ascii=True,
    fixed_options=frozenset({"smooth", "smoothing_value", "effective_order", "zero_division"}),
)
_SAID_BY_FORMULA = _MTEVAL.fixed_options | {"smoothing"}

BLEU_PRESETS: dict[str, Preset] = {
    "sacrebleu": Preset(
        options={"smoothing": "exp"},
        rules=BleuRules(sentences_use_effective_order=True, returns_counts=True),
    ),
    "evaluate": Preset(
        options={"reference_length": "shortest"}, rules=BleuRules(keeps_trailing_blanks=True)
    ),
    "nltk": Preset(options={"tokenizer": "whitespace"}, rules=_NLTK),
    "matlab": Preset(
        options={"zero_division": math.nan},
        rules=BleuRules(needs_every_order=True, scores_against_nothing=True),
    ),
    "torchmetrics": Preset(
        options={"tokenizer": "whitespace"},
        rules=BleuRules(
            scales_weights=False,
            keeps_trailing_blanks=True,
            lowercases_words=True,
            takes_first_of_closest=True,
            needs_every_match=True,
        ),
    ),
    "mteval-v13a.pl": Preset(options={"smoothing": "exp", "lowercase": True}, rules=_MTEVAL),
    "multi-bleu.perl": Preset(
        options={"tokenizer": "whitespace"},
        rules=BleuRules(lowercases_ascii=True, takes_ascii_blanks=True),
    ),
    "t2t": Preset(
        options={"smoothing": "exp", "tokenizer": "t2t"},
        rules=replace(_MTEVAL, lowercases_ascii=False),
    ),
    "fairseq": Preset(options={"tokenizer": "fairseq"}, rules=BleuRules()),
    "ignite": Preset(options={"tokenizer": "whitespace", "level": "sentence"}, rules=_NLTK),
    "coco-caption": Preset(
        options={
            "tokenizer": "whitespace",
            "weights": {"bleu": [1, 1, 1, 1], "bleu_1": [1], "bleu_2": [1, 1], "bleu_3": [1, 1, 1]},
        },
        rules=BleuRules(formulas={"none": COCO_CAPTION}, fixed_options=_SAID_BY_FORMULA),
    ),
    "codexglue": Preset(
        options={
            "tokenizer": "codexglue",
            "lowercase": True,
            "reference_length": "shortest",
            "level": "sentence",
        },
        rules=BleuRules(formulas={"none": CODEXGLUE}, fixed_options=_SAID_BY_FORMULA),
    ),
    "pymteval": Preset(
        options={"tokenizer": "pymteval", "lowercase": True},
        rules=BleuRules(
            least_total=-MAX_ORDER, formulas={"none": PYMTEVAL}, fixed_options=_SAID_BY_FORMULA
        ),
    ),
    **{
        f"nltk-{release}": Preset({"tokenizer": "whitespace"}, replace(_NLTK, formulas=formulas))
        for release, formulas in (("3.2.5", NLTK_3_2_5), ("3.4.5", NLTK_3_4_5), ("3.5", NLTK_3_5))
    },
}
BLEU_PRESETS = {name: replace(preset, name=name) for name, preset in BLEU_PRESETS.items()}


@lru_cache(maxsize=64)
def bleu_preset(name: str) -> Preset | None:
    """Return the preset of a name or of a line of another program, or None.

    A line with an unknown part is a ValueError.
    """
    if name in BLEU_PRESETS:
        return BLEU_PRESETS[name]
    options = sacrebleu_options(name) or perl_options(name)
    if options is None:
        return None
    of_preset = NO_PRESET if options["preset"] is None else BLEU_PRESETS[options["preset"]]
    beside = {option: value for option, value in options.items() if option != "preset"}
    return replace(of_preset, options={**of_preset.options, **beside})
