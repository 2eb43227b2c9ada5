"""Numbers that benchmarks publish, by the presets that `docs/reproducing.md` names for them."""

import numpy as np
import pytest

from helpers.published import ITEMS, PUBLISHED, texts, values

FIRST = texts(first=True)


def test_t5(rouge_full):
    """Sentences end at a full stop between spaces there; scores are times 100."""
    data = texts(first=True, change=lambda text: text.replace(" . ", " .\n"))
    types = ["rouge1", "rouge2", "rougeLsum"]
    options = {"preset": "rouge_score", "rouge_types": types, "output": "fmeasure"}
    found = rouge_full.compute(**data, **options, use_aggregator=False)
    name = "T5 rouge of each item (rouge1, rouge2, rougeLsum), before its bootstrap"
    ours = 100 * np.transpose([found[rouge_type] for rouge_type in types])
    np.testing.assert_allclose(ours, values(name)["per_item"], rtol=1e-12)


LONGBENCH = {"preset": "pltrdy", "rouge_types": ["rougeL"], "output": "fmeasure"}


def test_longbench(rouge_full):
    expected = values("LongBench rouge_score, highest over answers")
    found = rouge_full.compute(**texts(), **LONGBENCH, use_aggregator=False)["rougeL"]
    np.testing.assert_allclose(found, expected["per_item"], rtol=1e-12)
    found = 100 * rouge_full.compute(**texts(), **LONGBENCH)["rougeL"]
    assert found == pytest.approx(expected["score"], rel=1e-12)


def test_longbench_in_chinese(rouge_full):
    """The words of jieba, joined by spaces."""
    expected = values("LongBench rouge_zh_score, multilingual[2]")
    words = {"predictions": [expected["cut_prediction"]], "references": [expected["cut_reference"]]}
    found = rouge_full.compute(**words, **LONGBENCH)["rougeL"]
    assert found == pytest.approx(expected["score"], rel=1e-12)
    jieba = pytest.importorskip("jieba")
    pair = PUBLISHED["corpus"]["multilingual"][2]
    cut = [" ".join(jieba.cut(pair[side])) for side in ("prediction", "reference")]
    assert cut == [expected["cut_prediction"], expected["cut_reference"]]


def test_allennlp(rouge_full):
    """Its ROUGE-L is F alone."""
    types = ["rouge1", "rouge2", "rougeL"]
    options = {"tokenizer": "whitespace", "lowercase": False, "rouge_types": types}
    found = rouge_full.compute(**FIRST, **options, output="all")
    outputs = {"R": "recall", "P": "precision", "F1": "fmeasure"}
    for name, expected in values("allennlp ROUGE, first reference").items():
        which, _, letter = name.partition("_")
        ours = found[f"{which.replace('ROUGE-', 'rouge')}_{outputs[letter or 'F1']}"]
        assert ours == pytest.approx(expected, rel=1e-12), name


def test_tensor2tensor(rouge_full):
    """It takes no empty prediction, and has 32 bits."""
    items = [item for item in ITEMS if item["prediction"].strip()]
    found = rouge_full.compute(**texts(items, first=True), preset="nmt", output="fmeasure")
    name = "tensor2tensor rouge.py on words, items with a prediction, first reference"
    expected = values(name)
    assert found["rouge2"] == pytest.approx(expected["rouge_2_f_float32"], rel=3e-7)
    assert found["rougeL"] == pytest.approx(expected["rouge_l_f_float32"], rel=3e-7)


@pytest.mark.parametrize(
    ("word", "other", "are_alike"),
    [
        ("runs", "running", True),
        ("possibly", "possible", False),
        ("technology", "technological", False),
        ("dying", "dies", False),
        ("skies", "sky", False),
    ],
)
def test_stems_of_sacrerouge(rouge_full, word, other, are_alike):
    """They are of NLTK's ORIGINAL_ALGORITHM. In its default mode all of these pairs are alike."""
    pytest.importorskip("nltk")
    texts = {"predictions": [word], "references": [other], "rouge_types": ["rouge1"]}
    stems = {**texts, "use_stemmer": True, "output": "fmeasure"}
    assert rouge_full.compute(**stems, preset="sacrerouge") == {"rouge1": float(are_alike)}
    assert rouge_full.compute(**stems) == {"rouge1": 1.0}


@pytest.mark.parametrize("which", ["items", "summaries"])
def test_sacrerouge_with_stems(rouge_full, which):
    """Those of Porter; the data of its irregular words was not there when this was printed."""
    pytest.importorskip("nltk")
    name = f"sacrerouge python-rouge {{'use_porter_stemmer': True}}; {which}"
    types = {"python-rouge-1": "rouge1", "python-rouge-2": "rouge2", "python-rouge-3": "rouge3"}
    types["python-rouge-l"] = "rougeLsum"
    options = {"preset": "sacrerouge", "use_stemmer": True, "rouge_types": list(types.values())}
    data = texts(PUBLISHED["corpus"][which])
    found = rouge_full.compute(**data, **options, use_aggregator=False)
    for row, scores in enumerate(values(name)["per_item"]):
        for of_type, outputs in scores.items():
            for output, expected in outputs.items():
                ours = found[f"{types[of_type]}_{output.replace('f1', 'fmeasure')}"][row]
                assert 100 * ours == pytest.approx(expected, rel=1e-12), (row, of_type, output)
