"""The signature of both metrics: options -> line -> options, and lines that are refused."""

import functools
import json
import re
from dataclasses import replace
from importlib.metadata import version

import evaluate
import numpy as np
import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.errors import error_of
from helpers.metrics import loaded
from helpers.option_sets import CORPORA, OPTION_SETS, STOPWORDS, VALUES, halves, scores_of
from helpers.pages import block
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.options import checked_options
from rouge_bleu.presets.xlsum import LANGUAGES
from rouge_bleu.registry import BLEU_PRESETS, ROUGE_PRESETS
from rouge_bleu.signature import parse_signature, signature_line
from rouge_bleu.text.stemming import STEMMERS
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES
from rouge_bleu.version import VERSION

METRICS = ["rouge_full", "bleu_full"]
corpora = st.sampled_from(sorted(CORPORA))


def signed(metric, corpus, options):
    """Return the signature and the scores; options that are refused are skipped."""
    try:
        result = metric.compute(**CORPORA[corpus], **options, signature=True)
    except ValueError:
        assume(False)
    assert repr(json.loads(json.dumps(result))) == repr(result)  # no numbers of numpy
    return result["signature"], scores_of(result)


def supplied_for(options, line):
    """Return the values that the line only names: functions and stop words."""
    signs = {"tokenizer": "tok", "stemmer": "stem", "sentence_splitter": "split"}
    parts = {name: f"|{sign}:function(" for name, sign in signs.items()}
    parts["stopwords"] = "|stop:"
    return {name: options[name] for name in options if parts.get(name, "|none|") in line}


# --- options -> line -> options -------------------------------------------------------------------


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data(), corpus=corpora)
def test_options_of_a_signature_give_its_scores(request, name, data, corpus):
    metric, options = request.getfixturevalue(name), data.draw(OPTION_SETS[name])
    line, scores = signed(metric, corpus, options)
    again = metric.options_of_signature(line, **supplied_for(options, line))
    assert signed(metric, corpus, again) == (line, scores)


@pytest.mark.filterwarnings("ignore:use_stemmer=True is NLTK's")  # beside -m, of a drawn line
@pytest.mark.parametrize("name", METRICS)
@given(data=st.data(), corpus=corpora)
def test_options_with_one_signature_give_one_score(request, name, data, corpus):
    """Options are drawn, and then some are changed, in turn."""
    metric, options = request.getfixturevalue(name), data.draw(OPTION_SETS[name])
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


# Every name, apart from tokenizers that download a model.
NAMES = [name for name in TOKENIZER_NAMES if not name.startswith(("spm", "flores", "spBLEU"))]
NAMED_VALUES = {
    "rouge_full": {
        "preset": ROUGE_PRESETS,
        "tokenizer": NAMES,
        "stemmer": STEMMERS,
        "language": LANGUAGES,
    },
    "bleu_full": {"tokenizer": NAMES, "preset": BLEU_PRESETS, "smoothing": SMOOTHINGS},
}


@pytest.mark.parametrize(
    ("name", "options_class"), [("rouge_full", RougeOptions), ("bleu_full", BleuOptions)]
)
def test_each_value_of_each_option_is_restored(name, options_class):
    """From the line and from the JSON record."""
    sizes = {"n_examples": 1, "n_references": (1, 1), "is_tokenized": False, "seed": 0}
    values = [*VALUES[name].items(), *NAMED_VALUES[name].items()]
    n_restored = 0
    for option, value in ((option, value) for option, several in values for value in several):
        beside = {"preset": "xlsum"} if option == "language" else {}
        try:
            options = checked_options(options_class, {**beside, option: value})
        except (ValueError, ImportError):  # it needs other options, or a package
            continue
        n_restored += 1
        line = signature_line(name, options, **sizes)
        given = parse_signature(name, options_class, line, supplied_for({option: value}, line))
        assert signature_line(name, options_class(**given), **sizes) == line
        record = signature_line(name, replace(options, signature="json"), **sizes)
        given = json.loads(json.dumps(record))["options"] | {"seed": options.seed}
        if not callable(value):
            again = checked_options(options_class, given)
            assert signature_line(name, again, **sizes) == line, (option, value)
    assert n_restored > 80


