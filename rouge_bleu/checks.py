"""Texts that are not what they should be: a table of checks, for warnings and for `check`.

    a call that scores -> a sample of its texts -> a warning for each check that finds something
    `check`            -> all texts             -> a finding for each check that finds something

No check changes a text or a score.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from itertools import chain
from typing import Any, NamedTuple

from .corpus import Corpus, are_phrases, has_several_words
from .messages import new_to_caller, warn_of_text
from .text.sentences import has_several_sentences
from .text.tokenizers import tokenized, tokenizer_rules, words_of_few
from .text.words import LETTER_OF_UNSPACED

SIDES = PREDICTIONS, REFERENCES = "predictions", "references"
_MANY = 10  # examples: what most of them have in common is no chance
_FEW = 0.1  # of the texts of a side

# Examples that all checks look at in the first calls of a process, later once in so many examples;
# and those that other calls look at, for letters that a tokenizer drops.
_N_SAMPLED, _N_IN_EVERY_CALL = 32, 8
_N_FIRST_CALLS, _N_EXAMPLES_BETWEEN = 16, 2048
Is = Callable[[str], Any]  # a function that is true for a text, or returns a match
_calls = [0, 0]  # how many there were, and examples since the last look


class Place(NamedTuple):
    """A text, and where in it a check found something."""

    side: str
    example: int
    text: str
    span: tuple[int, int] = (0, 0)  # of characters; empty: the text as a whole


class Examples:
    """Examples of a corpus, and the options that they are scored with.

    A sample has the first example, the last one, and others at even distances.
    """

    def __init__(self, corpus: Corpus, options: Any, n_sampled: int | None = None) -> None:
        self.corpus, self.options, n = corpus, options, len(corpus)
        self.are_all = n_sampled is None
        n_sampled = n if n_sampled is None else min(n, n_sampled)
        join = " ".join if corpus.is_tokenized else str
        self.texts: dict[str, list[tuple[int, str]]] = {side: [] for side in SIDES}  # with numbers
        for number in (k * (n - 1) // max(n_sampled - 1, 1) for k in range(n_sampled)):
            start, end = corpus.reference_offsets[number : number + 2]
            references = corpus.references[start:end]
            self.texts[PREDICTIONS].append((number, join(corpus.predictions[number])))
            self.texts[REFERENCES] += [(number, join(text)) for text in references]
        self.sides = [[text for _, text in self.texts[side]] for side in SIDES]
        self.joined = "\n".join(["", *chain(*self.sides)])  # to search all of them at once

    def where(self, is_one: Is, *sides: str) -> list[Place]:
        """Return the places of texts for which a function is true, or returns a match."""
        places = []
        for side in sides or SIDES:
            for number, text in self.texts[side]:
                if found := is_one(text):
                    span = found.span() if isinstance(found, re.Match) else (0, 0)
                    places.append(Place(side, number, text, span))
        return places


Find = Callable[[Examples], list[Place]]


@dataclass(frozen=True)
class Check:
    """A mistake that texts can show."""

    find: Find
    hints: str = ""  # characters of which texts with the mistake have one
    n_least: int = 1  # examples
    of_texts: bool = False  # nothing is found in lists of tokens
    repair: Callable[[str], str] | None = None  # a text -> the text that was meant
    options: Mapping[str, Any] = field(default_factory=dict)  # which score texts as they were meant

    def found(self, examples: Examples) -> list[Place]:
        """Return where the mistake is."""
        corpus = examples.corpus
        if len(corpus) < self.n_least or (self.of_texts and corpus.is_tokenized):
            return []
        if self.hints and not any(map(examples.joined.__contains__, self.hints)):
            return []
        return self.find(examples)


# --- what is left in texts ------------------------------------------------------------


def _texts(
    is_one: str | Is, share: float = 0.0, sides: Sequence[str] = SIDES, *, alone: bool = False
) -> Find:
    """Return a check of texts that have a pattern, or for which a function is true.

    It finds more than a share of the texts of a side; `alone`: and few of the other side.
    """
    search = re.compile(is_one).search if isinstance(is_one, str) else is_one

    def find(examples: Examples) -> list[Place]:
        places = examples.where(search)
        n_found = Counter(place.side for place in places) if places else {}
        shares = {side: n / len(examples.texts[side]) for side, n in n_found.items()}
        if alone and len(shares) == 2 and min(shares.values()) > _FEW:
            return []
        return [one for one in places if one.side in sides and shares[one.side] > share]

    return find


def _replaced(pattern: str, by: str = " ") -> Callable[[str], str]:
    return lambda text: re.sub(pattern, by, text).strip()


_CHAT = (
    r"</?think(?:ing)?>|<\|(?:im_start|start_header_id)\|>|<(?:start|end)_of_turn>|\[/?INST\]"
    r"|<</?SYS>>|^#{2,3} (?:Response|Instruction|Input):"
)
_SPECIAL = (
    r"^</?s>|(?:(?<!\w)<s>|</s>)(?!\w)|<(?:pad|unk|bos|eos|sep|cls)>|\[(?:CLS|SEP|PAD|UNK|BOS|EOS)\]"
    r"|<\|(?!im_start|start_header)(?:[a-z]+_\w+|\w*endof\w*|pad|unk|bos|eos|end|user|assistant)\|>"
    r"|<extra_id_\d+>|<｜[^<>]{1,30}｜>"
)
_NO_ANSWER = rf"(?s)^.*</think(?:ing)?>|<think(?:ing)?>.*$|<\|im_start\|>\w*|{_CHAT}|{_SPECIAL}"
_ANY_BREAK = r" ?</?[qnt]> ?|(?:\\r)?\\n"
_LINE_TOKEN = re.compile(
    r"(?:[.!?…。][\"'”’)]? ?<[qn]> ?\S|\w<q>\w)(?![^<]*</q>)|^<t> | </t>"
).search
_ESCAPED_LINE = re.compile(  # not a path, nor a list of escapes, nor a command of LaTeX
    r"(?<=[\w.!?…:;,)\]\"'”’])[^\S\n]?(?:\\r)?\\n(?=\\n|[^\W\d_a-z])|(?<=[.!?…])\\n(?=[a-z])"
).search
_TAG = r"</?[a-z][^<>]*>"
_MARKUP = re.compile(
    r"</(?:p|div|span|b|i|em|strong|ul|ol|li|a|h[1-6]|td|tr|table|blockquote)>"
    r"|(?<=[^\n])<br ?/?>|&(?:amp|lt|gt|nbsp|quot|apos|#\d{2,5}|#x[0-9a-fA-F]{2,5});"
).search
_CODE = re.compile(r"[{}=;]|::|->|/\*|\*/|^\s*\*|%\(", re.MULTILINE).search
_SUBWORD = r"\w@@ \w|(?:^|\s)▁\w|[a-z] ##[a-z]|[a-z,.]Ġ\w|Ġ\w+ Ġ|\w @[-–/.,]@ \w"
_PRINTED = re.compile(r"(?s)\s*(?:b(['\"]).*\1|\[\s*(['\"]).*(['\"])\s*\])\s*").fullmatch
_CHARACTERS = re.compile(r"\s*(?:[^\W\d_][\s,]+){8,}\S?\s*").fullmatch
_MISSING = frozenset("nan NaN NAN None none null NULL N/A n/a <NA> NaT undefined".split())
_NO_END = r"(?:^|[^\W_])\s*$"
_BLANK = re.compile("[\\s\u200b\u2060\ufeff]*").fullmatch


def _line_break(text: str) -> re.Match[str] | None:
    """Return what stands for a line break; an escape within quotes may be code."""
    found = None if "\n" in text else _ESCAPED_LINE(text)
    return None if found and text.count('"', 0, found.start()) % 2 else found or _LINE_TOKEN(text)


def _html(text: str) -> re.Match[str] | None:
    """Return HTML in a text, unless there is code beside it."""
    found = _MARKUP(text)
    return None if found and _CODE(re.sub(rf"{_TAG}|&#?\w+;", " ", text)) else found


def _any_html(examples: Examples) -> list[Place]:
    """Find HTML; tokenizers of BLEU read some entities themselves."""
    name = examples.options.tokenizer_name
    are_read = name in ("13a", "pymteval", "intl-entities", "intl-entities-e")
    return _texts(_html_beside_entities if are_read else _html, 0.02)(examples)


def _html_beside_entities(text: str) -> re.Match[str] | None:
    return _html(re.sub("&(?:amp|lt|gt|quot);", lambda found: " " * len(found[0]), text))


def _blank_references(examples: Examples) -> list[Place]:
    """Find blank references; a call is silent if they are the only ones, as of no answer."""
    texts = examples.texts[REFERENCES]
    others = {number for number, text in texts if not _BLANK(text)}
    found = examples.where(_BLANK, REFERENCES)
    return [one for one in found if examples.are_all or one.example in others]


def _joined_subwords(text: str) -> str:
    for mark in "▁Ġ":
        if mark in text:
            return text.replace(" ", "").replace(mark, " ").replace("Ċ", "\n").strip()
    return re.sub(r"@@ | ##| @(?=\S@ )|(?<= @\S)@ ", "", text)


def _is_characters(text: str) -> bool:
    """Whether these are single letters with separators, of a script with spaces between words."""
    return bool(_CHARACTERS(text)) and not re.search(LETTER_OF_UNSPACED, text)


def _joined_characters(text: str) -> str:
    return re.sub(r"(\S)(?:\s*,\s|\s)", r"\1", text) if _is_characters(text) else text


# --- tokenized texts, and tokens given as texts -----------------------------------------

_SPLIT = r" (?=[.,!?;:])"
_ATTACHED_MARK = re.compile(r"\w[,;!?] ").search


def _looks_tokenized(text: str) -> bool:
    has_marks = " , " in text or text.rstrip().endswith(" .")
    return has_marks and not _ATTACHED_MARK(text)


def _tokenized(examples: Examples) -> list[Place]:
    """Find tokenized texts on one side; on both, if BLEU's tokenizer splits punctuation itself."""
    rules = tokenizer_rules(examples.options.tokenizer_name)
    clauses = None if rules.is_program else words_of_few(["aa, bb."], rules, is_tokenized=False)
    if clauses is None or "," not in "".join(clauses[0]):  # unknown, or without punctuation
        return []
    splits = hasattr(examples.options, "max_order") and clauses[0] == ["aa", ",", "bb", "."]
    return _texts(_looks_tokenized, 0.5, alone=not splits)(examples)


