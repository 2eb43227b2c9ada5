"""ROUGE and BLEU in other packages; each module is named after its package.

docs/integrations.md has an example of each. `import rouge_bleu` imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_TEXT = "one two three four five six seven eight nine ten"
# These options change the form of a result.
_NOT_HERE = ("baseline_predictions", "confidence_level", "signature", "use_aggregator")


def checked_keys(
    score: Callable[..., Any], options: dict[str, Any], *, has_one: bool = False
) -> list[str]:
    """Return the keys of the result of `score`, or raise, before a model runs."""
    for name in _NOT_HERE:
        if name in options:
            raise ValueError(f"{name} is an option of rouge_bleu.{score.__name__}, but not here")
    keys = list(score([_TEXT], [_TEXT], **options))
    if has_one and len(keys) > 1:
        raise ValueError(f"these options must give one score, got {', '.join(keys)}")
    return keys
