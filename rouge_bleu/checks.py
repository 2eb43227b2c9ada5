r"""Texts that are not what they should be: a table of checks, for warnings and for `check`.

    a call that scores -> a sample of its texts -> a warning for each check that finds something
    `check`            -> all texts             -> a finding for each check that finds something

No check changes a text or a score.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, filterfalse, pairwise
from typing import Any, NamedTuple

from .arrays import lazy_property
from .corpus import Corpus, are_phrases, has_several_words
from .messages import warn_of_text, was_shown_to_caller
from .text.sentences import has_several_sentences
from .text.tokenizer_rules import TokenizerRules
from .text.tokenizers import tokenized, tokenizer_rules, words_of_few, words_of_texts
from .text.words import LETTER_OF_UNSPACED

PREDICTIONS, REFERENCES = "predictions", "references"
_MANY = 10  # examples: what most of them have in common is no chance

# A call looks at 16 examples, and of a large corpus at one in 100 up to 100.
_LEAST_SAMPLED, _MOST_SAMPLED, _EXAMPLES_OF_SAMPLED = 16, 100, 100
# The first calls of a process are looked at, others once in so many examples.
_N_FIRST_CALLS, _N_EXAMPLES_BETWEEN = 16, 2048
_calls = [0, 0]  # how many there were, and examples since the last look


class Place(NamedTuple):
    """Where a check found something."""

    side: str
    example: int
    text: str
    span: tuple[int, int] = (0, 0)  # of characters; empty: the text as a whole


@dataclass
class Examples:
    """Examples of a corpus that are looked at, and the options that they are scored with."""

    corpus: Corpus
    options: Any
    are_all: bool = True  # else a sample: the first, the last, and others at even distances

    @lazy_property
    def pairs(self) -> list[tuple[int, str, list[str]]]:
        """Each example: its number, prediction and references; tokens are joined by spaces."""
        corpus, n = self.corpus, len(self.corpus)
        n_sampled = max(_LEAST_SAMPLED, min(_MOST_SAMPLED, n // _EXAMPLES_OF_SAMPLED))
        n_sampled = n if self.are_all else min(n, n_sampled)
        join = " ".join if corpus.is_tokenized else str
        pairs = []
        for number in (k * (n - 1) // max(n_sampled - 1, 1) for k in range(n_sampled)):
            start, end = corpus.reference_offsets[number : number + 2]
            references = list(map(join, corpus.references[start:end]))
            pairs.append((number, join(corpus.predictions[number]), references))
        return pairs

    @lazy_property
    def predictions(self) -> list[str]:
        """The predictions of all examples."""
        return [prediction for _, prediction, _ in self.pairs]

    @lazy_property
    def references(self) -> list[str]:
        """The references of all examples."""
        return [text for *_, references in self.pairs for text in references]

    @lazy_property
    def joined(self) -> str:
        """All texts, to search them at once."""
        return "\n".join(["", *self.predictions, *self.references])

    @lazy_property
    def share_beyond_ascii(self) -> float:
        """About the share of letters beyond ASCII, without dashes and curly quotes."""
        if self.corpus.is_ascii:
            return 0.0
        raw = self.joined.encode()
        return (len(raw) - 2 * raw.count(b"\xe2\x80")) / len(self.joined) - 1

    def where(self, is_one: Callable[[str], Any], side: str | None = None) -> list[Place]:
        """Return the places of texts for which a function is true, or returns a match."""
        places = []
        for number, prediction, references in self.pairs:
            texts = [] if side == REFERENCES else [(PREDICTIONS, prediction)]
            texts += [] if side == PREDICTIONS else [(REFERENCES, text) for text in references]
            for name, text in texts:
                if found := is_one(text):
                    span = found.span() if isinstance(found, re.Match) else (0, 0)
                    places.append(Place(name, number, text, span))
        return places


Find = Callable[[Examples], list[Place]]
EVERY_CALL, SOME_CALLS, NO_CALL = "every call", "some calls", "no call"


@dataclass(frozen=True)
class Check:
    """A mistake that texts can show."""

    # What is found, the effect on the score, and the remedy: a text, or a function of options.
    says: str | Callable[[Any], str]
    find: Find
    hints: tuple[str, ...] = ()  # strings of which texts with the mistake have one
    fits: Callable[[Examples], bool] = lambda examples: True  # else nothing is found
    n_least: int = 1  # examples
    when: str = SOME_CALLS  # every call: of texts beyond ASCII, by options, which change
    repair: Callable[[str], str] | None = None  # a text -> the text that was meant
    options: tuple[tuple[str, Any], ...] = ()  # which score the texts as they were meant

    def is_possible(self, examples: Examples) -> bool:
        """Look quickly whether something can be found."""
        if len(examples.corpus) < self.n_least or not self.fits(examples):
            return False
        return not self.hints or any(map(examples.joined.__contains__, self.hints))


# --- what is left in texts ------------------------------------------------------------


def _with(pattern: str, share: float = 0.0) -> Find:
    """Return a check of texts with a pattern, in at least a share of the examples."""
    search = re.compile(pattern).search

    def find(examples: Examples) -> list[Place]:
        places = examples.where(search)
        n_found = len({place.example for place in places})
        return places if n_found >= share * len(examples.pairs) else []

    return find


def _most(is_one: Callable[[str], Any], share: float = 0.5, *, on_one_side: bool = False) -> Find:
    """Return a check of more than a share of the texts of a side, and of few of the other side."""

    def find(examples: Examples) -> list[Place]:
        if examples.corpus.is_tokenized:
            return []
        sides = [(PREDICTIONS, examples.predictions), (REFERENCES, examples.references)]
        found = [(examples.where(is_one, side), len(texts)) for side, texts in sides]
        if on_one_side and min(len(places) / n for places, n in found) > 0.1:
            return []
        return [place for places, n in found if len(places) > share * n for place in places]

    return find


def _removed(pattern: str, by: str = " ") -> Callable[[str], str]:
    return lambda text: re.sub(pattern, by, text).strip()


_CHAT = (
    r"</?think(?:ing)?>|<\|(?:im_start|start_header_id)\|>|<(?:start|end)_of_turn>|\[/?INST\]"
    r"|<</?SYS>>|^#{2,3} (?:Response|Instruction|Input):"
)
_THOUGHTS = r"(?s)^.*</think(?:ing)?>|<think(?:ing)?>.*$|<\|im_start\|>\w*"
_SPECIAL = (
    r"^<s>|</?s>(?!\w)|<(?:pad|unk|bos|eos|sep|cls)>|\[(?:CLS|SEP|PAD|UNK|BOS|EOS)\]"
    r"|<\|(?!im_start|start_header)(?:[a-z]+_\w+|\w*endof\w*|pad|unk|bos|eos|end|user|assistant)\|>"
    r"|<extra_id_\d+>|<｜[^<>]{1,30}｜>"
)
_LINE_TOKEN = (
    r"(?<=[.!?…。])[\"'”’)]? ?<(?:n>|q>(?![^<]*</q>)) ?(?=\S)|(?<=\w)<q>(?=\w)(?![^<]*</q>)"
    r"|^<t> | </t>"
)
_HTML = (
    r"</(?:p|div|span|b|i|em|strong|ul|ol|li|a|h[1-6]|td|tr|table|blockquote)>"
    r"|(?<=[^\n])<br ?/?>|&(?:amp|lt|gt|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,5});|(?<! )&(?:quot|apos);"
)
_TAG = r"</?[a-z][^<>]*>"
_CODE = re.compile(r"[{}=;]|::|->|/\*|\*/|^\s*\*|%\(", re.MULTILINE).search
_MOSES = r"\w @[-–/.,]@ \w| (?:&quot;|&apos;\w*)(?!\S)"
# Without commands of LaTeX that begin with n.
_ESCAPED_LINE = (
    r"(?<=[\w.!?…:;,)\]\"'”’])[^\S\n]?(?:\\r)?\\n(?=\\n|[^\S\n]*[^\W\d_a-z])"
    r"|(?<=[.!?…])[^\S\n]?\\n(?=[a-z])(?!abla|e[gqwx]|o[intr]|u\b|i\b|mid|leq|geq|sim|cong|vdash)"
)
_SUBWORD = r"\w@@ \w|(?:^|\s)▁\w|[a-z] ##[a-z]|[a-z,.]Ġ\w|Ġ\w+ Ġ"
_PRINTED = re.compile(r"(?s)\s*(?:b(['\"]).*\1|\[\s*(['\"]).*(['\"])\s*\])\s*").fullmatch
_CHARACTERS = re.compile(r"\s*(?:[^\W\d_][\s,]+){8,}\S?\s*").fullmatch
_MISSING = frozenset("nan NaN NAN None none null NULL N/A n/a <NA> NaT undefined".split())
_BLANK = re.compile("[\\s\u200b\u2060\ufeff]*").fullmatch


def _escaped_lines(examples: Examples) -> list[Place]:
    """Find escapes in texts without line breaks, outside of quotes; in code they are in strings."""
    return [
        place
        for place in _with(_ESCAPED_LINE)(examples)
        if "\n" not in place.text and place.text.count('"', 0, place.span[0]) % 2 == 0
    ]


def _tokens_of(text: str, rules: TokenizerRules) -> list[str]:
    # A column would import pyarrow.
    few = words_of_few([text], rules, is_tokenized=False)
    return (words_of_texts([text], rules).to_lists() if few is None else few)[0]


def _unescaped(text: str) -> str:
    import html

    return html.unescape(text)


@lru_cache
def _unescapes(tokenizer: str) -> bool:
    """Whether a tokenizer reads the entities that BLEU's 13a reads."""
    rules = tokenizer_rules(tokenizer)
    return not rules.is_program and _tokens_of("&amp;", rules) == ["&"]