def test_every_option_is_drawn(metric):
    assert VALUES[metric.name].keys() == metric.options_class.declarations().keys() - {"signature"}


def test_options_of_load_do_not_matter(rouge_full):
    """The options that come back are all that there are."""
    other = loaded("rouge_full", "matlab", max_words=2, stopwords=["cat"], seed=3)
    data = CORPORA["several references"]
    result = rouge_full.compute(**data, signature=True)
    assert other.compute(**data, signature=True) != result
    options = other.options_of_signature(result["signature"])
    assert other.compute(**data, **options, signature=True) == result


def test_the_signature_is_the_last_key_and_only_on_request(rouge_full, bleu_full):
    """Also of added examples; `combine` puts the name of the metric before the key."""
    data, metrics = CORPORA["several references"], [rouge_full, bleu_full]
    combined = evaluate.combine(metrics).compute(**data, signature=True)
    assert "signature" not in combined
    for metric in metrics:
        result = metric.compute(**data, signature=True)
        metric.add_batch(**data)
        assert metric.compute(signature=True) == result
        assert metric.compute(**data) == {key: result[key] for key in [*result][:-1]}
        assert list(result)[-1] == "signature"
        assert combined[f"{metric.name}_signature"] == result["signature"]


# --- names ----------------------------------------------------------------------------------------

BLEU_KEYS = ("precisions", "brevity_penalty", "length_ratio", "translation_length")
BLEU_KEYS += ("reference_length", "counts", "totals", "signature")


@given(st.text(alphabet=st.characters(), max_size=8).filter(lambda name: name not in BLEU_KEYS))
def test_names_survive(bleu_full, name):
    """Also lone surrogates, of which no UTF-8 can be made."""
    weights = {name: [1, 2], "é|:,(%)": [1]}
    result = bleu_full.compute(**CORPORA["one reference"], weights=weights, signature=True)
    assert re.fullmatch(r"[!-~]+", result["signature"])
    assert bleu_full.options_of_signature(result["signature"])["weights"] == weights


class Tokenizer:
    def __call__(self, text):
        return text.split()


FUNCTIONS = {
    "helpers.option_sets.halves": halves,
    "str.split": str.split,
    f"{__name__}.Tokenizer": Tokenizer(),
    "functools.partial": functools.partial(re.split, " "),
    f"{__name__}.<lambda>": lambda text: [text],
}


@pytest.mark.parametrize(("name", "function"), FUNCTIONS.items(), ids=FUNCTIONS)
def test_functions_are_marked_and_named(bleu_full, name, function):
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
    f"rouge_full|{VERSION}|preset:none|types:rouge1|tok:rouge_score|case:lower|stem:no|avg:mean|"
    "multi:best|beta:2|n:9|refs:1-3"
)
BAD_LINES = [  # the old text, the new text, and a name in the error
    (LINE, "", "'rouge_full|'"),
    (VERSION, "new", "a version"),
    ("|beta:2", "|beta", "'beta'"),
    ("beta:2", "beta:2|beta:1", "twice"),
    ("|n:9|refs:1-3", "", "no part n,"),
    ("|stem:no", "", "no part stem"),
    ("rouge1", "rouge_1", "'rouge1'"),
    ("stem:no", "stem:klingon", "stemmer"),
    ("beta:2", "colour:red", "'colour'"),
    ("beta:2", "cross:maybe", "cross"),
]
TOKENIZED = LINE.replace("tok:rouge_score", "tok:function(f)")
STOPPED = LINE.replace("|n:", "|stop:2,53f41961626ab82f|n:")
REFUSED = [  # a line, the supplied options, the error and a name in it
    *((LINE.replace(old, new), {}, ValueError, named) for old, new, named in BAD_LINES),
    (None, {}, TypeError, "signature"),
    (LINE + "0" * 100_000, {}, ValueError, "at most 100000 characters"),
    (TOKENIZED, {}, ValueError, "tokenizer=..."),
    (TOKENIZED, {"tokenizer": "13a"}, TypeError, "tokenizer"),
    (LINE, {"tokenizer": len}, TypeError, "nothing"),
    (STOPPED, {"beta": 2, "stopwords": []}, TypeError, "'beta'"),
    *(
        (STOPPED, supplied, ValueError, "2,53f41961626ab82f")
        for supplied in ({}, {"stopwords": ["of"]}, {"stopwords": []})
    ),
]


