"""Score the two example files, as `rouge-bleu score` does it; `make demo` runs this."""

import os
import shlex
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
sys.path.insert(0, str(EXAMPLES.parent))

from rouge_bleu_tools.cli.main import main as rouge_bleu

COMMANDS = (
    (
        "summaries.jsonl",
        "--rouge-types",
        *"rouge1 rouge2 rougeL rougeLsum rougeW rougeS4 rougeSU4".split(),
    ),
    ("translations.jsonl", "-m", "bleu"),
)


def main() -> int:
    for number, (file, *options) in enumerate(COMMANDS):
        arguments = ["score", os.path.relpath(EXAMPLES / file), *options]
        print("\n" * (number > 0) + shlex.join(["rouge-bleu", *arguments]) + "\n", flush=True)
        if status := rouge_bleu(arguments):
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
