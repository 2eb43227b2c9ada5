"""What a search for settings found, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rouge_bleu_tools.page.shared.looks.html_parts import escaped, folded, note

_EVIDENCE = (
    "This is evidence and no proof: settings that were not tried may give the same "
    "numbers. More numbers, and more digits, tell more settings apart."
)
_SEEDS = (
    "The average of evaluate's rouge depends on a seed; 0 and 42 were tried. With another "
    "seed these may give the numbers too, which is weaker evidence:"
)


def settings_view(found: Mapping[str, Any]) -> str:
    """Return the groups of settings, the simplest first."""
    n_rows = found["n_rows"]
    parts = [
        note(
            f"{found['n_settings']:,} settings tried on {n_rows:,} "
            f"{'row' if n_rows == 1 else 'rows'}: {found['n_distinct']:,} different "
            f"{'result' if found['n_distinct'] == 1 else 'results'}."
        )
    ]
    matches = found["matches"]
    if matches:
        sentence = "These give all of the numbers:"
        if matches[0]["is_cut"]:
            sentence = "These give the numbers where digits are cut off, not rounded:"
        parts += [_heading(sentence), _groups(found, matches)]
        if found["n_groups"] > len(matches):
            parts.append(note(f"{found['n_groups'] - len(matches)} more groups do too."))
    else:
        parts += [note(f"{found['note']}.")] if found["note"] else []
        parts += [
            _heading("No setting gives all of the numbers. The nearest ones:"),
            _groups(found, found["nearest"]),
        ]
    if found["of_other_seeds"]:
        parts += [note(_SEEDS), _groups(found, found["of_other_seeds"])]
    return "".join([*parts, note(_EVIDENCE)])


def _heading(text: str) -> str:
    return f'<p class="page-heading">{escaped(text)}</p>'


def _groups(found: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> str:
    rows = "".join(_row(found, group) for group in groups)
    return (
        '<div class="page-scroll" tabindex="0" role="region" aria-label="Settings">'
        '<table class="page-table page-settings"><thead><tr><th scope="col">Setting</th>'
        '<th scope="col">Gives</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(found: Mapping[str, Any], group: Mapping[str, Any]) -> str:
    decimals = 4 if group["scale"] == 100 else 6
    scores = ", ".join(
        f"{name} {score * group['scale']:.{decimals}f}" for name, score in group["scores"].items()
    )
    others = ""
    if group["others"]:
        n_more = group["n_others"] - len(group["others"])
        texts = [*group["others"], *([f"{n_more} more"] if n_more else [])]
        listed = "".join(f"<li>{escaped(text)}</li>" for text in texts)
        others = folded(
            f"{group['n_others']} more with the same numbers",
            f'<ul class="page-steps">{listed}</ul>',
        )
    output = f" ({group['output']})" if group["output"] not in (None, "fmeasure") else ""
    return (
        f'<tr><td class="text"><strong>{escaped(group["words"] + output)}</strong>'
        f'<div class="page-label">Call</div><div class="page-code">{escaped(group["code"])}'
        '</div><div class="page-label">Signature</div>'
        f'<div class="page-code">{escaped(group["signature"])}</div>{others}</td>'
        f'<td class="number">{escaped(scores)}</td></tr>'
    )
