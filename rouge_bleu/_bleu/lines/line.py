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
    n_references : int or None
        How many the line says there were, which is no option.
    """

    preset: str | None
    options: Mapping[str, Any]
    n_references: int | None = None
