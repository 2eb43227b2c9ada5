"""ROUGE and BLEU in other packages; each module is named after its package.

docs/integrations.md has an example of each. `import rouge_bleu` imports none of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

_TEXT = "one two three four five six seven eight nine ten"
_NOT_HERE = ("baseline_predictions", "confidence_level", "signature", "use_aggregator")


def checked_keys(
    score: Any, options: dict[str, Any], *, has_one: bool = False, of_items: bool = False
) -> list[str]:
    """Return the keys of the result of `score`, or raise, before a model runs; make iterators lists."""
    for name, value in options.items():
        if name in _NOT_HERE:
            raise ValueError(f"{name} is an option of rouge_bleu.{score.__name__}, but not here")
        options[name] = list(value) if isinstance(value, Iterator) else value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they come again with the texts of the user
        keys = list(score([_TEXT], [_TEXT], **options, use_aggregator=not of_items))
    if has_one and len(keys) > 1:
        raise ValueError(f"these options must give one score, got {', '.join(keys)}")
    return keys
