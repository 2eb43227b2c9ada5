"""Numbers and texts of visitors as HTML: nothing typed is markup, each step is right."""

import html
import math
import re
from dataclasses import replace

import pytest

from rouge_bleu_tools.page.file import views as file_views
from rouge_bleu_tools.page.settings import views as settings_views
from rouge_bleu_tools.page.shared.looks.html_parts import Mark, marked_text, message, table
from rouge_bleu_tools.page.shared.looks.scores import (
    ScoreRow,
    histogram,
    on_both_scales,
    score_table,
)
from rouge_bleu_tools.page.shared.metrics import ROUGE_TYPES
from rouge_bleu_tools.page.shared.scoring import Scored, explained, scored
from rouge_bleu_tools.page.try_it.partners import marks_of_pair
from rouge_bleu_tools.page.try_it.views import explanation_view, scores_view

NASTY = "<img src=x onerror=alert(1)> &amp; ${alert(1)} {{value}} `x` @children \"q\" 'a'"


def shown_text(view):
    """What a browser shows of HTML."""
    return html.unescape(re.sub("<[^>]*>", "", view))


def found_for(metrics, name, prediction, references, options, measure=None, *, is_item=False):
    found = scored(metrics, name, prediction, references, options, is_item=is_item)
    chosen = found.options_to_explain
    explanation = explained(metrics, name, prediction, references, chosen, measure)
    return replace(found, explanation=explanation)


def steps_in(view, scale="one"):
    """The lines of arithmetic of each list of them that a browser shows, from 0 to 1 or in percent."""
    lists = re.findall(f'<ul class="page-steps page-{scale}">(.*?)</ul>', view)
    return [list(map(html.unescape, re.findall("<li>(.*?)</li>", one))) for one in lists]


def test_nothing_typed_is_markup(metrics):
    found = found_for(metrics, "rouge_full", NASTY, [NASTY, "x"], {}, "rouge1")
    view = explanation_view(found, "rouge1")
    assert NASTY in shown_text(view)
    tags = set(re.findall("<([a-z]+)", view))
    assert tags <= {"div", "mark", "ul", "li", "p", "details", "summary", "span"}
    assert not set("${}`@") & set(view)


@pytest.mark.parametrize(
    "view",
    [
        table(NASTY, [NASTY, NASTY], [[NASTY, NASTY]]),
        score_table(NASTY, [NASTY], [ScoreRow(NASTY, NASTY, [])]),
        histogram(NASTY, [1], [0.0, 1.0]),
        message([NASTY]),
        marked_text(NASTY, [Mark(0, 4, 1, 1), Mark(6, 9)]),
    ],
)
def test_every_part_escapes(view):
    assert "<img" not in view
    assert not set("${}`@") & set(view)
    assert NASTY in shown_text(view)


def test_spans_that_overlap_or_are_unknown():
    spans = [[3, 5], None, [0, 2], [1, 4], [4, 4]]
    marks, _ = marks_of_pair("abcdef", "", spans, [], str, has_runs=False)
    html = "<mark>ab</mark><mark>cd</mark><mark>e</mark>f"
    assert marked_text("abcdef", marks) == html


def test_the_marked_words_are_those_that_match(metrics):
    found = found_for(metrics, "rouge_full", "the cat sat", ["a dog", "the cat lay"], {}, "rouge1")
    before = explanation_view(found, "rouge1").split("<details>")[0]
    assert re.findall("<mark.*?>(.*?)</mark>", before) == ["the", "cat", "the", "cat"]
    assert "Reference 2 of 2, the one that counts" in before
    assert "precision = 2 matching / 3 words of the prediction = 0.6667" in shown_text(before)
    said = "Reference 2 counts: it gives the best ROUGE-1."
    assert said in shown_text(explanation_view(found, "rouge1"))
    alone = found_for(metrics, "rouge_full", "the cat sat", ["the cat lay"], {}, "rouge1")
    assert "it gives the best" not in explanation_view(alone, "rouge1")


# --- scores on both scales, partners of words -----------------------------------------------------


def test_scores_have_all_digits_behind_them():
    view = on_both_scales(2 / 3)
    assert re.findall('class="page-(.*?)">(.*?)<', view) == [("hundred", "66.7"), ("one", "0.667")]
    assert f'title="{2 / 3}"' in view
    assert shown_text(on_both_scales(-0.01234, 2, "+")) == "-1.23-0.0123"
    assert shown_text(on_both_scales(math.nan)) == "not defined"