def _mean_length(texts: list[str]) -> float:
    return len("".join(texts)) / len(texts)


_FREQUENT_WORDS = frozenset(". , the of to and in der die und de la le el que et di e en".split())


def _tokens_as_texts(examples: Examples) -> list[Place]:
    """Find single words, different and frequent ones; and at least four of a text as references."""
    predictions, references = examples.sides
    if getattr(examples.options, "highest_order", 2) == 1:
        return []
    if all(map(_are_tokens, examples.sides)):
        return examples.where(str.strip)
    length, of_words = map(_mean_length, examples.sides)
    are_words = len(references) >= 4 * len(predictions) and length > 3 * of_words > 0
    is_found = are_words and not any(map(has_several_words, references))
    return examples.where(str.strip, REFERENCES) if is_found else []


def _are_tokens(texts: list[str]) -> bool:
    """Whether most texts are single words, most of these different, and some very frequent."""
    words = [text for text in texts if len(text) < 20 and not has_several_words(text)]
    n_frequent = sum(map(_FREQUENT_WORDS.__contains__, words))
    are_most = 2 * len(words) > len(texts) > 3 and 2 * len(set(words)) > len(words)
    return are_most and 4 * n_frequent > len(words)


def _phrases(examples: Examples) -> list[Place]:
    corpus = examples.corpus
    is_found = corpus.is_tokenized and are_phrases(corpus.predictions)
    return examples.where(str.strip) if is_found and are_phrases(corpus.references) else []


