"""Presets against figures that packages and benchmarks printed, each compared once.

They are in `golden/published.json`; those of XL-Sum are compared in test_xlsum.py, those of
torchmetrics and rouge-chinese in tests/test_recorded.py. tests/peers runs the packages.
"""

import importlib.metadata
import re

import numpy as np
import pytest

from helpers.published import ITEMS, PUBLISHED, SUMMARIES, texts, values
from rouge_bleu import rouge
from rouge_bleu._rouge.other_packages import words_between_wide_stops

# --- from entries to the keys of our results ------------------------------------------------------

OUTPUTS = {"p": "precision", "r": "recall", "f": "fmeasure"}


def listed(key, types, scale=1):
    """F of the corpus, or rows of F, one for each example, with a column for each type."""

    def read(entry):
        rows = np.ravel(entry[key]).reshape(-1, len(types.split())) / scale
        return dict(zip((f"{name}_fmeasure" for name in types.split()), rows.T, strict=True))

    return read


def nested(rows_of, types, scale=1):
    """Rows {type: {output: score}}, one for each example; `types` has our names."""

    def read(entry):
        found = {}
        for row in rows_of(entry):
            for name, of_type in types.items():
                for output in row[name].keys() - {"references"}:
                    column = found.setdefault(f"{of_type}_{OUTPUTS[output[0].lower()]}", [])
                    column.append(float(row[name][output]) / scale)
        return found

    return read


def flat(pattern):
    """Figures of a corpus by names with a type and an output, F if there is none."""

    def read(entry):
        parts = [(*re.fullmatch(pattern, name).groups(), x) for name, x in entry.items()]
        return {f"rouge{n.upper()}_{OUTPUTS[(output or 'f').lower()]}": x for n, output, x in parts}

    return read


# --- one table ------------------------------------------------------------------------------------

FIRST, ALL, STRIPPED = texts(first=True), texts(), texts(change=str.strip)
NOT_EMPTY = texts([item for item in ITEMS if item["prediction"].strip()], first=True)
IN_LINES = texts(first=True, change=lambda text: text.replace(" . ", " .\n"))
IN_PTB_TOKENS = texts(change=values("PTB tokens of the items").__getitem__)
CHINESE = values("LongBench rouge_zh_score, multilingual[2]")
IN_CHINESE = {"predictions": [CHINESE["cut_prediction"]], "references": [CHINESE["cut_reference"]]}

PLTRDY, NMT, COCO = ({"preset": name} for name in ("pltrdy", "nmt", "coco-caption"))
SACREROUGE, SUMEVAL = {"preset": "sacrerouge"}, {"preset": "sumeval"}
ROUGE_SCORE, ROUGE_2_0 = {"preset": "rouge_score"}, {"preset": "rouge-2.0"}
PY_ROUGE = {"preset": "py-rouge", "max_bytes": None}
IGNITE, HALF = {"preset": "ignite"}, {"preset": "ignite", "beta": 1.0}
BEST, CASED = {"multi_reference": "recall"}, {"tokenizer": "whitespace", "lowercase": False}

IGNITE_KEYS = flat(r"Rouge-(.)-(.)")
KEYS = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-3": "rouge3", "rouge-l": "rougeLsum"}
# Its S4 has words that are at most four places apart.
ROUGE2_KEYS = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-L": "rougeL"}
ROUGE2_KEYS |= {"ROUGE-S4": "rougeS3", "ROUGE-SU4": "rougeSU3"}

