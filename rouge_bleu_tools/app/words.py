"""Which words of the texts match, as HTML, and the calculation in one line.

`rouge_bleu.explain_rouge` and `explain_bleu` return a span for each token that takes part in a
match. Here the tokens of the prediction are paired with those of a reference; pairs that are
consecutive in both texts are a run, and get one number and one color on both sides.
"""

from __future__ import annotations

import html
import json
import math
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from rouge_bleu._bleu.api import BLEU
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.api import ROUGE
from rouge_bleu._rouge.explain import token_numbers
from rouge_bleu.corpus import Corpus
from rouge_bleu.rouge_types.lcs import lcs_pairs
from rouge_bleu.rouge_types.ngrams import ngrams
from rouge_bleu.text.tokenizers import tokenize
from rouge_bleu_tools.app import drawing, scoring
from rouge_bleu_tools.app.drawing import Form, Link, Mark, Side, Span
from rouge_bleu_tools.app.scoring import Scored, score_texts
from rouge_bleu_tools.app.settings import Settings, bleu_options, percent, rouge_options, shown_name

Tokens = Sequence[tuple[Sequence[int] | None, int]]  # span, and a number for equal tokens
Shares = Mapping[str, Any]  # precision and recall, of a pair with counts


def _words_of_bleu(corpus: Corpus, options: BleuOptions) -> dict[str, Any]:
    """Return the tokens of the texts of one example as words."""
    texts, _ = corpus.texts_and_offsets(0, 1)
    tokens = tokenize(texts, options.for_one_example().token_rules(), is_tokenized=False)
    return {"texts": tokens.to_lists()}


# With these, `explain` returns the tokens.
_TOKENS = replace(ROUGE, explanations=lambda *of_one: [token_numbers(*of_one)])
_WORDS = replace(BLEU, explanations=lambda *of_one: [_words_of_bleu(*of_one)])
_MOST_TRIED = 20  # places of a token in the reference that are compared
_WORD = re.compile(r"(\w+)")
_BY_RULE = " by the preset's rule"
_SAME = "Same color and number: the same words in the same order in both texts."
# What a measure compares, what its marks mean, and which words without a mark have a dotted line;
# the name of ROUGE-W has a weight.
_SAID = json.loads(Path(__file__).with_name("measures.json").read_text(encoding="utf-8"))


def known_spans(spans: Iterable[Sequence[int] | None]) -> list[Span]:
    """Return the spans in the order of the text; a token that is not found there has none."""
    return sorted({(span[0], span[1]) for span in spans if span})


def side_of(text: str, tokens: Tokens, found: Iterable[Sequence[int] | None]) -> Side:
    """Return a text with its tokens, of which those with the spans `found` match."""
    forms: dict[Span, Form] = dict.fromkeys(known_spans(span for span, _ in tokens), ())
    for span, number in tokens:
        if span:
            forms[span[0], span[1]] += (number,)
    place = {span: number for number, span in enumerate(forms)}
    marks: dict[int, Mark] = {}
    for span in known_spans(found):
        marks[place[span]] = Mark(*span, follows=place[span] - 1 in marks)
    return Side([text[start:end] for start, end in forms], list(forms.values()), marks)


def links(left: Side, right: Side) -> list[Link]:
    """Pair the tokens that match; those that are consecutive in both texts are a run."""
    forms = [{place: side.forms[place] for place in side.marks} for side in (left, right)]
    if list(forms[0].values()) == list(forms[1].values()):  # a common subsequence
        partner = dict(zip(*forms, strict=True))
    else:
        partner = _partners(*forms)
    pairs = sorted(partner.items())
    order = [other for _, other in pairs]
    ordered = {number for number, _ in lcs_pairs(order, sorted(order))}
    found, run = [], 0
    for number, (place, other) in enumerate(pairs):
        run += partner.get(place - 1) != other - 1
        found.append(Link(place, other, run, number not in ordered))
    return found


