"""Tokenizers compared with their packages and rules on hostile text, and known tokens of each."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import evaluate_13a
from helpers.hostile_text import (
    RULES,
    code_points,
    numbered,
    random_strings,
    sentences_of,
    tokens_of,
)
from helpers.tokenizers import tokens_13a
from rouge_bleu import rouge
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.options import checked_options
from rouge_bleu.presets import sacrebleu
from rouge_bleu.text import stemming, tokenizers
from rouge_bleu.text.sentences import tokenize_lines
from rouge_bleu.text.tokenizer_13a import UNSTRIPPED_13A
from rouge_bleu.text.tokenizers import (
    TOKENIZERS,
    token_lists,
    tokenizer_rules,
    unfiltered_tokens,
)

# --- packages and rules ---------------------------------------------------------------------------


def of_sacrebleu(name, lowercase):
    """sacreBLEU lowercases, takes off spaces at the end, tokenizes and splits."""
    tokenizer = BLEU(tokenize=name).tokenizer
    return lambda text: tokenizer((text.lower() if lowercase else text).rstrip()).split()


EXPECTED = [  # tokenizer, whether texts are lowercased, the tokens by a package or rule
    ("rouge_score", True, DefaultTokenizer().tokenize),
    (UNSTRIPPED_13A, False, evaluate_13a),
    *((x, True, of_sacrebleu(x, True)) for x in ("intl", "zh", "none", "char", "13a")),
    *((x, False, of_sacrebleu(x, False)) for x in ("intl", "zh", "none", "char", "13a")),
    *((name, True, lowered) for name, (lowered, _) in RULES.items()),
    *((name, False, cased) for name, (_, cased) in RULES.items()),
]
# Words of up to eight bytes are hashed as one integer, longer ones as strings.
LENGTHS = [letter * length for length in range(1, 20) for letter in ("a", "b", "\0", "é")]
LENGTHS += [word + end for word in LENGTHS for end in ("c", "\0", "\0c")]
COLUMNS = [
    random_strings(1, 1_000),
    code_points(step_beyond_bmp=997),
    # A letter, a digit, the five characters that the rules of 13a name, and two spaces.
    [*map("".join, product("a5.,-'& \n", repeat=4))],
    *([], [""], ["", "", ""], ["ab", "", "cd", ""], ["", "ab", "ab"], [" ab", "cd ", " ef "]),
    *(["\n", "ab\n", "\ncd", "\n\nef\n\n"], ["a", "b", "c", "ab", "bc", "abc"]),
    *(["é", "a", "é", "", "\u0301", "e"], ["1", ".5", "1.5", ",", "5"], ["\0", "a\0", "\0a", "a"]),
    *(["<skipped>", "a", "-\n", "b-\n", "c"], [" ", "\x1c", "\x85", "\u3000", "."]),
    *(["a" * 100_000, "a", "a" * 100_000], ["Dr. No\n1-\n2\n<skipped>\n<skip\nped>", "a\r\nb\rc"]),
    ["漢字\nかな\n\u0130\u212a\n\u03a3\n", "same\nsame"],
    ["a\n\n\nb\n", "...\na.\n!\n", "\x0b\u2028"],
    [" ".join(LENGTHS), *LENGTHS, *(f"{word}  \t" for word in LENGTHS)],
]


def differing(texts, found, expected):
    """Texts whose tokens differ, which are shorter to read than all of a column."""
    rows = zip(texts, found, expected, strict=True)
    return [row for row in rows if row[1] != row[2]]


@pytest.mark.parametrize(("name", "lowercase", "rule"), EXPECTED)
def test_tokens_are_those_of_the_package_or_rule(name, lowercase, rule):
    for texts in COLUMNS:
        found = tokens_of(texts, name, lowercase=lowercase)
        assert differing(texts, found, map(rule, texts)) == []


@pytest.mark.parametrize("name", RULES)
def test_each_line_is_a_sentence_by_itself(name):
    r"""A line ends with "\n" and with nothing else, as in rouge_score."""
    for texts in COLUMNS:
        lines = [list(map(RULES[name][0], text.split("\n"))) for text in texts]
        found = sentences_of(texts, name, function=tokenize_lines)
        assert differing(texts, found, [list(filter(None, of_text)) for of_text in lines]) == []


@pytest.mark.parametrize("letter", ["a", "é", "漢", "&amp;"])
def test_sentences_of_a_whole_text_under_13a(letter):
    """By hand; a line that ends with a hyphen goes on in the next one, and makes the text one line."""
    texts = [f"{letter} b.\nc", f"x\n\n{letter}", f"{letter} b-\nc\nd", "1-\n2"]
    sentences = sentences_of(texts, "13a", lowercase=False)
    assert [list(map(len, of_text)) for of_text in sentences] == [[3, 1], [1, 1], [3], [1]]
    of_lines = sentences_of(["1-\n2"], tokens_13a, function=tokenize_lines)
    assert of_lines == [[["1", "-"], ["2"]]]


# --- functions and lists of tokens ----------------------------------------------------------------


def test_a_function_is_called_once_for_each_text():
    """And gets it lowercased where asked."""
    calls, texts = [], ["A b", "", "A b", "C"]
    cut = lambda text: calls.append(text) or text.split()  # noqa: E731
    assert tokens_of(texts, cut, lowercase=False) == [["A", "b"], [], ["A", "b"], ["C"]]
    assert calls == texts
    assert tokens_of(["A b", "B"], str.split) == [["a", "b"], ["b"]]
    tokens = ["", " ", "a b", "\n", "\x00", "é", "e\u0301", "😀"]  # any strings
    assert tokens_of([*"xy"], {"x": tokens, "y": tuple(tokens)}.get) == [tokens, tokens]


def test_lists_of_tokens():
    lists = [["A", "b c", ""], [], ["a", "b c"], ["\u03a3", "\n"]]
    found = sentences_of(lists, lowercase=False, is_tokenized=True)
    assert found == [[row] if row else [] for row in lists]
    lowered = [["a", "b c", ""], [], ["a", "b c"], ["\u03c3", "\n"]]
    assert tokens_of(lists, is_tokenized=True) == lowered


# --- the record of each tokenizer -----------------------------------------------------------------

# Spaces, hyphens, and points that belong to the digit in some of these, by their number.
POINTS = ["1..5", "a..5", "a...5", "1...5", "..5", ".,5", "x 1,.5 y"]
TEXTS = [*random_strings(21, 400), *POINTS, "a-\nb", "it-\n s", "1\n.5", "", "\n", "a\n\nb c\n"]
TEXTS += ["a" * 5000, "'a'", "3-4 1.-2 - --", "x.5 5."]
# A letter or two of many scripts, beyond ASCII, which no lowercase letter turns into ASCII.
LETTERS = "äßжяλאאبกあ漢字한"
# These need a package or a model that the tests do without.
NOT_HERE = (
    *("ptb", "jieba", "newmm", "unidic", "xlsum-chinese", "xlsum-thai", "xlsum-japanese"),
    *("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"),
)
NAMES_HERE = [name for name in TOKENIZERS if name not in NOT_HERE]
of_each_here = pytest.mark.parametrize("name", NAMES_HERE)


# Scores of rouge_score 0.1.2 with these two tokenizers as functions: it drops empty lines, and
# tokenizes a line of spaces.
EMPTY_LINES = {
    ("a\n\nb", "a\n\nb c"): (0.8, 0.8),
    ("a\n \nb", "a\n \nb c"): (0.8, 6 / 7),
    ("", ""): (1, 0),
    (" ", " "): (1, 1),
    ("\n", "\n"): (1, 0),
    ("a\n", "a\nb"): (2 / 3, 2 / 3),
    ("\n\n", "\n"): (1, 0),
}


@pytest.mark.parametrize("name", ["pymteval", "fairseq"])
def test_tokens_of_empty_texts_and_lines(name):
    types = ["rouge1", "rougeLsum"]
    for (prediction, reference), expected in EMPTY_LINES.items():
        found = rouge([prediction], [reference], tokenizer=name, rouge_types=types)
        assert tuple(found.values()) == pytest.approx(expected, rel=1e-15)


# With a package there is nothing else than one text after the other.
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", [name for name in NAMES_HERE if not TOKENIZERS[name].package])
def test_a_few_texts_have_the_tokens_of_the_column(name, lowercase):
    """Stop words are dropped before stems are made. Few texts of ASCII are left to the column."""
    options = tokenizer_rules(
        name, lowercase=lowercase, stopwords=frozenset("ab1"), stem=lambda word: word[:2]
    )
    few = [token_lists([text], options, is_tokenized=False) for text in TEXTS]
    words = [row[0] for row in few if row]
    texts = [text for text, row in zip(TEXTS, few, strict=True) if row]
    assert numbered(words) == numbered(tokenizers.tokenize(texts, options).ids.to_lists())
    assert sum(map(str.isascii, texts)) > 0.9 * sum(map(str.isascii, TEXTS))


def test_given_tokens_of_a_few_texts():
    options = tokenizer_rules(stopwords=frozenset("a"), stem=lambda word: word[:2])
    lists = [["A", "b", "bcd", "BCE"], [], ["New York", "", "\u0130"]]
    words = token_lists(lists, options, is_tokenized=True)
    assert words == [["b", "bc", "bc"], [], ["ne", "", "i\u0307"]]


@of_each_here
def test_what_the_record_says(name):
    """Whether lines are sentences by themselves, and whether only ASCII letters are kept."""
    rules = TOKENIZERS[name]
    whole = sentences_of(TEXTS, name)
    lines = [list(filter(None, tokens_of(text.split("\n"), name))) for text in TEXTS]
    assert rules.separates_sentences == (whole == lines)
    kept = "" if rules.keeps_ascii_only else LETTERS
    assert "".join(tokens_of([LETTERS], name)[0]) == kept
    assert rules.is_thread_safe != bool(rules.package)
    if rules.is_thread_safe:
        parts = [TEXTS[start::8] for start in range(8)]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda part: tokens_of(part, name), parts))
        assert found == [tokens_of(part, name) for part in parts]


@of_each_here
def test_texts_are_lowercased_or_words_as_the_record_says(name):
    """An entity in uppercase stays where words are lowercased, a final sigma is that of a word, and
    a capital after a lowercase letter is still one.
    """

    def words(text, lowercase):
        (found,) = unfiltered_tokens([text], tokenizer_rules(name, lowercase=lowercase)).to_lists()
        return found

    text = "<SKIPPED>x &AMP; \u0391\u03a3'\u0392 c aB"
    of_words = list(map(str.lower, words(text, False)))
    if TOKENIZERS[name].lowercases_words:
        assert words(text, True) == of_words != words(text.lower(), False)
    elif name.startswith("intl-entities"):  # mteval: letter by letter, without entities
        assert words(text, True) == [word.replace("ς", "σ") for word in of_words]
    else:
        assert words(text, True) == words(text.lower(), False)


# --- packages that are missing --------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    """A function that hides modules from imports; tokenizers and stemmers of before are forgotten."""
    for made in (sacrebleu.sacrebleu_tokenizer, stemming.porter_stemmer):
        made.cache_clear()
    yield lambda *names: [monkeypatch.setitem(sys.modules, name, None) for name in names]
    sacrebleu.sacrebleu_tokenizer.cache_clear()


NEEDS = [  # options, the missing package, options that do not need it
    *(({"tokenizer": x}, "sacrebleu", {"tokenizer": "13a"}) for x in ("intl", "ja-mecab", "spm")),
    ({"tokenizer": "jieba"}, "jieba", {"tokenizer": "xlsum"}),
    ({"use_stemmer": True}, "nltk", {"stemmer": str.upper}),
]


@pytest.mark.parametrize(("options", "package", "others"), NEEDS)
def test_a_package_is_missing(without, options, package, others):
    """The error is raised before any work, and says how to install the package."""
    without("jieba", "sacrebleu", "sacrebleu.metrics", "nltk", "nltk.stem", "nltk.stem.porter")
    with pytest.raises(ImportError, match=f"{next(iter(options))}.* pip install {package}$"):
        checked_options(RougeOptions, options)
    assert rouge(["a b"], ["a b"], rouge_types=["rouge1"], **others) == {"rouge1": 1.0}
