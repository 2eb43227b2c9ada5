"""Preset "sacrerouge": its stemmer. Figures of the package are in tests/test_recorded.py."""

import pytest

from rouge_bleu import rouge


# Stems are of NLTK's ORIGINAL_ALGORITHM. In its default mode all of these are alike.
@pytest.mark.parametrize(
    ("prediction", "reference", "score"),
    [
        ("runs", "running", 1),
        ("possibly dying", "possible dies", 0),
        ("technology skies", "technological sky", 0),
    ],
)
def test_stems(prediction, reference, score):
    options = {"preset": "sacrerouge", "rouge_types": ["rouge1"], "use_stemmer": True}
    assert {*rouge([prediction], [reference], **options).values()} == {score}
