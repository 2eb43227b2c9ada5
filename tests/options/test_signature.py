"""The signature of both metrics: options -> line -> options, and lines that are refused."""

import dataclasses
import functools
import json
import re
import warnings

import evaluate
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.errors import error_of
from helpers.metrics import loaded
from helpers.option_sets import (
    CORPORA,
    OPTION_SETS,
    STOPWORDS,
    VALUES,
    assert_plain,
    halves,
    scores_of,
)
from helpers.repository import ROOT
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.signature import BLEU_OPTIONS_WITHOUT_EFFECT, BLEU_SIGNATURE
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu._rouge.signature import ROUGE_OPTIONS_WITHOUT_EFFECT, ROUGE_SIGNATURE

METRICS = ["rouge_full", "bleu_full"]
TABLES = {
    "rouge_full": (RougeOptions, ROUGE_SIGNATURE, ROUGE_OPTIONS_WITHOUT_EFFECT),
    "bleu_full": (BleuOptions, BLEU_SIGNATURE, BLEU_OPTIONS_WITHOUT_EFFECT),
}
corpora = st.sampled_from(sorted(CORPORA))


def signed(metric, corpus, options):
    """Return the signature and the scores; what is no set of options is passed over."""
    try:
        result = metric.compute(**CORPORA[corpus], **options, signature=True)
    except ValueError:
        assume(False)
    assert_plain(result)
    return result["signature"], scores_of(result)


def supplied_for(options, line):
    """Return what has to be supplied of the options."""
    functions = {option: value for option, value in options.items() if callable(value)}
    if options.get("stopwords"):
        functions["stopwords"] = options["stopwords"]
    marks = {"tokenizer": "|tok:f", "stemmer": "|stem:f", "sentence_splitter": "|split:f"}
    marks["stopwords"] = "|stop:"
    return {option: value for option, value in functions.items() if marks[option] in line}


# --- options -> line -> options -------------------------------------------------------------------


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data(), corpus=corpora)
def test_options_of_a_signature_give_its_scores(request, name, data, corpus):
    metric = request.getfixturevalue(name)
    options = data.draw(OPTION_SETS[name])
    line, scores = signed(metric, corpus, options)
    again = metric.options_of_signature(line, **supplied_for(options, line))
    assert signed(metric, corpus, again) == (line, scores)


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data(), corpus=corpora)
def test_options_with_one_signature_give_one_score(request, name, data, corpus):
    """Options are drawn, and then some are changed, one after the other."""
    metric = request.getfixturevalue(name)
    options = data.draw(OPTION_SETS[name])
    scores_of_line = dict([signed(metric, corpus, options)])
    some = st.lists(st.sampled_from(list(VALUES[name])), max_size=9, unique=True)
    for option in data.draw(some):
        changed = {**options, option: data.draw(st.sampled_from(VALUES[name][option]))}
        try:
            result = metric.compute(**CORPORA[corpus], **changed, signature=True)
        except ValueError:
            continue
        scores = scores_of(result)
        assert scores_of_line.setdefault(result["signature"], scores) == scores, changed


@pytest.mark.parametrize("name", METRICS)
def test_every_option_is_known_to_the_signature(name):
    """It stands for a part of the line, or changes no score; never both."""
    options_class, parts, without_effect = TABLES[name]
    written = [option for part in parts for option in part.options]
    assert sorted([*written, *without_effect]) == sorted(
        field.name for field in dataclasses.fields(options_class)
    )
    assert set(VALUES[name]) == {*written, *without_effect} - {"signature"}


def test_options_of_load_do_not_matter(rouge_full):
    """The options that come back are all that there are."""
    options = {"max_words": 2, "stopwords": ["cat"], "seed": 3}
    other = loaded("rouge_full", "matlab", **options)
    data = CORPORA["several references"]
    result = rouge_full.compute(**data, signature=True)
    assert other.compute(**data, signature=True) != result
    options = other.options_of_signature(result["signature"])
    assert other.compute(**data, **options, signature=True) == result


def test_the_signature_is_the_last_key_and_only_on_request(metric):
    """Also of what was added."""
    data = CORPORA["several references"]
    result = metric.compute(**data, signature=True)
    metric.add_batch(**data)
    assert metric.compute(signature=True) == result
    assert metric.compute(**data) == {key: result[key] for key in [*result][:-1]}
    assert list(result)[-1] == "signature"


def test_combine_puts_the_name_of_the_metric_before_the_key(rouge_full, bleu_full):
    data = CORPORA["one reference"]
    metrics = [rouge_full, bleu_full]
    result = evaluate.combine(metrics).compute(**data, signature=True)
    assert "signature" not in result
    assert [result[f"{metric.name}_signature"] for metric in metrics] == [
        metric.compute(**data, signature=True)["signature"] for metric in metrics
    ]


