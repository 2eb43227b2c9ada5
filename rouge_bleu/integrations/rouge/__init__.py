"""A fast `Rouge` in the modules of PyPI's `rouge`, without its limit of recursion.

>>> from rouge_bleu.integrations.rouge import Rouge
"""

from .. import mirror as _mirror
from .rouge import SWAPS as _SWAPS
from .rouge import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]
_mirror(__name__, "rouge", _SWAPS, (".rouge", ""))