def _html(examples: Examples) -> list[Place]:
    """Find HTML in texts that have no code beside it."""
    tokenizer, pattern = examples.options.tokenizer_name, _HTML
    if not callable(tokenizer) and _unescapes(tokenizer):
        pattern = pattern.replace("amp|lt|gt|", "").replace("quot|", "")
    return [
        place
        for place in _with(pattern, 0.02)(examples)
        if not _CODE(re.sub(rf"{_TAG}|&#?\w+;", " ", place.text))
    ]


def _joined_subwords(text: str) -> str:
    for mark in "▁Ġ":
        if mark in text:
            return text.replace(" ", "").replace(mark, " ").replace("Ċ", "\n").strip()
    return re.sub(r"@@ | ##", "", text)


def _is_characters(text: str) -> bool:
    """Whether these are single letters with separators, of a script with spaces between words."""
    return bool(_CHARACTERS(text)) and not re.search(LETTER_OF_UNSPACED, text)


def _joined_characters(text: str) -> str:
    return re.sub(r"(\S)(?:\s*,\s|\s)", r"\1", text) if _is_characters(text) else text


def _swapped(examples: Examples) -> list[Place]:
    places = _with(_CHAT, 0.5)(examples)
    return [] if any(place.side == PREDICTIONS for place in places) else places