def _partners(left: Mapping[int, Form], right: Mapping[int, Form]) -> dict[int, int]:
    """Pair equal tokens, by the longest run that begins there: place in the prediction -> reference."""
    places: dict[Form, list[int]] = defaultdict(list)
    for place, form in right.items():
        places[form].append(place)
    partner: dict[int, int] = {}
    free = dict(right)
    for place, form in left.items():
        best = range(0)
        tried = (other for other in places[form] if other in free and place not in partner)
        for other in islice(tried, _MOST_TRIED):
            end = other
            while end in free and free[end] == left.get(place + end - other):
                end += 1
            best = max(best, range(other, end), key=len)
        partner |= zip(range(place, place + len(best)), best, strict=True)
        for other in best:
            del free[other]
    return partner


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def marked_html(
    text: str, marks: Sequence[Mark], used: Collection[str] = (), reason: str = ""
) -> str:
    """Return a text as HTML with its marks; words of `used` without a mark have a dotted line."""
    joined: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        last = joined[-1] if joined else Mark(0, 0)
        between = text[last.end : mark.start]
        is_equal = joined and (last.number, last.title) == (mark.number, mark.title)
        if is_equal and mark.follows and "\n" not in between and not _has_word(between):
            joined[-1] = replace(last, end=max(last.end, mark.end))
        elif mark.start >= last.end:
            joined.append(mark)

    def plain(text: str) -> str:
        return "".join(
            f'<span class="used" title="{reason}">{html.escape(part)}</span>'
            if part.casefold() in used
            else html.escape(part)
            for part in _WORD.split(text)
        )

    body, end = "", 0
    for mark in joined:
        attributes = ""
        if mark.number is not None:
            attributes = f' data-run="{mark.number}" style="--run: {mark.number}"'
        if mark.title:
            attributes += f' title="{html.escape(mark.title)}"'
        body += plain(text[end : mark.start])
        body += f"<mark{attributes}>{html.escape(text[mark.start : mark.end])}</mark>"
        end = mark.end
    return body + plain(text[end:])


def rouge_calculation(scored: Scored, name: str) -> str:
    """Return in one line what the measure compares, and how the score comes of the counts."""
    one, (best, reference) = scored.rouge[name], scored.best(name)
    pairs = one["references"]
    text = f"{shown_name(name)} compares {_SAID[name.partition('-')[0]]['compares']}: "
    text += _shares(name, pairs[best : best + 1], pairs[best], reference)
    text += f". {scored.word} = {percent(pairs[best][scored.output])}"
    parts = ("precision", "recall", scored.output)
    if any(percent(one[part]) != percent(pairs[best][part]) for part in parts):
        text += f". {_of_references(name, scored, parts)}"
    return text


def _of_references(name: str, scored: Scored, parts: Sequence[str]) -> str:
    """Return precision, recall and score of several references, and how they are combined."""
    one, pairs = scored.rouge[name], scored.rouge[name]["references"]
    shown = [percent(one[part]) for part in parts]
    means = [percent(fmean(pair[part] for pair in pairs)) for part in parts]
    highest = [percent(max(pair[part] for pair in pairs)) for part in parts]
    shares, score = f"P {shown[0]}, R {shown[1]}", f"{scored.word} = {shown[2]}"
    sums = _shares(name, pairs, one, "the references")
    if _BY_RULE not in sums and shown != means:
        return f"Sums over the references: {sums}. {score}"
    for said, values in (("Means over the references", means), ("Highest of a reference", highest)):
        if shown[:2] == values[:2]:
            return f"{said}: {shares}. {'Mean ' * (shown == means)}{score}"
    return f"References combined: {shares}, {score}"


def _shares(name: str, pairs: Sequence[Shares], score: Shares, where: str) -> str:
    """Return precision and recall with the counts of the pairs, and the root that ROUGE-W takes."""
    shares, weight = [], name.partition("-")[2]
    for part, side, of in (
        ("precision", "prediction", " in the prediction match"),
        ("recall", "reference", f" in {where}"),
    ):
        matches = sum(pair.get(f"{side}_matches", pair["matches"]) for pair in pairs)
        total = sum(pair[f"{side}_total"] for pair in pairs)
        counts = [f"{value:,.2f}".removesuffix(".00") for value in (matches, total)]
        value, share, formula = matches / total if total else 0.0, score[part], ""
        if weight and share:
            value **= 1 / float(weight)
            formula = f" = ({'/'.join(counts)})^(1/{weight}) ="
        is_share = math.isclose(value, share, rel_tol=1e-5, abs_tol=1e-5)
        said = f"{part[0].upper()}{formula} {percent(share)}{'' if is_share else _BY_RULE}"
        shares.append(f"{' of '.join(counts)}{of} ({said})")
    return ", ".join(shares)


