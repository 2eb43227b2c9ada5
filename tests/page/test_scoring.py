"""Texts, files and settings -> scores, marks, tables, links and code; no server."""

import csv
import gzip
import html
import json
import math
import os
import pickle
import random
import re
import shlex
import signal
import subprocess
import sys
import warnings
import zipfile
from collections import Counter
from types import SimpleNamespace
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest

import rouge_bleu

pytest.importorskip("gradio", reason="the page is not installed here")

from rouge_bleu_tools.app import drawing, file, layout, scoring, settings, words, worker
from rouge_bleu_tools.cli.main import main

HOSTILE = '<img src=x onerror=alert(1)> & "quotes" \' </script>'
PREDICTION = "the cat sat on the mat, the mat"
REFERENCES = ["on the mat sat a cat", "a dog"]


def scored(prediction=PREDICTION, references=REFERENCES, **values):
    found, problems = settings.checked(values)
    assert problems == {}
    return scoring.score_texts(prediction, list(references), found)


def test_settings_are_options_of_the_metrics():
    for values, rouge, bleu in (
        ({}, {}, {}),
        ({"preset": "nltk"}, {}, {"preset": "nltk"}),
        ({"beta": "2", "max_order": "2"}, {"beta": 2.0}, {"max_order": 2}),
        ({"weights": "1 0.5", "lowercase": True}, {}, {"lowercase": True, "weights": [1.0, 0.5]}),
        ({"sentences": True}, {"sentence_splitter": "sentences"}, {}),
        ({"command": "ROUGE -a"}, {"preset": "ROUGE -a", "confidence_level": None}, {}),
        ({"command": "-a"}, {"preset": "ROUGE-1.5.5.pl -a", "confidence_level": None}, {}),
    ):
        found = settings.default_settings() | values
        assert (settings.rouge_options(found), settings.bleu_options(found)) == (rouge, bleu)


def test_values_that_a_field_does_not_have_are_refused():
    for name, values in {
        "tokenizer": ["spm", HOSTILE, 1],  # spm downloads a model
        "preset": ["ROUGE-1.5.5.pl -a"],
        "rouge_types": [["rouge1000"], "rouge3"],
        "use_stemmer": ["yes"],
        "beta": ["-1", "many", True],
        "weight": ["100"],
        "max_order": ["1e9", "0", 2.5],
        "weights": ["1 " * 50, "0 0"],
        "command": ["rm -rf /", "ROUGE-1.5.5.pl --" + "x" * 1000],
        "n_jobs": [8],
    }.items():
        for value in values:
            found, problems = settings.checked({name: value})
            assert list(problems) == [name], value
            assert not re.search(r"float|could not|rouge_types\[|math", problems[name])
            assert found == settings.default_settings()


def test_a_link_restores_texts_and_settings():
    values = {"tokenizer": "unicode", "use_stemmer": True, "rouge_types": ["rougeS4"], "beta": "2"}
    found, texts = settings.checked(values)[0], ("a c", HOSTILE, ["a\nb", "c & d"])
    query = settings.link_query(*texts, found, "rougeS4").removeprefix("?")
    assert settings.read_query(query) == (texts, found, ["rougeS4", ""], [])
    assert settings.read_query("measure=bleu&tab=file")[2:] == (["bleu", "file"], [])
    # One with hostile values or long texts sets nothing.
    values = {"tokenizer": HOSTILE, "preset": "../../etc/passwd", "use_stemmer": "[" * 5000}
    values |= {"rouge_types": json.dumps(["rouge1"] * 10), "beta": "nan", "command": HOSTILE}
    values |= {"measure": "rougeS4", "tab": HOSTILE}
    query = urlencode({**values, "n_jobs": "64", "__theme": "dark"})
    texts, found, view, ignored = settings.read_query(query)
    assert (texts, found, view) == (None, settings.default_settings(), ["", ""])
    assert set(ignored) == {*values, "n_jobs"}
    with pytest.raises(settings.Refusal):
        settings.link_query("a " * 5000, "a", ["a"], settings.default_settings())
    long = urlencode({"prediction": "a" * 50_000, "reference": "a"})
    assert settings.read_query(long)[0] is None


def test_the_tiles():
    """BLEU of sacreBLEU is that of a corpus, as papers print it: `sentence_bleu` leaves out orders for
    which the text is too short. A preset without a type has no tile of it.
    """
    expected = rouge_bleu.bleu(["a b"], [["a b"]], preset="sacrebleu")["bleu"]
    assert scored("a b", ["a b"], preset="sacrebleu").scores["bleu"] == expected
    assert list(scored(preset="pltrdy").scores) == ["rouge1", "rouge2", "rougeL", "bleu"]


def test_texts_that_are_none_or_too_long_are_refused():
    bad = [("", ["a"]), ("a", []), ("a", [" "]), (None, ["a"]), ("a", "a"), ("a", [1])]
    bad += [("a" * 40_001, ["a"]), ("a", ["a"] * 21), ("a\n" * 1_001, ["a"]), ("\ud800", ["a"])]
    for prediction, references in bad:
        with pytest.raises(settings.Refusal):
            scoring.check_texts(prediction, references)