def test_a_row_has_f_first_as_papers_print_it(metrics):
    # 2 words of 3, and 2 of 4: F is 4 / 7.
    found = found_for(metrics, "rouge_full", "the cat sat", ["the cat lay down"], {}, "rouge1")
    row = re.search("<tr><th.*?ROUGE-1<.*?</tr>", scores_view(found))[0]
    assert re.findall('page-hundred">(.*?)<', row) == ["57.1", "66.7", "50.0"]
    assert "single words" in row


def matches_in(view):
    """Of both texts of each pair, the marked words with the numbers of their matches."""
    texts = re.findall('<div class="page-words".*?</div>', view)
    return [dict(re.findall('data-match="(.*?)".*?>(.*?)</mark>', text)) for text in texts]


def test_each_match_is_numbered_in_both_texts(metrics):
    options = {"use_stemmer": True}
    texts = ("The cats ran", ["a cat was running, the cat ran"])
    found = found_for(metrics, "rouge_full", *texts, options, "rouge1")
    of_prediction, of_reference = matches_in(explanation_view(found, "rouge1"))
    # The word before "cats" is "the", so its partner is the second cat; no stem joins ran and runs.
    assert of_prediction == {"0": "The", "1": "cats", "2": "ran"}
    assert of_reference == {"0": "the", "1": "cat", "2": "ran"}


def test_partners_stand_in_the_same_company():
    """Of "the cat" and "the dog" in another order, and of a word that is there once only."""
    prediction, reference = "the cat saw the dog saw", "the dog saw the cat"
    spans = [
        [match.span() for match in re.finditer(r"\w+", text)] for text in (prediction, reference)
    ]
    left, right = marks_of_pair(prediction, reference, *spans, str, has_runs=True)
    words = [prediction[mark.start : mark.stop] for mark in left]
    assert [words[mark.match] for mark in right] == ["the", "dog", "saw", "the", "cat"]
    assert [mark.match for mark in right] == [3, 4, 5, 0, 1]
    assert [mark.run for mark in right] == [1, 1, 1, 0, 0]
    assert [mark.match for mark in left] == [0, 1, None, 3, 4, 5]


def test_runs_of_a_common_subsequence_have_a_number(metrics):
    texts = ("a b x c d", ["a b c d"])
    for rouge_type in ("rougeL", "rougeW"):
        found = found_for(metrics, "rouge_full", *texts, {"rouge_types": [rouge_type]})
        view = explanation_view(found, rouge_type)
        assert re.findall('data-run="(.)">(.)<', view) == [("1", "a"), ("2", "c")] * 2
        assert re.findall('"page-run-(.)"', view) == ["0", "0", "1", "1"] * 2


def test_a_word_has_a_partner_in_each_reference_of_bleu(metrics):
    references = ["the cat", "a cat on the mat"]
    found = found_for(metrics, "bleu_full", "the cat sat on the mat", references, {})
    of_prediction, *of_references = matches_in(explanation_view(found, "2-grams"))
    assert of_prediction == {"0": "the", "1": "cat", "2": "on", "3": "the", "4": "mat"}
    assert of_references == [{"0": "the", "1": "cat"}, {"2": "on", "3": "the", "4": "mat"}]


@pytest.mark.parametrize(
    ("preset", "rouge_type", "step"),
    [
        (None, "rouge1", "3 matching / 4 words of the prediction"),
        ("pltrdy", "rougeL", "3 matching / 3 distinct words of the prediction"),
        ("rouge-chinese", "rouge1", "3 matching / 3 distinct words of the prediction"),
        ("rouge-chinese", "rougeL", "3 matching / 4 words of the prediction"),
    ],
)
def test_units_that_count_once_are_called_so(metrics, preset, rouge_type, step):
    """Of "a a b c", of whose words all but the second are in the other text."""
    options = {"preset": preset} if preset else {}
    found = found_for(metrics, "rouge_full", "a a b c", ["a b c d"], options)
    assert step in shown_text(explanation_view(found, rouge_type))


# --- each step computes ---------------------------------------------------------------------------
# What stands before the last "=" of a line is what stands behind it. The factors have four decimals.

