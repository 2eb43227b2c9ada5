"""Texts -> sentences: lines, or sentences found by rules that need no language or download.

As in Unicode's default sentence boundaries (https://www.unicode.org/reports/tr29/),
find each mark that may end a sentence, a candidate, then look a few characters back and ahead:

    1. Each line end of `str.splitlines` ends a sentence.
    2. A full mark (`_FULL_MARKS`: 。 । ؟ and others) is a candidate anywhere but in a title
       (《走吧！爸爸》); the spaced marks . ! ? … ۔ must precede whitespace. Marks in a row are
       one candidate, and closing quotes, brackets or "[1]" after them belong to the sentence.
    3. It is no end before a comma, a closing quote or another mark ("Wait . . . what"); nor after
       a quote closed without a space, if a Japanese particle follows (「行く。」と言う) or the
       sentence began with that quote (“你好。”他说。).
    4. A spaced mark is no end if the next letter is lowercase (`"Really?" she asked`), "iPhone"
       aside; in a text without uppercase it is one, except an ellipsis and quoted ! or ?.
    5. A single stop is no end after the number or letter of a list ("1. First"), a German ordinal
       ("am 3. Mai"), an abbreviation that never ends a sentence ("Dr."), one before a number ("No.
       5"), or a Thai or Lao letter; nor after initials, acronyms and the like ("U.S. Army", "5 Mio.
       Euro"), unless the text has uppercase and the next word mostly starts sentences ("the U.S. He").
    6. A part without letters or digits ("...", an emoji) joins the next sentence, or at the end of a
       line the one before.

Not supported, among others: the Greek question mark, which is ";"; Thai, Lao and Tibetan, which have no
mark that ends sentences only. A candidate looks back at most `_WINDOW` characters: linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, pairwise

from ..arrays import Ragged, flatten_with_offsets
from ..tokens import Tokens
from .tokenizer_rules import TokenizerRules
from .tokenizers import checked_strings, tokenize

SentenceSplitter = Callable[[str], Sequence[str]]

_SPACED_MARKS = ".!?…\u06d4"  # the last is the full stop of Urdu, also used between initials
_FULL_MARKS = (
    "。｡！？‼⁇⁈⁉"  # Chinese, Japanese
    "।॥᱾᱿꯫"  # Devanagari and other scripts of India
    "\u061f\u07f9\u0700\u0701\u0702"  # Arabic, N'Ko, Syriac
    "։።፧፨"  # Armenian, Ethiopic
    "။។៕᠃᠉"  # Burmese, Khmer, Mongolian
)
_CLOSING = "\"'”’»›)]}*_」』｣）】〉》〕］｝〟\u200e\u200f"
_OPENING = "\"'“‘„‚«‹»›([{*_`\x23¿¡「『｢（【〈《〔［｛〝"

# German closes quotes with “ ‘ « ‹ as well; Chinese, which has no spaces, opens the
# next sentence with them.
_SPACED_END = (
    rf"[{_SPACED_MARKS}](?:[{re.escape(_CLOSING)}“‘«‹]|\[\d{{1,3}}\])*(?:\s(?:''|[»”)\]]))*(?=\s)"
)
_FULL_END = rf"(?:[{_FULL_MARKS}]|(?<!\d)．(?!\d)|፡፡)[{_FULL_MARKS}{_SPACED_MARKS}]*[{re.escape(_CLOSING)}]*"
_TITLE = "《[^《》]{1,40}》"
_CANDIDATE_OR_TITLE = re.compile(f"{_SPACED_END}|{_FULL_END}|{_TITLE}")

_GOES_ON = re.compile(
    rf"\s*(?:[,;:،](?=\s)|[、，；：]|[»”)\]](?!\w)|[{_SPACED_MARKS}{_FULL_MARKS}]+(?!\w))"
)
_BEFORE_NEXT_WORD = re.compile(rf"\s*(?:[–—-]+\s*)?[{re.escape(_OPENING)}]*")
_PARTICLE = re.compile("[とをがのには]|って")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_BLANKS = re.compile(r"\s*")

_WINDOW = 24
_LIST_MARKER = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,4})")
_ACRONYM = re.compile(r"(?:[^\W\d_]+-)?(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}")
_NUMBER = re.compile(r"\+?\d|[IVXLC]{2,}\b")
_WORD = re.compile(r"[^\W\d_]{1,12}(?=[\s'’,])")


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words are lowercase, abbreviations without their last stop. The lists need not be
# complete: a missing entry splits a sentence in two.
_NEVER_LAST = _word_set("""
    mr mrs ms mx messrs dr prof rev hon gen col lt capt sgt cmdr gov sen rep pres vs cf viz e.g
    i.e approx ca bzw z.b d.h u.a med mme mlle mgr sr sra srta dra lic ee sig dott avv dhr mevr
    ul ул им проф акад пгт डॉ प्रो د bspw bzgl dipl ehem evtl ggf inkl insb vgl zzgl mmes mlles
    sres sras dña gral excmo excma avda रु पं मो स्व कि.मी कि.ग्रा से.मी मि.मी ई.पू