# --- tokenized texts, and tokens given as texts -----------------------------------------


_ATTACHED_MARK = re.compile(r"\w[,;!?] ").search


def _looks_tokenized(text: str) -> bool:
    has_marks = " , " in text or text.rstrip().endswith(" .")
    return has_marks and not _ATTACHED_MARK(text)


@lru_cache
def _tokens_of_clauses(tokenizer: str) -> list[str]:
    """Return how a tokenizer treats punctuation; nothing if it would start a process."""
    if tokenizer_rules(tokenizer).is_program:
        return []
    return _tokens_of("aa, bb.", tokenizer_rules(tokenizer))


def _keeps_punctuation(examples: Examples) -> bool:
    tokenizer = examples.options.tokenizer_name
    is_unknown = examples.corpus.is_tokenized or callable(tokenizer)
    return not is_unknown and _tokens_of_clauses(tokenizer) not in ([], ["aa", "bb"])


def _is_bleu_of_split_punctuation(examples: Examples) -> bool:
    # Most predictions are tokenized, so the first or the last one is.
    return (
        hasattr(examples.options, "max_order")
        and _keeps_punctuation(examples)
        and any(_looks_tokenized(examples.corpus.predictions[place]) for place in (0, -1))
        and len(_tokens_of_clauses(examples.options.tokenizer_name)) == 4
    )


_tokenized_side = _most(_looks_tokenized, on_one_side=True)


def _tokenized(examples: Examples) -> list[Place]:
    """Find tokenized predictions, unless the references of ten examples are not tokenized."""
    places = _most(_looks_tokenized)(examples)
    if not places or places[0].side == REFERENCES:
        return []
    return [] if len(examples.pairs) >= _MANY and _tokenized_side(examples) else places