# --- one side compared with the other ---------------------------------------------------

_WORD = rf"{LETTER_OF_UNSPACED}|[^\W\d_]+"


def _other_language(examples: Examples) -> list[Place]:
    """Find predictions if each side lacks most of the ten most frequent words of the other."""
    words = ((re.findall(_WORD, text.lower()) for text in texts) for texts in examples.sides)
    counts = [Counter(chain.from_iterable(of_side)) for of_side in words]
    for one, other in (counts, reversed(counts)):
        least = other.total() / max(10 * one.total(), 1)  # a few quotations are no other language
        n_shared = sum(other[word] > least * n for word, n in one.most_common(10))
        if len(one) < 50 or n_shared > 3:
            return []
    return examples.where(str.strip, PREDICTIONS)


def _repeated(examples: Examples) -> list[Place]:
    """Find a text of several words that most predictions, or most references, are."""
    most = [(*Counter(texts).most_common(1)[0], len(texts)) for texts in examples.sides]
    common = [text for text, n, n_texts in most if 2 * n > n_texts and len(text) > 10]
    return [place for place in examples.where(common.__contains__) if has_several_words(place.text)]


def _equal(examples: Examples) -> list[Place]:
    references = {*examples.texts[REFERENCES]}
    predictions = examples.where(has_several_words, PREDICTIONS)
    equal = [one for one in predictions if (one.example, one.text) in references]
    return equal if len(equal) > 0.95 * len(examples.sides[0]) else []


