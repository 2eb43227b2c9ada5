"""--report and --analysis: the file has the numbers of `analyze`, loads nothing, and escapes all texts."""

import json
import math
import re
from html.parser import HTMLParser

import pytest

import rouge_bleu
from helpers.hostile_text import random_strings
from helpers.texts import example_systems
from rouge_bleu_tools.cli.compare import smallest_difference
from rouge_bleu_tools.report.charts import percent
from rouge_bleu_tools.report.examples import marked

from .conftest import FILES as SYSTEM_FILES

BASELINE, SIMILAR, BETTER, _, REFERENCES = SYSTEM_FILES
FILES = ["compare", BASELINE, BETTER, "-r", REFERENCES, "--n-resamples", "50"]
FEW = ["--rouge-types", "rouge2", "rougeL"]
OPTIONS = {"rouge_types": ["rouge2", "rougeL"], "n_resamples": 50}


class Page(HTMLParser):
    """The elements of a page, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def page_of(path):
    return Page(path.read_text(encoding="utf-8"))


def test_json_has_the_analysis(output, folder):
    found = json.loads(output(*FILES, *FEW, "--json", "--analysis"))
    analysis = found["analysis"]["better"]
    assert set(analysis) == {"rouge", "bleu"}
    expected = rouge_bleu.analyze(**example_systems(), **OPTIONS, max_examples=None)
    assert analysis["rouge"] == json.loads(json.dumps(expected))
    score = {(one["system"], one["key"]): one for one in found["scores"]}["better", "rouge2"]
    assert score["delta"] == expected["scores"]["rouge2_delta"]
    plain = json.loads(output(*FILES, *FEW, "--json"))
    assert {name: found[name] for name in plain} == plain
    width = score["delta_high"] - score["delta_low"]
    assert score["smallest_difference"] == smallest_difference(width, 0.95, 0.05, 72)


@pytest.mark.parametrize(("confidence", "level", "n"), [(0.95, 0.05, 72), (0.9, 0.01, 20)])
def test_the_smallest_difference(confidence, level, n):
    """It exceeds what chance alone reaches at this level by 0.84 standard errors: a power of 80 %."""
    quantile = {0.95: 1.959964, 0.9: 1.644854, 0.05: 1.959964, 0.01: 2.575829}
    s = 0.1 / (2 * quantile[confidence]) * math.sqrt(n / (n - 1))  # unbiased, as of a sample
    found = smallest_difference(0.1, confidence, level, n)
    of_exchanges = math.sqrt(s**2 + found**2 / n)
    assert found == pytest.approx(quantile[level] * of_exchanges + 0.841621 * s, rel=1e-5)
    assert smallest_difference(0.1, confidence, level, 3) == math.inf


def test_the_report_of_two_systems(output, folder):
    output(*FILES, *FEW, "--report", "a.html")
    first = (folder / "a.html").read_bytes()
    output(*FILES, *FEW, "--report", "a.html")
    assert (folder / "a.html").read_bytes() == first  # the same comparison gives the same file
    page = page_of(folder / "a.html")
    text = "".join(page.texts)
    found = rouge_bleu.analyze(**example_systems(), **OPTIONS)
    delta, low, high = (
        percent(found["scores"][f"rouge2_delta{end}"], "+") for end in ("", "_low", "_high")
    )
    assert f"better than baseline in rouge2: {delta} points, between {low} and {high} (p " in text
    assert "It is better in rougeL, bleu." in text
    assert found["scores"]["signature"].rpartition("|n:")[0] in text
    assert f"rouge-bleu compare {BASELINE} {BETTER}" in text
    assert "would be missed" in text
    assert "Buckets with fewer than 20 examples have no interval." in text
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for tag, attributes in page.tags if tag == "a"}
    assert {link[1:] for link in links} <= set(ids)
    assert sum(one.startswith("example-") for one in ids) == 72
    # Nothing is loaded, and the policy allows nothing of others.
    assert {tag for tag, _ in page.tags} & {"link", "img", "iframe", "form", "object"} == set()
    assert not any(name in one for _, one in page.tags for name in ("src", "style", "onclick"))
    (policy,) = [one["content"] for tag, one in page.tags if one.get("http-equiv")]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


def test_several_systems_and_one(output, run, folder):
    files = ["compare", BASELINE, BETTER, SIMILAR, *FILES[3:]]
    output(*files, *FEW, "-m", "rouge", "--report", "a.html")
    ids = [one["id"] for _, one in page_of(folder / "a.html").tags if "id" in one]
    assert len(ids) == len(set(ids))
    assert {"scores-1-", "scores-2-", "example-2-72"} <= set(ids)
    shown = run("score", BETTER, "-r", REFERENCES, "-m", "rouge", "bleu", "--report", "b.html")
    assert shown[2] == "note: wrote b.html\n"
    text = "".join(page_of(folder / "b.html").texts)
    assert "Scores of better.txt" in text
    assert "baseline" not in text.partition("--report")[0]


def test_frequencies_of_a_file(output, folder):
    (folder / "counts.tsv").write_text("the\t5\ncat\t2\n", encoding="utf-8")
    flags = ["-m", "rouge", "--json", "--analysis", "--frequencies", "counts.tsv"]
    found = json.loads(output(*FILES, *flags))["analysis"]["better"]["rouge"]["frequencies"]
    assert [(row["low"], row["n_words"]) for row in found[1:]] == [(2, 1), (5, 1)]


def test_hostile_texts_are_escaped(run, folder):
    hostile = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "\u202e<b>"]
    hostile += [re.sub(r"\s", " ", text) + " word" for text in random_strings(1, 30)]
    (folder / "x.txt").write_text("\n".join(hostile), encoding="utf-8")
    (folder / "y.txt").write_text("\n".join(reversed(hostile)), encoding="utf-8")
    call = ["compare", "x.txt", "y.txt", "-r", "x.txt", "--n-resamples", "5", "--report", "a.html"]
    call += ["-m", "rouge", "--rouge-types", "rouge1", "--tokenizer", "whitespace"]
    status, _, err = run(*call)
    assert status == 0, err
    page = page_of(folder / "a.html")
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not {"img", "b-"} & {tag for tag, _ in page.tags}
    text = (folder / "a.html").read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", text)
    assert "102.5" not in text  # differences end at 100, as scores do


def test_large_reports_have_the_most_telling_examples(run, folder):
    words = [f"w{number}" for number in range(60)]
    lines = [" ".join([*words, f"x{number}"]) for number in range(1100)]
    worse = [line.replace("w1 ", "") for line in lines]
    worse[700] = "nothing"
    references = [line.replace("w2 ", "") for line in lines]
    for name, texts in (("new.txt", lines), ("old.txt", worse), ("refs.txt", references)):
        (folder / name).write_text("\n".join(texts), encoding="utf-8")
    files = ["compare", "old.txt", "new.txt", "-r", "refs.txt", "--n-resamples", "5"]
    run(*files, "-m", "rouge", "--rouge-types", "rouge1", "--report", "a.html")
    assert (folder / "a.html").stat().st_size < 3_000_000
    page = page_of(folder / "a.html")
    ids = [one["id"] for tag, one in page.tags if tag == "article"]
    assert ids[0] == "example-701"
    assert 100 < len(ids) < 1100
    assert "most telling of 1,100 examples" in "".join(page.texts)


def test_marks():
    spans = [[0, 1], [2, 3], [4, 5]]
    # Neighbours are one mark; None is a token that is not in the text.
    assert marked("a b c d", ("", spans[:2])) == "<mark>a b</mark> c d"
    found = marked("a b\nc <", ("new", [*spans, None]), ("base", spans[1:2]))
    assert found == '<mark class="new">a</mark> <mark>b</mark>\n<mark class="new">c</mark> &lt;'