def bleu_calculation(bleu: Mapping[str, Any]) -> str:
    """Return in one line what BLEU compares, and how it comes of its precisions."""
    orders, penalty, score = bleu["orders"], bleu["brevity_penalty"], bleu["bleu"]
    longest = orders[-1]["order"]
    compared = f"BLEU compares {f'runs of 1 to {longest} words' if longest > 1 else 'words'}. "
    factors = [f"{one['matches']}/{one['total']}" for one in orders]
    if score == 0 or math.isnan(score):
        reason = ""
        if missing := next((one for one in orders if not one["matches"]), None):
            reason = f": no {missing['order']}-gram matches"
            if missing["total"] <= 0:
                reason = f": the prediction has no {missing['order']}-grams"
        return f"{compared}Matching n-grams {', '.join(factors)}; BLEU = {percent(score)}{reason}"
    precisions = [one["precision"] for one in orders]
    plain = [one["matches"] / one["total"] if one["total"] else 0.0 for one in orders]
    smoothed = "" if all(map(math.isclose, plain, precisions)) else ", smoothed"
    if smoothed:
        factors = list(map(percent, precisions))
    mean = math.prod(precisions) ** (1 / len(precisions)) * penalty
    if not math.isclose(mean, score, rel_tol=1e-6):  # weights, or the formula of a preset
        listed = f"n-gram precisions {', '.join(factors)}{smoothed}"
        return f"{compared}Brevity penalty {penalty:.3f}, {listed}: BLEU = {percent(score)}"
    product = f"({' × '.join(factors)}{smoothed})^(1/{len(factors)})"
    return f"{compared}Brevity penalty {penalty:.3f} × {product}: BLEU = {percent(score)}"


def explained(scored: Scored, measure: str) -> tuple[str, str]:
    """Return the texts with the words that match, and their drawings."""
    if measure != "bleu" and measure not in scored.rouge:
        measure = next(iter(scored.rouge))
    is_several = len(scored.references) > 1
    if measure == "bleu":
        best, why = scored.bleu["chosen"], "closest length"
        calculation = bleu_calculation(scored.bleu)
        marks = _marks_of_ngrams(scored)
        drawn = f"<h3>BLEU</h3>{drawing.bars(scored.bleu)}"
        drawn += drawing.ngrams_table(ngrams_of(scored))
    else:
        best, why = scored.rouge[measure]["chosen"], "best match"
        calculation = rouge_calculation(scored, measure)
        marks, drawn = _marks_of_pairs(scored, measure)
    said = {"marks": _SAME, "dotted": "", **_SAID[measure.partition("-")[0]]}
    legend, reason = said["marks"], said["dotted"]
    # Words that count, and may be there more often.
    used = {scored.prediction[one.start : one.end].casefold() for one in marks[0] if reason}
    body = ""
    shown = zip([scored.prediction, *scored.references], marks, strict=True)
    for number, (text, of_text) in enumerate(shown):
        is_used = number == 0 or (measure != "bleu" and number == (best or 0) + 1)
        label = f"Reference {number}" if is_several else "Reference"
        if is_several and number - 1 == best:
            label += f' <span class="best">{why}</span>'
        body += (
            f'<h3>{label if number else "Prediction"}</h3><p class="words" dir="auto">'
            f"{marked_html(text, of_text, used if is_used else (), reason)}</p>"
        )
    if not any(marks):
        legend = "No matches."
    if 'class="used"' in body:
        legend += f" Dotted line: {reason}."
    words = (
        f'<p class="calculation">{html.escape(calculation)}</p>{body}'
        f'<p class="legend">{html.escape(legend)}</p>'
    )
    return words, drawn


def answer(
    prediction: str, references: list[str], second: str, settings: Settings, measure: str
) -> tuple[list[str], list[str], str]:
    """Return scores, words, drawings and notes as HTML, the measures, and the one that is shown."""
    scored = score_texts(prediction, references, settings)
    other = score_texts(second, references, settings) if second.strip() else None
    names = list(scored.scores)
    measure = measure if measure in names else names[0]
    words, drawn = explained(scored, measure)
    if other:
        words += f"<section><h3>Second prediction</h3>{explained(other, measure)[0]}</section>"
    tiles = scoring.tiles_html(scored, measure, other)
    spoken = ". Second prediction: ".join(
        ", ".join(f"{shown_name(name)} {percent(score)}" for name, score in one.scores.items())
        for one in filter(None, (scored, other))
    )
    notes = "".join(scoring.message_html(one, "warning") for one in scoring.notes(scored))
    return [tiles, words, drawn, spoken, notes], names, measure


