"""rouge-bleu compare: the numbers are those of `compute`, in every format."""

import csv
import io
import json
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

import rouge_bleu
from rouge_bleu_tools.cli.compare import holm

from .conftest import ALL, FEW, FILES, NAMES, SYSTEMS

TEXTS = {
    name: (SYSTEMS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("references", *NAMES)
}
BASELINE, SIMILAR, BETTER, *GIVEN = FILES


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ([], []),
        # 4 * 0.01, 3 * 0.02, 2 * 0.03; 0.04 would be below the one before it
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06]),
        ([0.9, 0.5, 0.0], [1.0, 1.0, 0.0]),
        ([0.02, math.nan, 0.01], [0.02, math.nan, 0.02]),
    ],
)
def test_holm(p_values, expected):
    assert holm(p_values) == pytest.approx(expected, abs=1e-15, nan_ok=True)


def test_json_has_what_compute_returns(output):
    found = json.loads(output("compare", *ALL, "--json"))
    options = {"rouge_types": ["rouge1"], "n_resamples": 100, "confidence_level": 0.95}
    scores = {one["system"]: one for one in found["scores"]}
    assert [found["baseline"], *found["systems"]] == NAMES
    for name in NAMES[1:]:
        texts, own = (TEXTS[name], TEXTS["references"]), scores[name]
        result = rouge_bleu.rouge(*texts, baseline_predictions=TEXTS["baseline"], **options)
        for key in ("", "_low", "_high", "_delta", "_p_value"):
            assert own[key.removeprefix("_") or "score"] == result[f"rouge1{key}"]
        assert own["corrected_p_value"] == result["rouge1_p_value"]
        assert own["is_significant"] == (result["rouge1_p_value"] < 0.05)
        assert scores["baseline"]["score"] == result["rouge1_baseline"]
    assert scores["baseline"]["delta"] is None
    assert found["n_comparisons"] == 2


def test_tables_have_0_to_100_and_csv_0_to_1(output):
    scores = json.loads(output("compare", *ALL, "--json"))["scores"]

    def numbers(*flags):
        lines = output("compare", *ALL, *flags).splitlines()[4:7]
        return [re.findall(r"[+-]?[0-9]+\.[0-9]+", line) for line in lines]

    for row, one in zip(numbers(), scores, strict=True):
        expected = [f"{100 * one[key]:.2f}" for key in ("score", "low", "high")]
        if one["delta"] is not None:
            expected += [f"{100 * one[key]:+.2f}" for key in ("delta", "delta_low", "delta_high")]
            expected.append(f"{one['p_value']:.4f}")
        assert row == expected
    assert numbers("--scale", "1")[0][0] == f"{scores[0]['score']:.4f}"
    for flag in ("--markdown", "--latex"):
        text = output("compare", *ALL, flag)
        for one in scores:
            assert f"{100 * one['score']:.2f}" in text
            assert f"[{100 * one['low']:.2f}, {100 * one['high']:.2f}]" in text
    rows = list(csv.DictReader(io.StringIO(output("compare", *ALL, "--csv"))))
    assert [row["System"] for row in rows] == NAMES
    assert [float(row["ROUGE-1"]) for row in rows] == [one["score"] for one in scores]
    assert rows[0]["ROUGE-1 difference"] == ""


def test_a_table_with_a_column_for_each_system(folder, output):
    rows = zip(*(TEXTS[name] for name in ("references", "baseline", "better")), strict=True)
    lines = [json.dumps(dict(zip(("human", "old", "new"), row, strict=True))) for row in rows]
    (folder / "systems.jsonl").write_text("\n".join(lines), encoding="utf-8")
    flags = ["--systems", "old", "new", "-r", "human", *FEW, "--json"]
    found = json.loads(output("compare", "systems.jsonl", *flags))
    files = json.loads(output("compare", BASELINE, BETTER, *GIVEN, *FEW, "--json"))
    columns = {"baseline": "old", "better": "new"}
    expected = [{**one, "system": columns[one["system"]]} for one in files["scores"]]
    assert found["scores"] == expected


def test_a_different_baseline_and_one_system_alone(output):
    found = json.loads(output("compare", *ALL, "--baseline", "better", "--json"))
    assert found["baseline"] == "better"
    assert {one["system"] for one in found["scores"] if one["delta"] is None} == {"better"}
    alone = json.loads(output("compare", BASELINE, *GIVEN, *FEW, "--json"))
    ((low, high, delta),) = [(one["low"], one["high"], one["delta"]) for one in alone["scores"]]
    assert (low < high, delta) == (True, None)


def test_two_similar_systems_of_three_examples(output):
    """Two examples differ: 2 ** 2 exchanges, so p >= 1/4."""
    out = output("compare", "hyp.txt", "ref.txt", "-r", "swapped.txt", *FEW)
    assert "0.25" in out.partition("No difference can be marked")[2]


def test_plot(folder, output):
    output("compare", *ALL, "--plot", "plot.svg")
    first = (folder / "plot.svg").read_bytes()
    output("compare", *ALL, "--plot", "plot.svg")
    assert (folder / "plot.svg").read_bytes() == first  # the same comparison gives the same file
    text = "".join(ElementTree.fromstring(first).itertext())
    assert all(name in text for name in (*NAMES, "rouge1"))


ERRORS = [  # arguments, and a name that the error must contain
    ("", "FILES"),
    ("hyp.txt ref.txt", "-r"),
    ("hyp.txt hyp.txt -r ref.txt", "twice"),
    ("hyp.txt -r ref.txt --systems a", "--systems"),
    ("hyp.txt -r ref.txt --baseline x", "--baseline"),
    ("hyp.txt -r ref.txt --significance-level 5", "--significance-level"),
    ("hyp.txt -r ref.txt --confidence-level 95", "--confidence-level"),
    ("mine.csv", "'output', 'human_1', 'human_2'"),
    ("hyp.txt -r ref.txt --no-intervals", "--latex or --markdown"),
    ("mine.jsonl mine.csv --systems a -r b", "one table"),
    ("mine.jsonl mine.csv -r human_1", "human_1"),
    ("mine.csv --systems output x -r human_1", "no column 'x'"),
    ("hyp.txt swapped.txt -r ref.txt --report a.pdf", ".html"),
    ("hyp.txt swapped.txt -r ref.txt --analysis", "--json"),
    ("hyp.txt swapped.txt -r ref.txt --report a.html --frequencies hyp.txt", "line 1"),
    ("hyp.txt swapped.txt -r ref.txt --report a.html --frequencies none.tsv", "none.tsv"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors(error, arguments, message):
    assert message in error("compare", *arguments.split())