def test_notes_name_what_helps():
    for prediction, reference, values, expected in (
        ("naive", "naive", {}, []),
        ("schön a b c", "schön a b c", {}, ["“Tokenizer”: unicode"]),
        ("schön a b c", "schön a b c", {"tokenizer": "13a"}, []),
        ("a b c d", "a c", {}, ["“Smoothing (BLEU)”: exp"]),
        ("a b c d", "a c", {"smoothing": "exp"}, []),
        ("a b", "a b", {}, []),  # there are no 3-grams
    ):
        notes = scoring.notes(scored(prediction, [reference], **values))
        found = [re.search("“.*?”: [a-z]+", scoring.message_html(one)) for one in notes]
        assert [one[0] for one in found if one] == expected, prediction
    refused = settings.checked({"weight": "100"})[1]["weight"]
    assert scoring.message_html(refused).startswith(
        '<p class="error" role="alert">“Weight of ROUGE'
    )
    assert scoring.in_words("baseline_predictions must") == "“Compare with second system” must"


def test_packages_have_the_scores_of_the_packages_and_of_our_calls():
    rows = {row["name"]: row for row in scoring.compare_packages(PREDICTION, REFERENCES)}
    assert {"rouge_score", "evaluate", "ROUGE-1.5.5", "torchmetrics", "NLTK"} < rows.keys()
    names = {"rouge_bleu": rouge_bleu, "prediction": PREDICTION, "references": REFERENCES}
    for row in rows.values():
        assert row["scores"]
        assert row["here"]
        for call in row["here"]:
            values = [one for one in eval(call, names).values() if isinstance(one, float)]
            of_bleu = "bleu.bleu" in call
            wanted = [one for name, one in row["scores"].items() if (name == "bleu") == of_bleu]
            assert all(np.isclose(values, one).any() for one in wanted), call
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
    theirs = rouge_scorer.RougeScorer(list(settings.TILES)).score_multi(REFERENCES, PREDICTION)
    theirs = {name: one.fmeasure for name, one in theirs.items()}
    assert rows["rouge_score"]["scores"] == pytest.approx(theirs)
    sacrebleu = pytest.importorskip("sacrebleu")
    ours = rows["sacreBLEU, sentence"]["scores"]["bleu"]
    assert ours == pytest.approx(sacrebleu.sentence_bleu(PREDICTION, REFERENCES).score / 100)


def test_what_is_said_of_a_package_is_what_it_does():
    """By hand, of the documentation and code of the packages."""
    facts = dict(
        zip([one["package"] for one in settings.PACKAGES], scoring.facts_of_packages(), strict=True)
    )
    for package, expected in {
        "rouge_score": "ROUGE: a-z and 0-9 only",
        "ROUGE-1.5.5": "ROUGE: a-z and 0-9 only, its L goes by sentences, pools references",
        "rouge (PyPI) [pltrdy]": "ROUGE: splits at whitespace, keeps case, each n-gram once, "
        "its L goes by sentences",
        "MATLAB": "ROUGE: punctuation counts, keeps case, F is recall; BLEU: punctuation counts, keeps case",
        "CodeXGLUE": "BLEU: punctuation counts, ignores case, texts of two words can score 100, "
        "length of the shortest reference",
    }.items():
        assert facts[package] == expected


def test_packages_score_any_text(recwarn):
    for text in ("!", "\u044f", "a", HOSTILE):
        rows = scoring.compare_packages(text, [text])
        assert "<img" not in drawing.packages_html(rows, {"rouge1": math.nan}, [text] * len(rows))
    assert not [one for one in recwarn if "exception lists" in str(one.message)]


def test_marks():
    """Neighbours are one mark; other forms, words that count once and the best reference are named."""

    def html(*texts, measure="rouge1", **values):
        return words.explained(scored(texts[0], list(texts[1:]), **values), measure)[0]

    shown = html("The cats sat.", "The cat sat!", use_stemmer=True)
    assert ">The</mark>" in shown
    assert "\u201ccat\u201d" in shown.partition(">cats</mark>")[0]
    assert html("The cat sat", "The cat sat").count("<mark") == 2
    assert html("the mat the mat", "the mat").count('class="used"') == 2
    assert 'class="used"' not in html("the mat", "the mat")
    assert "<<" not in html("a<b<c", "a<b", measure="bleu")
    shown = html("a cat", "a dog", "a cat")
    assert shown.index("Reference 2") < shown.index('class="best"')
    assert 'class="best"' not in html("a cat", "a cat")
    shown = html("on the mat a cat sat", "a cat on the mat")  # the same runs in both texts
    assert re.findall('data-run="(.)"', shown) == ["1", "2", "2", "1"]


WORDS = (
    "the The cat cats a b, e.g. can't gonna ä Köln 我们明天 &amp; <b> 😀 … İ Σας ς σ 3.5 went -- ' was"
).split()
TYPES = list(settings.FIELDS["rouge_types"].choices)