# The beginning of the name of an entry, how it is read, the texts and the options.
CASES = [
    # Sentences end at a full stop between spaces; times 100.
    ("T5 rouge", listed("per_item", "rouge1 rouge2 rougeLsum", 100), IN_LINES, ROUGE_SCORE),
    ("LongBench rouge_score", listed("per_item", "rougeL"), ALL, PLTRDY),
    ("LongBench rouge_score", listed("score", "rougeL", 100), ALL, PLTRDY),
    # The words of jieba, joined by spaces.
    ("LongBench rouge_zh_score", listed("score", "rougeL"), IN_CHINESE, PLTRDY),
    # Its ROUGE-L is F alone.
    ("allennlp ROUGE", flat(r"ROUGE-(.)(?:_(.)1?)?"), FIRST, CASED),
    # It takes no empty prediction, and has 32 bits.
    ("tensor2tensor rouge.py", flat(r"rouge_(.)_(f)_float32"), NOT_EMPTY, NMT),
    ("nmt rouge.py", flat(r"rouge_(.)/(.)_score"), FIRST, NMT),
    ("HELM rouge", flat(r"rouge(.)()"), ALL, {**ROUGE_SCORE, "use_stemmer": True}),
    # alpha is the weight of precision: 0 is recall.
    ("ignite Rouge([\"L\", 1, 2], multiref='average', alpha=0)", IGNITE_KEYS, ALL, IGNITE),
    ("ignite Rouge([\"L\", 1, 2], multiref='average', alpha=0.5)", IGNITE_KEYS, ALL, HALF),
    ("ignite Rouge([\"L\", 1, 2], multiref='best', alpha=0)", IGNITE_KEYS, ALL, IGNITE | BEST),
    ("ignite Rouge([\"L\", 1, 2], multiref='best', alpha=0.5)", IGNITE_KEYS, ALL, HALF | BEST),
    # The stop words of the first item alone have to be given.
    (
        "sumeval RougeCalculator({}); items",
        lambda entry: listed(0, "rouge1 rouge2 rougeL")(entry["per_item_1_2_L"]),
        texts(ITEMS[:1]),
        {**SUMEVAL, "stopwords": ["the", "over", "a"]},
    ),
    ("pycocoevalcap scorers on untokenized", listed("ROUGE_L", "rougeL"), STRIPPED, COCO),
    ("pycocoevalcap scorers on untokenized", listed("ROUGE_L_per_image", "rougeL"), STRIPPED, COCO),
    # On the tokens that pycocoevalcap made of the texts; tests/peers makes them anew.
    ("pycocoevalcap, full pipeline", listed("ROUGE_L", "rougeL"), IN_PTB_TOKENS, COCO),
    ("pycocoevalcap, full pipeline", listed("ROUGE_L_per_image", "rougeL"), IN_PTB_TOKENS, COCO),
    # Nothing against nothing is 1, and two spaces in a row make a word.
    (
        "edges: COCO scorers",
        lambda entry: {"rougeL_fmeasure": [edge["ROUGE_L"] for edge in entry]},
        texts(values("edges: COCO scorers")),
        COCO,
    ),
    # A recall of 2 among them, and words such as gonna.
    (
        "edges: py-rouge",
        nested(lambda entry: [edge["scores"] for edge in entry], KEYS),
        texts(values("edges: py-rouge")),
        PY_ROUGE,
    ),
]
for which, items in (("items", ITEMS), ("summaries", SUMMARIES)):
    data, in_lists = texts(items), listed("per_item_1_2_L", "rouge1 rouge2 rougeL")
    # Times 100. The data of irregular words was not there when its figures with stems were printed.
    of_sacrerouge = {f"python-{key}": of_type for key, of_type in KEYS.items()}
    in_percent = nested(lambda entry: entry["per_item"], of_sacrerouge, 100)
    name = "sacrerouge python-rouge {'use_porter_stemmer': "
    limits = {"max_words": 6}, {"max_bytes": 20}
    CASES += [
        (f"sumeval RougeCalculator({{'stopwords': False}}); {which}", in_lists, data, SUMEVAL),
        (f"{name}True}}; {which}", in_percent, data, {**SACREROUGE, "use_stemmer": True}),
        (f"{name}False}}; {which}", in_percent, data, SACREROUGE),
        (f"{name}False, 'max_words': 6}}; {which}", in_percent, data, SACREROUGE | limits[0]),
        (f"{name}False, 'max_bytes': 20}}; {which}", in_percent, data, SACREROUGE | limits[1]),
    ]
    # Of an empty prediction its L has no precision (NaN), which is 0 here.
    by_id = nested(lambda entry, items=items: [entry[item["id"]] for item in items], ROUGE2_KEYS)
    each, mean = (lambda entry: entry["per_item"]), (lambda entry: [entry["mean"]])
    CASES += [
        (f"ROUGE-2.0, stopwords.use=false, stemmer.use=false; {which}", by_id, data, ROUGE_2_0),
        (f"py-rouge, no limit, no stemming; {which}", nested(each, KEYS), data, PY_ROUGE),
        (f"py-rouge, no limit, no stemming; {which}", nested(mean, KEYS), data, PY_ROUGE),
    ]