SUMMARY = "The fast brown fox jumped over the lazy dog.\nThe dog did not wake up."
REFERENCES = [
    "The quick brown animal jumped over the lazy dog.\nThe dog went on sleeping, did it?",
    "The quick brown fox jumped over the sleeping dog, which did not wake up.",
]
ROUGE_PRESETS = {
    **dict.fromkeys((None, "rouge_score", "evaluate", "rouge-1.5.5"), ROUGE_TYPES),
    **dict.fromkeys(("matlab", "torchmetrics", "pyrouge-metric"), ROUGE_TYPES),
    **dict.fromkeys(("pltrdy", "rouge-chinese"), ("rouge1", "rouge2", "rougeL")),
    "coco-caption": ("rouge1", "rouge2", "rougeL"),
    "xlsum": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    **dict.fromkeys(("sumeval", "ignite", "sacrerouge"), ("rouge1", "rougeL")),
    "py-rouge": ("rouge1", "rougeLsum"),
    "rouge-2.0": ("rouge1", "rouge2", "rougeL", "rougeSU4"),
}
COMMAND_LINES = [
    *("-n 2 -p 0.3", "-n 2 -p 0", "-n 2 -p 1", "-n 2 -a", "-n 2 -l 8 -p 0.3", "-n 2 -b 40"),
    *("-n 2 -x -w 1.5", "-x -w 0.5 -p 0.3", "-n 1 -2 4 -u -p 0.8", "-n 1 -2 -1 -U"),
    *("-n 2 -f A -p 0.3", "-n 2 -f B -p 0.3", "-n 2 -t 1 -p 0.3", "-n 2 -a -c 90 -r 100"),
]


def rouge_cases():
    for preset, types in ROUGE_PRESETS.items():
        yield {"rouge_types": list(types)} | ({"preset": preset} if preset else {})
    for line in COMMAND_LINES:
        yield {"preset": f"ROUGE-1.5.5.pl {line}"}
    for multi_reference in ("average", "pooled", "jackknife", "separate", "recall", "f_of_means"):
        yield {"multi_reference": multi_reference}
    yield {"summary_lcs": "best"}  # other matches for precision than for recall


def test_all_presets_have_their_steps_computed(metrics):
    assert set(metrics.presets("rouge_full")) == (ROUGE_PRESETS.keys() | {"nmt"}) - {None}
    assert set(metrics.presets("bleu_full")) == {*BLEU_PRESETS, *PRESETS_WITH_FORMULA} - {None}


@pytest.mark.parametrize(("beta", "n_references"), [(None, 2), (2.0, 1)])
@pytest.mark.parametrize("options", list(rouge_cases()), ids=lambda one: str(one.get("preset")))
def test_each_step_of_rouge_computes(metrics, options, beta, n_references):
    options = options | ({} if beta is None else {"beta": beta})
    found = found_for(metrics, "rouge_full", SUMMARY, REFERENCES[:n_references], options)
    assert found.explanation.keys() == found.scores_of_type.keys() != set()
    for rouge_type, of_type in found.explanation.items():
        lists = steps_in(explanation_view(found, rouge_type))
        assert len(lists) == n_references
        for lines in lists:
            check_steps(lines)
        if of_type["chosen"] is not None:  # the pair that is shown first gives the scores
            shown = [float(line.rpartition(" = ")[2].split()[0]) for line in lists[0]]
            assert shown == pytest.approx(found.scores_of_type[rouge_type], abs=6e-5)


def test_an_f_of_another_formula_says_so(metrics):
    """That of ROUGE-L in preset "nmt" weights recall by the quotient of both."""
    options = {"preset": "nmt", "rouge_types": ["rouge1", "rougeL"]}
    found = found_for(metrics, "rouge_full", SUMMARY, REFERENCES[:1], options)
    of_words, of_lcs = (steps_in(explanation_view(found, one))[0] for one in options["rouge_types"])
    check_steps(of_words)
    f = found.scores_of_type["rougeL"][2]
    assert of_lcs[-1] == f"F = {f:.4f}, by the formula of the preset"


def check_steps(lines):
    """Compute precision, recall and F of their lines."""
    values = {}
    for line, name in zip(lines, ("precision", "recall", "F"), strict=True):
        assert line.startswith(f"{name} = ")
        formula, result = _formula(line)
        assert eval(formula, {}, values) == pytest.approx(result, rel=2e-4, abs=2e-4), line
        values[name] = result


