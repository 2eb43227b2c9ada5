"""Stages the metrics: `build` for the Hub, `install` for this machine.

    python stage.py build --output build
    python stage.py install

`build` writes the folder of a Space for each metric, ready for `hf upload`. `install`
makes each loadable by its name in any folder. Both write a metric as one file: the
script and all modules that it needs, which `evaluate` fetches with one request. The
work is done in `staging`, by the standard library; only `install` needs `evaluate`.

The bare name asks the Hub first. Behind a firewall that drops packets
`evaluate.load("rouge_full")` took 303 seconds, and 3 with HF_EVALUATE_OFFLINE=1;
HF_HUB_OFFLINE=1 changes nothing, since `evaluate` does not heed it.
"""

import sys

# Python reads this file as a whole before it runs it: only what Python 2 knows, too.
if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit(
        "stage.py: Python 3.10 or later is needed, but {} is Python {}.{}".format(
            sys.executable, *sys.version_info[:2]
        )
    )

from rouge_bleu_tools.staging.command_line import build, install, main

__all__ = ["build", "install", "main"]

if __name__ == "__main__":
    sys.exit(main())
