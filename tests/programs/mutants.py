"""Breaks the modules one small fault at a time, and tells which faults no test notices.

    python tests/mutants.py [--sample 12] [--seed 0] [module ...]

A fault, a mutant, is one changed operator, comparison, constant or condition. Of each module a
sample is drawn, the same for the same seed. Each mutant runs the tests that concern its module, in a
process of its own that stops at the first failure or after three times as long as without a fault.
Every survivor is printed with its line: some change nothing that can be seen (a cache that is
smaller, a batch that is cut elsewhere), every other one is a test that is missing.

The sources are copied to a temporary folder; the working tree is not touched. `make mutants` is not
part of `make test`, as it takes some minutes for each module.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from helpers.repository import ROOT

# Pages, and what takes processes and minutes for each fault.
NOT_TRIED = (
    *("app", "stage", "rouge_full", "bleu_full", "safe_metric", "shared_cache"),
    *("pickled_metric", "process_rounds", "metric_hash"),
)
MODULES = sorted(path.stem for path in ROOT.glob("*.py") if path.stem not in NOT_TRIED)
COPIED = ("*.py", "tests/*.py", "tests/golden", "staging", "metric_cards", "pyproject.toml")

# The tests of each module beside `test_<module>.py`, the quickest first.
BLEU = "test_bleu_options test_bleu_oracles test_smoothing"
OUTPUT = "test_bleu_output test_bleu_presets"
ROUGE = "test_lin2004 test_rouge_full test_rouge_scorer"
PERL = "test_rouge155 test_rouge155_counts test_rouge155_pairs test_disagreements"
TEXT = "test_tokens test_sentence_lines test_languages test_user_functions"
FOLD = "test_folding test_batch_metric"
TESTS = {
    "arrow_rows": "test_folding",
    "batch_metric": FOLD,
    "bleu_folding": FOLD,
    "bleu_options": f"{BLEU} {OUTPUT} test_bleu_matlab test_golden_packages test_inputs",
    "bleu_signature": "test_signature",
    "bleu_scorer": f"{BLEU} {OUTPUT} test_bleu_matlab test_golden_packages test_memory",
    "brevity": f"{BLEU} test_golden_packages",
    "chunks": "test_n_jobs",
    "corpus": "test_texts_in_lists test_inputs test_bad_options",
    "distinct_counts": "test_golden_packages",
    "distinct_ngrams": "test_distinct_counts",
    "exact_sums": "test_folding",
    "folding": "test_batch_metric",
    "item_options": "test_rouge_explanation test_bleu_explanation",
    "few_pairs": "test_rouge_scorer",
    "lcs": "test_union_lcs",
    "lcs_positions": "test_rouge_explanation test_rouge155_explanation",
    "list_likes": "test_inputs test_bad_options",
    "load_options": "test_inputs",
    "match_positions": "test_rouge_explanation test_bleu_explanation",
    "messages": "test_rouge_warnings test_user_functions test_inputs",
    "ngrams": f"test_tokens {BLEU}",
    "option_checks": "test_rouge_presets test_bleu_presets test_inputs",
    "pair_scores": f"{ROUGE} test_rouge_references test_golden_packages test_unrounded_counts",
    "plain_counts": "test_few_pairs",
    "plain_words": "test_few_pairs",
    "poisson_weights": "test_folding",
    "ragged": "test_tokens test_ngrams test_union_lcs",
    "resampling": "test_rouge155 test_rouge155_averages",
    "rouge155_averages": PERL,
    "rouge155_command": "test_load_options",
    "rouge155_counts": PERL,
    "rouge155_explanation": "test_unrounded_explanation",
    "rouge155_pairs": f"{PERL} test_large_items",
    "rouge155_scorer": f"{PERL} test_user_functions test_rouge_warnings",
    "rouge_folding": FOLD,
    "rouge_options": f"{PERL} test_rouge_presets test_rouge_words test_rouge_limits test_inputs",
    "rouge_scorer": f"{ROUGE} test_rouge_words test_rouge_limits test_rouge_sentences",
    "rouge_signature": "test_signature",
    "rouge_types": f"{PERL} test_rouge_presets",
    "sentence_lines": "test_rouge_sentences test_user_functions",
    "sentence_splitting": "test_rouge_sentences",
    "skip_bigrams": "test_tokens",
    "smoothing": BLEU,
    "stop_sentences": "test_distinct_counts test_golden_packages",
    "stemming": "test_rouge155 test_rouge155_command test_user_functions",
    "tokenization": f"{TEXT} test_stemming test_memory",
    "token_spans": "test_rouge_explanation test_rouge155_explanation test_distinct_explanation",
    "tokens": "test_ragged test_ngrams test_union_lcs test_skip_bigrams",
    "uncertainty": "",
    "weighted_lcs": "test_rouge155",
    "workers": "",
    "words": f"test_tokenization {TEXT}",
    "lazy": "",
    "lcs_rows": "test_lcs test_union_lcs test_long_sentences",
    "lcs_integers": "test_lcs test_union_lcs test_long_sentences",
    "sentence_lanes": "test_union_lcs test_long_sentences",
    "wlcs_matches": "test_weighted_lcs test_rouge155",
    "wlcs_tables": "test_weighted_lcs test_rouge155",
    "wlcs_way_back": "test_weighted_lcs test_rouge155",
}


# --- faults ---------------------------------------------------------------------------------------

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
NAMES = {"any": "all", "minimum": "maximum", "min": "max", "left": "right", "zeros": "ones"}
NAMES |= {after: before for before, after in NAMES.items()}


def faults_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node with a fault in it; what is below the node has faults of its own."""
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        if type(node.op) in OPERATORS:
            yield _with(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.Compare):
        first, *others = node.ops
        if type(first) in OPERATORS:
            yield _with(node, ops=[OPERATORS[type(first)](), *others])
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        yield node.operand
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield _with(node, attr=NAMES[node.attr])
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield _with(node, id=NAMES[node.id])
    elif isinstance(node, ast.Constant):
        yield from (_with(node, value=value) for value in _other_values(node.value))