def _formula(line):
    """The formula of a line as code, and its result."""
    _, formula, last = line.split(" = ")
    signs = {"×": "*", "²": "**2", "−": "-", " to the power of ": "**"}
    for word, sign in {" matching": "", " distinct": "", **signs}.items():
        formula = formula.replace(word, sign)
    formula = re.sub(r"\*\*1/([0-9.]+)", r"**(1/\1)", formula)
    formula = re.sub("( [a-z0-9]+-grams| word[a-z ,]*| of the [a-z]+)", "", formula)
    return formula, float(re.match("[0-9.]+", last)[0])


def test_the_f_of_another_beta_in_words(metrics):
    """Of a preset, of the alpha of a command line, where beta^2 = 1 / 0.2 - 1, and of the visitor."""

    def last_step(**options):
        found = found_for(metrics, "rouge_full", "a b c", ["a b x y"], options, "rouge1")
        return steps_in(explanation_view(found, "rouge1"))[0][-1]

    of_two = "F = (1 + 2²) × 0.6667 × 0.5000 / (2² × 0.6667 + 0.5000) = 0.5263"
    assert last_step(preset="matlab") == "F = recall = 0.5000"
    assert last_step(preset="ROUGE-1.5.5.pl -n 1 -p 1") == "F = precision = 0.6667"
    assert last_step(preset="ROUGE-1.5.5.pl -n 1 -p 0.2") == of_two
    assert last_step(preset="matlab", beta=2.0) == of_two


def test_a_rouge_that_is_not_defined(metrics):
    """MATLAB gives NaN where the reference has nothing; there is nothing to compute with."""
    options = {"preset": "matlab", "rouge_types": ["rouge2"], "beta": 2.0}
    found = found_for(metrics, "rouge_full", "a b c", ["a"], options)
    nothing = "not defined: the reference has no 2-grams"
    steps = [f"precision = {nothing}", f"recall = {nothing}", "F = not defined"]
    assert steps_in(explanation_view(found, "rouge2")) == [steps]


BLEU_PRESETS = (None, "sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics")
BLEU_PRESETS += ("nltk-3.2.5", "nltk-3.4.5", "nltk-3.5")
BLEU_PRESETS += ("multi-bleu.perl", "t2t", "fairseq", "ignite")
PRESETS_WITH_FORMULA = ("coco-caption", "codexglue", "mteval-v13a.pl", "pymteval")
BLEU_OPTIONS = [
    *({}, {"max_order": 1}, {"max_order": 2}, {"weights": [0.4, 0.3, 0.2, 0.1]}),
    *({"weights": [2.0]}, {"weights": [0.0, 1.0]}, {"weights": [0.5, 0.5, 0.0]}),
]
BLEU_TEXTS = [
    ("The fast fox jumped over it.", ["The quick fox jumped over it.", "The fast fox slept."]),
    ("a b c d", ["a b x y", "c d e f g h"]),
    ("the cat sat", ["the cat sat", "the dog sat here"]),
    ("the cat", ["the cat lay", "one cat"]),
    ("the dog", ["the cat lay", "one cat"]),
    ("x", ["cat", "dog"]),
]


@pytest.mark.filterwarnings("ignore:The weights of")
@pytest.mark.parametrize(
    ("preset", "n_references", "is_item"),
    [*((preset, 2, False) for preset in BLEU_PRESETS), (None, 1, True), ("sacrebleu", 2, True)],
)
def test_each_step_of_bleu_computes(metrics, preset, n_references, is_item):
    """With all smoothings; of a corpus of one item, as on "Try it", and of a row of a file."""
    n_products = 0
    others = BLEU_OPTIONS if preset in (None, "nltk") else []
    for options in [{"smoothing": one} for one in metrics.smoothings()] + others:
        options = options | ({"preset": preset} if preset else {})
        for prediction, references in BLEU_TEXTS:
            texts = prediction, references[:n_references]
            found = found_for(metrics, "bleu_full", *texts, options, is_item=is_item)
            (lines,) = steps_in(explanation_view(found, None))
            n_products += check_steps_of_bleu(lines, found.result)
    assert n_products > 5


