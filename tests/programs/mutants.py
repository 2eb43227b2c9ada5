"""Breaks the package one small fault at a time, and tells which faults no test notices.

    PYTHONPATH=.:tests python tests/programs/mutants.py [--sample 300] [--seed 0] [--again] [module ...]

A fault, a mutant, is one changed operator, comparison, constant or condition. The same seed draws
the same mutants, two of each module and then the more the larger it is; a larger sample holds the
smaller one.

Which tests concern a function is measured: each test file runs once, and what it calls is written
down. A mutant runs the files that call its function: those that noticed most faults of its module,
then its own, those of its room, then the quickest. A file that twice fails, or takes far too long,
has noticed it. Mutants that no test could tell from the package stand in `equivalent_mutants.json`,
with reasons.

All is kept in `build/mutants`, and who starts again goes on; `--again` tries anew what survived,
for tests that were written since. Without that folder all begins anew. The sources are copied: the
working tree is not touched.

Not mutmut, which knows mutants by the names of their modules, while `evaluate` loads copies by
other names; not cosmic-ray, which runs a command for each mutant, most of whose time is imports.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import itertools
import json
import math
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from helpers.repository import ROOT
from programs.calls import CALLS, FOLDER, write_calls
from programs.faults import Fault, Mutant, mutants_of

PACKAGE = ("rouge_full.py", "bleu_full.py", "rouge_bleu/**/*.py")
HELPERS = ("helpers", "programs")  # packages of the tests that this program has imported
OWN = ("mutants.py", "calls.py", "faults.py")  # which no test of the package reads
EQUIVALENTS = "tests/programs/equivalent_mutants.json"
LEAST_SECONDS = 10  # of any test file that hangs
NOT_COPIED = (".git", ".venv*", ".hf", ".*cache", ".hypothesis", "__pycache__", "build")
# What takes long to import, and each run has from the process that it is forked from.
IMPORTS = ("pytest", "evaluate", "hypothesis", "nltk", "pandas", "gradio_client")
IMPORTS += ("rouge_score.rouge_scorer", "sacrebleu.metrics")


def faults_of_package(root: Path) -> dict[Mutant, Fault]:
    """Return the mutants of all modules."""
    paths = sorted(path for pattern in PACKAGE for path in root.glob(pattern))
    faults: dict[Mutant, Fault] = {}
    for path in paths:
        faults |= mutants_of(root, path)
    return faults


def sample_of(mutants: Iterable[Mutant], n_mutants: int, seed: int) -> list[Mutant]:
    """Return mutants of all modules: two of each, and then the more the larger it is."""
    order = []
    for module, group in itertools.groupby(mutants, key=lambda mutant: mutant.module):
        shuffled = list(group)
        random.Random(f"{seed} {module}").shuffle(shuffled)
        for rank, mutant in enumerate(shuffled):
            order.append((rank >= 2, rank / len(shuffled), mutant))
    return [mutant for *_, mutant in sorted(order)[:n_mutants]]


# --- runs -----------------------------------------------------------------------------------------


def run_tests(
    work: Path, file: str, seconds: float | None, calls: Path | None = None
) -> tuple[bool, float]:
    """Return whether a test file passes, and how many seconds of a processor it takes.

    It runs in a fork of this process, and is stopped where it takes much more than `seconds`. What
    it calls is written to `calls`.
    """
    for folder in ("tmp", "hub"):
        shutil.rmtree(work / folder, ignore_errors=True)
        (work / folder).mkdir(exist_ok=True)
    if calls is not None:
        calls.write_text("")
    pid = os.fork()
    if not pid:
        _run_in_child(work, file, seconds, calls)
    # On a busy machine; what does not wait ends long before, by its time of a processor.
    end = math.inf if seconds is None else time.monotonic() + 20 * seconds + 10 * LEAST_SECONDS
    try:
        while not (ended := os.wait4(pid, os.WNOHANG))[0] and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        with suppress(ProcessLookupError):  # it, if it is late, and what it has started
            os.killpg(pid, signal.SIGKILL)
    _, status, usage = ended if ended[0] else os.wait4(pid, 0)
    passes = os.waitstatus_to_exitcode(status) in (0, 5)  # 5: there are no tests in it
    return passes, usage.ru_utime + usage.ru_stime


def _run_in_child(work: Path, file: str, seconds: float | None, calls: Path | None) -> None:
    code = 3
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # none in a job of a shell
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(3 * seconds + LEAST_SECONDS),) * 2)
        os.chdir(work / "repository")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        output = os.open(work / "output", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        if calls is not None:
            os.environ |= {CALLS: str(calls), FOLDER: str(work)}
            write_calls()
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is imported before
        code = int(import_module("pytest").main([*options, file]))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


Tests = dict[str, dict[str, Any]]


def calls_of_tests(work: Path, functions: Collection[str], kept: Path) -> Tests:
    """Return which of the functions, as `module:line`, each test file calls, and its seconds.

    What is kept of a file counts as long as it and all that is no test are as they were.
    """
    root = work / "repository"
    sources = sorted(filter(Path.is_file, root.rglob("*.py")))  # the link is a folder
    tests = [path for path in sources if path.name.startswith("test_")]
    common = _digest(path for path in sources if path not in tests and path.name not in OWN)
    known: Tests = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    found: Tests = {}
    failed = []
    for path in tests:
        file, digest = path.relative_to(root).as_posix(), common + _digest([path])
        test = known.get(file, {})
        if test.get("digest") != digest:
            passes, seconds = run_tests(work, file, None, work / "calls")
            if not passes:  # on a busy machine a test of times may fail
                passes, seconds = run_tests(work, file, None, work / "calls")
            print(f"{file}: {seconds:.0f} s", flush=True)
            if not passes:
                print((work / "output").read_text(errors="replace"), flush=True)
                failed.append(file)
                continue
            called = sorted(_called_functions(work).intersection(functions))
            test = {"digest": digest, "seconds": seconds, "calls": called}
            kept.write_text(json.dumps(known | found | {file: test}, indent=1), encoding="utf-8")
        found[file] = test
    if failed:
        raise SystemExit(f"without any fault these fail: {' '.join(failed)}")
    return found


def _digest(paths: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def _called_functions(work: Path) -> set[str]:
    """Return what is called of modules, or of copies that `evaluate` has made of them.

    A copy is at the end of a longer path: each end of a path may be that of a module.
    """
    called = set()
    for row in set((work / "calls").read_text().splitlines()):
        path, _, line = row.removeprefix(f"{work}/").rpartition(".py:")
        parts = path.split("/")
        called |= {f"{'/'.join(parts[start:])}:{line}" for start in range(1, len(parts))}
    return called


# --- verdicts -------------------------------------------------------------------------------------


def files_of(function: str, tests: Tests) -> list[str]:
    """Return the test files that call a function, `module:line`.

    For a module itself and for what no test calls: those that call a function of the module, or
    else those that import it.
    """
    module, _, line = function.partition(":")
    lines = {
        file: {call.partition(":")[2] for call in test["calls"] if call.startswith(f"{module}:")}
        for file, test in tests.items()
    }
    of_functions = set().union(*lines.values()) - {"0"}
    for wanted in (of_functions & {line}, of_functions, {"0"}):
        if files := [file for file in tests if lines[file] & wanted]:
            return files
    raise SystemExit(f"{module} has no tests")


def in_order(
    files: Collection[str], module: str, kills: Counter[str], tests: Tests, budget: float
) -> list[str]:
    """Return files for some seconds: those with most kills, the module's own, those of its room,
    then the quickest.
    """
    seconds = {file: tests[file]["seconds"] for file in files}
    room, _, name = module.removeprefix("rouge_bleu/").rpartition("/")

    def place(file: str) -> tuple[int, bool, bool, float]:
        is_own = Path(file).name == f"test_{name}.py"
        return -kills[file], not is_own, not file.startswith(f"tests/{room}/"), seconds[file]

    order = sorted(files, key=place)
    starts = itertools.accumulate(map(seconds.__getitem__, order), initial=0.0)
    return [file for file, start in zip(order, starts, strict=False) if start < budget]


def tried(fault: Fault, files: Iterable[str], tests: Tests, work: Path) -> dict[str, str]:
    """Return the verdict on a fault, the file that it comes from, and the digest of the module.

    A file that fails once only leaves a doubt, which is no kill.
    """
    source = fault.path.read_bytes()
    result = {"verdict": "survived", "file": "", "digest": _digest([fault.path])}
    with fault.made() as tree:
        write_source(fault.path, ast.unparse(tree).encode())
    for file in files:
        seconds = tests[file]["seconds"]
        if not run_tests(work, file, seconds)[0]:
            is_killed = not run_tests(work, file, seconds)[0]
            result |= {"verdict": "killed" if is_killed else "doubtful", "file": file}
            if is_killed:
                break
    write_source(fault.path, source)
    return result


_SECONDS = itertools.count(1)


def write_source(path: Path, source: bytes) -> None:
    """Write a source that is of another second than any before: so bytecode is never stale."""
    path.write_bytes(source)
    second = next(_SECONDS)
    os.utime(path, (second, second))


# --- all of it ------------------------------------------------------------------------------------


def mutant_of(row: dict[str, str]) -> Mutant:
    """Return the mutant that a row of the results or of the equivalents is about."""
    return Mutant(*(row[name] for name in Mutant._fields))


def equivalents_of(path: Path, mutants: Collection[Mutant]) -> set[Mutant]:
    """Return the mutants of the list of equivalents."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    if gone := sorted(set(map(mutant_of, rows)).difference(mutants)):
        raise SystemExit("\n".join([f"{path.name} lists what is no mutant:", *map(str, gone)]))
    return {mutant_of(row) for row in rows if row["reason"]}


