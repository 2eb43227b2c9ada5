"""Presets of other packages by hand: their figures are compared in tests/test_recorded.py."""

import importlib.metadata

import pytest

from rouge_bleu import rouge
from rouge_bleu.presets.pltrdy import words_of_rouge_chinese

PLTRDY, COCO, ROUGE_2_0 = ({"preset": name} for name in ("pltrdy", "coco-caption", "rouge-2.0"))
STEMS = {"preset": "sacrerouge", "use_stemmer": True}
EMPTY_STOP = {"preset": "rouge-2.0", "stopwords": ["the", ""]}
# Options, prediction, reference, type, precision and recall.
BY_HAND = [
    # In ROUGE-2.0 all numbers are alike; a symbol at the beginning of a line leaves an empty word, and
    # so does an empty line, but a final line end starts no further line. Bigrams are those of lines.
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
    (STEMS, "possibly dying", "possible dies", "rouge1", 0, 0),
    (STEMS, "technology skies", "technological sky", "rouge1", 0, 0),
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
    assert words_of_rouge_chinese([text], None) == [WIDE_STOPS[text]]