@pytest.mark.parametrize("preset", PRESETS_WITH_FORMULA)
def test_steps_of_a_formula(metrics, preset):
    """The penalty is not that of Papineni et al., and the line says so."""
    short = ("a b c d", ["a b c d e f g h i"])
    for prediction, references in [*BLEU_TEXTS, short]:
        found = found_for(metrics, "bleu_full", prediction, references, {"preset": preset})
        (lines,) = steps_in(explanation_view(found, None))
        *_, penalty, bleu = lines
        assert float(_value(bleu)) == pytest.approx(found.result["bleu"], abs=6e-5)
        assert float(_value(penalty)) == pytest.approx(found.result["brevity_penalty"], abs=6e-5)
    is_other = "by the formula of the preset" in penalty
    assert is_other == (preset == "codexglue")


def check_steps_of_bleu(lines, result):
    """Compute the steps; return whether BLEU is a product that is shown."""
    *precisions, penalty, bleu = lines
    for line, expected in zip(precisions, result["precisions"], strict=True):
        if ": the prediction has no" not in line:
            formula, plain = _formula(line)
            assert eval(formula) == pytest.approx(plain, abs=6e-5), line
        found = line.split()[-1] if "smoothing" in line else _value(line)
        assert float(found) == pytest.approx(expected, abs=6e-5)
    assert float(_value(penalty)) == pytest.approx(result["brevity_penalty"], abs=6e-5)
    if "exp" in penalty:
        formula, value = _formula(penalty)
        assert eval(formula, {"exp": math.exp}) == pytest.approx(value, abs=6e-5), penalty
    else:
        assert result["brevity_penalty"] in (0, 1)
    assert float(_value(bleu)) == pytest.approx(result["bleu"], abs=6e-5)
    if result["bleu"] == 0:
        assert bleu.startswith("BLEU = 0.0000: ")
        return False
    formula, value = _formula(bleu)
    assert eval(formula) == pytest.approx(value, rel=2e-3, abs=2e-4), bleu
    return True


def _value(line):
    """The number behind the last "=" of a line."""
    return re.match("[0-9.]+[0-9]", line.rpartition(" = ")[2])[0]


def test_steps_follow_the_scale(metrics):
    """In percent where scores go up to 100; each line is the same but for its numbers."""
    pair = "the cat sat on a mat", ["the cat sat on the mat", "my cat"]
    for name, measure in [("rouge_full", "rouge2"), ("bleu_full", "1-grams")]:
        options = {"rouge_types": [measure]} if name == "rouge_full" else {}
        view = explanation_view(found_for(metrics, name, *pair, options), measure)
        of_one, of_hundred = (steps_in(view, scale) for scale in ("one", "hundred"))
        assert len(of_one) == len(of_hundred) > 0
        for lines, in_percent in zip(of_one, of_hundred, strict=True):
            assert [_percent(line) for line in lines] == in_percent
        assert "\u00a0%" in in_percent[-1]


def _percent(line):
    """A line with each score in percent, but for the brevity penalty."""
    if line.startswith("brevity penalty"):
        return line
    is_bleu = line.startswith("BLEU = ")
    head, line = line[: 15 * is_bleu], line[15 * is_bleu :]  # "BLEU = 1.0000 ×"
    return head + re.sub(r"\d\.\d{4}", lambda one: f"{100 * float(one[0]):.2f}\u00a0%", line)


def test_scores_of_several_references_follow_the_scale(metrics):
    """2 words of 3 and of 4, 3 words of 3 and of 3: the means of both are 5 / 6 and 3 / 4."""
    options = {"multi_reference": "average"}
    pair = "the cat sat", ["the cat lay down", "the cat sat"]
    view = explanation_view(found_for(metrics, "rouge_full", *pair, options), "rouge1")
    said = re.search("together they give.*?</p>", view)[0]
    assert re.findall('page-hundred">(.*?)<', said)[:2] == ["83.3", "75.0"]
    assert re.findall('page-one">(.*?)<', said)[:2] == ["0.833", "0.750"]


