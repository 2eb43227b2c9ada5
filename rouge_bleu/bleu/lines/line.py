"""What a line of another program stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """A preset, and options beside those of it.

    Parameters
    ----------
    preset : str or None
    options : mapping
    """

    preset: str | None
    options: Mapping[str, Any]
