"""Both scripts follow the rules of `evaluate`'s loader, the rules notice each way to break one, and
the loader does fail there.

The last column of the table says how: a rule that no longer corresponds to an error of `evaluate`
shows up here.
"""

import ast
import importlib
import importlib.metadata
import re
import shutil
import sys
from uuid import uuid4

import pytest
from evaluate import EvaluationModule
from evaluate.loading import (
    evaluation_module_factory,
    get_imports,
    import_main_class,
    init_dynamic_modules,
)

from helpers.repository import ROOT
from rouge_bleu_tools.staging.loader_rules import (
    INSTALLED_WITH_EVALUATE,
    loader_problems,
    shipped_modules,
    siblings,
)
from rouge_bleu_tools.staging.sources import Module, StageError
from rouge_bleu_tools.staging.spaces import SPACES

NAMES = list(SPACES)
CLASS_NAMES = {"rouge_full": "RougeFull", "bleu_full": "BleuFull"}


@pytest.fixture(scope="module")
def shipped():
    modules = (module for name in NAMES for module in shipped_modules(ROOT / f"{name}.py"))
    return {ROOT / module.file for module in modules}


@pytest.fixture
def copy(shipped, tmp_path):
    """A folder with both scripts and their siblings, to be broken."""
    for file in shipped:
        shutil.copyfile(file, tmp_path / file.name)
    return tmp_path


@pytest.fixture
def load(tmp_path_factory, monkeypatch):
    """Load a script as `evaluate.load` does, into a cache of its own."""
    monkeypatch.setattr(sys, "path", sys.path[:])

    def load(script):
        modules = init_dynamic_modules(f"modules_{uuid4().hex}", tmp_path_factory.mktemp("cache"))
        module = evaluation_module_factory(str(script), dynamic_modules_path=modules)
        return import_main_class(module.module_path)(hash=module.hash)

    return load


# --- the scripts as they are ----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_script_follows_the_rules(name):
    assert loader_problems(ROOT / f"{name}.py") == []


@pytest.mark.parametrize("name", NAMES)
def test_evaluate_finds_the_same_siblings(name):
    imports = get_imports(str(ROOT / f"{name}.py"))
    assert [imported for kind, imported, _, _ in imports if kind == "internal"] == siblings(
        Module.read(ROOT / f"{name}.py")
    )
    assert {kind for kind, *_ in imports} == {"internal", "library"}


@pytest.mark.parametrize("name", NAMES)
def test_all_siblings_are_flat_files_that_python_reaches(name):
    """Nothing is shipped that the script does not reach, whatever it names."""
    reached, found = set(), [f"{name}.py"]
    while found:
        tree = ast.parse((ROOT / found.pop()).read_text(encoding="utf-8"))
        modules = {
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.level
        }
        found += [f"{module}.py" for module in modules - reached]
        reached |= modules
    assert reached == set(siblings(Module.read(ROOT / f"{name}.py")))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_evaluation_module_is_the_metric(name, load):
    metric = load(ROOT / f"{name}.py")
    module = importlib.import_module(type(metric).__module__)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, EvaluationModule)
    ]
    assert [found.__name__ for found in classes] == [CLASS_NAMES[name]]
    assert metric.name == name


def test_evaluate_brings_the_allowed_libraries_along():
    """Follow the requirements of `evaluate` as far as they go without extras."""
    installed, found = set(), ["evaluate"]
    while found:
        package = found.pop()
        if package not in installed:
            installed.add(package)
            requirements = (
                text for text in importlib.metadata.requires(package) or () if ";" not in text
            )
            found += [re.match(r"[\w.-]+", text)[0].lower() for text in requirements]
    assert {name.replace("_", "-") for name in INSTALLED_WITH_EVALUATE} <= {
        name.replace("_", "-") for name in installed
    }


# --- broken copies --------------------------------------------------------------------------------

RAGGED = re.compile(r"^from \.ragged import .*\n", re.MULTILINE)


def ragged_line(line):
    """Replace the line of rouge_full.py that imports `ragged`."""
    return lambda text: RAGGED.sub(lambda match: line, text, count=1)


