"""Score the predictions in a file: the command behind `rouge_bleu_tools/commands/score`.

python examples/score_file.py --help
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rouge_bleu_tools.commands.score.main import main

if __name__ == "__main__":
    sys.exit(main())