def _other_values(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
    elif isinstance(value, str) and value:
        yield f"XX{value}"
    elif value is None:
        yield 0


def _with(node: ast.AST, **changes: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


class Places(ast.NodeVisitor):
    """Collects the nodes of a module in which a fault would be one.

    Docstrings, annotations, decorators and imports are left out.
    """

    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []

    def visit(self, node: ast.AST) -> None:
        """Keep the node, and look below it."""
        self.nodes.append(node)
        hidden = {"annotation", "returns", "decorator_list", "type_params", "ctx"}
        for name, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for child in children:
                is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
                is_import = isinstance(child, (ast.Import, ast.ImportFrom))
                is_hidden = is_text or is_import or name in hidden
                if isinstance(child, ast.AST) and not is_hidden:
                    self.visit(child)


class Replaced(ast.NodeTransformer):
    """Replaces one node of a module by another one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the other node in place of the one."""
        if node is self.old:
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def places_of_faults(source: str) -> list[tuple[int, int]]:
    """Return where a fault may be made: the number of the node, and which of its faults."""
    nodes = _places(ast.parse(source))
    return [
        (index, which)
        for index, node in enumerate(nodes)
        for which, _ in enumerate(faults_of(node))
    ]


def mutant_of(source: str, index: int, which: int) -> tuple[str, str]:
    """Return the source with one fault, and the line of the fault as it was and as it is."""
    tree = ast.parse(source)
    node = _places(tree)[index]
    fault = list(faults_of(node))[which]
    before, after = (ast.unparse(_head(one)) for one in (node, fault))
    line = f"{getattr(node, 'lineno', 0)}: {before}  ->  {after}"
    mutated = ast.fix_missing_locations(Replaced(node, fault).visit(tree))
    return ast.unparse(mutated), " ".join(line.split())


def _places(tree: ast.Module) -> list[ast.AST]:
    places = Places()
    places.visit(tree)
    return places.nodes


def _head(node: ast.AST) -> ast.AST:
    """Return what is shown of a node: of a statement with a body its test only."""
    return node.test if isinstance(node, (ast.If, ast.While)) else node


# --- runs -----------------------------------------------------------------------------------------


def run_tests(folder: Path, files: list[str], limit: float | None) -> tuple[bool, float]:
    """Return whether the tests pass, and the seconds of processor time that they took.

    They run in a fork of this process, which has imported what takes long to import.
    """
    pid = os.fork()
    if not pid:
        _run_in_child(folder, files, limit)
    _, status, usage = os.wait4(pid, 0)
    return status == 0, usage.ru_utime + usage.ru_stime


def _run_in_child(folder: Path, files: list[str], limit: float | None) -> None:
    code = 3
    try:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
        os.chdir(folder)
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silence, descriptor)
        import pytest

        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]))
    finally:
        os._exit(code)


def files_of(module: str, folder: Path) -> list[str]:
    """Return the test files that concern a module, its own first."""
    names = dict.fromkeys([f"test_{module}", *TESTS.get(module, "").split()])
    return [f"tests/{name}.py" for name in names if (folder / "tests" / f"{name}.py").exists()]


def copied_sources(folder: Path) -> None:
    """Copy what the tests need."""
    for pattern in COPIED:
        for path in ROOT.glob(pattern):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, target)
            else:
                shutil.copy(path, target)


def survivors_of(module: str, folder: Path, sample: int, seed: int) -> tuple[int, list[str]]:
    """Return how many mutants of a module were tried, and the lines of those that survived."""
    path = folder / f"{module}.py"
    source = path.read_text(encoding="utf-8")
    files = files_of(module, folder)
    passes, seconds = run_tests(folder, files, None)
    if not passes:
        raise SystemExit(f"{module}: its tests fail without any fault: {' '.join(files)}")
    places = places_of_faults(source)
    chosen = random.Random(f"{seed} {module}").sample(places, min(sample, len(places)))
    survivors = []
    for place in chosen:
        mutated, line = mutant_of(source, *place)
        path.write_text(mutated, encoding="utf-8")
        if run_tests(folder, files, 3 * seconds + 10)[0]:
            survivors.append(line)
            print(f"    {module}.py:{line}", flush=True)
    path.write_text(source, encoding="utf-8")
    return len(chosen), survivors


def main() -> None:
    """Try mutants of the modules that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", choices=[*MODULES, []], default=MODULES)
    parser.add_argument("--sample", type=int, default=12, help="mutants of each module")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants_") as name:
        # What children would import one by one; the cache folder must be known before.
        os.environ["HF_HOME"] = name
        for package in ("evaluate", "gradio_client", "hypothesis", "nltk", "pandas", "pytest"):
            __import__(package)
        __import__("rouge_score.rouge_scorer")
        __import__("sacrebleu.metrics")
        folder = Path(name) / "repository"
        copied_sources(folder)
        n_all = n_survivors = 0
        for module in arguments.modules:
            n_tried, survivors = survivors_of(module, folder, arguments.sample, arguments.seed)
            n_killed = n_tried - len(survivors)
            print(f"{module}: {n_killed} of {n_tried} killed", flush=True)
            n_all, n_survivors = n_all + n_tried, n_survivors + len(survivors)
        share = 100 * (n_all - n_survivors) / max(n_all, 1)
        print(f"all: {n_all - n_survivors} of {n_all} killed, {share:.1f} %", flush=True)


if __name__ == "__main__":
    sys.exit(main())