def texts_of(number):
    """A prediction and one or two references of some words, some of them hostile."""
    choose = random.Random(number)
    words = [*choose.sample(WORDS, 6), "x" * 70, "\u200b"]

    def text():
        ends = [" ", " ", " ", "\n", ". ", " \n"]
        return "".join(choose.choice(words) + choose.choice(ends) for _ in range(12)).strip()

    return text(), [text() for _ in range(choose.choice([1, 1, 2]))]


def marks_of(shown):
    """The texts of words_html, and the marks of each: start, end, number."""
    texts = []
    for body in re.findall(r'<p class="words" dir="auto">(.*?)</p>', shown, re.DOTALL):
        text, marks = "", []
        for tag, part in re.findall(r"(<[^>]*>)|([^<]+)", body):
            if tag.startswith("<mark"):
                number = re.search('data-run="(.*?)"', tag)
                marks.append([len(text), None, number and int(number[1])])
            elif tag == "</mark>":
                marks[-1][1] = len(text)
            text += html.unescape(part)
        texts.append((text, marks))
    return texts


def check_drawing(found, measure, drawn, place):
    """Curves join tokens that `explain_rouge` returns and that are the same, each with one other;
    as many as both texts have. The list and the matrix say the same.
    """
    one = found.rouge[measure]
    best = one["chosen"] or 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"rouge_types": [measure], **settings.rouge_options(found.settings)}
        texts = found.prediction, found.references
        tokens = words._TOKENS.explain("explain_rouge", {}, *texts, **options)[measure]
    sides = tokens[0], tokens[1 + best]
    spans = [words.known_spans([span for span, _ in side]) for side in sides]
    pair = one["references"][best]
    marked = [words.known_spans(pair[f"{name}_spans"]) for name in ("prediction", "reference")]
    forms = [
        [tuple(number for own, number in side if own and tuple(own) == span) for span in of_side]
        for side, of_side in zip(sides, spans, strict=True)
    ]
    of_marks = [
        Counter(form for form, span in zip(*both, strict=True) if span in marks)
        for *both, marks in zip(forms, spans, marked, strict=True)
    ]
    both = zip((found.prediction, found.references[best]), sides, marked, strict=True)
    found_links = words.links(*(words.side_of(*one) for one in both))
    if forms[0] != forms[1]:
        assert len(found_links) == (of_marks[0] & of_marks[1]).total(), place
    assert len({link.left for link in found_links}) == len(found_links), place
    for link in found_links:
        assert spans[0][link.left] in marked[0], place
        assert spans[1][link.right] in marked[1], place
        assert forms[0][link.left] == forms[1][link.right], place
    straight = [link.right for link in found_links if not link.crosses]
    assert straight == sorted(straight), place
    for link in found_links:
        if link.crosses:
            assert any(
                (link.left < other.left) != (link.right < other.right)
                for other in found_links
                if not other.crosses
            ), place
    alignment, matrix = re.findall("<svg.*?</svg>", drawn)
    assert alignment.count("<path") == matrix.count("data-run") == len(found_links), place
    assert drawn.count("<li>") == len({link.run for link in found_links}), place


def test_crossing_and_path():
    """By hand: the storm crosses; a common subsequence is one line."""
    found = scored("a b c x", ["x a b c"])
    for measure, crosses in (("rouge1", 1), ("rougeL", 0)):
        drawn = words.explained(found, measure)[1]
        assert drawn.count('class="gray"') == 2 * crosses
        assert drawn.count("<line") == 2
        assert drawn.count(", in another order</li>") == crosses
    assert "up to 100 tokens" in words.explained(scored("a " * 101, ["a"]), "rouge1")[1]


def test_a_plain_sentence():
    """By hand."""
    assert settings.shown_name("bleu_1") == "BLEU-1"  # of coco-caption
    found = scored("a b c x", ["x a b c"])
    assert words.rouge_calculation(found, "rouge2") == (
        "ROUGE-2 compares pairs of neighboring words: 2 of 3 in the prediction match (P 66.7), "
        "2 of 3 in the reference (R 66.7). F = 66.7"
    )
    for rule, expected in {
        "pooled": "Sums over the references: 3 of 6 in the prediction match (P 50.0), "
        "3 of 4 in the references (R 75.0). F = 60.0",
        "average": "Means over the references: P 50.0, R 83.3. Mean F = 58.3",
        "f_of_means": "Means over the references: P 50.0, R 83.3. F = 62.5",
        "separate": "Highest of a reference: P 66.7, R 100.0. F = 80.0",
    }.items():
        found = scored("a b c", ["a b x", "c"], multi_reference=rule)
        line = words.rouge_calculation(found, "rouge1")
        assert line.endswith(f"2 of 3 in reference 1 (R 66.7). F = 66.7. {expected}")
    for order, compared in (("4", "runs of 1 to 4 words"), ("1", "words")):
        line = words.bleu_calculation(scored("a b c d x", ["a b c d"], max_order=order).bleu)
        assert line.startswith(f"BLEU compares {compared}. Brevity penalty 1.000 × (4/5")


