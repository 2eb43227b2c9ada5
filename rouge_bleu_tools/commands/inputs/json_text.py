"""What `--json` prints."""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(content: Any) -> str:
    """Return JSON on several lines; it has no NaN, so that is null.

    >>> print(json_text({"rouge1": math.nan}))
    {
      "rouge1": null
    }
    """
    return json.dumps(_without_nan(content), indent=2, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_without_nan, value))
    return None if isinstance(value, float) and math.isnan(value) else value
