"""rouge-bleu score beside the command lines of sacreBLEU and rouge_score, on the same files."""

import csv
import json

import pytest

from helpers.programs import run, run_here
from helpers.repository import ROOT
from rouge_bleu_tools.commands.score.main import main

SYSTEMS = ROOT / "examples" / "systems"
PREDICTIONS, REFERENCES = SYSTEMS / "similar.txt", SYSTEMS / "references.txt"


@pytest.fixture
def score(capsys):
    score = run_here(main, capsys)

    def printed(*arguments):
        code, out, err = score(*arguments)
        assert (code, err) == (0, "")
        return out

    return printed


def sacrebleu(*arguments):
    return run("-m", "sacrebleu", *arguments).stdout


def test_the_number_of_sacrebleu(score):
    """`sacrebleu -b` has one digit; -w gives more of them, one file or several."""
    ours = [PREDICTIONS, "-r", REFERENCES, "-m", "bleu", "--preset", "sacrebleu", "-b"]
    assert score(*ours) == sacrebleu(REFERENCES, "-i", PREDICTIONS, "-b")
    several = [REFERENCES, SYSTEMS / "better.txt"]
    expected = sacrebleu(*several, "-i", PREDICTIONS, "-b", "-w", "6")
    assert score(*ours, "-w", "6", "-r", several[1]) == expected


def test_the_rows_of_rouge_score(score, tmp_path):
    """Its command line has six digits; each line is a record in both."""
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.jsonl"
    types = ["rouge1", "rouge2", "rougeL"]
    run(
        *["-m", "rouge_score.rouge", f"--target_filepattern={REFERENCES}"],
        *[f"--prediction_filepattern={PREDICTIONS}", f"--output_filename={theirs}"],
        *["--aggregate=false", "--use_stemmer=true", f"--rouge_types={','.join(types)}"],
    )
    given = [PREDICTIONS, "-r", REFERENCES, "--preset", "rouge_score", "--use-stemmer"]
    score(*given, "--rouge-types", *types, "--scores", ours)
    letters = {"P": "precision", "R": "recall", "F": "fmeasure"}
    rows = list(map(json.loads, ours.read_text().splitlines()))
    with theirs.open(newline="") as file:
        expected = list(csv.DictReader(file))
    assert len(rows) == len(expected) == 72
    for row, of_item in zip(rows, expected, strict=True):
        assert row.pop("row") == int(of_item.pop("id")) + 1
        names = {name: name.split("-") for name in of_item}
        assert {
            name: f"{row[f'{t}_{letters[part]}']:.6f}" for name, (t, part) in names.items()
        } == of_item