TOLERANCES = {"tensor2tensor": {"rtol": 3e-7}, "ROUGE-2.0,": {"rtol": 0, "atol": 5.1e-6}}


@pytest.mark.parametrize(
    ("name", "read", "data", "options"), CASES, ids=[f"{n} {row[0]}" for n, row in enumerate(CASES)]
)
def test_figures(name, read, data, options):
    (entry,) = [one for one in PUBLISHED["golden"] if one["name"].startswith(name)]
    figures = read(entry["values"])
    types = list(dict.fromkeys(key.split("_")[0] for key in figures))
    is_mean = np.size(next(iter(figures.values()))) != len(data["predictions"])
    found = rouge(**data, **options, rouge_types=types, output="all", use_aggregator=is_mean)
    for key, expected in figures.items():
        expected = np.nan_to_num(np.ravel(expected))
        tolerance = TOLERANCES.get(name.split()[0], {"rtol": 1e-12})
        np.testing.assert_allclose(np.ravel(found[key]), expected, **tolerance, err_msg=key)


# --- by calculation -------------------------------------------------------------------------------

STEMS = {"preset": "sacrerouge", "use_stemmer": True}
EMPTY_STOP = {"preset": "rouge-2.0", "stopwords": ["the", ""]}
# Options, prediction, reference, type, precision and recall.
BY_HAND = [
    # In ROUGE-2.0 all numbers are alike; a symbol at the beginning of a line leaves an empty word, and
    # so does an empty line, but no line follows the last end of one. Bigrams are those of lines.
    (ROUGE_2_0, "in 1999", "in 2024", "rouge1", 1, 1),
    (ROUGE_2_0, '"Go" on', "go on", "rouge1", 2 / 3, 1),
    (ROUGE_2_0, "go.\n\non", "go\n\non.", "rouge1", 1, 1),
    (ROUGE_2_0, "go\non\n", "go\non", "rouge1", 1, 1),
    (ROUGE_2_0, "GO, on", "go on", "rouge1", 1, 1),
    (ROUGE_2_0, "", "", "rouge1", 0, 0),
    (ROUGE_2_0, "a b\nc d", "a b c d", "rouge2", 1, 2 / 3),
    # An empty word in a subsequence does not count: the jar prints 0.50000, 0.33333, 0.66667, 0.00000.
    (ROUGE_2_0, '"a', '"a', "rougeL", 1 / 2, 1 / 2),
    (ROUGE_2_0, '"a b', '"a c', "rougeL", 1 / 3, 1 / 3),
    (ROUGE_2_0, "a\n\nb", "a\n\nb", "rougeL", 2 / 3, 2 / 3),
    (ROUGE_2_0, '"a', "\nb", "rougeL", 0, 0),
    # `read().split("\n")` has an empty stop word after the last line of a file.
    (EMPTY_STOP, "a", "a", "rougeL", 1, 1),
    (EMPTY_STOP, '"a b', '"a b', "rougeL", 1, 1),
    (EMPTY_STOP, "", "", "rougeL", 0, 0),
    # py-rouge limits characters over lines; what is between words costs nothing.
    ({"preset": "py-rouge", "max_bytes": 6}, "  abcd \nef gh", "abcd\nef", "rouge1", 1, 1),
    ({"preset": "py-rouge", "max_bytes": 8}, "  abcd \nef gh", "abcd\nef", "rouge1", 2 / 3, 1),
    ({"preset": "py-rouge"}, "a " * 400, "a " * 333, "rouge1", 1, 1),
    # Stems of sacrerouge are of NLTK's ORIGINAL_ALGORITHM. In its default mode all of these are alike.
    (STEMS, "runs", "running", "rouge1", 1, 1),
    *((STEMS, *words.split(), "rouge1", 0, 0) for words in ("possibly possible", "dying dies")),
    *(
        (STEMS, *words.split(), "rouge1", 0, 0)
        for words in ("technology technological", "skies sky")
    ),
    # PyPI's rouge 1.0.1 raises an error for texts without words.
    *((PLTRDY, *words, "rougeL", 0, 0) for words in (("", "a"), ("a", "..."), ("", ""))),
    # The word of an empty list of tokens is the empty one in coco-caption.
    (COCO, [], [[]], "rougeL", 1, 1),
]