def test_bars_are_the_precisions_and_ngrams_are_clipped_as_they_count():
    for number in range(30):
        prediction, references = texts_of(number)
        prediction = [prediction, references[0] + " a"][number % 2]
        for preset in settings.FIELDS["preset"].choices:
            found = scored(prediction, references, preset=preset)
            drawn, rows = drawing.bars(found.bleu), words.ngrams_of(found)
            shown = re.findall("<td>([^<]*)</td><td><meter", drawn)
            expected = [settings.percent(one["precision"]) for one in found.bleu["orders"]]
            assert shown[: len(expected)] == expected, preset
            assert shown[-1] == settings.percent(found.bleu["bleu"]), preset
            assert shown[-2] == settings.percent(found.bleu["brevity_penalty"]), preset
            for one in found.bleu["orders"]:
                of_order = [row for row in rows if row[0] == one["order"]]
                assert sum(row[-1] for row in of_order) == one["matches"], (preset, one)
    rows = words.ngrams_of(scored("the the the cat", ["the cat", "the the mat"]))
    assert rows[:2] == [(1, "the", 3, 2, 2), (1, "cat", 1, 1, 1)]  # Papineni et al. 2002, 2.1


def test_dots_are_the_packages_and_the_page():
    rows = scoring.compare_packages(PREDICTION, REFERENCES)
    here = scored().scores
    for name, drawn in zip(
        (*settings.TILES, "bleu"), drawing.dots(rows, here).split("<b>")[1:], strict=True
    ):
        shown = re.findall(r'names" style="\w+: 0">([\d.]+): (.*?)</span>', drawn)
        found = {one: score for score, listed in shown for one in listed.split(", ")}
        assert found["this page"] == settings.percent(here[name])
        n_rows = sum(name in row["scores"] for row in rows)
        assert drawn.count("●") == n_rows + 1


def test_a_second_prediction_has_its_difference():
    first, second = scored(), scored("on the mat sat a cat")
    shown = scoring.tiles_html(first, "rouge1", second)
    difference = 100 * (first.scores["rouge2"] - second.scores["rouge2"])
    assert f"Second&nbsp;100.0 First&nbsp;−&nbsp;second {difference:+.1f}" in shown
    assert scoring.tiles_html(first, "rouge1").count("Second") == 0
    for text, n_texts in ((second.prediction, 6), (" ", 3)):  # each with two references
        shown = words.answer(PREDICTION, REFERENCES, text, first.settings, "rouge1")[0][1]
        assert [one for one, _ in marks_of(shown)][3:] == [text, *REFERENCES][: n_texts - 3]


SHARE = re.compile(
    r"([-\d.,]+) of ([-\d.,]+)[^(]*\([PR](?: = \(\S+\)\^\(1/(\S+)\) =)? ([\d.]+|–)( by)?"
)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_statement_about_the_words_is_true():
    """Marked words are those that `explain_rouge` returns. Words with the same number are the same
    for ROUGE-1 of the preset. Fractions have the percent that is beside them, and the line ends
    with the score of the tile.
    """
    presets, n_runs, n_shares, n_refused = list(settings.FIELDS["preset"].choices), 0, 0, 0
    for number in range(200):
        prediction, references = texts_of(number)
        for preset in presets[number % 14 :: 14]:
            values = {"preset": preset, "rouge_types": TYPES, "use_stemmer": number % 3 == 0}
            try:
                found = scored(prediction, references, **values)
            except ValueError:  # ROUGE-W of a reference without tokens
                n_refused += 1
                continue
            options = settings.rouge_options(found.settings)
            for measure, one in found.rouge.items():
                place = (number, preset, measure)
                shown, drawn = words.explained(found, measure)
                check_drawing(found, measure, drawn, place)
                texts = marks_of(shown)
                assert [text for text, _ in texts] == [prediction, *references], place
                best = one["chosen"] or 0
                spans = [one["references"][best]["prediction_spans"]]
                spans += [other["reference_spans"] for other in one["references"]]
                for (text, marks), of_text in zip(texts, spans, strict=True):
                    marked = {at for start, end, _ in marks for at in range(start, end)}
                    matching = {at for span in of_text if span for at in range(*span)}
                    assert matching <= marked, place
                    assert not any(text[at].isalnum() for at in marked - matching), place
                runs = [{}, {}]
                for side, (text, marks) in zip(runs, (texts[0], texts[1 + best]), strict=True):
                    for start, end, run in marks:
                        if run:
                            side[run] = f"{side.get(run, '')} {text[start:end]}"
                assert runs[0].keys() == runs[1].keys(), place
                for run, text in runs[0].items():
                    given = {"rouge_types": ["rouge1"], **options}
                    same = rouge_bleu.explain_rouge(text, runs[1][run], **given)["rouge1"]
                    assert same["fmeasure"] > 0.999, (*place, text, runs[1][run])
                    n_runs += 1
                line = html.unescape(re.search('"calculation">(.*?)<', shown)[1])
                score = settings.percent(found.scores[measure])
                assert line.endswith(f"{found.word} = {score}"), (place, line)
                for matches, total, weight, share, by_rule in SHARE.findall(line):
                    if share != "–" and not by_rule:
                        of = float(matches.replace(",", "")) / (float(total.replace(",", "")) or 1)
                        of **= 1 / float(weight or 1)
                        tolerance = 0.6 if weight else 0.051  # counts have two decimals
                        assert 100 * of == pytest.approx(float(share), abs=tolerance), (place, line)
                        n_shares += 1
    assert min(n_runs, n_shares) > 2_000
    assert n_refused < 20