def _tokens_as_references(examples: Examples) -> list[Place]:
    """Find lists of single words, at least four on average, for predictions of several words."""
    words = examples.references
    has_many = len(words) >= 4 * len(examples.predictions)
    if examples.corpus.is_tokenized or not has_many or any(map(has_several_words, words)):
        return []
    places = [
        Place(REFERENCES, number, " ".join(references))
        for number, prediction, references in examples.pairs
        if has_several_words(prediction)
        or len(prediction) >= 2 * max(map(len, references)) > 0  # two words, if unspaced
    ]
    return places if 2 * len(places) > len(examples.predictions) else []


def _tokens_as_texts(examples: Examples) -> list[Place]:
    """Find texts of one token that are no labels: most are different, and some very frequent.

    BLEU compares up to 4-grams, so it needs no frequent words.
    """
    if examples.corpus.is_tokenized or len(examples.pairs) < 4:
        return []
    for texts in (examples.predictions, examples.references):
        words = [text for text in texts if len(text) < 20 and not has_several_words(text)]
        if 2 * len(words) <= len(texts) or 2 * len(set(words)) <= len(words):
            return []
        n_frequent = sum(map(_FREQUENT_WORDS.__contains__, words))
        if not hasattr(examples.options, "max_order") and 4 * n_frequent <= len(words):
            return []
    return examples.where(str.strip)


def _phrases(examples: Examples) -> list[Place]:
    corpus = examples.corpus
    is_found = corpus.is_tokenized and are_phrases(corpus.predictions)
    return examples.where(str.strip) if is_found and are_phrases(corpus.references) else []


# --- one side compared with the other ---------------------------------------------------

_WORDS_OF_LANGUAGE = {
    "English": "the of and to in is that was for with on are this have from",
    "German": "der die und das nicht ist ein eine zu den mit sich auf auch dem",
    "French": "le les et des une est dans que pour pas qui sur au du avec",
    "Spanish": "el los y las una es del por que con para como se su más",
    "Italian": "il di che è la per una non sono del con gli alla della anche",
    "Portuguese": "o os e do da uma não para com que em por mais dos ao",
    "Dutch": "het een van en is dat niet zijn op voor met aan ook naar deze",
    "Polish": "i w nie na się jest że do z to jak o po przez dla",
    "Turkish": "ve bir bu için ile da de olarak çok daha gibi kadar olan değil en",
    "Swedish": "och att det som en på är av för med den inte till om ett",
}
_FREQUENT_WORDS = {".", ",", *" ".join(_WORDS_OF_LANGUAGE.values()).split()}


def _most_common(counts: Counter[str], least: int, lead: float) -> str | None:
    """Return what is counted most, if often enough and far more often than the second."""
    (first, n), (_, n_second) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    return first if n >= least and n >= lead * n_second else None


def _language_of(texts: Iterable[str]) -> str | None:
    counts = Counter(" ".join(texts).lower().split())
    known = _WORDS_OF_LANGUAGE.items()
    n_of_language = {one: sum(counts[word] for word in words.split()) for one, words in known}
    return _most_common(Counter(n_of_language), 40, 2)


def _script_of(texts: Iterable[str]) -> str | None:
    """Return the script of most of the first letters of texts."""
    counts: Counter[str] = Counter()
    for letter, n in Counter("".join(text[:60] for text in texts)).items():
        if letter.isalpha():
            script = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
            counts["CJK" if script in ("HIRAGANA", "KATAKANA") else script] += n
    return _most_common(counts, 20, 4)


def _other(kind: Callable[[Iterable[str]], str | None]) -> Find:
    """Return a check of predictions that are of another kind than the references."""

    def find(examples: Examples) -> list[Place]:
        kinds = {kind(examples.predictions), kind(examples.references)}
        return [] if None in kinds or len(kinds) == 1 else examples.where(str.strip, PREDICTIONS)

    return find


_composed = partial(unicodedata.normalize, "NFC")


def _other_form(examples: Examples) -> list[Place]:
    """Find predictions that share more words with a reference in Unicode's composed form."""
    if unicodedata.is_normalized("NFC", examples.joined):
        return []

    def n_shared(one: str, other: str) -> int:
        return len({*one.split()} & {*other.split()})

    return [
        Place(PREDICTIONS, number, text)
        for number, text, references in examples.pairs
        if any(n_shared(_composed(text), _composed(r)) > n_shared(text, r) for r in references)
    ]


def _repeated(examples: Examples) -> list[Place]:
    """Find a text of several words that most predictions, or most references, are."""
    places = []
    for side, texts in ((PREDICTIONS, examples.predictions), (REFERENCES, examples.references)):
        ((text, n),) = Counter(texts).most_common(1)
        if 2 * n > len(texts) and len(text) > 10 and has_several_words(text):
            places += examples.where(text.__eq__, side)
    return places