@pytest.mark.parametrize(("line", "supplied", "kind", "named"), REFUSED, ids=range(len(REFUSED)))
def test_errors_of_lines(rouge_full, line, supplied, kind, named):
    found, message = error_of(rouge_full.options_of_signature, line, **supplied)
    assert found is kind
    assert named in message


def test_what_makes_no_difference(rouge_full, recwarn):
    """What is around a line in a text or a PDF, and the version of a package."""
    options = rouge_full.options_of_signature(LINE)
    assert (options["rouge_types"], options["beta"]) == (["rouge1"], 2)
    pdf = LINE.replace("|", "∣").replace("_full", " full").replace("score", "sco\u00adre")
    for line in (f" {LINE}\n", f"“{LINE}.”", pdf):
        assert rouge_full.options_of_signature(line) == options
    line = LINE.replace("stem:no", "stem:porter").replace("|n:", "|by:nltk(2.0)|n:")
    assert rouge_full.options_of_signature(line) == options | {"use_stemmer": True}
    assert not recwarn


def test_stop_words_are_known_again(rouge_full):
    """The digest is the beginning of the SHA-256 of their sorted list as JSON:

    printf '["of", "the"]' | sha256sum
    """
    options = {"stopwords": STOPWORDS, "rouge_types": ["rouge1"], "signature": True}
    line = rouge_full.compute(**CORPORA["one reference"], **options)["signature"]
    assert "|stop:2,53f41961626ab82f|" in line
    words = rouge_full.options_of_signature(line, stopwords=iter(["the", "of"]))["stopwords"]
    assert words == {"of", "the"}


def test_another_version_is_taken_with_a_warning(rouge_full):
    line = LINE.replace(VERSION, "0.1.0")
    with pytest.warns(UserWarning, match=r"version 0\.1\.0") as caught:
        options = rouge_full.options_of_signature(line)
    assert caught[0].filename == __file__
    assert options["beta"] == 2.0


# --- for programs ---------------------------------------------------------------------------------


def test_a_record_for_programs(metric):
    """`json.dumps` takes it, its options restore the scores, and it has the line."""
    data = {"predictions": ["a b c d", "a c"], "references": [["a b d c", "b"], ["a c"]]}
    given = {"confidence_level": 0.9, "n_resamples": 7, "seed": 3, "lowercase": np.bool_(True)}
    result = metric.compute(**data, **given, signature="json")
    record = json.loads(json.dumps(result))["signature"]
    assert record["line"] == metric.compute(**data, **given, signature=True)["signature"]
    assert (record["metric"], record["version"]) == (metric.name, VERSION)
    assert (record["n_examples"], record["n_references"]) == (2, [1, 2])
    assert record["options"]["seed"] == 3
    assert metric.compute(**data, **record["options"], signature="json") == result


def test_a_record_names_functions_and_packages(rouge_full):
    data = {"predictions": ["a b"], "references": ["a c"]}
    options = {"tokenizer": str.split, "use_stemmer": True, "stopwords": {"b", "a"}}
    record = rouge_full.compute(**data, **options, signature="json")["signature"]
    assert record["options"]["tokenizer"] == "function(str.split)"
    assert record["options"]["stopwords"] == ["a", "b"]
    assert record["packages"] == {"nltk": version("nltk")}


def test_the_file_of_results_on_the_page(rouge_full, capsys):
    if not hasattr(pytest.importorskip("huggingface_hub"), "EvalResultEntry"):
        pytest.skip("huggingface_hub is older than results of evaluations")
    texts = {"predictions": ["a cat sat"], "references": [["a cat lay", "the cat sat"]]}
    code = block("docs/reference/signatures.md", "For programs", "py")
    exec(code, {"rouge": rouge_full, "texts": texts})
    [entry] = yaml.safe_load(capsys.readouterr().out)
    assert entry["dataset"] == {"id": "your-name/news", "task_id": "summarization"}
    assert entry["value"] == 66.67  # 2 of 3 words of each reference
    line = entry["notes"]
    assert rouge_full.compute(**texts, **rouge_full.options_of_signature(line)) == {"rougeL": 2 / 3}
