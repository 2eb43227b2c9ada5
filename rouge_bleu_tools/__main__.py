"""`python -m rouge_bleu_tools` is `rouge-bleu`."""

import sys

from rouge_bleu_tools.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