def _other_length(examples: Examples) -> list[Place]:
    length, of_references = map(_mean_length, examples.sides)
    is_near = of_references <= 5 * length and length <= 5 * of_references
    return [] if is_near else examples.where(str.strip, PREDICTIONS)


# --- text that a tokenizer loses --------------------------------------------------------

_composed = partial(unicodedata.normalize, "NFC")
_NO_LETTERS = bytes(set(range(128)) - set(string.ascii_letters.encode()))
_ASCII_WORD = re.compile("[0-9A-Za-z]").search
_UNSPACED = LETTER_OF_UNSPACED
_has_unspaced = re.compile(_UNSPACED).search
_SPACES_OF_UNSPACED = rf"(?<={_UNSPACED})[^\S\n]+(?={_UNSPACED})"  # in a line


def _all_together(is_one: Is, examples: Examples) -> list[Place]:
    """Find texts for which a function is true, if it is true for their starts together."""
    starts = "\n".join([text[:500] for texts in examples.sides for text in texts])
    return examples.where(is_one) if is_one(starts) else []


def _is_default(options: Any) -> bool:
    """Whether the tokenizer is that of the default or the preset, not chosen by the user."""
    return bool(options.tokenizer == options.rules.options.get("tokenizer"))


def _may_lose_letters(options: Any) -> bool:
    return bool(tokenizer_rules(options.tokenizer_name).keeps_ascii_only)


def _lost_letters(examples: Examples) -> list[Place]:
    """Find words that lose letters; if the user chose the tokenizer, texts that lose most."""
    name, corpus = examples.options.tokenizer_name, examples.corpus
    if not _may_lose_letters(examples.options):
        return []
    is_default = name == "rouge_score" and _is_default(examples.options)
    places = _all_together(_cuts_words if is_default else _loses_most_letters, examples)
    # If no text has a token, there is another warning.
    texts = chain(corpus.predictions, corpus.references)
    return places if places and any(map(_ASCII_WORD, texts)) else []


def _loses_most_letters(text: str) -> bool:
    """Whether more letters are beyond ASCII than in it."""
    n_kept = len(text.encode("ascii", errors="ignore").translate(None, _NO_LETTERS))
    return n_kept < sum(map(str.isalpha, re.sub("[\0-\x7f]+", "", text)))


def _cuts_words(text: str) -> bool:
    """Whether more than one word in a hundred has letters beyond ASCII."""
    words = _composed(text).split()
    letters = (filter(str.isalpha, word) for word in words if not word.isascii())
    return 100 * sum(not all(map(str.isascii, one)) for one in letters) > len(words)


def _needs_spaces(options: Any) -> bool:
    warns = tokenizer_rules(options.tokenizer_name).warns_of_unspaced
    return bool(warns and _is_default(options))


def _unspaced(examples: Examples) -> list[Place]:
    is_likely = _needs_spaces(examples.options)
    return _all_together(_is_unspaced, examples) if is_likely else []


def _is_unspaced(text: str) -> bool:
    """Whether most letters are of scripts without spaces, such as Chinese, and have none."""
    has_many = len(text.encode()) > 1.5 * len(text)  # such letters have three bytes
    if not has_many or not _has_unspaced(text):
        return False
    n_letters = len(re.findall(_UNSPACED, text))
    n_others = sum(map(str.isalpha, re.sub(_UNSPACED, "", text)))
    n_spaces = len(re.findall(_SPACES_OF_UNSPACED, text))
    return n_letters > max(n_others, 8 * n_spaces)  # spaced words are shorter on average


def _no_tokens(examples: Examples) -> list[Place]:
    """Find texts that are not blank, if no text has a token."""
    corpus = examples.corpus
    texts, is_tokenized = corpus.predictions + corpus.references, corpus.is_tokenized
    rules = examples.options.word_rules(is_tokenized)
    parts = (texts[start : start + 1_000] for start in range(0, len(texts), 1_000))
    tokens = (tokenized(part, rules, is_tokenized=is_tokenized).ids.values for part in parts)
    return [] if any(of_part.size for of_part in tokens) else examples.where(str.strip)