def kept_results(path: Path, faults: dict[Mutant, Fault]) -> dict[Mutant, dict[str, str]]:
    """Return the last results of mutants whose modules are as they were."""
    path.touch()
    digests = {path: _digest([path]) for path in {fault.path for fault in faults.values()}}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    results = {mutant_of(row): row for row in rows}
    return {
        mutant: row
        for mutant, row in results.items()
        if mutant in faults and row["digest"] == digests[faults[mutant].path]
    }


def verdicts_of(options: argparse.Namespace, work: Path, kept: Path) -> dict[Mutant, str]:
    """Return the verdicts on a sample of mutants: those that are kept, and new ones."""
    root = work / "repository"
    faults = faults_of_package(root)
    equivalents = equivalents_of(root / EQUIVALENTS, faults)
    functions = {fault.function for fault in faults.values()}
    tests = calls_of_tests(work, functions, kept / "calls.json")
    files = {function: files_of(function, tests) for function in functions}
    results = kept_results(kept / "results.jsonl", faults)
    wanted = [mutant for mutant in faults if mutant.module in (options.modules or mutant.module)]
    if not wanted:
        raise SystemExit(f"there is nothing to break in {options.modules}")
    sample = sample_of(wanted, options.sample, options.seed)
    for number, mutant in enumerate(sample, start=1):
        is_tried = mutant in results and not (
            options.again and results[mutant]["verdict"] != "killed"
        )
        if mutant in equivalents or is_tried:
            continue
        fault = faults[mutant]
        kills = Counter(row["file"] for row in results.values() if row["module"] == mutant.module)
        chosen = in_order(files[fault.function], mutant.module, kills, tests, options.seconds)
        results[mutant] = {**mutant._asdict(), **tried(fault, chosen, tests, work)}
        with (kept / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(results[mutant]) + "\n")
        print(number, *results[mutant].values(), flush=True)
    return {
        mutant: "equivalent" if mutant in equivalents else results[mutant]["verdict"]
        for mutant in sample
    }