def test_steps_of_bleu(metrics):
    texts = ("the cat sat on the mat", ["the cat sat on a big mat"])
    options = {"max_order": 2}
    found = found_for(metrics, "bleu_full", *texts, options)
    assert steps_in(explanation_view(found, None))[0] == [
        "precision of 1-grams = 5 matching / 6 = 0.8333",
        "precision of 2-grams = 3 matching / 5 = 0.6000",
        "brevity penalty = exp(1 − 7 / 6) = 0.8465 (6 words, reference 7)",
        # exp(-1/6) sqrt(5/6 * 3/5)
        "BLEU = 0.8465 × (0.8333 × 0.6000) to the power of 1/2 = 0.5986",
    ]
    view = scores_view(found)
    for words in (">59.9<", ">0.599<", "width:59.86%", ">0.846<", "6 words, the reference 7."):
        assert words in view
    of_file = {"metric": "bleu_full", "n_rows": 1, "result": found.result, "file": "a.csv"}
    for shown in (view, file_views.file_summary(of_file | {"options": options})):
        meanings = re.findall('page-meaning">(.*?)<', shown)
        assert len(meanings) == 4, "one line for BLEU, each precision, and the penalty"
        assert meanings[2] == "pairs of words in a row"


NO_MATCH = "BLEU = 0.0000: no {}-gram matches, and "
NO_SMOOTHING = NO_MATCH + "by this preset no smoothing mends that"
TOO_SHORT = "BLEU = 0.0000: the prediction is too short for n-grams of every length"
AS_THEY_ARE = "(0.5000 to the power of 1) × (0.3333 to the power of 1)"
MATLAB = {"preset": "matlab"}
LAST_STEPS = [
    # exp(-1/4) = 0.7788; p1 = 2/4, p2 = 1/3; NLTK takes weights as they are.
    ("a b x y z", {"weights": [3.0, 1.0]}, "(0.5000 to the power of 0.75) × (0.3333 to the power"),
    ("a b x y z", {"weights": [1, 1], "preset": "nltk"}, AS_THEY_ARE),
    ("a b x y z", {"weights": [1.0, 1.0]}, "(0.5000 × 0.3333) to the power of 1/2"),
    ("a b x y", {}, NO_MATCH.format(3) + "a product with 0 is 0"),
    # torchmetrics gives 0 with any smoothing, MATLAB where there are too few words.
    ("a b x y", {"preset": "torchmetrics", "smoothing": "add-k"}, NO_SMOOTHING.format(3)),
    ("a b c x y", MATLAB | {"smoothing": "add-k", "max_order": 5}, NO_SMOOTHING.format(4)),
    ("a b x y", MATLAB | {"weights": [1, 0, 0, 0, 0]}, TOO_SHORT),
    # exp(1 - 4000/4) is below the smallest float, some exp(-745).
    ("a " * 4000, {"max_order": 1}, "BLEU = 0.0000: the brevity penalty is too small for a number"),
]


@pytest.mark.filterwarnings("ignore:The weights of")
@pytest.mark.parametrize(("reference", "options", "step"), LAST_STEPS)
def test_the_last_step_of_bleu(metrics, reference, options, step):
    found = found_for(metrics, "bleu_full", "a b c d", [reference], options)
    last = steps_in(explanation_view(found, None))[0][-1]
    assert last.startswith(step if step.startswith("BLEU") else f"BLEU = 0.7788 × {step}")


def test_no_product_is_shown_of_precisions_that_are_smoothed_otherwise(metrics):
    """Under chen-cherry-7 with weights that end in 0; the precisions are smoothed with all orders."""
    options = {"smoothing": "chen-cherry-7", "weights": [1.0, 0.0, 0.0]}
    found = found_for(metrics, "bleu_full", "the dog", ["the cat lay", "one cat"], options)
    score = f"{found.result['bleu']:.4f}"
    assert score != f"{found.result['precisions'][0] * found.result['brevity_penalty']:.4f}"
    last = f"BLEU = {score}, of precisions smoothed without the orders of weight 0"
    assert steps_in(explanation_view(found, None))[0][-1] == last