def _one_line(examples: Examples) -> list[Place]:
    """Find texts of several sentences, if rougeLsum expects lines and no text has several."""
    n_texts = sum(map(len, examples.sides))
    expects_lines = getattr(examples.options, "expects_lines", False)
    is_one = expects_lines and examples.joined.count("\n") == n_texts
    return _texts(has_several_sentences, _FEW)(examples) if is_one else []


# --- the table --------------------------------------------------------------------------

# What is found, the effect on the score, and the remedy.
_MESSAGES = {
    "special_tokens": "Texts contain special tokens of a tokenizer, such as <pad> or </s>. On "
    "both sides they match each other. Decode with skip_special_tokens=True.",
    "chat_markup": "Texts contain markup of a chat or of reasoning, such as <think> or [INST]. "
    "Keep only the answer. If only references have it, the sides may be swapped.",
    "line_breaks": "Texts contain <q>, <n>, <t>, or a backslash and n in place of line breaks. "
    "They join the words, and rougeLsum finds no sentences. Replace them with newlines.",
    "html": "Texts contain HTML, such as <br> or &amp;. Most tokenizers make words of it. Remove "
    "tags, then pass texts through html.unescape.",
    "printed_values": "Most texts of a side look like printed lists or bytes, such as \"['a', "
    "'b']\" or \"b'a'\". Pass lists of texts, and decode bytes; JSON lines and Parquet keep lists.",
    "subwords": "Texts contain marks of a tokenizer, such as 'd@@ as', '▁das', '##as' or 'well "
    "@-@ known'. Parts of words match. Decode with tokenizer.decode, or detokenize.",
    "tokenized": "Most texts of a side look tokenized: they end in ' .' or contain ' , '. BLEU of "
    "tokenized texts differs from published scores. Detokenize both sides, or pass "
    "tokenizer='whitespace'.",
    "characters": "Texts are single characters, joined by spaces, commas or newlines. Characters "
    "match by chance. Pass the strings themselves, without ' '.join.",
    "tokens_as_texts": "Most texts are single words, and each is scored as a prediction or "
    "reference of its own. If they are tokens, pass a list of tokens for each text, on both "
    "sides. If each word is a text, pass max_order=1 to BLEU.",
    "phrases": "Most of the tokens you passed contain several words. A match is a whole string. "
    "If they are texts, pass them as texts, not as the tokens of one text.",
    "blank_references": "Some references are blank. Nothing matches them, and BLEU may take the "
    "length of a blank one for its brevity penalty. Leave them out.",
    "missing_values": "Many texts are missing values, such as 'nan' or 'None', scored as words. "
    'Pass "" for an empty prediction, and leave out examples without reference.',
    "repeated": "Most predictions, or most references, are the same text. The score says little "
    "about the system. Check that each example has its own.",
    "equal": "Predictions are equal to their references, so the score is the highest possible. "
    "Check that predictions are not a copy of the references.",
    "cut_off": "Most predictions end without punctuation, and most references with it. If "
    "generation stopped too early, recall and BLEU are too low. Raise max_new_tokens.",
    "length": "Predictions are on average over five times as long as references, or under a "
    "fifth. Precision or recall is low whatever matches. Check what each side contains.",
    "language": "Predictions are in another language or script than references. Only names and "
    "numbers match. Check the target language, and that the sides belong together.",
    "normal_form": "Both sides write the same letters in different Unicode forms, which do not "
    "match. Pass predictions and references through unicodedata.normalize('NFC', text).",
    "no_tokens": "No text has a token, so all scores are 0 or zero_division. Check stopwords, "
    "which remove tokens. For scripts other than Latin, pass tokenizer='unicode'.",
    "lost_letters": "The tokenizer knows only ASCII letters and digits: it drops other letters, "
    "and splits 'schön' into 'sch' and 'n'. Pass tokenizer='unicode'. If you pass "
    "tokenizer='rouge_score', you are warned only of texts that lose most letters.",
    "unspaced": "Most of this text has no spaces between words, and the tokenizer splits only at "
    "spaces and punctuation. Pass tokenizer='unicode', or 'zh' to BLEU. With a preset, pass lists "
    "of tokens; preset 'xlsum' needs language='chinese', 'thai', 'japanese' or 'burmese'.",
    "one_line": "rougeLsum treats each line as a sentence, but each text is one line, and some "
    "have several sentences. Put a newline between sentences, or pass "
    "sentence_splitter='sentences'.",
}

