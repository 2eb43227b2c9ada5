"""Draws docs/result.svg, the picture in README.md, by `python website/picture.py`.

Above are two texts, the words that ROUGE-1 matches in them, and their scores; below are
three systems with 95 % intervals, and p-values of the differences to the first.
"""

import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import rouge_bleu

PICTURE = ROOT / "docs" / "result.svg"
PREDICTION = "The bridge closes on Monday for 11 weeks."
REFERENCE = "The bridge will close on Monday for about 11 weeks."
SYSTEMS = ("baseline", "similar", "better")

WIDTH, HEIGHT = 760, 312
LETTER = 9.6  # the width of a letter; `textLength` holds every font to it
LEFT, SCALE_LEFT, SCALE_RIGHT = 130, 240, 570
INK, GREY, BLUE, MARK = "#1f2328", "#59636e", "#0550ae", "#cfe6ff"

STYLE = f"""
text {{ font: 15px system-ui, sans-serif; fill: {INK} }}
.code {{ font: 16px ui-monospace, monospace }}
.small {{ font-size: 13px; fill: {GREY} }}
.score {{ font-size: 22px; font-weight: 600 }}
"""


def main():
    PICTURE.write_text(picture(), encoding="utf-8")
    return 0


def picture():
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">',
        f"<style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"'
        ' fill="#fff" stroke="#d1d9e0"/>',
        *texts(),
        *scores(),
        f'<path d="M24 164H{WIDTH - 24}" stroke="#d1d9e0"/>',
        *systems(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def text(x, y, content, kind="", more=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" {more}>{escape(content)}</text>'


# --- two texts and their scores -----------------------------------------------------


def texts():
    explained = rouge_bleu.explain_rouge(PREDICTION, REFERENCE, rouge_types=["rouge1"])
    pair = explained["rouge1"]["references"][0]
    return [
        *marked(44, "prediction", PREDICTION, pair["prediction_spans"]),
        *marked(78, "reference", REFERENCE, pair["reference_spans"]),
    ]


def marked(y, name, content, spans):
    """Return a text, with a mark behind each span."""
    parts = [text(24, y, name, "small")]
    for start, end in spans:
        x, width = LEFT + start * LETTER, (end - start) * LETTER
        parts.append(
            f'<rect x="{x - 2:g}" y="{y - 17}" width="{width + 4:g}" height="24" rx="4" fill="{MARK}"/>'
        )
    length = f'textLength="{len(content) * LETTER:g}" xml:space="preserve"'
    return [*parts, text(LEFT, y, content, "code", length)]


def scores():
    given = {"predictions": [PREDICTION], "references": [REFERENCE]}
    rouge = rouge_bleu.rouge(**given, rouge_types=["rouge1", "rouge2", "rougeL"])
    bleu = rouge_bleu.bleu(**given, smoothing="exp")["bleu"]
    shown = dict(zip(("ROUGE-1", "ROUGE-2", "ROUGE-L"), rouge.values(), strict=True))
    parts = []
    for column, (name, score) in enumerate({**shown, "BLEU, smoothed": bleu}.items()):
        x = LEFT + 140 * column
        parts += [text(x, 120, name, "small"), text(x, 146, f"{100 * score:.1f}", "score")]
    return parts


# --- systems ------------------------------------------------------------------------


def systems():
    folder = ROOT / "examples" / "systems"
    lines = {
        name: (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("references", *SYSTEMS)
    }
    parts = [
        text(24, 190, "ROUGE-2 of three systems", "small"),
        text(SCALE_RIGHT + 40, 190, "p-value", "small"),
    ]
    for row, name in enumerate(SYSTEMS):
        result = rouge_bleu.rouge(
            lines[name],
            lines["references"],
            rouge_types=["rouge2"],
            baseline_predictions=lines[SYSTEMS[0]],
            confidence_level=0.95,
        )
        parts += drawn_system(220 + 32 * row, name, result)
    return parts


def drawn_system(y, name, result):
    low, score, high = (100 * result[f"rouge2{end}"] for end in ("_low", "", "_high"))
    p_value = f"{result['rouge2_p_value']:.3f}" if name != SYSTEMS[0] else "–"
    x_low, x, x_high = map(place, (low, score, high))
    return [
        text(24, y + 5, name),
        text(LEFT, y + 5, f"{score:.1f}", "", 'font-weight="600"'),
        f'<path d="M{x_low:.1f} {y}H{x_high:.1f}" stroke="#8c959f" stroke-width="4"/>',
        f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{BLUE}"/>',
        text(x_high + 10, y + 5, f"[{low:.1f}, {high:.1f}]", "small"),
        text(SCALE_RIGHT + 40, y + 5, p_value),
    ]


def place(score):
    """Return where a score between 55 and 100 stands."""
    return SCALE_LEFT + (score - 55) / 45 * (SCALE_RIGHT - SCALE_LEFT)


if __name__ == "__main__":
    sys.exit(main())
