"""Draws docs/result.svg, the picture in README.md: `python website/picture.py`."""

from html import escape
from pathlib import Path

import rouge_bleu

ROOT = Path(__file__).resolve().parent.parent
PREDICTION = ("It stays shut for eleven weeks. On", "Monday the storm closed the bridge.")
REFERENCE = ("The storm closed the bridge on Monday.", "It will stay shut for eleven weeks.")
RUNS = ([0] * 4 + [1] * 2 + [2] * 5, [2] * 5 + [1] * 2 + [0] * 4)  # of their matching words
WIDTH, HEIGHT, LEFT, LETTER = 390, 452, 16, 9  # `textLength` holds every font to this width

STYLE = """
svg { color-scheme: light dark }
text { font: 15px system-ui, sans-serif; fill: #1f2328 }
.code { font: 15px ui-monospace, monospace }
.small { font-size: 13px; fill: #59636e } .score { font-size: 21px; font-weight: 600 }
.ground { fill: #fff; stroke: #d1d9e0 }
.run0 { fill: #cfe6ff } .run1 { fill: #ffe2b8 } .run2 { fill: #cdf0d3 }
.line { stroke: #8c959f } .dot { fill: #0550ae }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .small { fill: #9198a1 }
  .ground { fill: #0d1117; stroke: #3d444d }
  .run0 { fill: #1f4b8f } .run1 { fill: #7a4a00 } .run2 { fill: #1c5e30 }
  .line { stroke: #656c76 } .dot { fill: #4493f8 }
}
"""


def text(x, y, content, kind="", more=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" {more}>{escape(content)}</text>'


def marked(y, name, lines, spans, runs):
    """Yield a text in lines, with the color of its run behind each word."""
    yield text(LEFT, y, name, "small")
    first = 0
    for top, line in zip((y + 26, y + 52), lines, strict=True):
        for (start, end), run in zip(spans, runs, strict=True):
            if 0 <= start - first < len(line):
                x, width = LEFT + (start - first) * LETTER - 2, (end - start) * LETTER + 4
                where = f'x="{x}" y="{top - 17}" width="{width}" height="23" rx="4"'
                yield f'<rect {where} class="run{run}"/>'
        size = f'textLength="{len(line) * LETTER:g}" xml:space="preserve"'
        yield text(LEFT, top, line, "code", size)
        first += len(line) + 1


def scores(prediction, reference):
    rouge = rouge_bleu.rouge([prediction], [reference], rouge_types=["rouge1", "rouge2", "rougeL"])
    bleu = rouge_bleu.bleu([prediction], [reference])["bleu"]
    yield text(LEFT, 204, "Same color: the same words in the same order", "small")
    for column, (name, score) in enumerate({**rouge, "BLEU": bleu}.items()):
        x = LEFT + 92 * column
        yield text(x, 234, name.replace("rouge", "ROUGE-"), "small")
        yield text(x, 259, f"{100 * score:.1f}", "score")


def systems():
    yield text(LEFT, 306, "ROUGE-2 of three systems, 95 % intervals", "small")
    yield text(330, 306, "p-value", "small")
    baseline, similar, better, references = (
        (ROOT / "examples" / "systems" / f"{name}.txt").read_text("utf-8").splitlines()
        for name in ("baseline", "similar", "better", "references")
    )
    left, width = 150 - 55 * 6, 6  # from 55 to 85
    for score in (55, 65, 75, 85):
        yield f'<path d="M{left + score * width} 320V424" class="ground"/>'
        yield text(left + score * width, 440, str(score), "small", 'text-anchor="middle"')
    options = {"rouge_types": ["rouge2"], "confidence_level": 0.95}
    rows = ((336, "baseline", baseline), (372, "similar", similar), (408, "better", better))
    for y, name, lines in rows:
        result = rouge_bleu.rouge(lines, references, baseline_predictions=baseline, **options)
        ends = [100 * result[f"rouge2{end}"] for end in ("_low", "", "_high")]
        low, x, high = (left + score * width for score in ends)
        yield text(LEFT, y + 5, name)
        yield text(LEFT + 84, y + 5, f"{ends[1]:.1f}", "", 'font-weight="600"')
        yield f'<path d="M{low:.1f} {y}H{high:.1f}" class="line" stroke-width="4"/>'
        yield f'<circle cx="{x:.1f}" cy="{y}" r="6" class="dot"/>'
        yield text(338, y + 5, "–" if name == "baseline" else f"{result['rouge2_p_value']:.3f}")


def picture():
    given = ["\n".join(PREDICTION), "\n".join(REFERENCE)]
    pair = rouge_bleu.explain_rouge(*given, rouge_types=["rouge2"])["rouge2"]["references"][0]
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">'
    yield f"<style>{STYLE}</style>"
    yield f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" class="ground"/>'
    spans = pair["prediction_spans"], pair["reference_spans"]
    yield from marked(30, "prediction", PREDICTION, spans[0], RUNS[0])
    yield from marked(116, "reference", REFERENCE, spans[1], RUNS[1])
    yield from scores(*given)
    yield f'<path d="M16 278H{WIDTH - 16}" class="ground"/>'
    yield from systems()
    yield "</svg>\n"


if __name__ == "__main__":
    (ROOT / "docs" / "result.svg").write_text("\n".join(picture()), encoding="utf-8")
