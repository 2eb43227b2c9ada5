"""The texts that the page opens with, and examples in six languages. All are our own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A prediction, its references, and the tokenizer that their language needs."""

    language: str
    prediction: str
    references: tuple[str, ...]
    tokenizer: str


FIRST = Example(
    "English",
    "The fast brown fox jumped over the lazy dog.\nThe dog did not wake up.",
    (
        "The quick brown animal jumped over the lazy dog.\nThe dog went on sleeping.",
        "The quick brown fox jumped over the sleeping dog, which did not wake up.",
    ),
    "default",
)
EXAMPLES = (
    FIRST,
    Example(
        "German",
        "Der Zug nach Köln fällt heute wegen des Schnees aus.",
        ("Wegen starken Schnees fällt der Zug nach Köln heute aus.",),
        "unicode",
    ),
    Example(
        "Russian",
        "Библиотека открыта по субботам до шести часов вечера.",
        ("По субботам библиотека работает до шести часов вечера.",),
        "unicode",
    ),
    Example(
        "Chinese",
        "图书馆星期六开放到下午六点。",
        ("星期六图书馆下午六点关门。", "图书馆周六开到下午六点。"),
        "unicode",
    ),
    Example(
        "Arabic",
        "تفتح المكتبة أبوابها يوم السبت حتى السادسة مساء.",
        ("المكتبة مفتوحة يوم السبت حتى الساعة السادسة مساء.",),
        "unicode",
    ),
    Example(
        "Hindi",
        "पुस्तकालय शनिवार को शाम छह बजे तक खुला रहता है।",
        ("शनिवार को पुस्तकालय शाम छह बजे बंद होता है।",),
        "unicode",
    ),
)