def test_orders_are_left_out_where_the_scores_leave_them_out(metrics):
    """sacreBLEU leaves out the orders of a short sentence, and not those of a corpus."""
    texts = "the cat", ["the cat lay"]
    of_corpus, of_row = (
        found_for(metrics, "bleu_full", *texts, {"preset": "sacrebleu"}, is_item=is_item)
        for is_item in (False, True)
    )
    missing = "BLEU = 0.0000: no 3-gram matches, and a product with 0 is 0"
    assert steps_in(explanation_view(of_corpus, None))[0][-1] == missing
    # exp(1 - 3/2) = 0.6065, and both words and their pair match.
    product = "BLEU = 0.6065 × (1.0000 × 1.0000) to the power of 1/2 = 0.6065"
    assert steps_in(explanation_view(of_row, None))[0][-1] == product
    assert (of_corpus.result["bleu"], of_row.result["bleu"]) == (0, math.exp(-0.5))


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
    found = {"metric": "rouge_full", "n_rows": 2, "result": result, "file": "<b>.csv"}
    found |= {"columns": ["mine", "<other>"], "options": {"output": "all"}}
    view = file_views.file_summary(found)
    assert "ROUGE, <b>.csv, 2 rows, default options" in shown_text(view)
    scores, compared, *_ = re.findall("<table.*?</table>", view)
    assert re.findall('<th scope="col">(.*?)</th>', scores) == ["", "F", "Precision", "Recall"]
    headers = ["F", "mine", "&lt;other&gt;", "Difference", "p-value"]
    assert re.findall('<th scope="col">(.*?)</th>', compared) == headers
    # One pair of two matches whole, of the other system half of it.
    hundreds = re.findall('page-hundred">(.*?)<', compared)
    low, high = (f"{100 * result[f'rouge1_fmeasure_delta_{end}']:+.2f}" for end in ("low", "high"))
    assert [hundreds[0], hundreds[3], *hundreds[6:]] == ["50.00", "25.00", "+25.00", low, high]
    assert f"<td>{result['rouge1_fmeasure_p_value']:.3f}</td>" in compared


def test_the_caption_of_a_file_names_the_options_that_are_not_as_at_first():
    found = {"metric": "bleu_full", "n_rows": 1_000, "file": "a.csv"}
    options = {"preset": "nltk", "lowercase": True}
    caption = file_views._caption(found | {"options": options})
    assert caption == 'BLEU, a.csv, 1,000 rows, preset="nltk", lowercase=True'


def test_a_histogram_and_its_rows_follow_the_scale():
    measure = {"counts": [1, 3], "edges": [0.0, 0.5, 1.0], "worst": [[0, 0.25]], "best": []}
    found = {"metric": "rouge_full", "measures": {"rouge1": measure}}
    found["items"] = {"0": {"row": "row 1"}}
    drawn, spoken = file_views.rows_view(found, "rouge1").split('<p class="page-spoken">')
    for scale, edges in {"hundred": ["0", "50", "100"], "one": ["0", "0.5", "1"]}.items():
        of_scale = f'page-{scale}">(.*?)<'
        assert re.findall(of_scale, drawn) == edges[:-1]
        assert re.findall(of_scale, spoken) == [*edges[:2], *edges[1:]]
    assert file_views.item_choices(found, "rouge1") == [("worst: row 1, 25.0", "worst 0")]
    of_one = file_views.item_choices(found, "rouge1", is_of_one=True)
    assert of_one == [("worst: row 1, 0.250", "worst 0")]


def test_the_rows_of_two_systems_are_plotted():
    differences = {"better": 2, "equal": 1, "worse": 1, "sorted": [-0.25, 0.0, 0.25, 0.5]}
    measure = {"counts": [4], "edges": [0.0, 1.0], "differences": differences}
    found = {"metric": "rouge_full", "columns": ["<a>", "b"], "measures": {"rouge1": measure}}
    view = file_views.rows_view(found, "rouge1")
    assert "“<a>” is better in 2, equal in 1 and worse in 1 rows than “b”" in shown_text(view)
    shares = [("down", "0.5000"), ("up", "0.0000"), ("up", "0.5000"), ("up", "1.0000")]
    assert re.findall('page-(up|down)" style="--share:(.*?)"', view) == shares


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
    found |= {"matches": [group], "of_other_seeds": [], "note": None}
    text = shown_text(settings_views.settings_view(found))
    for words in ("(recall)", "rouge.compute(<>)", "rouge_full|1", "rouge1 41.1610", "2 more"):
        assert words in text
    one = settings_views.settings_view(found | {"n_distinct": 1})
    assert "on 1 row: 1 different result." in shown_text(one)
    nothing = found | {"matches": [], "n_groups": 0, "nearest": [group]}
    assert "No setting gives all of the numbers" in settings_views.settings_view(nothing)
    noted = shown_text(settings_views.settings_view(nothing | {"note": "<of two> scales"}))
    assert "<of two> scales." in noted


def test_no_explanation_is_no_crash():
    empty = Scored("rouge_full", "a", ["b"], {}, None, {}, "")
    assert "marked" in explanation_view(empty, None)
