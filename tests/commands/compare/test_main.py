"""rouge-bleu compare: ways in, numbers, files that it writes, and what it refuses."""

import csv
import json
import re
import sys

import pandas as pd
import pytest

from helpers.programs import printed, refusal, run_here
from helpers.repository import ROOT
from rouge_bleu_tools.commands.compare import main as compare_systems
from rouge_bleu_tools.commands.compare import plot as comparison_plot
from rouge_bleu_tools.commands.compare.systems import holm_p_values

SYSTEMS = ROOT / "examples" / "systems"
NAMES = ["baseline", "similar", "better"]
REFERENCES = SYSTEMS / "references.txt"
METRICS = {name: ["-m", name] for name in ("rouge_full", "bleu_full")}
BOTH = [*METRICS["rouge_full"], *METRICS["bleu_full"]]
TEXTS = [str(REFERENCES), *(str(SYSTEMS / f"{n}.txt") for n in NAMES)]
FEW = ["--n-resamples", "50"]


def lines_of(name):
    return (SYSTEMS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit code, output, errors."""
    run = run_here(compare_systems.main, capsys)
    return lambda *arguments, metrics=BOTH: run(*arguments, *metrics)


@pytest.fixture
def compared(run):
    """Run the command and return what it prints as JSON."""
    return lambda *arguments, **options: json.loads(printed(run(*arguments, "--json", **options)))


def found_scores(content):
    return {(one["metric"], one["key"], one["system"]): one for one in content["scores"]}


# --- numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("baseline", "test"), [("baseline", "randomization"), ("better", "bootstrap")]
)
def test_numbers_are_those_of_the_metrics(compared, rouge_full, bleu_full, baseline, test):
    content = compared(*TEXTS, *FEW, "--baseline", baseline, "--paired-test", test, "--seed", 7)
    found = found_scores(content)
    design = {"confidence_level": 0.95, "n_resamples": 50, "seed": 7}
    references = lines_of("references")
    for metric, output in ((rouge_full, "fmeasure"), (bleu_full, "score")):
        for name in NAMES:
            data = {"predictions": lines_of(name), "references": references}
            ends = ["", "_low", "_high"]
            if name != baseline:
                data |= {"baseline_predictions": lines_of(baseline), "paired_test": test}
                ends += ["_delta", "_delta_low", "_delta_high", "_p_value"]
            result = metric.compute(**data, **design, output=output)
            own = {key: one for key, one in found.items() if key[::2] == (metric.name, name)}
            for (_, key, _), one in own.items():
                for end in ends:
                    assert one[(end or "_score")[1:]] == pytest.approx(result[key + end], abs=1e-12)
                assert (one["p_value"] is None) == (name == baseline)
            assert len(own) == (7 if metric is rouge_full else 1)
    assert [line.partition("|")[0] for line in content["signatures"].values()] == [*METRICS]
    first = [one["system"] for one in content["scores"]][:3]
    assert first == [baseline, *(name for name in NAMES if name != baseline)]


def test_the_example_has_a_difference_that_is_real_and_one_that_is_not(compared):
    """What the page in examples/README.md teaches: one mark does not outlive the correction."""
    alone = found_scores(compared(*TEXTS))
    together = found_scores(compared(*TEXTS, "--correction", "holm"))
    marked = {key for key, one in alone.items() if one["is_significant"]}
    assert {key for key in alone if key[2] == "better"} <= marked
    assert ("rouge_full", "rouge1", "similar") in marked
    still = {key for key, one in together.items() if one["is_significant"]}
    assert still == {key for key in alone if key[2] == "better"}
    tests = [one for one in together.values() if one["p_value"] is not None]
    assert len(tests) == 16
    corrected = holm_p_values([one["p_value"] for one in tests])
    assert [one["corrected_p_value"] for one in tests] == pytest.approx(corrected, abs=1e-12)


def test_a_level_of_significance(compared):
    def marked(*arguments):
        found = compared(*TEXTS, *FEW, *arguments)["scores"]
        for one in found:
            if one["p_value"] is not None:
                level = float(arguments[1]) if arguments else 0.05
                assert one["is_significant"] == (one["corrected_p_value"] < level)
        return sum(bool(one["is_significant"]) for one in found)

    # 1 / 51 is the least p-value of 50 resamples
    assert marked("--significance-level", "0.01") == 0 < marked() < 16
    assert marked("--significance-level", "0.99") > marked()


# --- ways in ----------------------------------------------------------------------------


def test_a_table_is_as_text_files(compared, tmp_path):
    table = pd.DataFrame({name: lines_of(name) for name in NAMES})
    table["gold"] = lines_of("references")
    table.to_csv(tmp_path / "systems.csv", index=False)
    given = [*FEW, "--rouge-types", "rouge1", "rouge2"]
    # The file stands where the option before it would swallow it.
    found = compared("--systems", *NAMES, "-r", "gold", *given, tmp_path / "systems.csv")
    assert found == compared(*TEXTS, *given)


def written(folder, **texts):
    """Write files of lines and return their paths."""
    for name, lines in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return {name: str(folder / f"{name}.txt") for name in texts}


def test_several_files_of_references(compared, tmp_path, rouge_full):
    """An item may have fewer than others: its line is empty."""
    texts = {"r1": ["a b c", "d e"], "r2": ["a x c", ""], "base": ["a b", "e"], "new": ["a x", "d"]}
    paths = written(tmp_path, **texts)
    given = (paths["base"], paths["new"], "-r", paths["r1"], paths["r2"])
    content = compared(*given, metrics=METRICS["rouge_full"])
    result = rouge_full.compute(predictions=["a x", "d"], references=[["a b c", "a x c"], ["d e"]])
    found = found_scores(content)
    assert {key: found["rouge_full", key, "new"]["score"] for key in result} == result
    assert content["numbers_of_references"] == [1, 2]


def test_the_first_line_names_the_references(run, tmp_path):
    """The files, or the columns of the table."""
    paths = written(tmp_path, r1=["a b"], r2=["a x"], base=["a b"], new=["a x"])
    base, new = paths["base"], paths["new"]
    table = tmp_path / "table.csv"
    table.write_text("gold,base,new\na b,a b,a x\n")
    for arguments, start in (
        ([paths["r1"], base, new], "1 item with 1 reference each (r1.txt)"),
        (
            [base, new, "-r", paths["r1"], paths["r2"]],
            "1 item with 2 references each (r1.txt, r2.txt)",
        ),
        (["--systems", "base", "new", "-r", "gold", table], "1 item with 1 reference each (gold)"),
    ):
        _, out, _ = run(*arguments, *FEW)
        assert out.splitlines()[0] == f"{start}; all compared with base"


def test_names_of_systems(compared, tmp_path):
    """Files of one name are told apart by their folder; a baseline may be given by its path."""
    paths = [tmp_path / folder / "out.txt" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        written(path.parent, out=["x y", "z"])
    ref = written(tmp_path, ref=["x y", "z"])["ref"]
    for given, baseline, other in (
        (paths, str(paths[1]), str(paths[0])),
        ([paths[0], ref], "ref", "out"),
    ):
        content = compared(ref, *given, "--baseline", given[1], *FEW)
        assert (content["baseline"], content["systems"]) == (baseline, [other])


# --- files that it writes -----------------------------------------------------------------


def test_tables_are_written(run, tmp_path):
    """Scores have the names that papers write."""
    paths = [tmp_path / f"table{extension}" for extension in (".csv", ".json", ".TEX")]
    writes = [part for path in paths for part in ("--write", path)]
    types = ["--rouge-types", "rouge1", "rougeSU4", "--output", "recall"]
    out = printed(run(*TEXTS, *FEW, *types, *writes, "--json"))
    table, content, tex = (path.read_text() for path in paths)
    assert content == out
    assert r"System & ROUGE-1 & ROUGE-SU4 & BLEU \\" in tex
    assert table.startswith("System,ROUGE-1,ROUGE-1 low,")
    rows = csv.DictReader(table.splitlines())
    of_bleu = [one for one in json.loads(out)["scores"] if one["key"] == "bleu"]
    for row, one in zip(rows, of_bleu, strict=True):
        assert (row["System"], float(row["BLEU"])) == (one["system"], one["score"])


def test_a_plot_without_matplotlib(run, tmp_path, monkeypatch):
    """It is said before anything is scored."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(compare_systems, "metrics_of_names", pytest.fail)
    said = refusal(run(*TEXTS, "--write", tmp_path / "plot.png"))
    assert said == "a plot needs matplotlib: pip install matplotlib"
    assert comparison_plot.PLOTS == (".png", ".svg")


# --- what it refuses ----------------------------------------------------------------------


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A folder with small files, in which the command runs; nothing is scored."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compare_systems, "metrics_of_names", pytest.fail)
    written(tmp_path, ref=["a", "b"], r2=["", ""], x=["a", "b"], y=["a", "b"], long=["a"] * 3)
    written(tmp_path, gap=["a", ""])
    pd.DataFrame({"references": ["a"], "m": ["a"], "n": ["b"]}).to_csv("t.csv", index=False)
    return tmp_path


MISTAKES = """
$
give the files: the references and then the systems, or a table with --systems (--help shows all arguments)
$ ref.txt
ref.txt is read as the references: give the systems behind it
$ x.txt -r
argument -r/--reference: expected at least one argument (--help shows all arguments)
$ ref.txt x.txt z.txt
z.txt: there is no such file
$ ref.txt x.txt long.txt
long.txt has 3 lines and ref.txt 2: each line is one item
$ x.txt -r ref.txt long.txt
long.txt has 3 lines and ref.txt 2: each line is one item
$ x.txt -r r2.txt gap.txt
r2.txt and gap.txt, line 2: there must be a reference, got nothing in any
$ gap.txt x.txt
gap.txt, line 2: there must be a reference, got nothing
$ ref.txt x.txt x.txt
FILES has 'x.txt' 2 times
$ ref.txt - -
FILES has '-' 2 times
$ ref.txt t.csv
t.csv: this is a table; where texts stand in files of their own, each of them has one text in each line
$ ref.txt x.txt y.txt --baseline z
--baseline must be one of 'x', 'y', got 'z'
$ ref.txt x.txt --systems x
--systems names columns of a table; text files stand without an option
$ t.csv x.txt
t.csv: this is a table, which holds all systems: name its columns with --systems, and leave out x.txt
$ t.csv m n o
t.csv: this is a table, which holds all systems: name its columns with --systems, and leave out m, n and o
$ t.csv
t.csv: name the columns of the systems with --systems; the columns are 'references', 'm', 'n'
$ t.csv --systems m o
t.csv: there is no column 'o'; the columns are 'references', 'm', 'n'
$ t.csv --systems m,o
t.csv: there is no column 'm,o'; the columns are 'references', 'm', 'n': separate names by blanks
$ t.csv --systems m m
--systems has 'm' 2 times
$ t.csv --systems m --baseline n
--baseline must be one of 'm', got 'n'
$ t.csv --systems m --write a.pdf
--write a.pdf: the extension must be .csv, .json, .tex, .png, .svg, got '.pdf'
$ t.csv --systems m --write no/a.tex
--write no/a.tex: there is no folder no
$ t.csv --systems m --write ./t.csv
--write t.csv: this is a file that is compared
$ t.csv --systems m --significance-level 1.5
--significance-level must be between 0 and 1, got 1.5
"""


@pytest.mark.parametrize(("arguments", "message"), re.findall(r"^\$ ?(.*)\n(.*)$", MISTAKES, re.M))
def test_what_is_wrong_with_the_arguments(small, run, arguments, message):
    assert refusal(run(*arguments.split(), metrics=[])) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--confidence-level 95", "rouge_full: --confidence-level must be "),
        ("--output f", "rouge_full: --output must be "),
        ("--preset none", "rouge_full: --preset must be "),
        # Not the seed and the level of the command, which nobody gave.
        *(
            (
                f"--preset {name}",
                f"rouge_full: compare cannot test differences with --preset '{name}', whose "
                "averages have random samples of their own: score each system by rouge-bleu score",
            )
            for name in ("rouge-1.5.5", "evaluate")
        ),
        (
            "--corpus-average tokens",
            "rouge_full: --corpus-average needs --preset 'rouge-1.5.5', got no --preset",
        ),
        ("-m bleu_full", "--metric has 'bleu_full' 2 times"),
    ],
)
def test_what_the_metrics_refuse(run, arguments, message):
    assert refusal(run(*TEXTS, *arguments.split())).startswith(message)


