"""Numbers and texts of visitors as HTML: nothing typed is markup, each step is right."""

import re
from dataclasses import replace

import pytest
from page import file_views, settings_views
from page.arithmetic import bleu_steps, rouge_steps
from page.html_parts import bars, escaped, histogram, marked_text, message, table
from page.metrics import Metrics
from page.score_views import explanation_view, score_chart, score_table
from page.scoring import Scored, explained, scored

NASTY = "<img src=x onerror=alert(1)> &amp; ${alert(1)} {{value}} `x` @children \"q\" 'a'"


@pytest.fixture(scope="module")
def metrics():
    return Metrics.of_folder()


def shown_text(view):
    """What a browser shows of HTML."""
    import html

    return html.unescape(re.sub("<[^>]*>", "", view))


def found_for(metrics, name, prediction, references, options, measure=None):
    found = scored(metrics, name, prediction, references, options)
    explanation = explained(metrics, name, prediction, references, options, measure)
    return replace(found, explanation=explanation)


def test_nothing_typed_is_markup(metrics):
    found = found_for(metrics, "rouge_full", NASTY, [NASTY, "x"], {}, "rouge1")
    view = explanation_view(found, "rouge1")
    assert NASTY in shown_text(view)
    tags = set(re.findall("<([a-z]+)", view))
    assert tags <= {"div", "mark", "ul", "li", "p", "details", "summary"}
    assert not set("${}`@") & set(view)


@pytest.mark.parametrize(
    "view",
    [
        table(NASTY, [NASTY, NASTY], [[NASTY, NASTY]]),
        bars(NASTY, {NASTY: {NASTY: 0.5}}),
        histogram(NASTY, [1], [0.0, 1.0]),
        message([NASTY]),
        marked_text(NASTY, [[0, 4], [6, 9]]),
    ],
)
def test_every_part_escapes(view):
    assert "<img" not in view
    assert not set("${}`@") & set(view)
    assert NASTY in shown_text(view)


def test_an_escaped_text_is_shown_letter_by_letter():
    assert shown_text(escaped(NASTY)) == NASTY


def test_spans_that_overlap_or_are_unknown():
    spans = [[3, 5], None, [0, 2], [1, 4], [4, 4]]
    marks = "<mark>ab</mark><mark>cd</mark><mark>e</mark>f"
    assert marked_text("abcdef", spans) == marks


def test_the_marked_words_are_those_that_match(metrics):
    found = found_for(metrics, "rouge_full", "the cat sat", ["a dog", "the cat lay"], {}, "rouge1")
    view = explanation_view(found, "rouge1")
    before = view.split("<details>")[0]
    assert re.findall("<mark>(.*?)</mark>", before) == ["the", "cat", "the", "cat"]
    assert "Reference 2 of 2, the one that counts" in before
    assert "precision = 2 matching / 3 words of the prediction = 0.6667" in shown_text(before)


@pytest.mark.parametrize(
    ("rouge_type", "beta", "lines"),
    [
        (
            "rouge2",
            None,
            [
                "precision = 3 matching / 5 2-grams of the prediction = 0.6000",
                "recall = 3 matching / 4 2-grams of the reference = 0.7500",
                "F = 2 × 0.6000 × 0.7500 / (0.6000 + 0.7500) = 0.6667",
            ],
        ),
        (
            "rougeSU4",
            2,
            [
                "precision = 3 matching / 5 word pairs and words of the prediction = 0.6000",
                "recall = 3 matching / 4 word pairs and words of the reference = 0.7500",
                "F = (1 + 2²) × 0.6000 × 0.7500 / (2² × 0.6000 + 0.7500) = 0.6667",
            ],
        ),
    ],
)
def test_steps_of_rouge(rouge_type, beta, lines):
    counts = {"matches": 3, "prediction_total": 5, "reference_total": 4}
    counts |= {"precision": 0.6, "recall": 0.75, "fmeasure": 2 / 3}
    assert rouge_steps(rouge_type, counts, beta) == lines


@pytest.mark.parametrize("options", [{}, {"beta": 2.0}, {"multi_reference": "average"}])
def test_each_step_of_rouge_computes(metrics, options):
    """What stands before "=" is what stands behind it, for every type."""
    found = found_for(metrics, "rouge_full", "a b c d\ne f", ["a b x d\nf e", "b c"], options)
    for rouge_type, of_type in found.explanation.items():
        for counts in of_type["references"]:
            for line in rouge_steps(rouge_type, counts, options.get("beta")):
                formula, result = _formula(line)
                assert eval(formula) == pytest.approx(result, abs=2e-4), line


