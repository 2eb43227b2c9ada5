"""Types and random texts for rouge_full."""

import numpy as np

OUTPUTS = ("precision", "recall", "fmeasure")

ROUGE_SCORE_TYPES = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"]


# Words that a stemmer joins, words that are split, and letters outside ASCII: lowercasing makes "i"
# and a combining dot of U+0130 and an ASCII "k" of the Kelvin sign U+212A, and leaves the ligature.
WORDS = """the The a cat cats dog's ran run running quickly sky skies dying policies police's police
U.S. 3.14 1,000 well-known foo_bar (x) "quoted"
    naïve Ärger İstanbul \u212aelvin ﬁne 中文 हिन्दी — e-mail don't $5 % ... generalization
    generalized conditional innings x1y2 .""".split()


def random_text(rng, max_words, words=WORDS):
    """Return at most so many words, of a small vocabulary so that much matches, in up to four
    lines, of which the last may be empty.
    """
    known = words[: rng.integers(4, len(words) + 1)]
    chosen = rng.choice(known, rng.integers(0, max_words + 1)).tolist()
    lines = np.array_split(np.array(chosen, dtype=object), rng.integers(1, 5))
    return "\n".join(" ".join(line) for line in lines)


def random_corpus(seed, n_items, max_words=12, max_references=1, words=WORDS):
    """Return predictions and lists of references, of which about a third begins as the prediction
    does. Instead of a seed there may be a generator.
    """
    rng = np.random.default_rng(seed)
    predictions = [random_text(rng, max_words, words) for _ in range(n_items)]
    references = []
    for prediction in predictions:
        n_references = rng.integers(1, max_references + 1)
        texts = [random_text(rng, max_words, words) for _ in range(n_references)]
        start = prediction[: len(prediction) // 2]
        references.append([start + text if rng.random() < 0.3 else text for text in texts])
    return predictions, references