def test_every_statement_about_bleu_is_true():
    for number in range(60):
        prediction, references = texts_of(number)
        prediction = [prediction, references[0] + " a", "the cat"][number % 3]
        for preset in settings.FIELDS["preset"].choices:
            found = scored(prediction, references, preset=preset)
            line = words.bleu_calculation(found.bleu)
            score = settings.percent(found.bleu["bleu"])
            orders = {one["order"]: one for one in found.bleu["orders"]}
            if missing := re.search(r": no (\d)-gram matches", line):
                one = orders[int(missing[1])]
                assert (one["matches"], one["total"] > 0) == (0, True), (preset, line)
            elif missing := re.search(r"the prediction has no (\d)-grams", line):
                assert orders[int(missing[1])]["total"] <= 0, (preset, line)
            else:
                assert line.endswith(f"BLEU = {score}"), (preset, line)
            if product := re.search(
                r"Brevity penalty (.*) × \((.*?)(, smoothed)?\)\^\(1/(\d)\)", line
            ):
                factors = [eval(one) for one in product[2].split(" × ")]
                scale = 1 if product[3] else 100
                value = float(product[1]) * math.prod(factors) ** (1 / int(product[4])) * scale
                assert value == pytest.approx(float(score), abs=0.3), (preset, line)


# Each preset, and each option once.
ONCE = [
    {name: [one] if isinstance(field.default, list) else one}
    for name, field in settings.FIELDS.items()
    for one in field.choices
] + [{name: True} for name in ("use_stemmer", "sentences", "lowercase")]
ONCE += [{"beta": "2"}, {"beta": "inf"}, {"beta": "2", "preset": "matlab"}, {"max_order": "2"}]
ONCE += [{"weights": "1 0.5"}, {"weight": "1.5", "rouge_types": ["rougeW"]}]
# Programs give numbers.
ONCE += [{"beta": 2, "max_order": 2, "weights": [1, 0.5], "weight": 1.5, "rouge_types": ["rougeW"]}]
ONCE += [
    {"command": "ROUGE-1.5.5.pl -n 2 -a"},
    {"command": "ROUGE-1.5.5.pl -n 4 -w 1.2 -p 0.3 -f B"},
]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_printed_line_of_code_gives_the_scores_of_the_tiles(
    tmp_path, monkeypatch, capsys, by_bare_name
):
    monkeypatch.chdir(tmp_path)
    texts = ("The cats sat on the mat, they said.", ["A cat sat on the mat, it said."])
    second = "A cat sat."  # shorter than the longest n-gram
    (tmp_path / "predictions.txt").write_text(texts[0] + "\n", encoding="utf-8")
    (tmp_path / "references.txt").write_text(texts[1][0] + "\n", encoding="utf-8")

    def batch_decode(rows, **options):
        return [texts[1][0] if row[0] else texts[0] for row in rows]

    def printed(code):
        exec(code)
        lines = capsys.readouterr().out.splitlines()
        return [eval(line, {"nan": math.nan, "inf": math.inf}) for line in lines]

    def check(result, name, score, place=None):
        shown = [result[key] for key in (name, f"{name}_{found.output}") if key in result]
        value = shown[0] if place is None else shown[0][place]
        value = math.nan if value is None else value
        assert value == pytest.approx(score, abs=1e-9, nan_ok=True), (values, name, result)

    for values in ONCE:
        found, other = scored(*texts, **values), scored(second, texts[1], **values)
        python, trainer, commands = scoring.code("", *texts, found.settings)
        rouge, bleu = printed(python)
        names = {"tokenizer": SimpleNamespace(batch_decode=batch_decode)}
        exec(trainer, names)
        batch = SimpleNamespace(predictions=np.array([[0]]), label_ids=np.array([[1]]))
        of_commands = []
        for line in commands.splitlines():
            assert main([*shlex.split(line)[1:], "--json"]) == 0, capsys.readouterr().err
            of_commands.append(json.loads(capsys.readouterr().out))
        both = printed(scoring.code(second, *texts, found.settings)[0])
        for name, score in found.scores.items():
            is_bleu = name == "bleu"
            of_trainer = bleu if is_bleu else names["compute_metrics"](batch)
            for result in (bleu if is_bleu else rouge, of_commands[is_bleu], of_trainer):
                check(result, name, score)
            for place, one in enumerate((found, other)):
                check(both[is_bleu], name, one.scores[name], place)


def test_a_space_prints_its_own_name(monkeypatch):
    monkeypatch.setenv("SPACE_ID", "someone/bleu_full")
    python, trainer, _ = scoring.code("", "a", ["a"], settings.default_settings())
    loads = re.findall(r'load\("(.*?)"\)', python + trainer)
    assert loads == ["rouge_full", "someone/bleu_full", "rouge_full"]
    assert layout.first_measure() == "bleu"
    monkeypatch.setenv("SPACE_ID", "someone/rouge_full")
    assert layout.first_measure() == "rouge2"


