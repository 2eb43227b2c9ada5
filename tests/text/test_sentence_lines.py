"""The tokens of each line by itself."""

import pytest

from helpers.hostile_text import RULES, assert_sentences, random_strings
from helpers.oracles import tokens_13a
from rouge_bleu.text.sentence_lines import tokenized_sentences
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized

SENTENCE_TEXTS = [
    *["", "\n", "one", "a b\nb c", "a\n\n\nb\n", "\n\na b\n \nc", "...\na.\n!\n"],
    "Dr. No\n1-\n2\n<skipped>\n<skip\nped>",
    "a\r\nb\rc",
    "a\x0bb\x1cc\x85d\u2028e\nf",
    "漢字\nかな\n\u0130\u212a\n\u03a3\n",
    "same\nsame\nsame",
]


@pytest.mark.parametrize("name", [*RULES, "callable"])
def test_tokenized_sentences_are_those_of_each_line(name):
    """A line ends with "\\n" and with nothing else, as in rouge_score."""
    options = TokenizerOptions(tokens_13a if name == "callable" else name)
    rule = RULES["13a" if name == "callable" else name]
    for texts in (SENTENCE_TEXTS, random_strings(9, 500), [], ["", "\n"]):
        lines = [[rule(line) for line in text.split("\n")] for text in texts]
        assert_sentences(tokenized_sentences(texts, options), lines)


@pytest.mark.parametrize("name", ["13a", tokens_13a])
def test_else_a_text_is_tokenized_as_one(name):
    """13a joins lines: "1-\\n2" is one token. Its lines by themselves are three."""
    tokens = tokenized(["1-\n2"], TokenizerOptions(name))
    assert len(tokens.ids.values) == 1
    assert_sentences(tokenized_sentences(["1-\n2"], TokenizerOptions(name)), [[["1", "-"], ["2"]]])