def compared(
    prediction: str, references: list[str], settings: Settings
) -> tuple[list[dict[str, Any]], dict[str, float], list[str]]:
    """Return the packages with their scores, the scores of the page, and its signatures."""
    scored = score_texts(prediction, references, settings)
    rows = scoring.compare_packages(prediction, references)
    return rows, scored.scores, scoring.signatures(scored)


def words_of_row(row: Sequence[Any], measure: str, second: str, settings: Settings) -> str:
    """Return the words of a row of the file tab, of one or two systems."""
    number, *cells, others = row
    texts = [one for one in cells if isinstance(one, str)]
    shown = ""
    for label, text in zip(("", f", {html.escape(second)}"), texts, strict=False):
        scored = score_texts(text, scoring.split_references(str(others)), settings)
        score = f"{shown_name(measure)} {percent(scored.scores.get(measure))}"
        shown += f"<section><h3>Row {int(number)}{label}: {score}</h3>"
        shown += f"{''.join(explained(scored, measure))}</section>"
    return shown


def ngrams_of(scored: Scored) -> list[tuple[int, str, int, int, int]]:
    """Return the n-grams that a reference has: order, words, and how often they are in the
    prediction, in the reference that has them most often, and counted.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = bleu_options(scored.settings)
        given = scored.prediction, scored.references
        prediction, *references = _WORDS.explain("explain_bleu", {}, *given, **options)["texts"]
    rows: list[tuple[int, str, int, int, int]] = []
    for one in scored.bleu["orders"]:
        order, best = one["order"], scored.best("bleu")[0]
        predicted = Counter(ngrams(prediction, order))
        counts = [Counter(ngrams(text, order)) for text in references]
        for of_references in (counts, [counts[best]]):  # all, or only the best
            most = {ngram: max(of_text[ngram] for of_text in of_references) for ngram in predicted}
            found = [
                (order, ngram if order == 1 else " ".join(ngram), n, limit, min(n, limit))
                for ngram, n in predicted.items()
                if (limit := most[ngram])
            ]
            if sum(row[-1] for row in found) == one["matches"]:
                break
        else:  # this preset counts in another way
            continue
        rows += found
    return rows


def _marks_of_pairs(scored: Scored, measure: str) -> tuple[list[list[Mark]], str]:
    """Return the marks of all texts, with runs in the prediction and the best reference, and
    what `drawings` returns of these two.
    """
    one, (best, name) = scored.rouge[measure], scored.best(measure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `explain_rouge` gave them
        options = {"rouge_types": [measure], **rouge_options(scored.settings)}
        sides = scored.prediction, scored.references
        tokens = _TOKENS.explain("explain_rouge", {}, *sides, **options)[measure]
    spans = [one["references"][best]["prediction_spans"]]
    spans += [other["reference_spans"] for other in one["references"]]
    texts = scored.prediction, *scored.references
    compared = list(map(side_of, texts, tokens, spans))
    left, right = compared[0], compared[1 + best]
    linked = links(left, right)
    is_path = measure.startswith(("rougeL", "rougeW"))
    drawn = drawing.drawings(left, right, linked, name, is_path)
    for one in linked if not measure.startswith("rougeS") else ():  # its pairs are no runs
        words = left.words[one.left], right.words[one.right]
        differ = words[0].casefold() != words[1].casefold()
        titles = [f"matches “{word}”" if differ else "" for word in words]
        for marks, place, title in (
            (left.marks, one.left, titles[1]),
            (right.marks, one.right, titles[0]),
        ):
            marks[place] = replace(marks[place], number=one.run, title=title)
    return [list(side.marks.values()) for side in compared], drawn


def _marks_of_ngrams(scored: Scored) -> list[list[Mark]]:
    """Return the marks of tokens with their longest n-grams; those of single words stay apart."""
    all_marks = []
    for side, text in enumerate([scored.prediction, *scored.references]):
        longest: dict[Span, int] = {}
        for one in scored.bleu["orders"]:
            spans = [one["prediction_spans"], *one["reference_spans"]][side]
            longest |= dict.fromkeys(known_spans(spans), one["order"])
        marks, end = [], 0
        for span, number in sorted(longest.items()):
            follows = number > 1 and not _has_word(text[end : span[0]])
            marks.append(Mark(*span, number, follows=follows))
            end = span[1]
        all_marks.append(marks)
    return all_marks