@pytest.mark.parametrize("is_list", [False, True])
def test_trainer_code_scores_token_ids(is_list, by_bare_name):
    def batch_decode(rows, **options):
        return [" ".join(map(str, row)) for row in rows]

    names = {"tokenizer": SimpleNamespace(batch_decode=batch_decode)}
    exec(scoring.code("", "", [], settings.default_settings())[1], names)
    ids = np.array([[1, 2, -100]])
    predictions, labels = ([ids, ids], [ids, ids]) if is_list else ((ids, None), ids)
    batch = SimpleNamespace(predictions=predictions, label_ids=labels)
    assert names["compute_metrics"](batch)["rouge1"] == 1


def test_settings_are_found_and_used():
    texts = (["The cat sat on the mat, asleep."], [["The cat was asleep on the mat."]])
    bleu = rouge_bleu.bleu(*texts, preset="nltk", smoothing="floor")["bleu"]
    found = file.search(f"BLEU {100 * bleu:.4f}", *texts)
    groups = [settings.settings_of_options(one.settings[0].options)[0] for one in found.matches]
    assert any((one["preset"], one["smoothing"]) == ("nltk", "floor") for one in groups)
    shown = file.result_html(found, 2, ("a", "b"))
    assert "NLTK, smoothing" in shown  # as the list of presets names it
    queries = [html.unescape(one) for one in re.findall('href="[?](.*?)"', shown)]
    assert [settings.read_query(one)[1] for one in queries] == groups
    for reported in ("41.2", None, "R1 " * 500):
        with pytest.raises(settings.ERRORS):
            file.search(reported, *texts)


TABLE = {
    "hyp": ["the cat", "a dog", "no"],
    "ref1": ["a cat", "dogs", "yes"],
    "ref2": ["", "dog", "no"],
}


def test_a_table_has_rows(tmp_path):
    path = str(tmp_path / "texts.csv")
    pd.DataFrame(TABLE).to_csv(path, index=False)
    prediction, references, second = file.guess_columns(file.column_names([path]))
    assert (prediction, references, second) == ("hyp", ["ref1", "ref2"], "")
    rows = file.read_rows([path], prediction, references)
    assert rows.predictions == TABLE["hyp"]
    assert rows.references == [["a cat"], ["dogs", "dog"], ["yes", "no"]]
    for columns in ((None, ["ref1"]), ("hyp", []), ("no", ["ref1"]), ("hyp", ["hyp"])):
        with pytest.raises(settings.ERRORS):
            file.read_rows([path], *columns)


def test_texts_in_the_csv_are_no_formulas(tmp_path):
    texts = ["=1+1", "+1", "-1", "@x", "\tx", "'-tis the season", "''=1", "a=1", "'tis", "'"]
    expected = [f"'{text}" for text in texts[:-3]] + texts[-3:]
    scores = {"rouge1": [-0.01] * len(texts)}
    rows = file.Rows(texts, [[one] for one in texts])
    names, *lines = file.table_of_rows(rows, scores, {}, "")
    assert names == ["row", "ROUGE-1", "prediction", "references"]
    assert "'=b" in next(file.table_of_rows(file.Rows(["a"], [["a"]], ["a"]), {}, {}, "=b"))
    assert lines == [(row + 1, -1.0, one, one) for row, one in enumerate(expected)]
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as csv_file:
        csv.writer(csv_file).writerows([names, *lines])
    assert [line[2] for line in file.worst_rows(tmp_path / "a.csv", "rouge1")["data"]] == texts


def test_files_of_excel_are_read_as_the_command_reads_them(tmp_path):
    table = pd.DataFrame({"id": 1, "output": ["a b"], "ref A": ["a, b"]})
    table.to_csv(tmp_path / "a.csv", sep=";", index=False, encoding="utf-16")
    table.to_excel(tmp_path / "a.xlsx", index=False)
    for name in ("a.csv", "a.xlsx"):
        names = [str(tmp_path / name)]
        assert file.column_names(names) == ["id", "output", "ref A"]
        assert file.guess_columns(file.column_names(names)) == ("output", ["ref A"], "")
        assert file.read_rows(names, "output", ["ref A"]).references == [["a, b"]]
    (tmp_path / "b.csv").write_bytes(b"output,ref\n\xe9,a\n")
    expected = r"line 2: the text is not UTF-8(?!.*--).*\(in Excel: CSV UTF-8\)$"  # and no flag
    with pytest.raises(settings.Refusal, match=expected):
        file.read_rows([str(tmp_path / "b.csv")], "output", ["ref"])


def test_text_files_are_columns(tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in ("hyp", "ref.1", "baseline")]
    for path in paths:
        path.write_text("a b\nc\n", encoding="utf-8")
    names = list(map(str, paths))
    assert file.guess_columns(file.column_names(names)) == ("hyp", ["ref.1"], "baseline")
    rows = file.read_rows(names, "hyp", ["ref.1"], "baseline")
    assert rows == file.Rows(["a b", "c"], [["a b"], ["c"]], ["a b", "c"])
    paths[0].write_text("a b\n", encoding="utf-8")
    for column, reason in (("hyp", "hyp.* has 1 line"), ("output", "no column 'output'")):
        with pytest.raises(settings.ERRORS, match=reason):
            file.read_rows(names, column, ["ref.1"])


