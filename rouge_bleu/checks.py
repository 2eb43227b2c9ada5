"""Texts that are not what they should be: a table of checks, for warnings and for `check`.

    a call that scores -> a sample of its texts -> a warning for each check that finds something
    `check`            -> all texts             -> a finding for each check that finds something

No check changes a text or a score.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from html import unescape
from itertools import chain
from typing import Any, NamedTuple

from .corpus import Corpus, are_phrases, has_several_words
from .messages import messages_new_to_caller, text_warning_class, warn_caller
from .text.sentences import has_several_sentences
from .text.tokenizers import token_lists, tokenize, tokenizer_rules
from .text.words import LETTER_OF_UNSPACED

SIDES = PREDICTIONS, REFERENCES = "predictions", "references"
_MANY = 10  # examples: what most of them have in common is no chance
_FEW = 0.1  # of the texts of a side

# The first calls of a process are looked at, later one in so many examples; a call with fewer than
# `_LEAST_OF_CALL` counts as if it had as many. A call shows at most `_N_SAMPLED` examples.
_N_SAMPLED, _N_FIRST_CALLS = 32, 8
_N_EXAMPLES_BETWEEN, _LEAST_OF_CALL = 16_384, 64
_calls = [0, 0]  # how many there were, a large one as four, and examples since the last look

Search = Callable[[str], Any]  # a function that is true for a text, or returns a match


class Location(NamedTuple):
    """A text, and where in it a check found something."""

    side: str
    example: int
    text: str
    span: tuple[int, int] = (0, 0)  # of characters; empty: the text as a whole


class SampledExamples:
    """Examples and their options; a sample has the first, the last, and others at even distances."""

    def __init__(self, corpus: Corpus, options: Any, n_sampled: int | None = None) -> None:
        self.corpus, self.options, self.are_all = corpus, options, n_sampled is None
        n = len(corpus)
        n_sampled = min(n, n_sampled or n)
        join = " ".join if corpus.is_tokenized else str
        self.texts: dict[str, list[tuple[int, str]]] = {side: [] for side in SIDES}  # with numbers
        for number in (k * (n - 1) // max(n_sampled - 1, 1) for k in range(n_sampled)):
            start, end = corpus.reference_offsets[number : number + 2]
            references = corpus.references[start:end]
            self.texts[PREDICTIONS].append((number, join(corpus.predictions[number])))
            self.texts[REFERENCES] += [(number, join(text)) for text in references]
        self.sides = [[text for _, text in self.texts[side]] for side in SIDES]
        self.joined = "\n".join(["", *chain(*self.sides)])  # to search all of them at once


@dataclass(frozen=True)
class Check:
    """A mistake that texts can show."""

    search: str | Search = str.strip  # finds it in a text: a pattern or a function
    share: float = 0.0  # more than this of the texts of a side have it
    sides: Sequence[str] = SIDES
    _: KW_ONLY
    alone: bool = False  # only a few texts of the other side have it
    # Whether these examples can have it; a function that finds it, which replaces `search`, means yes.
    when: Callable[[SampledExamples], Search | bool] = lambda examples: True
    hints: str = ""  # characters of which texts with the mistake have one
    n_least: int = 1  # examples
    of_texts: bool = False  # nothing is found in lists of tokens
    repair: Callable[[str], str] | None = None  # a text -> the text that was meant
    options: Mapping[str, Any] = field(default_factory=dict)  # which score texts as they were meant

    def find(self, examples: SampledExamples) -> list[Location]:
        # Can these examples have the mistake?
        corpus = examples.corpus
        is_out = len(corpus) < self.n_least or (self.of_texts and corpus.is_tokenized)
        has_hint = not self.hints or any(map(examples.joined.__contains__, self.hints))
        if is_out or not has_hint or not (found := self.when(examples)):
            return []
        # Which texts have it?
        search: Any = self.search if found is True else found
        if isinstance(search, str):
            search = re.compile(search).search
        places = [
            Location(side, number, text, match.span() if isinstance(match, re.Match) else (0, 0))
            for side in SIDES
            for number, text in examples.texts[side]
            if (match := search(text))
        ]
        # Are they enough, and is the other side as it should be?
        n_found = Counter(one.side for one in places)
        shares = {side: n / len(examples.texts[side]) for side, n in n_found.items()}
        if self.alone and len(shares) == 2 and min(shares.values()) > _FEW:
            return []
        return [one for one in places if one.side in self.sides and shares[one.side] > self.share]


def _replace(pattern: str, by: str = " ") -> Callable[[str], str]:
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
    r"|(?<=[^\n])<br ?/?>|&(?:nbsp|apos|#\d{2,5}|#x[0-9a-fA-F]{2,5});"
).search
_ENTITY = re.compile("&(?:amp|lt|gt|quot);").search
_CODE = re.compile(r"[{}=;]|::|->|/\*|\*/|^\s*\*|%\(", re.MULTILINE).search
_ENCODING = (  # UTF-8 read as cp1252, any bytes read as Latin-1, or characters that were lost
    r"(?:(?<![A-ZÀ-Þ“„«‘\"'(])(?:[ÃÂ]|[ÄÅ](?![–—‘’“”…»\xa0]))|â€|[ÐÑ].[ÐÑ])[\x80-\xbf–-›€™ŒœŠšŽžŸƒˆ˜]"
    r"|Ã[¡£¤¥¦§¨©ª³µ¶¸¼](?=[a-z])|[\x80-\x84\x86-\x9f\ufffd]"
)
_SUBWORD = r"\w@@ \w|(?:^|\s)▁\w|[a-z] ##[a-z]|[a-z,.]Ġ\w|Ġ\w+ Ġ|\w @[-–/.,]@ \w"
_PRINTED = re.compile(r"(?s)\s*(?:b(['\"]).*\1|\[\s*(['\"]).*(['\"])\s*\])\s*").fullmatch
_CHARACTERS = re.compile(r"\s*(?:[^\W\d_][\s,]+){8,}\S?\s*").fullmatch
_ATTACHED_MARK = re.compile(r"\w[,;!?] ").search
_SPLIT = " (?=[.,!?;:])"  # what a tokenizer splits
_GAP = r"(?<=\b\w)(?:\s*,\s|\s)(?=\w\b)"  # between single characters
_MISSING = frozenset("nan NaN NAN None none null NULL N/A n/a <NA> NaT undefined".split())
_UPPER = "[A-ZÀ-ÞА-Я]"
_match_blank = re.compile("[\\s\u200b\u2060\ufeff]*").fullmatch
_FREQUENT_WORDS = frozenset(". , the of to and in der die und de la le el que et di e en".split())
_WORD = rf"{LETTER_OF_UNSPACED}|[^\W\d_]+"
_SPACE_OF_UNSPACED = rf"(?<={LETTER_OF_UNSPACED})[^\S\n]+(?={LETTER_OF_UNSPACED})"  # in a line
_composed = partial(unicodedata.normalize, "NFC")


def _find_written_break(text: str) -> re.Match[str] | None:
    """Return what stands for a line break; an escape within quotes may be code."""
    found = None if "\n" in text else _ESCAPED_LINE(text)
    return None if found and text.count('"', 0, found.start()) % 2 else found or _LINE_TOKEN(text)


def _find_html(examples: SampledExamples) -> Search:
    """Return what finds HTML without code beside it; BLEU's tokenizers may read entities."""
    name = examples.options.tokenizer_name
    are_read = name in ("13a", "pymteval", "intl-entities", "intl-entities-e")

    def search(text: str) -> re.Match[str] | None:
        found = _MARKUP(text) or (None if are_read else _ENTITY(text))
        return None if found and _CODE(re.sub(rf"{_TAG}|&#?\w+;", " ", text)) else found

    return search


