"""The record of each tokenizer, against what its words do on hostile text."""

from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

from helpers.hostile_text import random_strings
from rouge_bleu.text.character_offsets import SourcedText
from rouge_bleu.text.mteval import (
    INTL_BEFORE_2,
    UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE,
    WHITESPACE_OF_BYTES,
)
from rouge_bleu.text.other_packages import SACREBLEU_NAMES
from rouge_bleu.text.tokenizers import (
    TOKENIZER_NAMES,
    TOKENIZERS,
    cut_words,
    tokenizer_rules,
)
from rouge_bleu.text.xlsum import XLSUM_WORDS

TEXTS = [*random_strings(21, 250), "a-\nb", "it-\n s", "1\n.5", "", "\n", "a\n\nb c\n"]
# The last point belongs to the digit in some of these, by their number.
TEXTS += ["1..5", "a..5", "a...5", "1...5", "..5", ".,5", "x 1,.5 y", "'a'", "3-4 1.-2 - --"]
# A letter or two of many scripts, beyond ASCII, which no small letter turns into ASCII.
LETTERS = "äßжяλאאبกあ漢字한"
# These need a package or a model that the tests do without.
NOT_HERE = (
    *("ptb", "jieba", "newmm", "unidic", "xlsum-chinese", "xlsum-thai", "xlsum-japanese"),
    *("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"),
)
NAMES_HERE = [name for name in TOKENIZERS if name not in NOT_HERE]

of_each_here = pytest.mark.parametrize("rules", [*map(TOKENIZERS.get, NAMES_HERE)], ids=NAMES_HERE)
of_case = pytest.mark.parametrize("lowercase", [True, False])


def words_of(rules, texts, lowercase):
    """The words of each text by the column, before words are lowercased, and their sentences."""
    words = rules.words_of_column(texts, lowercase)
    vocabulary = words.vocabulary.to_pylist()
    assert words.n_types == len(vocabulary) == len(set(vocabulary))
    rows = [[vocabulary[word] for word in row] for row in words.ids.to_lists()]
    return rows, words.ids.with_values(words.sentence).to_lists()


def test_names_are_those_of_the_table():
    hidden = [name for name, rules in TOKENIZERS.items() if not rules.is_option]
    of_marks = [WHITESPACE_OF_BYTES, INTL_BEFORE_2]
    assert hidden == [UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE, *of_marks, XLSUM_WORDS]
    assert list(TOKENIZER_NAMES) == [name for name in TOKENIZERS if name not in hidden]
    of_sacrebleu = [name for name, rules in TOKENIZERS.items() if rules.package == "sacrebleu"]
    assert of_sacrebleu == list(SACREBLEU_NAMES)


@of_case
@of_each_here
def test_words_of_a_text_are_those_of_the_column(rules, lowercase):
    """Where a text is left to the column, nothing is said; of ASCII that is seldom."""
    if rules.words_of_text is None:
        assert rules.package
        return
    rows, _ = words_of(rules, TEXTS, lowercase)
    n_left = 0
    for text, row in zip(TEXTS, rows, strict=True):
        words = rules.words_of_text(text, lowercase)
        assert words is None or words == row, text
        n_left += words is None and text.isascii()
    assert n_left < len(TEXTS) / 20


@of_each_here
def test_sentences_are_lines_where_the_record_says_so(rules):
    """And nowhere else: some line has other words by itself, or is no sentence."""
    rows, sentences = words_of(rules, TEXTS, True)
    are_lines = True
    for text, row, sentence in zip(TEXTS, rows, sentences, strict=True):
        lines, _ = words_of(rules, text.split("\n"), True)
        numbers = [number for number, line in enumerate(lines) for _ in line]
        are_lines &= row == [word for line in lines for word in line]
        are_lines &= len(set(zip(sentence, numbers, strict=False))) == len(set(numbers))
        are_lines &= len(set(sentence)) == len(set(numbers))
    assert rules.separates_sentences == are_lines


@of_each_here
def test_letters_are_lost_where_the_record_says_so(rules):
    (row,), _ = words_of(rules, [LETTERS], True)
    assert "".join(row) in ("", LETTERS)
    assert rules.keeps_ascii_only == (not row)


@of_case
@of_each_here
def test_words_stand_in_the_rewritten_text(rules, lowercase):
    """In their order, with nothing beside them that could be a word."""
    if rules.package or rules is TOKENIZERS["fairseq"]:  # they may change a word
        return
    rows, _ = words_of(rules, TEXTS, lowercase)
    gaps = []
    for text, row in zip(TEXTS, rows, strict=True):
        rewritten = rules.rewritten(SourcedText.of_source(text), lowercase)
        assert len(rewritten.text) == len(rewritten.spans)
        end = 0
        for word in row:
            word = word.removeprefix("％0020")  # of a mark after a blank, under xlsum
            start = rewritten.text.find(word, end)
            assert start >= 0, (text, word)
            gaps.append(rewritten.text[end:start])
            end = start + len(word)
        gaps.append(rewritten.text[end:])
    assert not any(map(any, words_of(rules, gaps, False)[0]))  # but an empty one


@pytest.mark.parametrize("name", NAMES_HERE)
def test_texts_are_lowercased_or_words_as_the_record_says(name):
    """An entity in uppercase stays where words are, a final sigma is that of a word, and a
    capital after a lowercase letter is still one.
    """

    def words(text, lowercase):
        found = cut_words([text], tokenizer_rules(name, lowercase=lowercase))
        return found.vocabulary.take(pa.array(found.ids.values)).to_pylist()

    text = "<SKIPPED>x &AMP; \u0391\u03a3'\u0392 c aB"
    of_words = list(map(str.lower, words(text, False)))
    if TOKENIZERS[name].lowercases_words:
        assert words(text, True) == of_words != words(text.lower(), False)
    elif name.startswith("intl-entities"):  # mteval: letter by letter, without entities
        assert words(text, True) == [word.replace("ς", "σ") for word in of_words]
    else:
        assert words(text, True) == words(text.lower(), False)


@of_each_here
def test_threads_may_cut_side_by_side_where_the_record_says_so(rules):
    """What sacreBLEU keeps may not be made for that."""
    assert rules.is_thread_safe != bool(rules.package)
    if not rules.is_thread_safe:
        return
    parts = [TEXTS[start::8] for start in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda part: words_of(rules, part, True), parts))
    assert found == [words_of(rules, part, True) for part in parts]


def test_a_function_of_the_user_has_a_record_too():
    rules = tokenizer_rules(str.split)
    assert words_of(rules, ["B a", "a"], True) == ([["b", "a"], ["a"]], [[0, 0], [1]])
    flags = {name for name, value in vars(rules).items() if value is True}
    assert flags == {"lowercase"}
    assert rules.words_of_text("a", True) is None