def before_imports(lines):
    return lambda text: text.replace("import evaluate\n", lines + "import evaluate\n", 1)


def at_the_end(lines):
    return lambda text: text + lines


def before_the_metric(lines):
    return lambda text: text.replace("@evaluate.utils", lines + "\n\n@evaluate.utils", 1)


SCRIPT, SIBLING = "rouge_full.py", "ngrams.py"
NOT_SEEN = "evaluate sees only `from .name import ...`"
NOT_NAMED = r"ngrams.py:\d+: imports .ragged, which rouge_full.py does not name"
STRINGS = "takes code for a docstring"

# What is done, to which file, what the rules say, and how `evaluate` fails (None: it loads, or
# fails only later).
BROKEN = {
    "a sibling is forgotten": (SCRIPT, ragged_line(""), NOT_NAMED, ModuleNotFoundError),
    "a comment behind a relative import": (
        SCRIPT,
        ragged_line("from .ragged import Ragged  # noqa: F401\n"),
        "as an address",
        FileNotFoundError,
    ),
    "a comment behind an open parenthesis": (
        SCRIPT,
        ragged_line("from .ragged import (  # all\n    Ragged,\n)\n"),
        "as an address",
        FileNotFoundError,
    ),
    "import of a module": (SCRIPT, ragged_line("from . import ragged\n"), NOT_SEEN, ImportError),
    "no blank before a star": (
        SCRIPT,
        ragged_line("from .ragged import*\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "no blank before a parenthesis": (
        SCRIPT,
        ragged_line("from .ragged import(Ragged)\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "a blank behind the dot": (
        SCRIPT,
        ragged_line("from . ragged import Ragged\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "an indented relative import": (
        SCRIPT,
        ragged_line("if True:\n    from .ragged import Ragged\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "a relative import in a function": (
        SCRIPT,
        ragged_line("def late():\n    from .ragged import Ragged\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "a package": (
        SCRIPT,
        at_the_end("from .package.module import f\n"),
        NOT_SEEN,
        FileNotFoundError,
    ),
    "the parent folder": (
        SCRIPT,
        at_the_end("from ..ragged import Ragged\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "a sibling that does not exist": (
        SCRIPT,
        at_the_end("from .nowhere import f\n"),
        "there is no nowhere.py beside it",
        FileNotFoundError,
    ),
    "a sibling with the name of the script": (
        SCRIPT,
        at_the_end("from .rouge_full import f\n"),
        "must not be named like the script",
        ValueError,
    ),
    "a sibling as a library": (
        SCRIPT,
        ragged_line("from ragged import Ragged\n"),
        "ragged is not installed with evaluate",
        ImportError,
    ),
    "a library that is not there": (
        SCRIPT,
        before_imports("import no_such_library\n"),
        "no_such_library is not installed with evaluate",
        ImportError,
    ),
    "two names in one import": (
        SCRIPT,
        before_imports("import os, sys\n"),
        "one name on a line",
        ImportError,
    ),
    "two statements in one line": (
        SCRIPT,
        before_imports("import os; from .ragged import Ragged\n"),
        "one statement on a line",
        ImportError,
    ),
    "a triple quote in a comment": (
        SCRIPT,
        before_imports('# """ opens a docstring\n'),
        STRINGS,
        ModuleNotFoundError,
    ),
    "a triple quote in a string": (
        SCRIPT,
        before_imports('QUOTE = \'"""\'\n'),
        STRINGS,
        ModuleNotFoundError,
    ),
    "an import in a string with other quotes": (
        SCRIPT,
        at_the_end("EXAMPLE = '''\nimport no_such_library\n'''\n"),
        STRINGS,
        ImportError,
    ),
    "a class of evaluate is imported": (
        SCRIPT,
        before_imports("from evaluate import Metric\n"),
        "write `import evaluate`",
        NotImplementedError,
    ),
    "a class of evaluate from inside": (
        SCRIPT,
        before_imports("from evaluate.module import Metric\n"),
        "write `import evaluate`",
        NotImplementedError,
    ),
    "another metric class": (
        SCRIPT,
        before_the_metric("class Base(evaluate.Metric):\n    pass\n"),
        "needs one class",
        NotImplementedError,
    ),
    "a byte order mark": (SCRIPT, lambda text: "\ufeff" + text, "byte order mark", None),
    "a number sign in a string": (
        SIBLING,
        at_the_end('VERSION = "#4"\n'),
        r"ngrams.py:\d+: evaluate leaves out what follows",
        None,
    ),
    "a number sign in a docstring": (
        SIBLING,
        lambda text: '"""Issue #4."""\n' + text.split('"""', 2)[2],
        "ngrams.py:1: evaluate leaves out",
        None,
    ),
    "a library of a sibling that is not there": (
        SIBLING,
        at_the_end("import no_such_library\n"),
        "no_such_library is not installed",
        ModuleNotFoundError,
    ),
    "a sibling of a sibling": (
        SIBLING,
        at_the_end("from .bleu_scorer import bleu\n"),
        "imports .bleu_scorer, which",
        ModuleNotFoundError,
    ),
    "a sibling of a sibling in a function": (
        SIBLING,
        at_the_end("def f():\n    from .bleu_scorer import bleu\n"),
        "imports .bleu_scorer, which",
        None,
    ),
    "a module of a sibling": (
        SIBLING,
        at_the_end("from . import bleu_scorer\n"),
        "imports .bleu_scorer, which",
        ImportError,
    ),
    "a metric class of a sibling": (
        "safe_metric.py",
        at_the_end("import evaluate\nclass SafeMetric(evaluate.Metric):\n    pass\n"),
        "SafeMetric belongs into the script",
        NotImplementedError,
    ),
}


@pytest.mark.parametrize(("file", "change", "message", "error"), BROKEN.values(), ids=BROKEN)
def test_what_breaks_a_rule_is_noticed(copy, load, file, change, message, error):
    before = (copy / file).read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    (copy / file).write_text(after, encoding="utf-8")
    with pytest.raises(
        StageError, match=rf"(?s)rouge_full\.py breaks the rules of evaluate's loader:\n.*{message}"
    ):
        shipped_modules(copy / SCRIPT)
    if error is not None:
        with pytest.raises(error):
            load(copy / SCRIPT)


# What looks like a broken rule and is none.
ALLOWED = {
    "several lines": ragged_line("from .ragged import (\n    Ragged,  # a comment\n)\n"),
    "a line that goes on": ragged_line("from .ragged import Ragged, \\\n    flattened\n"),
    "a comment behind a library": before_imports("import os  # noqa: F401\n"),
    "an import in a docstring": at_the_end('EXAMPLE = """\nimport no_such_library\n"""\n'),
    "a docstring of one line": at_the_end('def f():\n    """Do nothing."""\n'),
    "a library that may be missing": at_the_end(
        "try:\n    import no_such_library\nexcept ImportError:\n    pass\n"
    ),
    "a library inside a function": at_the_end("def f():\n    import no_such_library\n"),
    "a number sign in a comment": at_the_end("# see #4\n"),
}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED)
def test_what_breaks_no_rule_is_loaded(copy, load, change):
    script = copy / SCRIPT
    script.write_text(change(script.read_text(encoding="utf-8")), encoding="utf-8")
    assert loader_problems(script) == []
    assert load(script).name == "rouge_full"


def test_a_script_that_is_not_there(tmp_path):
    assert loader_problems(tmp_path / "rouge_full.py") == [
        f"{tmp_path / 'rouge_full.py'} does not exist"
    ]


def test_what_follows_a_number_sign_is_not_hashed(tmp_path):
    """The reason of the rule on number signs: after such a change the old copy would go on being
    used.
    """
    script = tmp_path / "metric.py"
    hashes = set()
    for version in ("#4", "#5"):
        script.write_text(f'VERSION = "{version}"\n', encoding="utf-8")
        hashes.add(evaluation_module_factory(str(script)).hash)
    assert len(hashes) == 1
