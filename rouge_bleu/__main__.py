"""`python -m rouge_bleu` is the command `rouge-bleu`."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # By its name: no module of this package knows the commands.
    sys.exit(import_module("rouge_bleu_tools.cli.main").main())
