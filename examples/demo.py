"""Score the two example files, as `python examples/score_file.py` does it; `make demo`
installs the metrics and runs this.
"""

import os
import shlex
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
sys.path.insert(0, str(EXAMPLES.parent))

from rouge_bleu_tools.commands.score import main as score_file

COMMANDS = (
    (
        "summaries.jsonl",
        "--metric",
        "rouge_full",
        "--rouge-types",
        *"rouge1 rouge2 rougeL rougeLsum rougeW rougeS4 rougeSU4".split(),
    ),
    ("translations.jsonl", "--metric", "bleu_full"),
)


def main() -> int:
    script = os.path.relpath(EXAMPLES / "score_file.py")
    for number, (file, *options) in enumerate(COMMANDS):
        arguments = [os.path.relpath(EXAMPLES / file), *options]
        print(
            "\n" * (number > 0) + shlex.join(["python", script, *arguments]) + "\n",
            flush=True,
        )
        if status := score_file.main(arguments):
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