def _equal(examples: Examples) -> list[Place]:
    equal = [
        Place("both", number, text)
        for number, text, references in examples.pairs
        if text in references and has_several_words(text)
    ]
    return equal if len(equal) > 0.95 * len(examples.predictions) else []


def _has_no_end(text: str) -> bool:
    last = text.rstrip()[-1:]
    return not last or last.isalnum()


def _cut_off(examples: Examples) -> list[Place]:
    """Find predictions that end without punctuation, if references end with it."""
    if sum(map(_has_no_end, examples.references)) > 0.2 * len(examples.references):
        return []
    places = examples.where(_has_no_end, PREDICTIONS)
    return places if len(places) > 0.7 * len(examples.predictions) else []


def _other_length(examples: Examples) -> list[Place]:
    mean, mean_of_references = (
        (1 + sum(map(len, texts))) / len(texts)
        for texts in (examples.predictions, examples.references)
    )
    is_near = mean_of_references / 5 < mean < 5 * mean_of_references
    return [] if is_near else examples.where(str.strip, PREDICTIONS)


# --- text that a tokenizer loses --------------------------------------------------------

_N_CHARACTERS = 500  # of each text, enough to recognize the script
_NO_LETTERS = bytes(set(range(128)) - set(string.ascii_letters.encode()))
_ASCII = re.compile("[\0-\x7f]+")
_ASCII_WORD = re.compile("[0-9A-Za-z]").search
_WORDS_OF_CUT_WORD = 100  # one in fewer is worth a warning
_SPACES_BETWEEN_UNSPACED = (  # in a line
    rf"(?<={LETTER_OF_UNSPACED})[^\S\n]+(?={LETTER_OF_UNSPACED})"
)
_MOST_LETTERS_OF_WORD = 8  # on average; fewer where words are separated by spaces


def _all_together(is_one: Callable[[str], bool]) -> Find:
    """Return a check of the starts of all texts together."""

    def find(examples: Examples) -> list[Place]:
        texts = [text[:_N_CHARACTERS] for text in examples.predictions + examples.references]
        return examples.where(is_one) if is_one("\n".join(texts)) else []

    return find


def _has_letters_beyond_ascii(examples: Examples) -> bool:
    return examples.share_beyond_ascii > 0.05


def _is_default(options: Any) -> bool:
    """Whether the tokenizer is that of the default or the preset, not chosen by the user."""
    return bool(options.tokenizer == options.rules.options.get("tokenizer"))


def _keeps_ascii_only(examples: Examples) -> bool:
    """Whether the tokenizer drops letters, and leaves a token; else there is another warning."""
    if not _has_letters_beyond_ascii(examples):
        return False
    corpus, rules = examples.corpus, tokenizer_rules(examples.options.tokenizer_name)
    texts = chain(corpus.predictions, corpus.references)
    return rules.keeps_ascii_only and any(map(_ASCII_WORD, texts))


def _splits_at_umlauts(examples: Examples) -> bool:
    # A letter takes at least one byte more, and words have at least one letter.
    if examples.share_beyond_ascii * _WORDS_OF_CUT_WORD <= 0.1:
        return False
    return examples.options.tokenizer_name == "rouge_score" and _is_default(examples.options)


def _needs_spaces(examples: Examples) -> bool:
    if not _has_letters_beyond_ascii(examples):
        return False
    rules = tokenizer_rules(examples.options.tokenizer_name)
    return rules.warns_of_unspaced and _is_default(examples.options)


def _takes_lines(examples: Examples) -> bool:
    """Whether rougeLsum takes lines for sentences, and no text has several lines."""
    expects_lines = getattr(examples.options, "expects_lines", False)
    return expects_lines and examples.corpus.is_one_line_each


def _several_sentences(examples: Examples) -> list[Place]:
    first = examples.predictions[:2] + examples.references[:2]  # most texts are alike
    return examples.where(has_several_sentences) if any(map(has_several_sentences, first)) else []


def _loses_most_letters(text: str) -> bool:
    """Whether more letters are beyond ASCII than in it."""
    n_kept = len(text.encode("ascii", errors="ignore").translate(None, _NO_LETTERS))
    return n_kept < sum(map(str.isalpha, _ASCII.sub("", text)))