# What version 0.2.0 printed for random options without functions, on corpora that stand beside it.
PRINTED = json.loads((ROOT / "tests" / "golden" / "signatures.json").read_text("utf-8"))


@pytest.mark.filterwarnings(
    "ignore:the signature is of version", "ignore:use_stemmer=True is NLTK", "ignore:The weights of"
)
def test_lines_of_0_2_0_are_read_for_ever(metric):
    printed = [entry for entry in PRINTED["lines"] if entry["line"].startswith(metric.name)]
    assert len(printed) == 64
    for entry in printed:
        corpus = PRINTED["corpora"][entry["corpus"]]
        options = metric.options_of_signature(entry["line"])
        result = metric.compute(**corpus, **options)
        for name, score in entry["scores"].items():
            expected = pytest.approx(score, rel=1e-12, nan_ok=True)
            assert result[name] == expected, (name, entry["line"])


# --- names ----------------------------------------------------------------------------------------


BLEU_KEYS = ("precisions", "brevity_penalty", "length_ratio", "translation_length")
BLEU_KEYS += ("reference_length", "counts", "totals", "signature")


@given(st.text(alphabet=st.characters(), max_size=8))
def test_names_survive(bleu_full, name):
    """Also lone surrogates, of which no UTF-8 can be made."""
    assume(name not in BLEU_KEYS)
    data = CORPORA["one reference"]
    weights = {name: [1, 2], "é|:,(%)": [1]}
    line = bleu_full.compute(**data, weights=weights, signature=True)["signature"]
    assert re.fullmatch(r"[!-~]+", line)
    assert list(bleu_full.options_of_signature(line)["weights"]) == sorted(weights)


class Tokenizer:
    """An object with methods, and one that is called itself."""

    def cut(self, text):
        return text.split()

    __call__ = cut


FUNCTIONS = [
    (halves, "helpers.option_sets.halves"),
    (str.split, "str.split"),
    (Tokenizer().cut, f"{__name__}.Tokenizer.cut"),
    (Tokenizer(), f"{__name__}.Tokenizer"),
    (functools.partial(re.split, " "), "functools.partial"),
    (lambda text: [text], f"{__name__}.<lambda>"),
]


@pytest.mark.parametrize(("function", "name"), FUNCTIONS, ids=[name for _, name in FUNCTIONS])
def test_functions_are_marked_and_named(bleu_full, function, name):
    """What is supplied for it may be another one: it may have moved."""
    data = CORPORA["one reference"]
    line = bleu_full.compute(**data, tokenizer=function, signature=True)["signature"]
    assert f"|tok:function({name})|" in line
    options = bleu_full.options_of_signature(line, tokenizer=str.split)
    assert options["tokenizer"] is str.split


def test_functions_of_the_metric_have_no_folder_of_evaluate(rouge_full):
    """Which would differ from one copy of the metric to the next."""
    stemmer = rouge_full.rouge155_stemmer()
    assert stemmer.__module__.startswith("evaluate_modules.")
    result = rouge_full.compute(**CORPORA["one reference"], stemmer=stemmer, signature=True)
    assert "|stem:function(rouge155_stemmer.<locals>.stem)|" in result["signature"]


# --- lines that are refused -----------------------------------------------------------------------

