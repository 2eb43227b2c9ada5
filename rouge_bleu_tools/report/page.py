"""The sections of a report, in the order of a reader's questions."""

from __future__ import annotations

import base64
import hashlib
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rouge_bleu.analysis import MIN_EXAMPLES_OF_INTERVAL

from .charts import Bar, escaped, figure, histogram, intervals, percent, table
from .examples import MOST_BYTES, articles, main_key

_NAMES_OF_BUCKETS = {
    "reference_length": "Length of the reference, in tokens",
    "length_ratio": "Length of predictions / reference",
    "mean_score": "Mean score of both systems",
    "n_references": "Number of references",
}
_KINDS = ("better", "equal", "worse")  # of examples
_MOST_LINKS = 5  # of an n-gram

Part = Mapping[str, Any]  # of a system: "system", "baseline", "analyses" by metric, "findings"


def report(parts: Sequence[Part], *, command: str, level: float = 0.05) -> str:
    """Return the report of one or more systems, each compared with the baseline, as HTML.

    Args:
        parts: for each system "system" and "baseline", names, "analyses", what `analyze` returns by
            metric, "note", a sentence about the scores, and "findings", what `check` returns.
        command: what makes the report again.
        level: p-values below it are significant.
    """
    folder = Path(__file__).parent
    style, script = ((folder / name).read_text("utf-8") for name in ("report.css", "report.js"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    names = ", ".join(part["system"] for part in parts)
    baseline = parts[0]["baseline"]
    title = escaped(f"{names} compared with {baseline}" if baseline else f"Scores of {names}")
    body, most_bytes = [], MOST_BYTES // len(parts)
    for number, part in enumerate(parts, start=1):
        prefix = f"{number}-" if len(parts) > 1 else ""
        if len(parts) > 1:
            body.append(f"<h1>{escaped(part['system'])}</h1>")
        body.append(_sections(part, prefix, level, most_bytes))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head><body><main>"
        f"{f'<p>{title}</p>' if len(parts) > 1 else f'<h1>{title}</h1>'}{''.join(body)}"
        f"{_settings(parts, command)}</main><script>{script}</script></body></html>\n"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _sections(part: Part, prefix: str, level: float, most_bytes: int) -> str:
    shown, n_examples = articles(part, f"example-{prefix}", most_bytes)
    of_examples = "Differences per example" if part["baseline"] else "Scores of examples"
    sections = {
        "scores": ("Scores", _scores(part, level)),
        "differences": (of_examples, _differences(part)),
        "buckets": ("Kinds of examples", _buckets(part)),
        "ngrams": ("N-grams", _ngrams(part, prefix, shown)),
        "words": ("Words by frequency", _frequencies(part)),
        "examples": ("Examples", _examples(part, shown, n_examples, prefix)),
        "checks": ("Checks of the texts", _findings(part)),
    }
    links = body = ""
    for name, (title, content) in sections.items():
        if content:
            links += f'<li><a href="#{name}-{prefix}">{title}</a></li>'
            body += f'<section><h2 id="{name}-{prefix}">{title}</h2>{content}</section>'
    label = f"Sections of {escaped(part['system'])}"
    return f'<nav aria-label="{label}"><ul>{links}</ul></nav>{body}'


def _keys(analysis: Mapping[str, Any]) -> list[str]:
    return [row["score"] for row in analysis["differences"]]


def _systems(part: Part) -> list[tuple[str, str, str]]:
    """Return the class, the end of keys and the name, as HTML, of the systems, the baseline first."""
    new = ("new", "", escaped(part["system"]))
    return [("base", "_baseline", escaped(part["baseline"])), new] if part["baseline"] else [new]


def _legend(part: Part) -> str:
    dots = {
        "new": '<circle class="new" cx="12" cy="6" r="4"/>',
        "base": '<rect class="base" x="8.5" y="2.5" width="7" height="7"/>',
    }
    return "".join(
        f'<span class="key"><svg viewBox="0 0 24 12" aria-hidden="true"><path class="{kind}" '
        f'd="M0 6H24"/>{dots[kind]}</svg>{name}</span>'
        for kind, _, name in _systems(part)
    )


def _interval(row: Mapping[str, Any], key: str, sign: str = "") -> str:
    if f"{key}_low" not in row:
        return percent(row[key], sign)
    bounds = [percent(row[f"{key}_{end}"], sign) for end in ("low", "high")]
    return f"{percent(row[key], sign)} <small>[{bounds[0]}, {bounds[1]}]</small>"


# --- scores and differences -----------------------------------------------------------


def _verdict(scores: Mapping[str, Any], key: str, level: float) -> str:
    if not scores[f"{key}_p_value"] < level:
        return "not clearly different"
    return "better" if scores[f"{key}_delta"] > 0 else "worse"


def _answer(part: Part, level: float) -> str:
    """Return a sentence about two systems by their main score, with a clause for other scores."""
    main, base = main_key(part["analyses"]), part["baseline"]
    others: dict[str, list[str]] = {}
    for analysis in part["analyses"].values():
        for key in _keys(analysis):
            others.setdefault(_verdict(analysis["scores"], key, level), []).append(key)
    analysis = next(iter(part["analyses"].values()))
    scores, row = analysis["scores"], analysis["differences"][_keys(analysis).index(main)]
    verdict, p = _verdict(scores, main, level), scores[f"{main}_p_value"]
    others[verdict].remove(main)
    size = [percent(scores[f"{main}_delta"], "+")]
    size += [percent(scores.get(f"{main}_delta_{end}"), "+") for end in ("low", "high")]
    n = max(row["n_examples"], 1)
    of_examples = (100 * row[f"n_{kind}"] / n for kind in ("better", "worse"))
    words = (
        f"{part['system']} is {verdict}{' than' if p < level else ' from'} {base} in {main}: "
        "{} points, between {} and {}".format(*size)
        + f" ({f'p = {p:.3f}' if p >= 0.0005 else 'p < 0.0005'}); "
        + "higher on {:.0f}\u00a0% of the examples, lower on {:.0f}\u00a0%.".format(*of_examples)
    )
    listed = [f"{verdict} in {', '.join(keys)}" for verdict, keys in others.items() if keys]
    return f"{words} It is {'; '.join(listed)}." if listed else words


def _scores(part: Part, level: float) -> str:
    rows, systems, base = [], _systems(part), part["baseline"]
    for analysis in part["analyses"].values():
        scores = analysis["scores"]
        for key in _keys(analysis):
            cells = [escaped(key), *(_interval(scores, f"{key}{end}") for _, end, _ in systems)]
            if base:
                p = scores[f"{key}_p_value"]
                cells.append(_interval(scores, f"{key}_delta", "+"))
                cells.append(f"{p:.4f}{' *' if p < level else ''}")
            rows.append(cells)
    heads = ["score", *(name for *_, name in systems), *(["difference", "p"] if base else [])]
    caption = "Scores from 0 to 100 with confidence intervals"
    caption += f". *: p\u00a0below\u00a0{level:g}" if base else ""
    answer = f"<p>{escaped(_answer(part, level))}</p>" if base else ""
    note = f'<p class="quiet">{escaped(part["note"])}</p>' if part["note"] else ""
    return answer + table(caption, heads, rows) + note


def _differences(part: Part) -> str:
    figures = []
    for analysis in part["analyses"].values():
        for row in analysis["differences"]:
            key = escaped(row["score"])
            bounds = [min(max(one, -1.0), 1.0) for one in row["bounds"]]  # 0 is amid its bar
            counts = [f"{row[f'n_{kind}']:,} {kind}" for kind in _KINDS if f"n_{kind}" in row]
            title = f"{key}: {', '.join(counts)}" if counts else key
            sign = "+" if part["baseline"] else ""
            rows = [
                (f"{percent(low, sign)} to {percent(high, sign)}", f"{count:,}")
                for low, high, count in zip(bounds, bounds[1:], row["counts"], strict=False)
                if count
            ]
            numbers = table(f"Examples by {key}", ["from, to", "examples"], rows)
            figures.append(figure(title, histogram(title, bounds, row["counts"]), numbers))
    note = ""
    if part["baseline"]:
        note = (
            '<p class="quiet">How many examples have which difference. Right of the middle, '
            f"{escaped(part['system'])} is better; the gray bar is around 0.</p>"
        )
    return f'{note}<div class="columns">{"".join(figures)}</div>'


# --- buckets, n-grams, words ----------------------------------------------------------


def _range(row: Mapping[str, Any], scale: int = 1) -> str:
    """Return the bounds of a bucket or class."""
    low, high = row["low"], row["high"]
    if low is None:
        return "undefined"
    if high is None:
        return f"{scale * low:g} or more"
    if isinstance(low, int) and high == low + 1 and scale == 1:
        return f"{low}"
    return f"{scale * low:g} to &lt; {scale * high:g}"


def _figure_of_rows(
    part: Part,
    title: str,
    heads: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    drawn: str,
    scale: int = 1,
) -> str:
    """Return a chart of the score `drawn` of buckets or classes, and a table of all keys."""
    names = [escaped({"fmeasure": "F"}.get(key, key)) for key in keys]
    systems = _systems(part)
    heads = [*heads, *(f"{key} {system}" for key in names for _, _, system in systems)]
    cells = [
        [_range(row, scale), f"{row.get('n_examples', row.get('n_words')):,}"]
        + [_interval(row, f"{key}{end}") for key in keys for _, end, _ in systems]
        for row in rows
    ]
    bars: list[tuple[str, list[Bar]]] = []
    for row in rows:
        bars.append((_range(row, scale), []))
        for kind, end, _ in systems:
            key = f"{drawn}{end}"
            low, high = (row.get(f"{key}_{bound}", row[key]) for bound in ("low", "high"))
            bars[-1][1].append((kind, low, row[key], high))
    return figure(title, intervals(title, bars), table(title, heads, cells))


def _with_legend(part: Part, figures: Sequence[str], note: str = "") -> str:
    columns = f'<div class="columns">{"".join(figures)}</div>'
    return f'<p class="quiet">{_legend(part)}{note}</p>{columns}' if figures else ""


def _buckets(part: Part) -> str:
    figures, heads = [], ["bucket", "examples"]
    for analysis in part["analyses"].values():
        keys, main = _keys(analysis), main_key({"": analysis})
        for by, name in _NAMES_OF_BUCKETS.items():
            rows = [row for row in analysis["buckets"] if row["by"] == by]
            is_score = by == "mean_score"
            title = f"{escaped(main)} by: {name}{f' ({escaped(main)})' * is_score}"
            if len(rows) > 1:
                scale = 100 if is_score else 1
                figures.append(_figure_of_rows(part, title, heads, rows, keys, main, scale))
    note = (
        "A bucket of scores has examples with such scores; a point is the score of the whole bucket. "
        f"Buckets with fewer than {MIN_EXAMPLES_OF_INTERVAL} examples have no interval."
    )
    return _with_legend(part, figures, note)


def _frequencies(part: Part) -> str:
    figures, heads = [], ["frequency", "words"]
    keys = ("precision", "recall", "fmeasure")
    for metric, analysis in part["analyses"].items():
        rows = [row for row in analysis["frequencies"] if row["low"] > 0]
        title = f"{metric}: F of words by their frequency"
        if rows:
            figures.append(_figure_of_rows(part, title, heads, rows, keys, "fmeasure"))
    return _with_legend(part, figures)


def _ngrams(part: Part, prefix: str, shown: Mapping[int, str]) -> str:
    new, base = escaped(part["system"]), escaped(part["baseline"] or "")
    groups = [  # title, count, sign of its difference from the baseline
        (f"{new} matches more often", "matches", 1),
        (f"{base} matches more often", "matches", -1),
        (f"{new} has more often without a match", "unmatched", 1),
        (f"{base} has more often without a match", "unmatched", -1),
    ]
    if not base:
        groups = [("missed: only in the reference", "missed", 1)]
        groups += [("unmatched: only in the prediction", "unmatched", 1)]
    content = ""
    for metric, analysis in part["analyses"].items():
        unit = "BLEU" if metric.startswith("bleu") else "ROUGE-N"
        for order in dict.fromkeys(row["order"] for row in analysis["ngrams"]):
            tables = ""
            for title, kind, sign in groups:
                names = [name for name in (f"baseline_{kind}", kind) if base or name == kind]
                sizes = [
                    (sign * (row[kind] - (row[names[0]] if base else 0)), row)
                    for row in analysis["ngrams"]
                    if row["order"] == order
                ]
                found = [row for size, row in sorted(sizes, key=lambda one: -one[0]) if size > 0]
                heads = ["n-gram", *([base, new] if base else ["times"])]
                heads += [*["effect"] * (kind == "matches"), "examples"]
                cells = [
                    [
                        f'<span class="ngram" dir="auto">{escaped(" ".join(row["ngram"]))}</span>',
                        *(f"{row[name]:,}" for name in names),
                        _links(row, prefix, shown),
                    ]
                    for row in found
                ]
                if kind == "matches":  # only with a baseline
                    for cell, row in zip(cells, found, strict=True):
                        cell.insert(-1, f"{100 * row['effect']:+.2f}".replace("-", "−"))
                if found:
                    tables += table(f"{title} ({unit}, order {order})", heads, cells)
            name = f"{metric}: {('words', 'bigrams', 'trigrams', '4-grams')[order - 1]}"
            opened = " open" if order == 2 else ""
            columns = f'<div class="columns wide">{tables}</div>'
            content += f"<details{opened}><summary>{name}</summary>{columns}</details>"
    if not content:
        return ""
    effect = ""
    if base:
        effect = (
            " The effects of all n-grams of an order add up to the difference in ROUGE-N of that order. "
            "For BLEU, an effect is the score minus the score with the baseline's matches of the n-gram. "
            "Effects are in points."
        )
    return f'<p class="quiet">Counted as the scores count them.{effect}</p>{content}'


def _links(row: Mapping[str, Any], prefix: str, shown: Mapping[int, str]) -> str:
    numbers = [number for number in row["examples"] if number in shown][:_MOST_LINKS]
    links = [f'<a href="#example-{prefix}{number + 1}">{number + 1}</a>' for number in numbers]
    n_more = row["n_examples"] - len(links)
    return ", ".join(links) + (f" and {n_more:,} more" if n_more and links else "")


# --- examples, checks, settings -------------------------------------------------------


def _examples(part: Part, shown: Mapping[int, str], n_examples: int, prefix: str) -> str:
    note = f"Marked: words that match under {escaped(main_key(part['analyses']))}."
    if part["baseline"]:
        note += (
            f' In references, <mark class="new">only {escaped(part["system"])}</mark>, '
            f'<mark class="base">only {escaped(part["baseline"])}</mark> or <mark>both</mark> match.'
        )
    if len(shown) < n_examples:
        note += f" The {len(shown):,} most telling of {n_examples:,} examples."
    orders = {"lowest": "lowest scores", "file": "as in the file"}
    if part["baseline"]:
        orders = {"gain": "largest gains", "loss": "largest losses", **orders}
    options = "".join(f'<option value="{name}">{text}</option>' for name, text in orders.items())
    tools = (
        '<div class="tools" hidden><label>Filter by text <input type="search"></label>'
        f"<label>Order <select>{options}</select></label><output class='quiet'></output></div>"
    )
    return (
        f'<p class="quiet">{note}</p>{tools}<div class="examples">{"".join(shown.values())}</div>'
        '<button class="more" type="button" hidden>Show 100 more</button>'
    )


def _findings(part: Part) -> str:
    items = "".join(
        f"<li><b>{escaped(one['check'].replace('_', ' '))}</b> ({one['side']}, {one['n_examples']:,} "
        f"example{'s' * (one['n_examples'] > 1)}, first {one['first_example'] + 1}): "
        f"{escaped(one['message'])} <q dir='auto'>{escaped(one['text'])}</q></li>"
        for one in part["findings"]
    )
    return f"<ul>{items}</ul>" if items else ""


def _settings(parts: Sequence[Part], command: str) -> str:
    import numpy

    import rouge_bleu

    lines = [analysis["scores"]["signature"] for analysis in parts[0]["analyses"].values()]
    signatures = "".join(f"<pre><code>{escaped(str(line))}</code></pre>" for line in lines)
    versions = f"rouge_bleu {rouge_bleu.__version__}, numpy {numpy.__version__}"
    versions += f", Python {platform.python_version()}"
    return (
        f'<section><h2 id="settings">Settings</h2><p>Signatures:</p>{signatures}<p>This command makes '
        f"the report again:</p><pre><code>{escaped(command)}</code></pre>"
        f'<p class="quiet">{versions}</p></section>'
    )