def _cuts_words(text: str) -> bool:
    """Whether more than one word in a hundred loses letters, but not most letters are lost."""
    if _loses_most_letters(text):
        return False
    words = text.split()
    counts = Counter(filterfalse(str.isascii, words))
    n_cut = sum(n for word, n in counts.items() if _loses_letters(word))
    return n_cut * _WORDS_OF_CUT_WORD > len(words)


def _loses_letters(word: str) -> bool:
    """Whether a word has a letter that is not ASCII, or a combining mark after an ASCII letter."""
    return any(
        letter.isalpha() or (unicodedata.category(letter)[0] == "M" and before.isalnum())
        for before, letter in pairwise(" " + word.lower())
        if not letter.isascii()
    )


def _is_unspaced(text: str) -> bool:
    """Whether most letters are of scripts without spaces, such as Chinese, and have none."""
    n_letters = len(re.findall(LETTER_OF_UNSPACED, text))
    if not n_letters or n_letters <= sum(map(str.isalpha, re.sub(LETTER_OF_UNSPACED, "", text))):
        return False
    return len(re.findall(_SPACES_BETWEEN_UNSPACED, text)) * _MOST_LETTERS_OF_WORD < n_letters


def _no_tokens(examples: Examples) -> list[Place]:
    """Find texts that are not blank, if no text has a token."""
    corpus = examples.corpus
    rules = examples.options.word_rules(corpus.is_tokenized)
    texts = corpus.predictions + corpus.references
    if tokenized(texts, rules, is_tokenized=corpus.is_tokenized).ids.values.size:
        return []
    return examples.where(str.strip)


# --- the table --------------------------------------------------------------------------