@pytest.mark.parametrize("preset", ["coco-caption", "pltrdy", "py-rouge", "rouge-2.0"])
def test_presets_that_lack_a_default(run, preset):
    """They have no rougeLsum, or another choice among references."""
    out = printed(run(*TEXTS, "--preset", preset, metrics=METRICS["rouge_full"]))
    assert f"|preset:{preset}|" in out


def test_a_signature_says_how_resamples_are_drawn(run, compared):
    """As in Python; what is given beside it wins."""
    line = "nrefs:1|ar:60|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
    metrics = METRICS["bleu_full"]
    for given, seed in (([], 12345), (["--seed", "3"], 3)):
        found = compared(*TEXTS, "--preset", line, *given, metrics=metrics)
        same = ["--preset", "sacrebleu", "--n-resamples", "60", "--seed", str(seed)]
        assert found["scores"] == compared(*TEXTS, *same, metrics=metrics)["scores"]
        assert (found["n_resamples"], found["confidence_level"]) == (60, 0.95)
    wrong = run(*TEXTS, "--preset", line.replace("13a", "14a"), metrics=metrics)
    assert "tokenizer must be" in refusal(wrong)


def test_a_table_that_cannot_be_written(run, tmp_path):
    (tmp_path / "a.csv").mkdir()
    given = (*TEXTS, *FEW, "--write", tmp_path / "a.csv")
    said = refusal(run(*given, metrics=METRICS["bleu_full"]))
    assert said == f"--write {tmp_path / 'a.csv'}: Is a directory"


# --- as a user runs it ----------------------------------------------------------------------


def test_help_shows_commands_that_work(capsys):
    with pytest.raises(SystemExit):
        compare_systems.main(["--help"])
    example = capsys.readouterr().out.split("\n\n    ")[1].split("\n\n")[0]
    commands = example.replace("\\\n", "").splitlines()
    assert len(commands) == 3
    for command in commands:
        program, name, *arguments = command.split()
        assert (program, name) == ("rouge-bleu", "compare")
        compare_systems.parsed(arguments)