LINE = (
    "rouge_full|0.3.0|types:rouge1|tok:rouge_score|case:lower|stem:no|refs:1|out:fmeasure|beta:1|"
    "zero:0|avg:mean"
)
START = "signature must be a line of rouge_full, which begins with 'rouge_full|', got str "
REFS = "refs must be a number or a range such as 1-3, got "
TYPE = (
    "rouge_types[0] must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU (W with "
    "an optional weight as in rougeW-1.5, S and SU with an optional number as in rougeS4), got "
)
BAD_LINES = [  # a line, and its error
    ("", f"{START}''"),
    ("bleu_full|0.3.0|order:4", f"{START}'bleu_full|0.3.0|order:4'"),
]
DAMAGED_LINES = [  # what is replaced, by what, and the error
    ("0.3.0", "new", "behind rouge_full there must be a version such as 0.3.0, got 'new'"),
    ("avg:mean", "avg:mean|beta", "part 'beta' has no value: the line may be cut off"),
    ("avg:mean", "avg:mean|beta:1", "part 'beta' stands twice"),
    ("|refs:1", "", "it has no part refs, so the line may be cut off"),
    ("refs:1", "refs:1-", f"{REFS}'1-'"),
    ("rouge1", "rouge_1", f"{TYPE}'rouge_1'. Did you mean 'rouge1'?"),
    ("lower", "upper", "lowercase must be lower or mixed, got 'upper'"),
    ("beta:1", "beta:one", "could not convert string to float: 'one'"),
    ("|beta:1", "", "beta must be 1, got nothing"),
    ("beta:1", "beta:1.0", "beta must be 1, got 1.0"),
    ("avg:mean", "avg:mean|multi:best", "multi must be left out, got best"),
]
BAD_LINES += [(LINE.replace(*of), f"signature is damaged: {error}") for *of, error in DAMAGED_LINES]
BAD_LINES += [
    (
        f"{LINE}|colour:red",
        "signature has a part 'colour', which rouge_full 0.3.0 does not know: it must be one of "
        "preset, types, tok, case, stem, stop, words, bytes, refs, multi, split, cross, lsum, out, "
        "beta, zero, avg, docs, ci, bs, seed, draws, test, nltk, sacrebleu, by",
    ),
    (
        LINE.replace("case", "csae"),
        "signature has a part 'csae', which rouge_full 0.3.0 does not know. Did you mean 'case'?",
    ),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_errors_of_lines(rouge_full, line, message):
    assert error_of(rouge_full.options_of_signature, line) == (ValueError, message)


def test_what_makes_no_difference(rouge_full):
    """Blanks around a line, and the version of a package."""
    options = rouge_full.options_of_signature(LINE)
    assert options["rouge_types"] == ["rouge1"]
    assert rouge_full.options_of_signature(f" {LINE}\n") == options
    line = LINE.replace("stem:no", "stem:porter") + "|nltk:2.0"
    assert rouge_full.options_of_signature(line) == options | {"use_stemmer": True}


TOKENIZED = LINE.replace("tok:rouge_score", "tok:function(f)")
NOT_ASKED = "options_of_signature() got {!r}, which this signature does not ask for: it asks for {}"
NOT_SUPPLIED = (
    "tokenizer must be supplied: it was the function f, which cannot be had back from a signature. "
    "Give it as options_of_signature(signature, tokenizer=...)"
)
WRONGLY_SUPPLIED = [  # line, what is supplied, the error
    (None, {}, TypeError, "signature must be a string, got None"),
    (TOKENIZED, {}, ValueError, NOT_SUPPLIED),
    (
        TOKENIZED,
        {"tokenizer": "13a"},
        TypeError,
        "tokenizer must be a function, as under the signature, got str '13a'",
    ),
    (LINE, {"tokenizer": len}, TypeError, NOT_ASKED.format("tokenizer", "nothing")),
    (
        LINE.replace("|refs", "|stop:2,8e9ed0c5e4a4e2b5|refs"),
        {"beta": 2, "stopwords": []},
        TypeError,
        NOT_ASKED.format("beta", "stopwords"),
    ),
]


@pytest.mark.parametrize(("line", "supplied", "kind", "message"), WRONGLY_SUPPLIED)
def test_what_is_wrongly_supplied(rouge_full, line, supplied, kind, message):
    assert error_of(rouge_full.options_of_signature, line, **supplied) == (kind, message)


def test_stop_words_are_known_again(rouge_full):
    """The digest is the beginning of the SHA-256 of their sorted list as JSON:

    printf '["of", "the"]' | sha256sum
    """
    options = {"stopwords": STOPWORDS, "rouge_types": ["rouge1"], "signature": True}
    line = rouge_full.compute(**CORPORA["one reference"], **options)["signature"]
    assert "|stop:2,53f41961626ab82f|" in line
    words = rouge_full.options_of_signature(line, stopwords=iter(["the", "of"]))["stopwords"]
    assert words == {"of", "the"}
    what = "words whose number and digest are 2,53f41961626ab82f"
    assert error_of(rouge_full.options_of_signature, line) == (
        ValueError,
        f"stopwords must be supplied: it was {what}, which cannot be had back from a signature. "
        "Give it as options_of_signature(signature, stopwords=...)",
    )
    for wrong, got in ((["of"], "1,[0-9a-f]{16}"), ([], "no words")):
        kind, message = error_of(rouge_full.options_of_signature, line, stopwords=wrong)
        assert kind is ValueError
        assert re.fullmatch(f"stopwords must be {what}, got {got}", message)


def test_another_version_is_taken_with_a_warning(rouge_full):
    line = LINE.replace("0.3.0", "0.1.0").replace("|beta:1", "")
    with pytest.warns(
        UserWarning, match=r"^the signature is of version 0\.1\.0, and this is 0"
    ) as w:
        options = rouge_full.options_of_signature(line)
    assert w[0].filename == __file__
    assert options["beta"] == 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rouge_full.options_of_signature(LINE)