@pytest.mark.parametrize(
    ("options", "prediction", "reference", "name", "precision", "recall"),
    BY_HAND,
    ids=range(len(BY_HAND)),
)
def test_by_hand(options, prediction, reference, name, precision, recall):
    found = rouge([prediction], [reference], **options, rouge_types=[name], output="all")
    expected = pytest.approx([precision, recall], rel=1e-15)
    assert [found[f"{name}_precision"], found[f"{name}_recall"]] == expected


TOKENS = {"predictions": [["a", "B", "c"]], "references": [[["a", "b"], ["c"]]]}
LINES = {"predictions": ["a B c"], "references": [["a b", "c"]]}


@pytest.mark.parametrize("preset", ["pltrdy", "rouge-2.0", "coco-caption", "nmt"])
def test_given_tokens_are_one_line(preset):
    assert rouge(**TOKENS, preset=preset) == rouge(**LINES, preset=preset)


def test_the_stemmer_of_py_rouge_needs_the_package():
    """Another package has its modules in a folder of that name too."""
    pytest.importorskip("nltk")
    if any(found.name == "py-rouge" for found in importlib.metadata.distributions()):
        pytest.skip("py-rouge is here")
    with pytest.raises(ImportError, match="pip install py-rouge"):
        rouge(**LINES, preset="py-rouge", stemmer="py-rouge")


# Sentences as PyPI's rouge-chinese finds them.
WIDE_STOPS = {
    **{"": [], " \n": [], "a. b": [["a.", "b"]], "a\nb": [["a"], ["b"]], "a\n\nb": [["a"], ["b"]]},
    **{"a\n \nb": [["a"], [""], ["b"]], "你好。 \n我": [["你好。"], [""], ["我"]]},
    **{"你好。我": [["你好。"], ["我"]], "你好。X": [["你好。"], ["X"]]},
    "你好。。我": [["你好。"], ["。我"]],  # after a cut no other one begins
    **{"你 好 ？ 我": [["你", "好", "？"], ["我"]], "什么?好!是": [["什么?"], ["好!是"]]},
    **{"他说：“好。”我走": [["他说：“好。”"], ["我走"]], "“好。”，我": [["“好。”，我"]]},
    **{"等……我": [["等……"], ["我"]], "等…我": [["等…我"]]},
    **{"等......我": [["等......"], ["我"]], "等.....我": [["等.....我"]]},
}


@pytest.mark.parametrize("text", WIDE_STOPS, ids=range(len(WIDE_STOPS)))
def test_sentences_of_rouge_chinese(text):
    assert words_between_wide_stops(text) == WIDE_STOPS[text]
