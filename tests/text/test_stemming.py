"""Stemmers against NLTK and the Perl script."""

from pathlib import Path

import pytest
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer
from rouge_score.tokenizers import DefaultTokenizer

from helpers.hostile_text import numbered, random_strings
from helpers.tokenizers import rouge_score_tokens
from rouge_bleu import rouge
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.options import checked_options
from rouge_bleu.text.stemming import (
    NLTK_EXTENSIONS,
    named_stemmer,
    porter_stemmer,
    rouge155_stemmer,
)
from rouge_bleu.text.tokenizers import tokenize, tokenizer_rules

# ROUGE-1.5.5 -m, run on single words; what differs from every usual Porter stemmer is its fourth step.
STEMS = "governmental govern geese gees goose goos mouse mous ran ran men men"
# Porter 1980, examples of the steps that are not changed.
STEMS += """ caresses caress ponies poni plastered plaster motoring motor conflated conflat
hopping hop falling fall filing file happy happi relational relat conditional condit
electrical electr hopefulness hope adoption adopt probate probat cease ceas controll control"""
# Its examples of steps 1b, 2 and 3, if the other fourth step makes no difference.
LIKE_ALL = """feed agreed
rational valenci hesitanci digitizer conformabli radicalli differentli vileli analogousli
vietnamization predication operator feudalism decisiveness callousness formaliti sensitiviti
sensibiliti triplicate formative formalize electriciti hopeful goodness"""


def test_stems():
    """Each word is stemmed once, as it takes longest of all."""
    words, stems = STEMS.split()[::2], STEMS.split()[1::2]
    named_stemmer.cache_clear()
    options = checked_options(RougeOptions, {"stemmer": "rouge-1.5.5"})
    for _ in range(2):
        assert list(map(options.token_rules(is_tokenized=False).stem, words)) == stems
    assert named_stemmer("rouge-1.5.5").cache_info().misses == len(set(words))
    of_nltk = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM).stem
    assert list(map(rouge155_stemmer(), LIKE_ALL.split())) == list(map(of_nltk, LIKE_ALL.split()))


EXCEPTION_FILES = {
    # Lines as in WordNet: a word, and its lemmas.
    "adj.exc": "better good well\nbest good\noffer off\noffer offer\nworse bad\n",
    "adv.exc": "best well\nbetter well\n",
    "noun.exc": "is is\ngeese goose\ninvolucra involucre\ninvolucra involucrum\ntestes testis\n"
    "children child\nfoxes\n\ncomics comic_strip\n",
    "verb.exc": "is be\ntestes testes\r\nwent go\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, lines in EXCEPTION_FILES.items():
        (tmp_path / name).write_bytes(lines.encode())
    return tmp_path


@pytest.mark.parametrize("kind", [str, Path])
def test_exceptions_of_a_folder(folder, kind):
    """What the script's own table has for these words: the first lemma of a line, of several lines
    the last, in the order adj, adv, noun, verb. A line without a lemma is none.
    """
    stem = rouge155_stemmer(kind(folder))
    stems = {
        **{"best": "well", "better": "well", "offer": "offer", "worse": "bad"},
        **{"geese": "goose", "involucra": "involucrum", "testes": "testes", "went": "go"},
        **{"children": "child", "foxes": "fox", "comics": "comic_strip"},
    }
    assert {word: stem(word) for word in stems} == stems
    assert stem("is") == "is"  # too short to be looked up


@pytest.mark.parametrize("missing", EXCEPTION_FILES)
def test_a_folder_that_lacks_exceptions(folder, missing):
    (folder / missing).write_text("geese\n\n")
    with pytest.raises(ValueError, match=f"{missing} must have"):
        rouge155_stemmer(folder)
    (folder / missing).unlink()
    with pytest.raises(FileNotFoundError, match=f"has no {missing}"):
        rouge155_stemmer(folder)
    with pytest.raises(FileNotFoundError, match=r"has no adj\.exc"):
        rouge155_stemmer(folder / "no folder")


@pytest.mark.parametrize("exceptions", [["geese"], {"geese": ["goose"]}, {7: "seven"}])
def test_exceptions_of_a_wrong_type(exceptions):
    with pytest.raises(TypeError, match=r"^exceptions must .*(list \['goose|int 7|geese)"):
        rouge155_stemmer(exceptions)


def test_stemmed_tokens_are_those_of_rouge_score():
    stems = "run fly hop relat nation gener sky dy a troubl formal electric y ies commun 12 x9"
    ends = " s es ing ed ly ational ization fulness ies ement ion e ee y bly ical iviti".split(" ")
    words = " ".join(f"{stem}{end}" for stem in stems.split() for end in ends)
    texts = [words, words.upper(), *random_strings(8, 300)]
    expected = list(map(DefaultTokenizer(use_stemmer=True).tokenize, texts))
    stem = porter_stemmer(NLTK_EXTENSIONS)
    assert [list(map(stem, rouge_score_tokens(text))) for text in texts] == expected
    ids = tokenize(texts, tokenizer_rules(stem=stem)).ids
    assert numbered(ids.to_lists()) == numbered(expected)


@pytest.mark.parametrize("given", [{"use_stemmer": True}, {"stemmer": "english"}])
@pytest.mark.parametrize(
    "texts", [(["Running CATS"], ["running CAT"]), ([["Running", "CATS"]], [["running", "CAT"]])]
)
def test_stemmers_of_nltk_lowercase(texts, given):
    """As `PorterStemmer().stem("CATS")` does, which is "cat"."""
    assert rouge(*texts, rouge_types=["rouge1"], lowercase=False, **given) == {"rouge1": 1.0}


def test_arabic_stems_do_not_depend_on_the_words_before():
    """NLTK's stemmer keeps the result for the first of these for the second."""
    words = ["كتابهم", "قالوا", "كتابهم", "كانوا"]
    expected = [SnowballStemmer("arabic").stem(word) for word in words]
    for _ in range(2):
        assert list(map(named_stemmer("arabic"), words)) == expected