def _formula(line):
    _, *middle, last = line.split(" = ")
    result = float(re.match("[0-9.]+", last)[0])
    words = {" matching": "", "×": "*", "²": "**2", " to the power of ": "**"}
    text = middle[0] if middle else str(result)
    for word, sign in words.items():
        text = text.replace(word, sign)
    text = re.sub(r"\*\*1/([0-9.]+)", r"**(1/\1)", text)
    return re.sub("( [a-z0-9]+-grams| word[a-z ,]*| of the [a-z]+)", "", text), result


def test_steps_of_bleu(metrics):
    texts = ("the cat sat on the mat", ["the cat sat on a big mat"])
    options = {"max_order": 2}
    found = found_for(metrics, "bleu_full", *texts, options)
    assert bleu_steps(found.explanation, None) == [
        "precision of 1-grams = 5 matching / 6 = 0.8333",
        "precision of 2-grams = 3 matching / 5 = 0.6000",
        "brevity penalty = exp(1 − 7 / 6) = 0.8465 (6 words, reference 7)",
        # exp(-1/6) sqrt(5/6 * 3/5)
        "BLEU = 0.8465 × (0.8333 × 0.6000) to the power of 1/2 = 0.5986",
    ]
    assert "0.5986" in score_table(found)
    assert "times 100" in score_table(found)
    assert "0.5986" in score_chart(found)


def test_a_bleu_of_zero_says_which_order_is_missing(metrics):
    found = found_for(metrics, "bleu_full", "a b c d", ["a b x y"], {})
    assert bleu_steps(found.explanation, None)[-1] == (
        "BLEU = 0.0000: no 3-gram matches, and a product with 0 is 0"
    )


def test_long_texts_have_scores_and_a_sentence(metrics):
    found = found_for(metrics, "rouge_full", "a b " * 3_000, ["a b"], {}, "rouge1")
    assert found.explanation is None
    assert "up to 10,000 characters" in explanation_view(found, "rouge1")


def test_the_table_of_a_comparison(metrics):
    result = metrics.fresh("rouge_full").compute(
        predictions=["a b", "c"],
        references=["a b", "d"],
        baseline_predictions=["a x", "c"],
        rouge_types=["rouge1"],
        output="all",
        confidence_level=0.95,
    )
    view = file_views.file_summary({"metric": "rouge_full", "n_rows": 2, "result": result})
    assert re.findall('<th scope="col">(.*?)</th>', view) == [
        *("Score", "Value", "95 % interval", "Other system", "Difference", "p-value")
    ]
    row = re.search("rouge1 F</th>(.*?)</tr>", view)[1]
    cells = re.findall("<td.*?>(.*?)</td>", row)
    # One pair of two matches whole, of the other system half of it.
    assert [cells[0], cells[2], cells[3]] == ["0.5000", "0.2500", "+0.2500"]
    assert cells[4] == f"{result['rouge1_fmeasure_p_value']:.4f}"


def test_settings_are_shown_with_call_and_signature():
    group = {
        "words": 'preset="x"',
        "output": "recall",
        "code": "rouge.compute(<>)",
        "signature": "rouge_full|1",
        "scores": {"rouge1": 0.41161},
        "scale": 100,
        "distance": 0.0,
        "is_cut": False,
        "others": ["other"],
        "n_others": 3,
    }
    found = {"n_rows": 1, "n_settings": 9, "n_distinct": 2, "n_groups": 1, "nearest": []}
    found |= {"matches": [group], "of_other_seeds": []}
    text = shown_text(settings_views.settings_view(found))
    for words in ("(recall)", "rouge.compute(<>)", "rouge_full|1", "rouge1 41.1610", "2 more"):
        assert words in text
    nothing = found | {"matches": [], "n_groups": 0, "nearest": [group]}
    assert "No setting gives all of the numbers" in settings_views.settings_view(nothing)


def test_no_explanation_is_no_crash():
    empty = Scored("rouge_full", "a", ["b"], {}, {}, "")
    assert "marked" in explanation_view(empty, None)
