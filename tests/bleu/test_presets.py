"""What goes for every preset of bleu_full, and the words of preset "torchmetrics"."""

import random

import pytest

from helpers.bleu.peers import NLTK_METHODS, random_tokens
from rouge_bleu import bleu, explain_bleu


@pytest.mark.parametrize("preset", [None, "nltk"])
@pytest.mark.parametrize("smoothing", NLTK_METHODS)
def test_the_order_of_segments_cannot_matter(smoothing, preset):
    segments = list(zip(*random_tokens(7, 100), strict=True))
    shuffled = random.Random(0).sample(segments, len(segments))
    results = [
        bleu(*map(list, zip(*order, strict=True)), smoothing=smoothing, preset=preset)
        for order in (segments, shuffled)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("preset", ["sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics"])
def test_options_beside_a_preset_win(preset):
    # what NLTK does about shorter texts is not an option
    predictions, references = random_tokens(8, 100, min_words=4)
    corpus = (
        ["-".join(tokens) for tokens in predictions],
        [["-".join(tokens) for tokens in texts] for texts in references],
    )
    options = {"tokenizer": lambda text: text.split("-"), "reference_length": "average"}
    options |= {"smoothing": "floor", "smoothing_value": 0.3}
    options |= {"zero_division": 0.0, "weights": [1 / 8, 3 / 8, 1 / 4, 1 / 4]}
    result = bleu(*corpus, **options, preset=preset)
    without = bleu(*corpus, **options)
    assert {key: result[key] for key in without} == without


@pytest.mark.parametrize("preset", ["nltk", "nltk-3.5", "torchmetrics"])
def test_weights_that_make_a_power_give_a_warning(bleu_full, preset):
    """4/5 and 3/4: with weights of 1 it is their product, not their mean."""
    texts = {"predictions": ["a b c d e"], "references": ["a b c d f"], "output": "score"}
    weights = {"mean": [1 / 2, 1 / 2], "both": [1, 1], "three": [3]}
    with pytest.warns(UserWarning, match="sum to") as warned:
        found = bleu_full.compute(**texts, preset=preset, weights=weights)
    assert found["both"] == pytest.approx(4 / 5 * 3 / 4)
    assert [str(warning.message) for warning in warned] == [
        f"The weights of 'both' sum to 2, and preset={preset!r} does not scale them: BLEU is the mean "
        "of precisions to the power of 2. For the mean itself, pass weights that sum to 1."
    ]
    # As many write thirds for NLTK: it is meant as 1, and gives no warning.
    found = bleu_full.compute(**texts, preset=preset, weights=[0.33, 0.33, 0.33])
    assert found["bleu"] == pytest.approx((4 / 5 * 3 / 4 * 2 / 3) ** 0.33)
    with pytest.warns(UserWarning, match="A single weight") as warned:
        bleu_full.compute(**texts, preset=preset, weights=[4])
    assert len(warned) == 1


@pytest.mark.filterwarnings("ignore:The weights of")
def test_weights_are_not_scaled_in_torchmetrics():
    """Twice the weights give the square."""
    corpus = ["a b c d"], ["a b x d"]
    half, whole = (bleu(*corpus, preset="torchmetrics", weights=[w, w])["bleu"] for w in (0.5, 1))
    assert whole == pytest.approx(half**2) == pytest.approx(3 / 4 * 1 / 3)


# What torchmetrics 1.9.0 makes of a text, printed by
#     _SacreBLEUTokenizer.tokenize(text, "13a", lowercase=True)
# of torchmetrics.functional.text.sacre_bleu: it cuts the text as it is, and lowercases the words.
OF_TORCHMETRICS = {
    "A <SKIPPED> B <skipped> C": ["a", "<", "skipped", ">", "b", "c"],
    "&AMP; &amp; &Lt;": ["&", "amp", ";", "&", "&", "lt", ";"],
    "ΟΔΟΣ.ΟΔΟΣ": ["οδος", ".", "οδος"],
    "ΑΣ'Β": ["ασ'β"],
    "WORD-\nX": ["wordx"],
    "WORD- ": ["word-"],
    "A-B 1-2 x-": ["a-b", "1", "-", "2", "x-"],
    "\u0130 \u212a ẞ ǅ": ["i\u0307", "k", "ß", "ǆ"],
}


@pytest.mark.parametrize("n_items", [1, 1000])  # by itself, and in a column
@pytest.mark.parametrize("text", OF_TORCHMETRICS, ids=range(len(OF_TORCHMETRICS)))
def test_words_of_torchmetrics_are_lowercased_when_they_are_cut(text, n_items):
    words = OF_TORCHMETRICS[text]
    data = [text] * n_items, [" ".join(words)] * n_items
    options = {"preset": "torchmetrics", "tokenizer": "13a", "max_order": 1}
    # Words that 13a would cut again, such as <skipped>, are no words of the second text.
    assert bleu(*data, **options, lowercase=True)["bleu"] == 1.0
    assert bleu(*data, **options)["bleu"] < 1.0 or text == text.lower()
    explanation = explain_bleu(text, " ".join(words), **options, lowercase=True)
    assert explanation["translation_length"] == len(words)


def test_scores_of_torchmetrics_with_lowercase():
    """sacre_bleu_score(predictions, references, lowercase=True, n_gram=2) of torchmetrics 1.9.0."""
    data = (
        ["A <SKIPPED> B &AMP; C", "Η ΟΔΟΣ.ΟΔΟΣ ΕΙΝΑΙ ΕΔΩ"],
        [["a < skipped > b & c"], ["η οδος . οδος είναι εδω"]],
    )
    options = {"preset": "torchmetrics", "tokenizer": "13a", "lowercase": True, "max_order": 2}
    assert bleu(*data, **options)["bleu"] == pytest.approx(0.7016464471817017, rel=1e-7)
    items = bleu(*data, **options, use_aggregator=False)["bleu"]
    assert items == pytest.approx([0.6972166895866394, 0.7071067690849304], rel=1e-7)