def report(verdicts: dict[Mutant, str]) -> str:
    """Return what survived, and the score of each module and of all."""
    lines = [
        f"{verdict}: {mutant.module} {mutant.function}\n    {mutant.before}\n    {mutant.after}"
        for mutant, verdict in verdicts.items()
        if verdict in ("survived", "doubtful")
    ]
    lines.append(f"{'module':<40} tried equivalent killed score")
    for name in [*sorted({mutant.module for mutant in verdicts}), "all"]:
        counts = Counter(v for mutant, v in verdicts.items() if name in (mutant.module, "all"))
        n_all, n_equal, n_killed = counts.total(), counts["equivalent"], counts["killed"]
        score = 100 * n_killed / max(n_all - n_equal, 1)
        lines.append(f"{name:<40} {n_all:5} {n_equal:10} {n_killed:6} {score:5.1f}")
    return "\n".join(lines)


def main(
    given: list[str] | None = None, root: Path = ROOT, imports: Iterable[str] = IMPORTS
) -> None:
    """Try mutants of the modules that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="paths without suffix; all if none is given")
    parser.add_argument("--sample", type=int, default=300, help="mutants of all these modules")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0, help="of tests for each mutant")
    parser.add_argument("--again", action="store_true", help="try anew what survived")
    options = parser.parse_args(given)
    kept = root / "build" / "mutants"
    kept.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and nothing is left behind
    with tempfile.TemporaryDirectory(prefix="mutants_") as name:
        work = Path(name).resolve()
        ignored = shutil.ignore_patterns(*NOT_COPIED)
        shutil.copytree(root, work / "repository", ignore=ignored, symlinks=True)
        # What tests leave lies there too; evaluate reads its folder when it is imported.
        (work / "tmp").mkdir()
        os.environ |= {"TMPDIR": str(work / "tmp"), "HF_HOME": str(work / "hub")}
        # Of the copy, and in any folder: with "." a program would find the modules of its folder.
        folders = [str(work / "repository"), str(work / "repository" / "tests"), str(work)]
        os.environ["PYTHONPATH"] = os.pathsep.join(folders)
        # Python imports it at its start: programs of tests write their calls, too.
        source = Path(__file__).with_name("calls.py").read_text(encoding="utf-8")
        (work / "sitecustomize.py").write_text(f"{source}\nwrite_calls()\n", encoding="utf-8")
        tempfile.tempdir = None
        # Else the tests of the copy would get those of `root`, and by its path all that they break.
        for name in [name for name in sys.modules if name.partition(".")[0] in HELPERS]:
            del sys.modules[name]
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        for package in imports:
            import_module(package)
        print(report(verdicts_of(options, work, kept)))


if __name__ == "__main__":
    main()