_UNICODE = (("tokenizer", "unicode"),)
CHECKS = {
    "special_tokens": Check(
        "Texts contain special tokens of a tokenizer, such as <pad> or </s>. On both sides they "
        "match each other and scores are too high; on one side scores are too low. Decode with "
        "skip_special_tokens=True.",
        _with(_SPECIAL),
        hints=("<", "["),
        repair=_removed(_SPECIAL),
    ),
    "chat_markup": Check(
        "Texts contain markup of a chat or of reasoning, such as <think> or [INST], which is scored "
        "too. Keep only the answer, after </think>. Decode with skip_special_tokens=True.",
        _with(_CHAT),
        hints=("<", "[", "##"),
        repair=_removed(f"{_THOUGHTS}|{_CHAT}|{_SPECIAL}"),
    ),
    "line_tokens": Check(
        "Texts contain <q>, <n> or <t> in place of line breaks. They are scored as words, and "
        "rougeLsum finds no sentences. Replace them with newlines.",
        _with(_LINE_TOKEN),
        hints=("<",),
        repair=_removed(r" ?</?[qnt]> ?", "\n"),
    ),
    "html": Check(
        "Texts contain HTML, such as <br> or &amp;. Names of tags and entities are scored as "
        "words. Remove tags, then pass texts through html.unescape.",
        _html,
        hints=("</", "<br", "&"),
        repair=lambda text: _unescaped(re.sub(_TAG, " ", text)),
    ),
    "escaped_lines": Check(
        "Texts contain a backslash and the letter n in place of line breaks. The letter joins the "
        "next word, and rougeLsum finds no sentences. Pass text.replace('\\\\n', '\\n').",
        _escaped_lines,
        hints=("\\n",),
        repair=lambda text: text.replace("\\r", "").replace("\\n", "\n"),
    ),
    "printed_values": Check(
        "Most predictions or references look like printed lists or bytes, such as \"['a', 'b']\" "
        "or \"b'a'\". They are scored as single texts. Pass lists of texts, and decode bytes; "
        "JSON lines and Parquet keep lists.",
        _most(_PRINTED, on_one_side=True),
        hints=("\n[", "\nb'", '\nb"'),
    ),
    "subwords": Check(
        "Texts contain subwords of a tokenizer, such as 'd@@ as', '▁das' or '##as'. Parts of words "
        "match, so scores are too high. Decode with tokenizer.decode, or join the subwords.",
        _with(_SUBWORD),
        hints=("@@ ", "▁", " ##", "Ġ"),
        repair=_joined_subwords,
    ),
    "moses_escapes": Check(
        "Texts contain escapes of the Moses tokenizer, such as @-@ or &apos;, which do not match "
        "what they replace. Detokenize both sides, as MosesDetokenizer of sacremoses does.",
        _with(_MOSES),
        hints=("@", "&apos;", "&quot;"),
        repair=lambda text: _unescaped(re.sub(r" ?@(\S)@ ?", r"\1", text)),
    ),
    "tokenized": Check(
        "Most predictions look tokenized: they end in ' .' or contain ' , '. The tokenizer "
        "splits punctuation itself, and BLEU of tokenized text differs from published scores. "
        "Detokenize predictions and references, or pass tokenizer='whitespace'.",
        _tokenized,
        fits=_is_bleu_of_split_punctuation,
    ),
    "tokenized_side": Check(
        "Predictions or references look tokenized, and the other side does not. Punctuation and "
        "words such as don't may not match. Detokenize them.",
        _tokenized_side,
        fits=_keeps_punctuation,
        n_least=_MANY,
        repair=_removed(r" (?=[.,!?;:])", ""),
    ),
    "characters": Check(
        "Texts are single characters, joined by spaces, commas or newlines. Characters match by "
        "chance, so scores are too high. Pass the strings themselves, without ' '.join.",
        _most(_is_characters),
        fits=lambda examples: 4 * sum(map(examples.joined.count, " ,\n")) > len(examples.joined),
        repair=_joined_characters,
    ),
    "tokens_as_texts": Check(
        "Most predictions and references are single words, and the score compares each word "
        "with the word at its position. If they are the tokens of one text, pass lists of tokens: "
        "[predictions] and [references]. If each word is a text, pass max_order=1 to BLEU.",
        _tokens_as_texts,
        fits=lambda examples: getattr(examples.options, "highest_order", 2) > 1,
    ),
    "tokens_as_references": Check(
        "Most references are lists of single words, and each word counts as a reference. If the "
        "words are tokens of one reference, join them, or pass predictions as lists of tokens too.",
        _tokens_as_references,
    ),
    "phrases": Check(
        "Most of the tokens you passed contain several words. A match is a whole string. If "
        "they are texts, pass them as texts, not as the tokens of one text.",
        _phrases,
        fits=lambda examples: examples.corpus.is_tokenized,
    ),
    "blank_references": Check(
        "Some references are blank. Nothing matches them, and among several references a blank one "
        "may be the closest in length, so BLEU has no brevity penalty. Leave them out.",
        lambda examples: [Place(*one[:3]) for one in examples.where(_BLANK, REFERENCES)],
    ),
    "swapped": Check(
        "References contain markup of a chat or of reasoning, and predictions do not. If the sides "
        "are swapped, so are precision and recall, and BLEU's lengths. Pass predictions first.",
        _swapped,
        hints=("<", "["),
    ),
    "missing_values": Check(
        "Many texts are missing values, such as 'nan' or 'None'. They are scored as words. Pass "
        '"" for an empty prediction, and leave out examples without reference.',
        _most(_MISSING.__contains__, 0.1),
        fits=lambda examples: not _MISSING.isdisjoint(examples.predictions + examples.references),
        n_least=_MANY,
    ),
    "repeated": Check(
        "Most predictions, or most references, are the same text. The score says little about "
        "the system. Check that each example has its own.",
        _repeated,
        n_least=_MANY,
    ),
    "equal": Check(
        "Predictions are equal to their references. The score is the highest possible. Check "
        "that predictions are not a copy of the references.",
        _equal,
        n_least=_MANY,
    ),
    "cut_off": Check(
        "Most predictions end without punctuation, and most references with it. If generation "
        "stopped too early, recall and BLEU are too low. Raise max_new_tokens.",
        _cut_off,
        n_least=_MANY,
    ),
    "length": Check(
        "Predictions are on average over five times as long as references, or under a fifth. "
        "Precision or recall is low whatever matches. Check what each side contains.",
        _other_length,
        n_least=_MANY,
    ),
    "script": Check(
        "Predictions are in another script than references. Words cannot match. Check the "
        "target language, and that the sides belong together.",
        _other(_script_of),
        fits=_has_letters_beyond_ascii,
        n_least=_MANY,
    ),
    "language": Check(
        "Predictions are in another language than references. Only names and numbers match. "
        "Check the target language, and that the sides belong together.",
        _other(_language_of),
        when=NO_CALL,
    ),
    "normal_form": Check(
        "Predictions and references write the same letters in different Unicode forms. Equal "
        "words do not match. Pass both sides through unicodedata.normalize('NFC', text).",
        _other_form,
        fits=lambda examples: examples.share_beyond_ascii > 0,
        repair=_composed,
    ),
    "no_tokens": Check(
        lambda options: (
            "No text has a token, so all scores are 0 or zero_division. "
            + (
                "Check stopwords, which removes tokens."
                if options.__dict__.get("stopwords")
                else "For scripts other than Latin, pass tokenizer='unicode'."
            )
        ),
        _no_tokens,
        when=NO_CALL,
        options=_UNICODE,
    ),
    "lost_letters": Check(
        "The tokenizer drops most letters of these texts: it knows only ASCII letters and "
        "digits. For scripts other than Latin, pass tokenizer='unicode'.",
        _all_together(_loses_most_letters),
        fits=_keeps_ascii_only,
        when=EVERY_CALL,
        options=_UNICODE,
    ),
    "split_words": Check(
        "More than 1 % of the words in these texts lose letters: the default tokenizer, "
        "'rouge_score', knows only ASCII letters and digits and splits 'schön' into 'sch' and "
        "'n'. Pass tokenizer='unicode' to keep words whole, or tokenizer='rouge_score' to hide "
        "this warning.",
        _all_together(_cuts_words),
        fits=_splits_at_umlauts,
        when=EVERY_CALL,
        options=_UNICODE,
    ),
    "unspaced": Check(
        "Most of this text has no spaces between words, and the tokenizer splits only at spaces "
        "and punctuation: scores are 0 if no whole phrase matches. Pass tokenizer='unicode', or "
        "'zh' to BLEU. With a preset, pass lists of tokens; preset 'xlsum' needs "
        "language='chinese', 'thai', 'japanese' or 'burmese'. A tokenizer that you pass gives no "
        "warning.",
        _all_together(_is_unspaced),
        fits=_needs_spaces,
        when=EVERY_CALL,
        options=_UNICODE,
    ),
    "one_line": Check(
        "rougeLsum treats each line as a sentence. Some texts have several sentences, but each "
        "text is one line, so rougeLsum equals rougeL. Put a newline between sentences, or pass "
        "sentence_splitter='sentences'.",
        _several_sentences,
        fits=_takes_lines,
        options=(("sentence_splitter", "sentences"),),
    ),
}
IN_CALLS = [name for name, check in CHECKS.items() if check.when != NO_CALL]
IN_EVERY_CALL = [name for name in IN_CALLS if CHECKS[name].when == EVERY_CALL]