def _blanks_are_mistakes(examples: SampledExamples) -> bool:
    """Whether blank references are a mistake; a call is silent where one may mean no answer."""
    predictions, references = examples.sides
    have_several = len(references) > len(predictions) and not all(map(_match_blank, references))
    return examples.are_all or have_several


def _joined_subwords(text: str) -> str:
    for mark in "▁Ġ":
        if mark in text:
            return text.replace(" ", "").replace(mark, " ").replace("Ċ", "\n").strip()
    return re.sub(r"@@ | ##| @(?=\S@ )|(?<= @\S)@ ", "", text)


def _is_spaced_characters(text: str) -> bool:
    """Whether these are single letters with separators, of a script with spaces between words."""
    return bool(_CHARACTERS(text)) and not re.search(LETTER_OF_UNSPACED, text)


def _looks_tokenized(text: str) -> bool:
    return (" , " in text or text.rstrip().endswith(" .")) and not _ATTACHED_MARK(text)


def _find_tokenized(examples: SampledExamples) -> Search | bool:
    """Find tokenized texts on one side; on both, if BLEU's tokenizer splits punctuation itself."""
    rules = tokenizer_rules(examples.options.tokenizer_name)
    clauses = None if rules.is_program else token_lists(["aa, bb."], rules, is_tokenized=False)
    if clauses is None or "," not in "".join(clauses[0]):  # unknown, or without punctuation
        return False
    splits = hasattr(examples.options, "max_order") and clauses[0] == ["aa", ",", "bb", "."]
    shares = [sum(map(_looks_tokenized, texts)) / len(texts) for texts in examples.sides]
    return _looks_tokenized if splits or min(shares) <= _FEW else False