def test_columns_are_guessed_from_usual_names():
    for names, guess in {
        "id prediction reference baseline": ("prediction", ["reference"], "baseline"),
        "article highlights generated_summary": ("generated_summary", ["highlights"], ""),
        "id ref1 ref2 hyp": ("hyp", ["ref1", "ref2"], ""),
        "a": ("a", [], ""),
        "id sysA sysB gold": (None, ["gold"], ""),
        "a b": ("a", ["b"], ""),
        "a b c": (None, [], ""),
        "ours gold": ("ours", ["gold"], ""),
        "": (None, [], ""),
    }.items():
        assert file.guess_columns(names.split()) == guess


def test_files_that_cannot_be_scored_are_refused_without_the_folder(tmp_path):
    many = b"hyp,ref\n" + b"a,b\n" * 20_001
    bad = {"x.csv": b"\xff\xfe", "x.json": b"{", "x.parquet": b"not parquet", "y.csv": many}
    bad["z.jsonl"] = b'{"hyp": "a", "ref": {"a": 1}}'  # no text
    # Its references are missing; no such format.
    for name, content in {**bad, "x.txt": b"a\n", "x.exe": b"a"}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(settings.ERRORS) as refusal:
            file.read_rows([str(tmp_path / name)], "hyp", ["ref"])
        assert str(tmp_path) not in str(refusal.value)


def test_reading_stops_at_the_limit_of_unpacked_bytes(tmp_path, monkeypatch):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(file, "MAX_BYTES", 20_000)
    line = b'{"prediction": "' + b"x" * 30_000 + b'", "reference": "a"}\n'
    for name, content in {
        "line.jsonl": gzip.compress(line),
        "all.json": gzip.compress(b"[" + line + b"]"),
        "many.json": b"[" + b"[]," * 3_000 + b"[]]",
        "wide.csv": gzip.compress(b"prediction,reference\n" + b"a,b\n" * 9_000),
    }.items():
        (tmp_path / name).write_bytes(content)
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array(["x" * 1_000]))
    listed = pa.ListArray.from_arrays(pa.array([0, 300], pa.int32()), text)
    for name, column in {"text.parquet": text, "list.parquet": listed}.items():
        table = pa.table({"prediction": ["a"] * len(column), "reference": column})
        parquet.write_table(table, tmp_path / name, compression="gzip")
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/sharedStrings.xml", "<a/>" * 30_000)
    for path in tmp_path.iterdir():
        assert path.stat().st_size < 20_000
        with pytest.raises(settings.Refusal, match="limit"):
            file.read_rows([str(path)], "prediction", ["reference"])
    parquet.write_table(pa.table({"prediction": ["ä"], "reference": [["b", "c"]]}), path)
    path = path.rename(tmp_path / "b.parquet")
    rows = file.read_rows([str(path)], "prediction", ["reference"])
    assert rows == file.Rows(["ä"], [["b", "c"]])


def test_no_error_is_empty(monkeypatch, capsys):
    for error, expected in (
        (MemoryError(), "Too large"),
        (ValueError(""), "This page failed (ValueError)"),
        (KeyError("x"), "This page failed (KeyError)"),
        (settings.Refusal("no file"), "no file"),
    ):
        monkeypatch.setattr(rouge_bleu, "explain_rouge", raising(error))
        shown = layout._score("rouge1", "", "a", "a", *settings.default_settings().values())[4]
        assert expected in shown


def test_long_work_has_a_process_and_ends_with_a_reason():
    """Also if it takes too much memory, or ends otherwise; its place is free again."""
    number = len(os.listdir("/proc/self/fd"))
    assert worker.result(len, "a" * 5_000) == 5_000
    cut = (
        f"from {worker.__name__} import _pipe; _pipe.write({pickle.dumps('a' * 99)[:50]}); exit(4)"
    )
    for expected, function, *given in [
        ("Too large", os.abort),
        ("Too large", os.kill, 0, signal.SIGKILL),
        ("Too large", bytes, 2 * 10**9),
        ("This page failed (RuntimeError)", sys.exit, "reason"),
        ("This page failed (RuntimeError)", eval, "lambda: 1"),
        ("This page failed (RuntimeError)", exec, cut),
    ]:
        with pytest.raises((MemoryError, RuntimeError, settings.Refusal)) as error:
            worker.result(function, *given, is_long=True)
        assert expected in settings.reason_of(error.value)
    assert "status 4" in str(error.value)
    with pytest.raises(settings.Refusal, match="characters"):
        worker.result(scoring.check_texts, "a " * 30_000, ["a"])
    assert worker.result(os.getpid) == os.getpid() != worker.result(os.getpid, is_long=True)
    assert len(os.listdir("/proc/self/fd")) == number


