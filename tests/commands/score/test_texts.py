"""rouge-bleu score: text files, pipes, numbers only, several metrics, signatures."""

import gzip
import json
import os
import re
import sys
from contextlib import ExitStack

import pytest

import rouge_bleu
from helpers.programs import printed, refusal, run_here
from rouge_bleu_tools.commands.inputs import progress
from rouge_bleu_tools.commands.score import main as score_file

PREDICTIONS = ["The cat sat on a mat.", "Hello there, my friend, he said."]
REFERENCES = ["The cat sat on the mat.", "Hello there, my old friend, he said."]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command in a folder with hyp.txt, ref.txt and other.txt."""
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "hyp.txt", PREDICTIONS)
    lines(tmp_path / "ref.txt", REFERENCES)
    lines(tmp_path / "other.txt", ["A cat is on the mat.", ""])
    return run_here(score_file.main, capsys)


def lines(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.fixture
def given_as_input(monkeypatch):
    """Return a function that puts bytes into a pipe, which is standard input then."""
    with ExitStack() as stack:

        def given(content):
            read, write = os.pipe()
            with open(write, "wb") as pipe:
                pipe.write(content)
            monkeypatch.setattr(sys, "stdin", stack.enter_context(open(read, encoding="utf-8")))

        yield given


# --- files and pipes ------------------------------------------------------------------------------


def test_text_files(run):
    found = json.loads(printed(run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "--json")))
    assert found == rouge_bleu.bleu(PREDICTIONS, REFERENCES, signature=True)


def test_several_files_of_references(run):
    """An empty line is no reference."""
    given = ["hyp.txt", "-r", "ref.txt", "-r", "other.txt", "--rouge-types", "rouge1", "--json"]
    references = [[REFERENCES[0], "A cat is on the mat."], [REFERENCES[1]]]
    options = {"rouge_types": ["rouge1"], "output": "all", "signature": True}
    assert json.loads(printed(run(*given))) == rouge_bleu.rouge(PREDICTIONS, references, **options)


@pytest.mark.parametrize(("file", "pack"), [([], bytes), (["-"], gzip.compress)])
def test_standard_input(file, pack, run, given_as_input, tmp_path):
    given_as_input(pack((tmp_path / "hyp.txt").read_bytes()))
    out = printed(run(*file, "-r", "ref.txt", "-m", "bleu", "-b"))
    assert out == printed(run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "-b"))


def test_a_table_on_standard_input(run, given_as_input):
    given_as_input(b'{"out": "a b", "gold": "a c"}\n')
    given = "--format jsonl --prediction out -r gold --rouge-types rouge1 -b"
    assert printed(run(*given.split())) == "0.5000\n"


MISTAKES = """
$ hyp.txt -r none.txt
none.txt: there is no such file
$ hyp.txt -r ref.txt long.txt
hyp.txt has 2 lines and long.txt 4: each line is one item
$ hyp.txt -r other.txt
other.txt, line 2: there must be a reference, got nothing
$ other.txt -r hyp.txt
other.txt, line 2: the line is empty; --allow-empty scores it as an empty text
$ hyp.txt -r mine.csv
mine.csv: this is a table; where texts stand in files of their own, each of them has one text in each line
$ - -r -
standard input can be read only once, got - twice
$ hyp.txt -r ref.txt --prediction x
--prediction names a column of a table, and hyp.txt is read as text: --format may be
$ hyp.txt -r latin.txt
latin.txt: the text is not UTF-8 (invalid continuation byte in line 1)
$ empty.txt -r empty.txt
empty.txt: the file has no lines
$ hyp.txt -r ref.txt -w 30
--width must be from 0 to 17, got 30
$ -r ref.txt
give FILE before the options, or the texts on
$ hyp.txt -r ref.txt -m rouge bleu --scores a.csv
--scores needs one metric: -m rouge or -m bleu
$ hyp.txt ref.txt -r ref.txt
unrecognized arguments: ref.txt; references stand behind -r: FILE -r REF
$ hyp.txt -r ref.txt --rouge_types rouge1
unrecognized arguments: --rouge_types rouge1. Did you mean --rouge-types? (--help shows all arguments)
$ hyp.txt -r ref.txt -m bleu --smooth exp
unrecognized arguments: exp; --smooth takes no value. Did you mean --smoothing? (--help
$ hyp.txt --lowercase yes -r ref.txt
unrecognized arguments: yes; --lowercase takes no value (--help
$ hyp.txt --lowercase ref.txt
unrecognized arguments: ref.txt; --lowercase takes no value; references stand behind -r: FILE
$ hyp.txt -r ref.txt -m bleu --smothing=exp
unrecognized arguments: --smothing=exp. Did you mean --smoothing? (--help
$ hyp.txt -r ref.txt --bleu
unrecognized arguments: --bleu. Did you mean -m bleu? (--help
$ -i hyp.txt -r ref.txt
unrecognized arguments: -i. Did you mean FILE alone, before all options? (--help
$ hyp.txt -r ref.txt -tok zh
unrecognized arguments: -tok zh. Did you mean --tokenizer? (--help
$ hyp.txt -r ref.txt -c 0.95
unrecognized arguments: -c 0.95. Did you mean --confidence-level? (--help
$ mine.csv -p output -r gold
unrecognized arguments: -p output. Did you mean --prediction? (--help
$ hyp.txt -r ref.txt --preset sacrebleu
--preset must be 'rouge_score',
$ hyp.txt -r ref.txt --language german
--language needs --preset 'xlsum', got no --preset; for stems alone: --stemmer 'german'
$ hyp.txt -r ref.txt --rouge-types rouge1,rouge2
argument --rouge-types: separate values by blanks, not by commas, got 'rouge1,rouge2' (--help
$ hyp.txt -r ref.txt -m rouge,bleu
argument -m/--metric: separate values by blanks, not by commas, got 'rouge,bleu'
$ hyp.txt -r ref.txt -m bleu --weights 0.5,0.5
argument --weights: separate values by blanks, not by commas, got '0.5,0.5'
$ hyp.txt -r ref.txt -m bleu --weights bleu1=1,bleu2=1,1
argument --weights: separate values by blanks, not by commas, got 'bleu1=1,bleu2=1,1'
$ hyp.txt -r ref.txt -m bleu --weights one
argument --weights: invalid weight value: 'one'
$ hyp.txt -r ref.txt --json --percent
--json has the numbers as they are: leave out -b, -w, --percent
$ hyp.txt -r ref.txt --signature nonsense
--signature must begin with rouge_full| or bleu_full|, got 'nonsense'; a signature of sacreBLEU is a --preset
"""


@pytest.mark.parametrize(
    ("arguments", "message"), re.findall(r"^\$ (.*)\n(.*)$", MISTAKES, re.MULTILINE)
)
def test_mistakes(arguments, message, run, given_as_input, monkeypatch, tmp_path):
    given_as_input(b"")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    lines(tmp_path / "long.txt", "abcd")
    lines(tmp_path / "empty.txt", [])
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 a\nb\n")
    assert message in refusal(run(*arguments.split()))


# --- what is printed ------------------------------------------------------------------------------


def test_numbers_only(run):
    """The F of each type; another output where it is asked for; one line for each row."""
    given = ["hyp.txt", "-r", "ref.txt", "--rouge-types", "rouge1", "rougeL", "-b"]
    options = {"rouge_types": ["rouge1", "rougeL"], "output": "all"}
    expected = rouge_bleu.rouge(PREDICTIONS, REFERENCES, **options)

    def written(output, n=4, factor=1):
        return "".join(
            f"{factor * expected[f'{t}_{output}']:.{n}f}\n" for t in options["rouge_types"]
        )

    assert printed(run(*given)) == written("fmeasure")
    assert printed(run(*given, "--output", "recall", "-w", "6")) == written("recall", 6)
    assert printed(run(*given, "--percent")) == written("fmeasure", 2, 100)
    assert printed(run(*given, "--confidence-level", "0.9")) == written("fmeasure")
    rows = rouge_bleu.rouge(PREDICTIONS, REFERENCES, use_aggregator=False, **options)
    assert printed(run(*given, "--no-use-aggregator")) == "".join(
        f"{one:.4f} {other:.4f}\n"
        for one, other in zip(rows["rouge1_fmeasure"], rows["rougeL_fmeasure"], strict=True)
    )


def test_counts_are_whole_numbers(run):
    given = ["hyp.txt", "-r", "ref.txt", "--preset", "ROUGE-1.5.5.pl -n 1 -x -t 2", "-b"]
    assert all(line.isdecimal() for line in printed(run(*given)).splitlines())


def test_one_row_and_a_score_that_is_none(run, tmp_path):
    """JSON has no NaN; as in `compare`, it is null."""
    lines(tmp_path / "one.txt", ["a"])
    given = ["one.txt", "-r", "one.txt", "--rouge-types", "rouge2", "--zero-division", "nan"]
    assert json.loads(run(*given, "--json")[1])["rouge2_fmeasure"] is None
    assert run(*given)[1].startswith("rouge_full, 1 row of one.txt\n")


def test_a_line_that_one_metric_knows_goes_to_it(run, tmp_path):
    lines(tmp_path / "a.txt", ["A b"])
    lines(tmp_path / "b.txt", ["a b"])
    given = ["a.txt", "-r", "b.txt", "-m", "rouge", "bleu", "--rouge-types", "rouge1"]
    given += ["--max-order", "1", "-b", "--preset", "multi-bleu.perl -lc"]
    assert printed(run(*given)) == "1.0000\n1.0000\n"
    message = "bleu_full: multi-bleu.perl has no flag '-uc' that is known here"
    assert message in refusal(run(*given[:3], "-m", "bleu", "--preset", "multi-bleu.perl -uc"))


def test_a_signature_of_sacrebleu_is_printed_as_its_preset_is(run):
    given = ["hyp.txt", "-r", "ref.txt", "-m", "bleu", "-b", "--preset"]
    line = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0"
    assert printed(run(*given, line)) == printed(run(*given, "sacrebleu"))


def test_intervals_of_a_signature_of_sacrebleu_are_those_of_python(run, tmp_path):
    line = "nrefs:1|bs:50|seed:3|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0"
    given = ["hyp.txt", "-r", "ref.txt", "-m", "bleu", "--json", "--preset", line]
    expected = rouge_bleu.bleu(PREDICTIONS, REFERENCES, preset=line, signature=True)
    assert json.loads(printed(run(*given))) == expected
    # Scores of rows have the columns that they have without intervals.
    plain = ["hyp.txt", "-r", "ref.txt", "-m", "bleu", "--preset", "sacrebleu"]
    for options in (given, plain):
        assert run(*options, "--scores", tmp_path / f"{len(options)}.csv")[0] == 0
    of_line, of_preset = (
        (tmp_path / f"{len(options)}.csv").read_text() for options in (given, plain)
    )
    assert of_line == of_preset
    assert "no smooth" not in run(*given[:3], "--preset", "nrefs:1|case:lc")[2]


def test_a_single_weight_is_warned_of_once(run):
    for options in ([], ["--confidence-level", "0.9"], ["--level", "sentence"]):
        code, _, err = run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "--weights", "4", *options)
        assert code == 0
        assert err.count("For n-grams up to 4 pass --max-order 4, for BLEU-1 --max-order 1.") == 1


def test_numbers_alone_are_of_one_scale(run):
    """sacreBLEU prints percent; a line has no name."""
    given = ["hyp.txt", "-r", "ref.txt", "-m", "bleu", "rouge", "--rouge-types", "rouge1"]
    preset = ["--preset", "sacrebleu"]
    assert "-b would print one metric from 0 to 100" in refusal(run(*given, *preset, "-b"))
    numbers = list(map(float, printed(run(*given, *preset, "-b", "--percent")).split()))
    assert len(numbers) == 2
    assert min(numbers) > 1
    assert "bleu_full, 2 rows" in printed(run(*given, *preset))
    assert max(map(float, printed(run(*given, "-b")).split())) < 1


def test_both_metrics_score_the_same_rows(run, monkeypatch):
    monkeypatch.setattr(score_file, "N_ROWS", 1)
    given = ["hyp.txt", "-r", "ref.txt", "-m", "rouge", "bleu", "--rouge-types", "rouge1"]
    found = json.loads(printed(run(*given, "--json")))
    assert found["bleu_full"] == rouge_bleu.bleu(PREDICTIONS, REFERENCES, signature=True)
    assert found["rouge_full"]["rouge1_fmeasure"] == pytest.approx(
        rouge_bleu.rouge(PREDICTIONS, REFERENCES)["rouge1"], rel=1e-12
    )
    out = printed(run(*given))
    assert out.startswith("rouge_full, 2 rows of hyp.txt\n")
    assert "\n\nbleu_full, 2 rows of hyp.txt\n" in out


def test_percent_leaves_what_is_no_score(run):
    out = printed(run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "--percent", "-w", "3"))
    result = rouge_bleu.bleu(PREDICTIONS, REFERENCES)
    assert f"bleu{100 * result['bleu']:25.3f}\n" in out
    assert f"brevity penalty{result['brevity_penalty']:14.3f}\n" in out
    out = printed(run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "--percent"))
    assert f"bleu{100 * result['bleu']:25.2f}\n" in out
    assert f"length ratio{result['length_ratio']:17.4f}\n" in out


@pytest.mark.parametrize("preset", ["rouge-1.5.5", "ROUGE-1.5.5.pl -n 1 -x"])
def test_decimals_of_rouge155(run, preset):
    given = ["hyp.txt", "-r", "ref.txt", "--rouge-types", "rouge1", "-b", "--preset", preset]
    score = rouge_bleu.rouge(PREDICTIONS, REFERENCES, preset=preset)["rouge1_fmeasure"]
    assert printed(run(*given)) == f"{score:.5f}\n"
    assert printed(run(*given, "-w", "4")) == f"{score:.4f}\n"
    assert f" {score:.5f}\n" in printed(run(*(one for one in given if one != "-b")))


def test_the_advice_of_a_warning_is_an_option_of_the_command(run, tmp_path):
    """Issue 19: it named a method of the loaded metric."""
    preset = ["hyp.txt", "-r", "ref.txt", "--preset", "ROUGE-1.5.5.pl -n 2 -m"]
    code, _, err = run(*preset)
    assert code == 0
    assert "--exceptions FOLDER" in err
    assert "--stemmer 'rouge-1.5.5'" in err
    assert "metric." not in err
    assert printed(run(*preset, "--stemmer", "rouge-1.5.5", "-b"))
    for name in ("adj", "adv", "noun", "verb"):
        (tmp_path / f"{name}.exc").write_text("sat sit\n")
    assert printed(run(*preset, "--exceptions", ".", "-b"))
    message = "argument --exceptions: exceptions must be a folder with WordNet's "
    assert message in refusal(run(*preset, "--exceptions", "none"))


def test_the_advice_where_a_stemmer_is_missing_can_be_followed_in_a_shell(run):
    """In Python it is `stemmer=...`, a function, which the command does not take."""
    given = ["hyp.txt", "-r", "ref.txt", "--preset", "xlsum", "--language", "hindi"]
    assert refusal(run(*given, "--use-stemmer")) == (
        "rouge_full: --use-stemmer must be False with --language 'hindi', whose stemmer is in no "
        "package of PyPI: leave --use-stemmer out, or give a stemmer as function in Python"
    )
    assert printed(run(*given, "-b"))


# --- signatures -----------------------------------------------------------------------------------


def test_scores_by_a_signature(run):
    given = ["hyp.txt", "-r", "ref.txt"]
    chosen = ["--rouge-types", "rougeSU4", "--use-stemmer", "--max-words", "5"]
    first = printed(run(*given, *chosen))
    line = first.splitlines()[-1]
    assert printed(run(*given, "--signature", line)) == first
    both = printed(run(*given, "-m", "bleu", "--max-order", "2", "--preset", "sacrebleu"))
    lines_of_both = ["--signature", line, "--signature", both.splitlines()[-1]]
    numbers = printed(run(*given, *lines_of_both, "-b")).split()
    assert f"bleu{numbers[1]:>25}\n" in both


def test_intervals_of_a_signature(run):
    """Those of `compute` draw other samples than those that are summed as rows come."""
    options = {"confidence_level": 0.9, "n_resamples": 30, "signature": True}
    of_compute = rouge_bleu.bleu(PREDICTIONS, REFERENCES, **options)
    given = ["hyp.txt", "-r", "ref.txt", "--json"]
    folded = json.loads(printed(run(*given, "-m", "bleu", "--confidence-level", "0.9")))
    for result in (of_compute, folded):
        assert json.loads(printed(run(*given, "--signature", result["signature"]))) == result


def test_what_does_not_go_with_a_signature(run):
    line = rouge_bleu.rouge(PREDICTIONS, REFERENCES, signature=True)["signature"]
    given = ["hyp.txt", "-r", "ref.txt", "--signature", line]
    assert "--signature says all options: leave out --beta" in refusal(run(*given, "--beta", "2"))
    assert "--signature must be a line for each metric, " in refusal(run(*given, "-m", "bleu"))
    assert "rouge_full: --signature has a part 'x'" in refusal(run(*given[:-1], line + "|x:1"))
    code, _, err = run(*given, "-r", "hyp.txt")
    warning = "warning: the score has another signature than was given: it has "
    assert (code, err) == (0, warning + "refs:2 and lacks refs:1\n")
    assert "given: it has out:recall" in run(*given, "--output", "recall")[2]


@pytest.mark.parametrize(
    "line",
    [
        "nrefs:{}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0",
        "\x23:{}|c:mixed|e:no|tok:13a|s:exp|v:2.0",
    ],
)
def test_references_of_a_signature_of_sacrebleu(run, line):
    """Two files of references are nrefs:2 there, also where a line of one is empty."""
    given = ["hyp.txt", "-m", "bleu", "-b", "-r", "ref.txt"]
    warning = "warning: the signature says nrefs:{}, and items here have up to {}\n".format
    for n_here, files in ((1, []), (2, ["other.txt"])):
        for said in (1, 2, "var"):
            _, _, err = run(*given, *files, "--preset", line.format(said))
            assert err == ("" if said in (n_here, "var") else warning(said, n_here))
    of_rows = [*given, "--no-use-aggregator", "--preset", line.format(2)]
    assert run(*of_rows)[2].count(" says nrefs:2, ") == 1


# --- progress -------------------------------------------------------------------------------------


def test_a_log_gets_a_line_a_minute(run, monkeypatch):
    """As long as nobody looks on: 50 seconds pass between two looks at the clock."""
    clock = iter(range(0, 10_000, 50))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(score_file, "N_ROWS", 1)
    code, out, err = run("hyp.txt", "-r", "ref.txt", "-m", "bleu", "-b")
    assert (code, out.count("\n")) == (0, 1)
    assert err == "2 rows (100%) in 2 min\n"
