"""A fast `BLEU` in the modules of sacreBLEU, whose other names are sacreBLEU's own.

>>> from rouge_bleu.integrations import sacrebleu
"""

from typing import Any as _Any

import sacrebleu as _sacrebleu

from .. import mirror as _mirror
from .metrics import SWAPS as _SWAPS

_MODULES = (".metrics.bleu", ".metrics", ".compat", ".sacrebleu", "")
_mirror(__name__, "sacrebleu", _SWAPS, _MODULES)


def __getattr__(name: str) -> _Any:  # for type checkers
    return getattr(_sacrebleu, name)
