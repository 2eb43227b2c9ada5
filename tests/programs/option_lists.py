"""Writes the lists of docs/reference/options.md from the declarations of options, and the tables of
docs/reference/presets.md from presets: `python tests/programs/option_lists.py`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from rouge_bleu._bleu.options import BleuOptions  # noqa: E402
from rouge_bleu._rouge.options import RougeOptions  # noqa: E402
from rouge_bleu.registry import BLEU_PRESETS, ROUGE_PRESETS  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "options.md"
PRESET_PAGE = PAGE.with_name("presets.md")
ROUGE, BLEU = RougeOptions.declarations(), BleuOptions.declarations()


def item(name, option):
    """Return the item of an option: its default and its help, with all values."""
    text = re.sub(r" \((default|1000)\)", "", option.help)
    choices = getattr(option.check, "keywords", {}).get("choices", ())
    if text.endswith("...") and 0 < len(choices) <= 8:
        text = f"{text.partition(': ')[0]}: {', '.join(choices)}"
    return f"* `{name}={option.default!r}`: {text}"


def written(page):
    """Return the text of the page with the lists of the declarations, in their order."""
    rouge, bleu = ({name: item(name, one) for name, one in of.items()} for of in (ROUGE, BLEU))
    for heading, items in {
        "Both metrics": rouge.items() & bleu.items(),
        "rouge_full": rouge.items() - bleu.items(),
        "bleu_full": bleu.items() - rouge.items(),
    }.items():
        start = page.index("\n* ", page.index(f"## {heading}\n")) + 1
        lines = [dict(items)[name] for name in {**ROUGE, **BLEU} if name in dict(items)]
        page = page[:start] + "\n".join(lines) + page[page.index("\n\n", start) :]
    return page


def with_presets(page):
    """Return the text of the page of presets with a row for each preset, in their order."""
    for heading, presets in {"ROUGE": ROUGE_PRESETS, "BLEU": BLEU_PRESETS}.items():
        start = page.index("\n", page.index("\n| --- ", page.index(f"## {heading}\n")) + 1) + 1
        rows = [f"| `{name}` | {' | '.join(rules.about)} |" for name, rules in presets.items()]
        page = page[:start] + "\n".join(rows) + page[page.index("\n\n", start) :]
    return page


if __name__ == "__main__":
    for path, write in ((PAGE, written), (PRESET_PAGE, with_presets)):
        path.write_text(write(path.read_text(encoding="utf-8")), encoding="utf-8")
