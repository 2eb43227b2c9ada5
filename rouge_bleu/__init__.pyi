# The names that `__init__.py` imports on first use, for type checkers and editors.
from ._bleu.api import bleu as bleu
from ._bleu.api import explain_bleu as explain_bleu
from ._rouge.api import explain_rouge as explain_rouge
from ._rouge.api import rouge as rouge
from .analysis import analyze as analyze
from .findings import check as check
from .loading import load as load
from .messages import TextWarning as TextWarning
from .version import VERSION as __version__

__all__ = [
    "TextWarning",
    "__version__",
    "analyze",
    "bleu",
    "check",
    "explain_bleu",
    "explain_rouge",
    "load",
    "rouge",
]
