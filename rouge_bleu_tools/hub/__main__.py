"""`python -m rouge_bleu_tools.hub build` and `python -m rouge_bleu_tools.hub install`."""

import sys

from rouge_bleu_tools.hub import install, spaces

if __name__ == "__main__":
    mains = {"build": spaces.main, "install": install.main}
    command, *others = sys.argv[1:] or ["--help"]
    if command not in mains:
        sys.exit("usage: python -m rouge_bleu_tools.hub {build,install} [--help]")
    sys.exit(mains[command](others))
