"""Find the settings behind a number: the command behind `rouge_bleu_tools/commands/find_settings`.

python examples/find_settings.py --help
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rouge_bleu_tools.commands.find_settings.main import main

if __name__ == "__main__":
    sys.exit(main())