""")
_BEFORE_NUMBER = _word_set("""
    no nos nr nrs n° nº num núm fig figs abb tab eq eqs sec sect ch chap cap kap vol vols bd art
    abs ex pp pg pág págs blz str ver jan feb mar apr jun jul aug sep sept oct nov dec рис табл
    стр ст гл кв okt dez janv févr avr juil déc dic tel tél env aprox नं सं
""")
_AFTER_NUMBER = _word_set("mio mrd tsd mln mld")
_SELDOM_LAST = _word_set("inc ltd co corp bros jr al st mt hr fr uu гг")
_STARTERS = _word_set("""
    a after all also an and are as at but by did do does for from he her his how however i if in
    is it its my no not on one our she so some that the their then there these they this those
    to was we were what when where while who why with yes you your aber dann er es ich sie wir
    il elle ils elles nous mais él ella pero он она оно они это
""")
_BEFORE_ORDINAL = _word_set("ab am bis das dem den der des die im jeden jeder seit und vom zum zur")
_AFTER_ORDINAL = _word_set(
    "januar februar märz april mai juni juli august september oktober november dezember jahrhundert"
)


def one_sentence_per_line(texts: Sequence[str], splitter: str | SentenceSplitter) -> Sequence[str]:
    """Return the texts with one sentence in each line; "newline" leaves them unchanged."""
    if splitter == "newline":
        return texts
    split = split_sentences if isinstance(splitter, str) else splitter
    lined = []
    for text in texts:
        sentences = checked_strings("sentence_splitter", split(text))
        lined.append("\n".join(sentence.replace("\n", " ") for sentence in sentences))
    return lined


def tokenize_lines(texts: Sequence[str], rules: TokenizerRules) -> Tokens:
    """Tokenize each line of each text separately."""
    if rules.separates_sentences:
        return tokenize(texts, rules)
    return tokens_of_sentences([list(filter(None, text.split("\n"))) for text in texts], rules)


def tokens_of_sentences(
    sentences_of_text: Sequence[Sequence[Sequence[str] | str]],
    rules: TokenizerRules,
    is_tokenized: bool = False,
) -> Tokens:
    """Tokenize each sentence of each text separately."""
    sentences, offsets = flatten_with_offsets(sentences_of_text)
    tokens = tokenize(sentences, rules, is_tokenized=is_tokenized)
    ids = Ragged(tokens.ids.values, tokens.ids.offsets[offsets])
    return Tokens(ids, lambda: tokens.ids.row_of_value, tokens.n_ids, tokens.compute_vocabulary)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, in order, without surrounding whitespace.

    >>> split_sentences("Dr. Smith paid $3.50. Why? 「行く。」と言った。彼は来た。")
    ['Dr. Smith paid $3.50.', 'Why?', '「行く。」と言った。', '彼は来た。']
    """
    return list(_sentences_of_text(text))