def _mean_length(texts: list[str]) -> float:
    return len("".join(texts)) / len(texts)


def _are_tokens_as_texts(examples: SampledExamples) -> bool:
    """Whether texts are single words, different and frequent; or at least four of a reference."""
    predictions, references = examples.sides
    length, of_words = map(_mean_length, examples.sides)
    are_words = len(references) >= 4 * len(predictions) and length > 3 * of_words > 0
    are_words = are_words and not any(map(has_several_words, references))
    counts_words = getattr(examples.options, "highest_order", 2) == 1
    are_single = are_words or all(map(_are_mostly_single_words, examples.sides))
    return are_single and not counts_words


def _are_mostly_single_words(texts: list[str]) -> bool:
    """Whether most texts are single words, most of these different, and some very frequent."""
    words = [text for text in texts if len(text) < 20 and not has_several_words(text)]
    n_frequent = sum(map(_FREQUENT_WORDS.__contains__, words))
    are_most = 2 * len(words) > len(texts) > 3 and 2 * len(set(words)) > len(words)
    return are_most and 4 * n_frequent > len(words)


def _are_tokens_phrases(examples: SampledExamples) -> bool:
    corpus = examples.corpus
    return corpus.is_tokenized and all(map(are_phrases, (corpus.predictions, corpus.references)))


def _is_other_language(examples: SampledExamples) -> bool:
    """Whether no side has four of the ten most frequent words of the other, of 50 or more."""
    words = ((re.findall(_WORD, text[:300].lower()) for text in texts) for texts in examples.sides)
    counts = [Counter(chain.from_iterable(of_side)) for of_side in words]
    for one, other in (counts, reversed(counts)):
        least = other.total() / max(10 * one.total(), 1)  # a few quotations are no other language
        n_shared = sum(other[word] > least * n for word, n in one.most_common(10))
        if len(one) < 50 or n_shared > 3:
            return False
    return True


