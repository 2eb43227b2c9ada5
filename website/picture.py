"""Draws docs/result.svg, the picture in README.md, by `make picture`.

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
# A prediction and a reference whose scores differ, in lines that a phone shows.
PREDICTION = ("It stays shut for eleven weeks. On", "Monday the storm closed the bridge.")
REFERENCE = ("The storm closed the bridge on Monday.", "It will stay shut for eleven weeks.")
SYSTEMS = ("baseline", "similar", "better")

WIDTH, HEIGHT = 390, 436
LETTER = 9  # the width of a letter; `textLength` holds every font to it
LEFT, SCALE_LEFT, SCALE_RIGHT = 16, 150, 330

STYLE = """
svg { color-scheme: light dark }
text { font: 15px system-ui, sans-serif; fill: #1f2328 }
.code { font: 15px ui-monospace, monospace }
.small { font-size: 13px; fill: #59636e }
.score { font-size: 21px; font-weight: 600 }
.ground { fill: #fff; stroke: #d1d9e0 } .mark { fill: #cfe6ff }
.line { stroke: #8c959f } .dot { fill: #0550ae }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .small { fill: #9198a1 }
  .ground { fill: #0d1117; stroke: #3d444d } .mark { fill: #1f4b8f }
  .line { stroke: #656c76 } .dot { fill: #4493f8 }
}
"""


def main():
    PICTURE.write_text(picture(), encoding="utf-8")
    return 0


def picture():
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">',
        f"<style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" class="ground"/>',
        *texts(),
        *scores(),
        f'<path d="M16 278H{WIDTH - 16}" class="ground"/>',
        *systems(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def text(x, y, content, kind="", more=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" {more}>{escape(content)}</text>'


# --- two texts and their scores -----------------------------------------------------


def texts():
    explained = rouge_bleu.explain_rouge(
        "\n".join(PREDICTION), "\n".join(REFERENCE), rouge_types=["rouge2"]
    )
    pair = explained["rouge2"]["references"][0]
    return [
        *marked(30, "prediction", PREDICTION, pair["prediction_spans"]),
        *marked(116, "reference", REFERENCE, pair["reference_spans"]),
    ]


def marked(y, name, lines, spans):
    """Return a text in lines, with a mark behind each span."""
    parts, start_of_line = [text(LEFT, y, name, "small")], 0
    for number, line in enumerate(lines, start=1):
        top = y + 26 * number
        for start, end in spans:
            place = start - start_of_line
            if 0 <= place < len(line):
                x, width = LEFT + place * LETTER, (end - start) * LETTER
                parts.append(
                    f'<rect x="{x - 2:g}" y="{top - 17}" width="{width + 4:g}" height="23" rx="4"'
                    ' class="mark"/>'
                )
        length = f'textLength="{len(line) * LETTER:g}" xml:space="preserve"'
        parts.append(text(LEFT, top, line, "code", length))
        start_of_line += len(line) + 1
    return parts


def scores():
    given = {"predictions": ["\n".join(PREDICTION)], "references": ["\n".join(REFERENCE)]}
    rouge = rouge_bleu.rouge(**given, rouge_types=["rouge1", "rouge2", "rougeL"])
    bleu = rouge_bleu.bleu(**given)["bleu"]
    parts = [text(LEFT, 204, "Marked: words of matching bigrams", "small")]
    for column, (name, score) in enumerate({**rouge, "BLEU": bleu}.items()):
        x, shown = LEFT + 92 * column, name.replace("rouge", "ROUGE-")
        parts += [text(x, 234, shown, "small"), text(x, 259, f"{100 * score:.1f}", "score")]
    return parts


# --- systems ------------------------------------------------------------------------


def systems():
    folder = ROOT / "examples" / "systems"
    lines = {
        name: (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("references", *SYSTEMS)
    }
    parts = [
        text(LEFT, 306, "ROUGE-2 of three systems, 95 % intervals", "small"),
        text(SCALE_RIGHT, 306, "p-value", "small"),
    ]
    for row, name in enumerate(SYSTEMS):
        result = rouge_bleu.rouge(
            lines[name],
            lines["references"],
            rouge_types=["rouge2"],
            baseline_predictions=lines[SYSTEMS[0]],
            confidence_level=0.95,
        )
        parts += drawn_system(336 + 36 * row, name, result)
    return parts


def drawn_system(y, name, result):
    low, score, high = (100 * result[f"rouge2{end}"] for end in ("_low", "", "_high"))
    p_value = f"{result['rouge2_p_value']:.3f}" if name != SYSTEMS[0] else "–"
    x_low, x, x_high = map(place, (low, score, high))
    return [
        text(LEFT, y + 5, name),
        text(LEFT + 84, y + 5, f"{score:.1f}", "", 'font-weight="600"'),
        f'<path d="M{x_low:.1f} {y}H{x_high:.1f}" class="line" stroke-width="4"/>',
        f'<circle cx="{x:.1f}" cy="{y}" r="6" class="dot"/>',
        text(SCALE_RIGHT + 8, y + 5, p_value),
    ]


def place(score):
    """Return where a score between 55 and 85 is drawn."""
    return SCALE_LEFT + (score - 55) / 30 * (SCALE_RIGHT - SCALE_LEFT)


if __name__ == "__main__":
    sys.exit(main())