def has_several_sentences(text: str) -> bool:
    """Whether `split_sentences` returns several sentences; stops at the second."""
    return len(list(islice(_sentences_of_text(text), 2))) > 1


def _sentences_of_text(text: str) -> Iterator[str]:
    is_uncased = text.islower()
    for line in filter(None, map(str.strip, text.splitlines())):
        starts = chain([0], _later_starts(line, is_uncased), [len(line)])
        yield from (line[start:end].rstrip() for start, end in pairwise(starts))


def _later_starts(line: str, is_uncased: bool) -> Iterator[int]:
    """Yield the start of each sentence of a line, from the second on."""
    start = searched = 0
    for match in _CANDIDATE_OR_TITLE.finditer(line):
        mark, end = match.span()
        if line[mark] == "《" or end == len(line) or _GOES_ON.match(line, end):
            continue
        if line[mark] in _SPACED_MARKS:
            is_end = _is_end_at_spaced_mark(line, start, mark, end, is_uncased)
        else:
            is_end = not _is_quote_within_sentence(line, start, end)
        if is_end:
            has_words = _LETTER_OR_DIGIT.search(line, searched, end)
            searched = end
            if has_words:
                start = _end_of_match(_BLANKS, line, end)
                if not _LETTER_OR_DIGIT.search(line, start):
                    return
                yield start


def _end_of_match(pattern: re.Pattern[str], line: str, position: int) -> int:
    match = pattern.match(line, position)
    return match.end() if match else position


def _is_quote_within_sentence(line: str, start: int, end: int) -> bool:
    """Whether a quote closes at `end` and its sentence, from `start` on, continues after it."""
    if line[end - 1] not in _CLOSING or line[end].isspace():
        return False
    is_open = line[start] in "「『“" and line[end] not in _OPENING
    return is_open or bool(_PARTICLE.match(line, end))


def _is_end_at_spaced_mark(line: str, start: int, mark: int, end: int, is_uncased: bool) -> bool:
    next_word = _end_of_match(_BEFORE_NEXT_WORD, line, end)
    letters, symbol = line[next_word : next_word + 2], line[mark]
    is_small = letters[:1].islower() and not letters[1:].isupper()
    is_ellipsis = symbol == "…" or line.endswith("..", 0, mark + 1)
    is_quoted_call = symbol in "!?" and not line[mark + 1].isspace()
    if is_small and (not is_uncased or is_ellipsis or is_quoted_call):
        return False
    return symbol != "." or not _is_stop_within_sentence(line, start, mark, next_word, is_uncased)


def _is_stop_within_sentence(
    line: str, start: int, stop: int, next_word: int, is_uncased: bool
) -> bool:
    """Whether the stop at `stop` belongs to a list number, an ordinal or an abbreviation."""
    if stop - start < _WINDOW and _LIST_MARKER.fullmatch(line, start, stop):
        return True
    window = line[max(start, stop - _WINDOW) : stop].lower()
    if not window or window[-1].isspace():
        return False
    *earlier, word = window.split()
    word = word.lstrip(_OPENING)
    match = _WORD.match(line, next_word)
    following = match[0].lower() if match else ""
    if word.isdecimal():
        is_date = following in _AFTER_ORDINAL or not _BEFORE_ORDINAL.isdisjoint(earlier[-1:])
        return is_date and len(word) <= 3
    if word in _BEFORE_NUMBER:
        return bool(_NUMBER.match(line, next_word))
    if word in _NEVER_LAST or "\u0e00" <= word[-1:] <= "\u0eff":
        return True
    is_initial = len(word) == 1 and word != word.upper()
    is_amount = word in _AFTER_NUMBER and bool(re.search(r"\d", "".join(earlier[-1:])))
    is_known = is_amount or word in _SELDOM_LAST
    may_go_on = is_initial or is_known or _ACRONYM.fullmatch(word)
    return bool(may_go_on) and (is_uncased or following not in _STARTERS)