def _shifted_finder(examples: SampledExamples) -> Search | bool:
    """Find all predictions, or the last ones, if they share more words with a neighbor's reference."""
    corpus, texts = examples.corpus, examples.texts[PREDICTIONS]

    def words(text: str) -> set[str]:
        return {*text[:300].lower().split()}

    overlaps = []
    for number, text in texts:
        one, rows = words(text), [(number + step) % len(corpus) for step in (-1, 0, 1)]
        others = [words(corpus.references[corpus.reference_offsets[row]]) for row in rows]
        shares = [2 * len(one & other) / (len(one) + len(other) or 1) for other in others]
        overlaps.append(shares if len(one) > 2 else [0.0, 0.0, 0.0])
    for n, factor in ((len(texts), 2), (len(texts) // 2, 3), (len(texts) // 4, 3)):
        before, own, after = map(sum, zip(*overlaps[-n:], strict=True))
        if n >= _MANY and max(before, after) > max(0.25 * n, factor * own):
            return {text for _, text in texts[-n:]}.__contains__
    return False


def _keeps_case(examples: SampledExamples) -> bool:
    """Whether uppercase and lowercase letters make different tokens; a function is not asked."""
    options = examples.options
    rules = options.token_rules(examples.corpus.is_tokenized)
    is_unknown = callable(options.tokenizer) or rules.stem
    return not (is_unknown or rules.lowercase or rules.lowercases_words)


def _repeated_finder(examples: SampledExamples) -> Search:
    """Return what finds a text of several words that most texts of a side are."""
    most = [(*Counter(texts).most_common(1)[0], len(texts)) for texts in examples.sides]
    common = {text for text, n, n_texts in most if 2 * n > n_texts and len(text) > 10}
    return {text for text in common if has_several_words(text)}.__contains__


def _equal_finder(examples: SampledExamples) -> Search:
    """Return what finds predictions of several words that are equal to a reference of theirs."""
    equal = {*examples.texts[PREDICTIONS]} & {*examples.texts[REFERENCES]}
    return {text for _, text in equal if has_several_words(text)}.__contains__


def _have_other_lengths(examples: SampledExamples) -> bool:
    length, of_references = map(_mean_length, examples.sides)
    return max(length, of_references) > 5 * min(length, of_references)


def _if_joined_matches(search: Search, examples: SampledExamples) -> Search | bool:
    """Return a function for texts, if it is true for their starts together."""
    starts = "\n".join([text[:500] for texts in examples.sides for text in texts])
    return not starts.isascii() and search(starts) and search


def _uses_default_tokenizer(options: Any) -> bool:
    """Whether the tokenizer is that of the default or the preset, not chosen by the user."""
    return bool(options.tokenizer == options.rules.options.get("tokenizer"))


def _lost_letters_finder(examples: SampledExamples) -> Search | bool:
    """Find texts that lose some letters; if the user chose the tokenizer, those that lose most."""
    options, corpus = examples.options, examples.corpus
    if not tokenizer_rules(options.tokenizer_name).keeps_ascii_only:
        return False
    is_default = options.tokenizer_name == "rouge_score" and _uses_default_tokenizer(options)
    share = 0.002 if is_default else 0.5

    def loses_letters(text: str) -> bool:
        text = _composed(text)
        n_lost = sum(map(str.isalpha, re.sub("[\0-\x7f]+", "", text)))
        return n_lost > share * sum(map(str.isalpha, text))

    texts = chain(corpus.predictions, corpus.references)
    has_token = any(re.search("[0-9A-Za-z]", text) for text in texts)  # else: another warning
    return has_token and _if_joined_matches(loses_letters, examples)


def _unspaced_finder(examples: SampledExamples) -> Search | bool:
    warns = tokenizer_rules(examples.options.tokenizer_name).warns_of_unspaced
    is_warned = warns and _uses_default_tokenizer(examples.options)
    return is_warned and _if_joined_matches(_is_unspaced, examples)


def _is_unspaced(text: str) -> bool:
    """Whether most letters are of scripts without spaces, such as Chinese, and have none."""
    has_many = len(text.encode()) > 1.5 * len(text)  # such letters have three bytes
    n_letters = len(re.findall(LETTER_OF_UNSPACED, text)) if has_many else 0
    n_others = sum(map(str.isalpha, re.sub(LETTER_OF_UNSPACED, "", text)))
    n_spaces = len(re.findall(_SPACE_OF_UNSPACED, text))
    return n_letters > max(n_others, 8 * n_spaces)  # spaced words are shorter on average


def _have_no_token(examples: SampledExamples) -> bool:
    corpus = examples.corpus
    texts, is_tokenized = corpus.predictions + corpus.references, corpus.is_tokenized
    rules = examples.options.token_rules(is_tokenized)
    parts = (texts[start : start + 1_000] for start in range(0, len(texts), 1_000))
    tokens = (tokenize(part, rules, is_tokenized=is_tokenized).ids.values for part in parts)
    return not any(of_part.size for of_part in tokens)


def _need_lines(examples: SampledExamples) -> bool:
    """Whether rougeLsum expects lines, and no text has several."""
    expects_lines = getattr(examples.options, "expects_lines", False)
    return expects_lines and examples.joined.count("\n") == sum(map(len, examples.sides))


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
    "encoding": "Texts were decoded wrongly: they contain 'Ã©' or 'â€™' in place of é or ’, '\ufffd' or "
    "control characters. Words differ. Decode as UTF-8, or repair all but '\ufffd' by ftfy.fix_text.",
    "printed_values": "Most texts of a side are printed lists or bytes, such as \"['a']\" or "
    "\"b'a'\". Pass lists of texts, and decode bytes; JSON lines and Parquet keep lists.",
    "subwords": "Texts contain marks of a tokenizer, such as 'd@@ as', '▁das', '##as' or 'well "
    "@-@ known'. Parts of words match. Decode with tokenizer.decode, or detokenize.",
    "tokenized": "Most texts of a side look tokenized: they end in ' .' or contain ' , '. BLEU "
    "differs from published scores. Detokenize both sides, or pass tokenizer='whitespace'.",
    "characters": "Texts are single characters, joined by spaces, commas or newlines. Characters "
    "match by chance. Pass the strings themselves, without ' '.join.",
    "tokens_as_texts": "Most texts are single words, each scored as a prediction or reference. If "
    "they are tokens, pass lists of tokens on both sides; if texts, max_order=1 to BLEU.",
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
    "shifted": "Predictions share far more words with the references of the row before or after than "
    "with theirs. A row is missing on one side, or doubled. Pair the rows again.",
    "case": "Most texts of a side have uppercase letters, those of the other have none, and the "
    "score tells these apart. Pass lowercase=True, or lowercase both sides.",
    "normal_form": "Both sides write the same letters in different Unicode forms, which do not "
    "match. Pass predictions and references through unicodedata.normalize('NFC', text).",
    "no_tokens": "No text has a token, so all scores are 0 or zero_division. Check stopwords, "
    "which remove tokens. For scripts other than Latin, pass tokenizer='unicode'.",
    "lost_letters": "The tokenizer knows only ASCII letters and digits: it drops other letters, "
    "and splits 'schön' into 'sch' and 'n'. Pass tokenizer='unicode'.",
    "unspaced": "The tokenizer splits at spaces, and most texts have none. Pass "
    "tokenizer='unicode', or 'zh' to BLEU; with a preset, lists of tokens, or language= to 'xlsum'.",
    "one_line": "rougeLsum treats each line as a sentence, but texts of several sentences are one "
    "line. Put a newline between sentences, or pass sentence_splitter='sentences'.",
}
MESSAGES = {name: f"{message} [{name}]" for name, message in _MESSAGES.items()}

_UNICODE, _LINES = {"tokenizer": "unicode"}, {"sentence_splitter": "sentences"}
CHECKS = {
    "special_tokens": Check(_SPECIAL, hints="<[", repair=_replace(_SPECIAL)),
    "chat_markup": Check(_CHAT, hints="<[#", repair=_replace(_NO_ANSWER)),
    "line_breaks": Check(_find_written_break, hints="<\\", repair=_replace(_ANY_BREAK, "\n")),
    "html": Check(
        share=0.02, when=_find_html, hints="<&", repair=lambda one: unescape(re.sub(_TAG, " ", one))
    ),
    "encoding": Check(_ENCODING, 0.02, when=lambda examples: not examples.joined.isascii()),
    "printed_values": Check(_PRINTED, 0.5, alone=True, of_texts=True),
    "subwords": Check(_SUBWORD, hints="@▁#Ġ", repair=_joined_subwords),
    "tokenized": Check(
        share=0.5, when=_find_tokenized, n_least=_MANY, of_texts=True, repair=_replace(_SPLIT, "")
    ),
    "characters": Check(_is_spaced_characters, 0.5, of_texts=True, repair=_replace(_GAP, "")),
    "tokens_as_texts": Check(when=_are_tokens_as_texts, of_texts=True),
    "phrases": Check(when=_are_tokens_phrases),
    "blank_references": Check(_match_blank, sides=[REFERENCES], when=_blanks_are_mistakes),
    "missing_values": Check(_MISSING.__contains__, 0.1, n_least=_MANY),
    "repeated": Check(when=_repeated_finder, n_least=_MANY),
    "equal": Check(share=0.95, sides=[PREDICTIONS], when=_equal_finder, n_least=_MANY),
    "cut_off": Check(
        lambda text: text.strip()[-1:].isalnum(), 0.7, [PREDICTIONS], alone=True, n_least=_MANY
    ),
    "length": Check(sides=[PREDICTIONS], when=_have_other_lengths, n_least=_MANY),
    "language": Check(sides=[PREDICTIONS], when=_is_other_language, n_least=_MANY),
    "shifted": Check(sides=[PREDICTIONS], when=_shifted_finder, n_least=_MANY, of_texts=True),
    "case": Check(_UPPER, 0.5, alone=True, when=_keeps_case, n_least=_MANY, repair=str.lower),
    "normal_form": Check(lambda text: text != _composed(text), 0.02, alone=True, repair=_composed),
    "no_tokens": Check(when=_have_no_token, options=_UNICODE),
    "lost_letters": Check(when=_lost_letters_finder, of_texts=True, options=_UNICODE),
    "unspaced": Check(when=_unspaced_finder, of_texts=True, options=_UNICODE),
    "one_line": Check(has_several_sentences, 0.1, when=_need_lines, of_texts=True, options=_LINES),
}
CALL_CHECKS = [name for name in CHECKS if name != "no_tokens"]  # `warn_without_tokens` does that

# --- in calls that score ----------------------------------------------------------------


def warn_of_texts(corpus: Corpus, options: Any) -> None:
    """Warn of what a sample of the texts of a call shows."""
    if _is_call_checked(len(corpus)):
        _warn_of_checks(CALL_CHECKS, corpus, options)


def warn_of_pairs(
    predictions: Sequence[str], references: Sequence[list[str]], options: Callable[[], Any]
) -> None:
    """Warn as `warn_of_texts`, in adapters that count by themselves."""
    if _is_call_checked(len(predictions)):
        corpus = Corpus.of_examples(list(zip(predictions, references, strict=True)))
        _warn_of_checks(CHECKS, corpus, options())


def _is_call_checked(n_examples: int) -> bool:
    """Count a call, and return whether it is looked at."""
    _calls[0] += max(1, min(n_examples, _N_SAMPLED) // 8)  # a large call counts as four
    _calls[1] += max(n_examples, _LEAST_OF_CALL)
    if n_examples == 0 or (_calls[0] > _N_FIRST_CALLS and _calls[1] < _N_EXAMPLES_BETWEEN):
        return False
    _calls[1] = 0
    return True


def _warn_of_checks(names: Iterable[str], corpus: Corpus, options: Any) -> None:
    new = messages_new_to_caller({MESSAGES[name]: name for name in names})
    examples = SampledExamples(corpus, options, _N_SAMPLED)
    for message, name in new.items():
        if CHECKS[name].find(examples):
            warn_caller(message, text_warning_class())


def warn_without_tokens(corpus: Corpus) -> None:
    """Warn of a corpus in whose texts no token was found, unless they are blank."""
    texts = chain(corpus.predictions, corpus.references)
    if any(text.strip() for text in texts if isinstance(text, str)):
        warn_caller(MESSAGES["no_tokens"], text_warning_class())
