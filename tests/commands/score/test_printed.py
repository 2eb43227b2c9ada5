"""examples/printed_scores.py: results by hand as tables."""

from rouge_bleu_tools.commands.score.printed import table_of_result


def test_intervals_of_rouge():
    result = {}
    for output, score in (("precision", 0.5), ("recall", 0.25), ("fmeasure", 1 / 3)):
        result |= {f"rougeL_{output}": score}
        result |= {f"rougeL_{output}_low": score / 2, f"rougeL_{output}_high": score + 0.1}
    assert table_of_result("rouge_full", {**result, "signature": "line"}) == [
        "        precision   recall        F",
        "rougeL     0.5000   0.2500   0.3333",
        "  low      0.2500   0.1250   0.1667",
        "  high     0.6000   0.3500   0.4333",
        "",
        "line",
    ]


def test_counts_of_rouge():
    """Of -t 2 of ROUGE-1.5.5.pl."""
    lines = table_of_result("rouge_full", {"rouge1_prediction_total": 1234, "signature": "line"})
    assert lines == ["rouge1 prediction total    1,234", "", "line"]


def test_intervals_of_bleu():
    result = {"bleu": 0.5, "bleu_low": 0.25, "bleu_high": 0.75, "precisions": [1.0]}
    assert table_of_result("bleu_full", {**result, "signature": "line"})[:4] == [
        "bleu                   0.5000",
        "bleu low               0.2500",
        "bleu high              0.7500",
        "precision of 1-grams   1.0000",
    ]
