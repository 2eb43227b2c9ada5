"""What torchmetrics 1.9.0 and rouge-chinese 1.0.3 print, which the tests do not require.

`programs/print_packages.py` wrote it: versions, corpora, sentences that torchmetrics finds with NLTK's
model, and cases with a metric, corpus, options, items and average. Figures of torchmetrics have 32 bits.
"""

import json

from helpers.repository import ROOT

GOLDEN = json.loads((ROOT / "tests" / "golden" / "packages.json").read_text(encoding="utf-8"))
