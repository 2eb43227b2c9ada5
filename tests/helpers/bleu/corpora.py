"""Random texts for bleu_full, with whatever its tokenizers treat in a way of their own."""

import pytest

# --- parity with sacreBLEU ------------------------------------------------------------------------

SAMPLE = """the The a cat sat on mat and dog, dog. "the" (cat) it's U.S. 3.14 1,000 10-20 well-known
end- &amp; &quot;cat&quot; <skipped> a/b
    foo_bar $5 20% Über über Ärger 中文 你好。 हिन्दी «mot» naïve — … İ ſ"""

WORDS = SAMPLE.split()


def random_text(rng, max_words):
    words = rng.choice(WORDS[: rng.integers(3, len(WORDS) + 1)], rng.integers(0, max_words + 1))
    return "".join(
        word + rng.choice([" ", "  ", "\t", "\n", "\u3000"], p=[0.9, 0.025, 0.025, 0.025, 0.025])
        for word in words
    )


def random_corpus(rng, n_items, max_words, max_references=1):
    """Return predictions, of which some are empty, and lists of references, of which half share a
    part with the prediction and a tenth is empty.
    """
    predictions = [random_text(rng, max_words) for _ in range(n_items)]
    references = []
    for prediction in predictions:
        words = prediction.split(" ")
        start = rng.integers(0, len(words))
        shared = " ".join(words[start : start + len(words) // 2 + 4])
        texts = [
            random_text(rng, max_words // 2) + (shared if rng.random() < 0.5 else "")
            for _ in range(rng.integers(1, max_references + 1))
        ]
        references.append(
            ["" if len(texts) == 1 and rng.random() < 0.1 else text for text in texts]
        )
    return predictions, references


def assert_close(result, expected):
    assert list(result) == list(expected)
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12, abs=0), key


# --- parity with NLTK -----------------------------------------------------------------------------

WEIGHTS = [
    (0.25, 0.25, 0.25, 0.25),
    (1.0,),
    (0.5, 0.5),
    (0.1, 0.2, 0.3, 0.4),
    (0.0, 1.0),
    (0.5, 0.0, 0.5),
    (0.7, 0.1, 0.1, 0.05, 0.05),
]
