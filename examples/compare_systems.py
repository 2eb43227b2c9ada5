"""Compare systems on the same references: the command behind `rouge_bleu_tools/commands/compare`.

python examples/compare_systems.py --help
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rouge_bleu_tools.commands.compare.main import main

if __name__ == "__main__":
    sys.exit(main())