def test_long_work_imports_nothing_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "csv.py").write_text("raise SystemExit(5)", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert worker.result(len, "abc", is_long=True) == 3


def test_long_work_has_the_limit_of_memory_of_the_server_and_ends_with_it():
    work = "print(resource.getrlimit(resource.RLIMIT_DATA), flush=True); time.sleep(60)"
    code = f"""if True:
    import resource
    from {worker.__name__} import result
    resource.setrlimit(resource.RLIMIT_DATA, [{800 * 2**20}] * 2)
    result(exec, "import resource, time; {work}", is_long=True)"""
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) as server:
        assert server.stderr.readline() == f"({800 * 2**20}, {800 * 2**20})\n".encode()
        server.kill()
        server.communicate(timeout=20)  # the process has the same pipe


def test_a_scored_file_stays_only_if_it_is_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    [score_file] = (one.fn for one in layout.blocks().fns.values() if one.api_name == "score_file")
    visitor = SimpleNamespace(session_hash="a")
    given = visitor, [str(file.SAMPLE)], "prediction", ["reference"], "", "rouge1"
    for is_stopped in (True, False):
        answers = score_file(*given, *settings.default_settings().values())
        assert any("scores.csv" in str(one) for one in answers)
        assert is_stopped or not list(answers)
        answers.close()
        assert len(list(tmp_path.rglob("scores.csv"))) == (not is_stopped)


def raising(error):
    def function(*texts, **options):
        raise error

    return function


def test_scores_of_rows_and_of_the_file_are_those_of_the_functions(monkeypatch):
    monkeypatch.setattr(file, "_CHUNK", 30)  # characters: several chunks
    rows = file.read_rows([str(file.SAMPLE)], "prediction", "reference", "baseline")
    values, tiles = settings.default_settings(), list(settings.TILES)
    scores = file.score_rows(rows, values)
    given = {"predictions": rows.predictions, "references": rows.references}
    for name in ("rouge1", "rougeLsum"):
        expected = rouge_bleu.rouge(**given, rouge_types=[name], use_aggregator=False)
        assert scores[name] == expected[name]
    total = file.total_scores(rows, values)
    given |= {"baseline_predictions": rows.seconds, "confidence_level": 0.95}
    expected = rouge_bleu.rouge(**given, rouge_types=tiles, signature=True)
    assert total["signatures"][0] == expected.pop("signature")
    expected |= rouge_bleu.bleu(**given, output="score")
    assert {name: total[name] for name in expected} == expected
    shown = file.totals_html(total, list(scores), len(rows.predictions), "<b>")
    delta, low, high = (100 * expected[f"bleu_delta{end}"] for end in ("", "_low", "_high"))
    score = 100 * expected["bleu"] - delta
    assert f"&lt;b&gt; {score:.1f}<br>{delta:+.1f} [{low:+.1f}, {high:+.1f}]" in shown


def test_columns_of_a_second_system_and_the_order_of_rows(tmp_path):
    """Rows without a score come last: "no" and "yes" have no pair of words."""
    path, scored = tmp_path / "texts.csv", tmp_path / "scored" / "scores.csv"
    texts = {"hyp": ["the cat sat", "no", "a cat sat"], "ref": ["the cat", "yes", "a cat sat"]}
    texts["other"] = ["the dog sat", "yes", "a cat"]
    pd.DataFrame(texts).to_csv(path, index=False)
    settings_of_file = settings.default_settings() | {"preset": "matlab"}
    columns = ("hyp", ["ref"], "other")
    _, worst = file.score_file([str(path)], columns, settings_of_file, "rouge2", scored)
    found = pd.read_csv(scored, keep_default_na=False, na_values=["nan"])
    assert [*scored.parent.iterdir()] == [scored]  # what Gradio deletes
    names = ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum", "BLEU"]
    names = ["row", *names, *(f"other {name}" for name in names)]
    assert [*found] == worst["headers"] == [*names, "prediction", "other", "references"]
    assert list(found["row"]) == [1, 2, 3]
    assert [list(found["prediction"]), list(found["other"])] == [texts["hyp"], texts["other"]]
    for column, name in (("ROUGE-2", "hyp"), ("other ROUGE-2", "other")):
        given = {"predictions": texts[name], "references": texts["ref"], "preset": "matlab"}
        scores = rouge_bleu.rouge(**given, rouge_types=["rouge2"], use_aggregator=False)["rouge2"]
        assert list(found[column]) == pytest.approx([100 * one for one in scores], nan_ok=True)
    for measure, order in (("rouge2", [1, 3, 2]), ("rouge1", [2, 1, 3]), ("rougeW", [2, 1, 3])):
        rows = file.worst_rows(scored, measure)["data"]
        assert [row[0] for row in rows] == order, measure


def test_checks_of_a_file():
    """Those of both metrics, each once; texts are escaped."""
    rows = file.Rows(["a<pad>", "größer"], [["a<pad>"], ["größer"]])
    values = settings.default_settings()
    shown = file.checks_html(rows, values)
    assert "a⟦&lt;pad&gt;⟧" in shown
    assert "Choose “Tokenizer”: unicode.</td>" in shown
    assert [shown.count(f">{name}</th>") for name in ("special_tokens", "lost_letters")] == [1, 1]
    assert file.checks_html(file.Rows(["a b"], [["a b"]]), values) == ""
