"""The package in one file: its modules are those of the repository, and behave like them."""

import pickle
import re
import runpy
import traceback
import warnings

import evaluate
import pytest

from helpers.clones import clone
from helpers.metrics import loaded
from helpers.repository import ROOT
from rouge_bleu_tools.hub.install import bundle

PACKAGE = ROOT / "rouge_bleu"
TEXTS = {
    "predictions": ["The fast brown fox jumped.", "the cat sat\non a mat", "", "Straße 3.14"],
    "references": [
        ["The quick fox jumped.", "A fox."],
        ["the cat\non the mat"],
        ["a"],
        ["strasse"],
    ],
}
CALLS = [
    {},
    {"use_aggregator": False},
    {"n_resamples": 20, "seed": 3, "signature": True},
    {"tokenizer": "unicode", "n_jobs": 2},
    {"preset": "sacrebleu"},
    {"preset": "rouge-1.5.5"},
    {"predictions": ["кошка сидит"] * 4},  # rouge_full warns that it finds no token
    {"predictions": "a"},
    {"predictions": [None] * 4},
    {"no_option": 1},
]


@pytest.fixture
def built(spaces, name):
    """A metric of a built folder."""
    return evaluate.load(str(spaces / name))


def outcome(function, **given):
    """The result or the error, and the warnings with the place that they name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = repr(function(**given))
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
    return result, [(str(one.message), one.filename, one.lineno) for one in caught]


def test_each_module_is_identical_to_that_of_the_repository(spaces, name):
    file = spaces / name / "rouge_bleu.py"
    sources = runpy.run_path(str(file), run_name="bundled")["_SOURCES"]
    lines = file.read_text(encoding="utf-8").splitlines()
    modules = sorted(PACKAGE.rglob("*.py"))
    assert len(sources) == len(modules)
    for module in modules:
        parts = module.relative_to(PACKAGE).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        line, text, said_to_be_package = sources[".".join(parts[: len(parts) - is_package])]
        assert (text[1:], said_to_be_package) == (module.read_text(encoding="utf-8"), is_package)
        assert lines[line : line + text.count("\n") - 1] == text[1:].splitlines()
    script = f"{name}.py"
    assert (spaces / name / script).read_bytes() == (ROOT / script).read_bytes()


def test_results_errors_and_warnings_are_those_of_the_repository(built, name):
    original = loaded(name)
    outcomes = [outcome(original.compute, **{**TEXTS, **given}) for given in CALLS]
    assert [outcome(built.compute, **{**TEXTS, **given}) for given in CALLS] == outcomes
    assert any(result.startswith("{") for result, _ in outcomes)
    assert any("Error" in result for result, _ in outcomes)
    if name == "rouge_full":
        assert {file for _, shown in outcomes for _, file, _ in shown} == {__file__}
    pair = {"prediction": "the cat sat", "reference": "a cat sat"}
    assert outcome(built.explain, **pair) == outcome(original.explain, **pair)
    assert built.compute.__doc__ == original.compute.__doc__


def test_tracebacks_show_lines_of_the_file(built):
    with pytest.raises(TypeError) as raised:
        built.compute(predictions=[3], references=["a"])
    frame = traceback.extract_tb(raised.tb)[-1]
    assert frame.filename.endswith("rouge_bleu.py")
    assert frame.line.startswith("raise ")


def test_two_versions_side_by_side(tmp_path):
    """Each runs its own modules, also those that it imports after the other was loaded."""
    metrics = []
    for version in ("1.0", "2.0"):
        root = clone(tmp_path / version)
        for file in (root / "rouge_bleu").rglob("*.py"):
            source = file.read_text(encoding="utf-8")
            changed = re.sub(r'(?m)^VERSION = ".*"', f'VERSION = "{version}"', source)
            file.write_text(changed, encoding="utf-8")
        folder = tmp_path / f"built {version}" / "rouge_full"
        folder.mkdir(parents=True)
        (folder / "rouge_full.py").write_bytes((root / "rouge_full.py").read_bytes())
        (folder / "rouge_bleu.py").write_text(bundle(root / "rouge_bleu"), encoding="utf-8")
        metrics.append(evaluate.load(str(folder)))
    signatures = [metric.compute(**TEXTS, signature=True)["signature"] for metric in metrics]
    assert [signature.split("|")[1] for signature in signatures] == ["1.0", "2.0"]


def test_evaluate_notices_a_change_behind_a_number_sign(tmp_path):
    """The hash that `evaluate` makes leaves out what follows "#", also in a string."""
    hashes = set()
    for sign in ("#4", "#5"):
        (tmp_path / "__init__.py").write_text(f'SIGN = "{sign}"\n', encoding="utf-8")
        lines = bundle(tmp_path).splitlines(keepends=True)
        hashes.add(evaluate.loading._hash_python_lines(lines))
    assert len(hashes) == 2


@pytest.mark.parametrize("source", ["text = '''a'''\n", "text = 1"])
def test_a_module_that_cannot_be_embedded_is_named(tmp_path, source):
    (tmp_path / "words.py").write_text(source, encoding="utf-8")
    with pytest.raises(ValueError, match=r"words\.py"):
        bundle(tmp_path)


PROGRAM = """
import pickle, sys
metric = pickle.loads(open(sys.argv[1], "rb").read())
print(metric.compute(predictions=["a b"], references=["a b"], n_jobs=1))
"""


def test_a_pickle_is_read_in_a_fresh_process(built, tmp_path, run_code):
    (tmp_path / "metric").write_bytes(pickle.dumps(built))
    done = run_code(PROGRAM, tmp_path / "metric", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    expected = built.compute(predictions=["a b"], references=["a b"], n_jobs=1)
    assert done.stdout == f"{expected}\n"
