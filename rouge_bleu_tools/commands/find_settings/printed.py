"""What a search for settings found, as a page and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from rouge_bleu_tools.commands.find_settings.candidates import Setting
from rouge_bleu_tools.commands.find_settings.reported import Reported, note_on_scales
from rouge_bleu_tools.commands.find_settings.search import CUT, Findings, Found, measured

WIDTH = 100
_N_EQUAL = 6  # other settings with the same numbers that are shown by name
_VARIABLES = {"rouge_full": "rouge", "bleu_full": "bleu"}

_EVIDENCE = (
    "Agreement is evidence and no proof: settings that were not tried may give the same "
    "numbers, and more numbers, or more of their digits, tell more settings apart."
)


def code_of(metric: str, setting: Setting, reported: Sequence[Reported]) -> str:
    """Return the call of `compute` that gives the scores, to be pasted."""
    variable = _VARIABLES[metric]
    arguments = ["predictions=predictions", "references=references"]
    arguments += _arguments(measured(setting, reported), setting.code)
    return f"{variable}.compute({', '.join(arguments)})"


def _arguments(options: Mapping[str, Any], code: Mapping[str, str]) -> list[str]:
    return [f"{name}={code.get(name) or json_like(value)}" for name, value in options.items()]


def json_like(value: Any) -> str:
    """Return a literal of Python, with strings as people write them."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(json_like, value))}]"
    if isinstance(value, dict):
        items = (f"{json_like(key)}: {json_like(one)}" for key, one in value.items())
        return f"{{{', '.join(items)}}}"
    return repr(value)


def in_words(setting: Setting) -> str:
    """Return a setting as short as it can be said."""
    parts = _arguments(setting.options, setting.code) or ["without options"]
    parts += [
        f"{name} is {meant}"
        for name, meant in setting.type_of_name.items()
        if name.partition("_")[0] != meant
    ]
    return ", ".join(parts)


# --- the page -------------------------------------------------------------------------


def page(findings: Findings, title: str, n_shown: int) -> str:
    """Return what the script prints; `n_shown` groups of matches, 0 for all."""
    reported = ", ".join(f"{one.name}={one.text}" for one in findings.reported)
    parts = [
        f"{title}; reported: {reported}",
        _filled(
            f"{findings.n_settings:,} settings tried; {findings.n_distinct:,} different "
            f"{'result' if findings.n_distinct == 1 else 'results'} on this file."
        ),
    ]
    if findings.matches:
        parts += _page_of_matches(findings, n_shown)
    else:
        if note := note_on_scales(findings.reported):
            parts.append(_filled(f"{note}."))
        parts.append("None of them gives all reported numbers. The nearest ones:")
        parts += [_block(findings, one, number) for number, one in _numbered(findings.nearest)]
    if findings.of_other_seeds:
        parts.append(_note_on_seeds(findings))
    parts.append(_filled(_EVIDENCE))
    return "\n\n".join(parts)


def _page_of_matches(findings: Findings, n_shown: int) -> list[str]:
    shown = findings.matches[: n_shown or None]
    n_settings = sum(len(one.settings) for one in findings.matches)
    verb = "gives" if n_settings == 1 else "give"
    sentence = f"{n_settings:,} of them {verb} all reported numbers"
    if n_settings > 1:
        n_groups = len(findings.matches)
        sentence += (
            ", the same ones on this file"
            if n_groups == 1
            else f", in {n_groups} groups of the same numbers on this file"
        )
    if findings.matches[0].agreement == CUT:
        sentence += ", but only where further digits are cut off instead of rounded"
    parts = [_filled(sentence + ":")]
    parts += [_block(findings, one, number) for number, one in _numbered(shown)]
    if len(shown) < len(findings.matches):
        n_more = len(findings.matches) - len(shown)
        parts.append(f"{n_more} more groups give them too: --show 0 shows all.")
    return parts


def _numbered(found: Sequence[Found]) -> list[tuple[int, Found]]:
    return list(enumerate(found, start=1))


def _block(findings: Findings, found: Found, number: int) -> str:
    first, *others = found.settings
    what = first.output if any(not one.output for one in findings.reported) else None
    scores = ", ".join(
        f"{name} {score * found.scale:.{_n_decimals(found)}f}"
        for name, score in found.score_of_name.items()
    )
    facts = [what or "", "times 100" if found.scale == 100 else ""]
    lines = [f"{number}. {in_words(first)}"]
    heading = " ".join(fact for fact in facts if fact)
    lines.append(f"   {heading + ': ' if heading else ''}{scores}")
    if found.agreement is None:
        lines.append(f"   at most {found.distance:.3g} from the reported numbers")
    lines.append(f"   {code_of(findings.metric, first, findings.reported)}")
    lines.append(f"   {found.signatures[0]}")
    if others:
        lines.append(_equal_ones(first, others))
    return "\n".join(lines)


def _n_decimals(found: Found) -> int:
    return 4 if found.scale == 100 else 6


def _equal_ones(first: Setting, others: Sequence[Setting]) -> str:
    """Return the line of other settings with the same numbers, one of each preset."""
    named: dict[Any, Setting] = {}
    for setting in [first, *others]:
        named.setdefault(setting.options.get("preset"), setting)
    shown = [one for one in named.values() if one is not first][:_N_EQUAL]
    if len(others) - len(shown) == 1:  # one alone is named, and not counted
        shown.append(next(one for one in others if one not in shown))
    n_more = len(others) - len(shown)
    words = [in_words(one) for one in shown]
    if n_more:
        kind = "more" if shown else "others"
        words.append(f"{n_more} {kind} (--json has all)")
    return _filled("The same numbers: " + "; ".join(words) + ".", indent="   ")


def _note_on_seeds(findings: Findings) -> str:
    names = [in_words(one.settings[0]) for one in findings.of_other_seeds]
    listed = "; ".join(name.replace(", seed=0", "") for name in names)
    return _filled(
        "The average of evaluate's rouge depends on a seed, of which 0 and 42 were tried. "
        f"With another one it may be this, which is weaker evidence: {listed}."
    )


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


# --- JSON -----------------------------------------------------------------------------


def json_text(findings: Findings) -> str:
    """Return all that was found, every setting with its signature and its code."""
    content = {
        "metric": findings.metric,
        "reported": {one.name: one.text for one in findings.reported},
        "n_settings": findings.n_settings,
        "n_distinct": findings.n_distinct,
        "matches": [_entry(findings, one) for one in findings.matches],
        "of_other_seeds": [_entry(findings, one) for one in findings.of_other_seeds],
        "nearest": [_entry(findings, one) for one in findings.nearest],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _entry(findings: Findings, found: Found) -> dict[str, Any]:
    pairs = zip(found.settings, found.signatures, strict=True)
    return {
        "scores": found.score_of_name,
        "scale": found.scale,
        "distance": found.distance,
        "agreement": found.agreement,
        "settings": [
            {
                "output": setting.output,
                "signature": signature,
                "code": code_of(findings.metric, setting, findings.reported),
            }
            for setting, signature in pairs
        ],
    }