def message_of(name: str, options: Any) -> str:
    """Return the message of a check, which ends in its name."""
    says = CHECKS[name].says
    return f"{says(options) if callable(says) else says} [{name}]"


# --- in calls that score ----------------------------------------------------------------


def warn_of_texts(corpus: Corpus, options: Any) -> None:
    """Warn of what a sample of the texts of a call shows."""
    if is_due(len(corpus)):
        _warn(IN_CALLS, corpus, options)
    elif not corpus.is_ascii:
        _warn(IN_EVERY_CALL, corpus, options)


def warn_of_pairs(
    predictions: Sequence[str], references: Sequence[list[str]], options: Callable[[], Any]
) -> None:
    """Warn as `warn_of_texts`, in adapters that count by themselves."""
    if is_due(len(predictions)):
        corpus = Corpus.of_examples(list(zip(predictions, references, strict=True)))
        _warn([*IN_CALLS, "no_tokens"], corpus, options())


def _warn(names: Iterable[str], corpus: Corpus, options: Any) -> None:
    examples = Examples(corpus, options, are_all=False)
    for name in names:
        if CHECKS[name].is_possible(examples):
            message = message_of(name, options)
            if not was_shown_to_caller(message) and CHECKS[name].find(examples):
                warn_of_text(message)


def warn_without_tokens(corpus: Corpus, options: Any) -> None:
    """Warn of a corpus in whose texts no token was found, unless they are blank."""
    texts = chain(corpus.predictions, corpus.references)
    if any(text.strip() for text in texts if isinstance(text, str)):
        warn_of_text(message_of("no_tokens", options))


def is_due(n_examples: int) -> bool:
    """Whether all checks of calls look at a call with so many examples, and count it."""
    _calls[0] += 1
    _calls[1] += n_examples
    if _calls[0] > _N_FIRST_CALLS and _calls[1] < _N_EXAMPLES_BETWEEN:
        return False
    _calls[1] = 0
    return True
