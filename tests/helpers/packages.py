"""What packages printed that are not among the requirements of the tests.

`golden/packages.json` holds what torchmetrics 1.9.0 and rouge-chinese 1.0.3 gave, printed by
`print_packages.py`, which says how it was run:

    {"versions": {package: version},
     "corpora": {name: {"predictions": [text, ...], "references": [[text, ...], ...]}},
     "sentences": {text: [sentence, ...]},
     "cases": [{"metric", "corpus", "options", "items": {key: [...]}, "average": {key: ...}}]}

`sentences` are those that torchmetrics found with NLTK's model. Its figures are 32-bit numbers.
"""

import json

from helpers.repository import ROOT

GOLDEN = json.loads((ROOT / "tests" / "golden" / "packages.json").read_text(encoding="utf-8"))