_UNICODE = {"tokenizer": "unicode"}
CHECKS = {
    "special_tokens": Check(_texts(_SPECIAL), hints="<[", repair=_replaced(_SPECIAL)),
    "chat_markup": Check(_texts(_CHAT), hints="<[#", repair=_replaced(_NO_ANSWER)),
    "line_breaks": Check(_texts(_line_break), hints="<\\", repair=_replaced(_ANY_BREAK, "\n")),
    "html": Check(
        _any_html,
        hints="<&",
        repair=lambda text: unescape(re.sub(_TAG, " ", text)),
    ),
    "printed_values": Check(_texts(_PRINTED, 0.5, alone=True), of_texts=True),
    "subwords": Check(_texts(_SUBWORD), hints="@▁#Ġ", repair=_joined_subwords),
    "tokenized": Check(_tokenized, n_least=_MANY, of_texts=True, repair=_replaced(_SPLIT, "")),
    "characters": Check(_texts(_is_characters, 0.5), of_texts=True, repair=_joined_characters),
    "tokens_as_texts": Check(_tokens_as_texts, of_texts=True),
    "phrases": Check(_phrases),
    "blank_references": Check(_blank_references),
    "missing_values": Check(_texts(_MISSING.__contains__, 0.1), n_least=_MANY),
    "repeated": Check(_repeated, n_least=_MANY),
    "equal": Check(_equal, n_least=_MANY),
    "cut_off": Check(_texts(_NO_END, 0.7, sides=(PREDICTIONS,), alone=True), n_least=_MANY),
    "length": Check(_other_length, n_least=_MANY),
    "language": Check(_other_language, n_least=_MANY),
    "normal_form": Check(
        _texts(lambda text: text != _composed(text), 0.02, alone=True), repair=_composed
    ),
    "no_tokens": Check(_no_tokens, options=_UNICODE),
    "lost_letters": Check(_lost_letters, of_texts=True, options=_UNICODE),
    "unspaced": Check(_unspaced, of_texts=True, options=_UNICODE),
    "one_line": Check(_one_line, of_texts=True, options={"sentence_splitter": "sentences"}),
}


IN_CALLS = [name for name in CHECKS if name != "no_tokens"]  # which calls see as they count


def message_of(name: str) -> str:
    """Return the message of a check, which ends in its name."""
    return f"{_MESSAGES[name]} [{name}]"


# --- in calls that score ----------------------------------------------------------------


def warn_of_texts(corpus: Corpus, options: Any) -> None:
    """Warn of what a sample of the texts of a call shows."""
    if is_due(len(corpus)):
        _warn(IN_CALLS, corpus, options)
    elif not (corpus.is_ascii or corpus.is_tokenized):  # options may change from call to call
        names = ["lost_letters"] if _may_lose_letters(options) else []
        ends = corpus.predictions[0], corpus.predictions[-1]
        if _needs_spaces(options) and any(map(_has_unspaced, ends)):
            names.append("unspaced")
        _warn(names, corpus, options, _N_IN_EVERY_CALL)


def warn_of_pairs(
    predictions: Sequence[str], references: Sequence[list[str]], options: Callable[[], Any]
) -> None:
    """Warn as `warn_of_texts`, in adapters that count by themselves."""
    if is_due(len(predictions)):
        corpus = Corpus.of_examples(list(zip(predictions, references, strict=True)))
        _warn(CHECKS, corpus, options())


def _warn(names: Iterable[str], corpus: Corpus, options: Any, n_sampled: int = _N_SAMPLED) -> None:
    new = new_to_caller({message_of(name): name for name in names}) if names else {}
    if not new or not len(corpus):
        return
    examples = Examples(corpus, options, n_sampled)
    for message, name in new.items():
        if CHECKS[name].found(examples):
            warn_of_text(message)


def warn_without_tokens(corpus: Corpus) -> None:
    """Warn of a corpus in whose texts no token was found, unless they are blank."""
    texts = chain(corpus.predictions, corpus.references)
    if any(text.strip() for text in texts if isinstance(text, str)):
        warn_of_text(message_of("no_tokens"))


def is_due(n_examples: int) -> bool:
    """Whether all checks of calls look at a call with so many examples, and count it."""
    _calls[0] += 1
    _calls[1] += n_examples
    if _calls[0] > _N_FIRST_CALLS and _calls[1] < _N_EXAMPLES_BETWEEN:
        return False
    _calls[1] = 0
    return True
