"""Both scripts follow the rules of `evaluate`'s loader, the rules notice each way to break one, and
the loader does fail there.
"""

import importlib
import importlib.metadata
import re
import shutil
import sys
from functools import reduce
from uuid import uuid4

import pytest
from evaluate import EvaluationModule
from evaluate.loading import (
    evaluation_module_factory,
    get_imports,
    import_main_class,
    init_dynamic_modules,
)

from helpers.clones import PACKAGE, clone
from helpers.repository import ROOT
from rouge_bleu_tools.staging.loader_rules import (
    INSTALLED_WITH_EVALUATE,
    loader_problems,
    packages,
    shipped_modules,
)
from rouge_bleu_tools.staging.sources import Module, StageError
from rouge_bleu_tools.staging.spaces import SPACES

NAMES = list(SPACES)
CLASS_NAMES = {"rouge_full": "RougeFull", "bleu_full": "BleuFull"}


@pytest.fixture
def copy(tmp_path):
    """A folder with both scripts and their package, to be broken."""
    return clone(tmp_path / "clone")


@pytest.fixture(scope="module")
def one_copy(tmp_path_factory):
    return clone(tmp_path_factory.mktemp("copy") / "clone")


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


def test_the_script_follows_the_rules(name):
    """And `evaluate` finds the same packages."""
    assert loader_problems(ROOT / f"{name}.py") == []
    imports = get_imports(str(ROOT / f"{name}.py"))
    found = [imported for kind, imported, _, _ in imports if kind == "internal"]
    assert found == packages(Module.read(ROOT / f"{name}.py", ROOT)) == [PACKAGE]
    assert {kind for kind, *_ in imports} == {"internal", "library"}


def test_each_module_is_reached_by_a_script():
    reached = {module.file for name in NAMES for module in shipped_modules(ROOT / f"{name}.py")}
    files = (path for path in (ROOT / PACKAGE).rglob("*.py") if path.name != "__init__.py")
    unreached = {path.relative_to(ROOT).as_posix() for path in files} - reached
    assert unreached == {f"{PACKAGE}/__main__.py", f"{PACKAGE}/shipped/loading.py"}


def test_what_is_loaded(name, load):
    """Python imports what is found by syntax, no more and no less: so a built file has all that it
    needs, and nothing else. The first evaluation module is the metric.
    """
    metric = load(ROOT / f"{name}.py")
    assert metric.name == name
    of_script = type(metric).__module__
    package = of_script.rpartition(".")[0] + "."
    imported = {
        module.removeprefix(package)
        for module, loaded in sys.modules.items()
        if module.startswith(package) and "__init__" not in loaded.__file__
    }
    assert imported == {module.name for module in shipped_modules(ROOT / f"{name}.py")}
    values = vars(importlib.import_module(of_script)).values()
    classes = [value for value in values if isinstance(value, type)]
    found = [value.__name__ for value in classes if issubclass(value, EvaluationModule)]
    assert found == [CLASS_NAMES[name]]


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

LINE_OF_PACKAGE = f"from .{PACKAGE} import __name__ as _PACKAGE\n"


def line_of_package(line):
    """Replace the line of rouge_full.py that names the package for `evaluate`."""
    return lambda text: text.replace(LINE_OF_PACKAGE, line)


def before_imports(lines):
    return lambda text: text.replace("import evaluate\n", lines + "import evaluate\n", 1)


def at_the_end(lines):
    return lambda text: text + lines


def before_the_metric(lines):
    return lambda text: text.replace("@evaluate.utils", lines + "\n\n@evaluate.utils", 1)


SCRIPT = "rouge_full.py"
# One that the script imports, and that imports others.
_, *MODULES = shipped_modules(ROOT / SCRIPT)
MODULE = next(module.file for module in MODULES if module.relative_imports)
INIT = f"{PACKAGE}/text/__init__.py"
OF_METRIC = next(module.file for module in MODULES if "\nclass SafeMetric(" in module.source)

NOT_SEEN = "evaluate copies what a line that starts with `from .name import ...`"

# By file and by what the rules say: what is done, and how `evaluate` fails (None: it loads, or fails
# only later). The script raises an ImportError itself where its package is not whole.
BROKEN = {
    (SCRIPT, NOT_SEEN): [
        (line_of_package(""), ImportError),
        (line_of_package(f"from . import {PACKAGE}\n"), ImportError),
        (line_of_package(f"from .{PACKAGE} import(__name__)\n"), ImportError),
        (line_of_package(f"if True:\n    {LINE_OF_PACKAGE}"), ImportError),
        (at_the_end(f"from ..{PACKAGE} import __name__ as _OTHER\n"), ModuleNotFoundError),
    ],
    (SCRIPT, "as an address"): [
        (line_of_package(LINE_OF_PACKAGE.replace("\n", "  # noqa\n")), FileNotFoundError),
        (
            line_of_package(f"from .{PACKAGE} import (  # all\n    __name__,\n)\n"),
            FileNotFoundError,
        ),
    ],
    (SCRIPT, rf"imports {PACKAGE}\.nowhere, which is not copied with it"): [
        (at_the_end(f"from .{PACKAGE}.nowhere import f\n"), ModuleNotFoundError)
    ],
    (SCRIPT, "nowhere is no package beside the script"): [
        (at_the_end("from .nowhere.module import f\n"), FileNotFoundError)
    ],
    (SCRIPT, f"{PACKAGE} is a package, which holds its docstring only"): [
        (at_the_end(f"from .{PACKAGE} import __file__ as _FILE\n"), None)
    ],
    (SCRIPT, "must not be named like the script"): [
        (at_the_end("from .rouge_full import f\n"), ValueError)
    ],
    (SCRIPT, "imported absolutely|" + NOT_SEEN): [
        (line_of_package(LINE_OF_PACKAGE.replace(" .", " ")), ImportError)
    ],
    (SCRIPT, "no_such_library is not installed with evaluate"): [
        (before_imports("import no_such_library\n"), ImportError)
    ],
    (SCRIPT, "one name on a line"): [(before_imports("import os, sys\n"), ImportError)],
    (SCRIPT, "one statement on a line"): [
        (before_imports(f"import os; {LINE_OF_PACKAGE}"), ImportError)
    ],
    (SCRIPT, "takes code for a docstring"): [
        (before_imports('# """ opens a docstring\n'), ImportError),
        (at_the_end("EXAMPLE = '''\nimport no_such_library\n'''\n"), ImportError),
    ],
    (SCRIPT, "write `import evaluate`"): [
        (before_imports("from evaluate.module import Metric\n"), NotImplementedError)
    ],
    (SCRIPT, "needs one class"): [
        (before_the_metric("class Base(evaluate.Metric):\n    pass\n"), NotImplementedError)
    ],
    (SCRIPT, "byte order mark"): [(lambda text: "\ufeff" + text, None)],
    (MODULE, f"{MODULE}:1: .*byte order mark"): [(lambda text: "\ufeff" + text, None)],
    (MODULE, rf"{MODULE}:\d+: evaluate leaves out what follows"): [
        (at_the_end('VERSION = "#4"\n'), None),
        (lambda text: '"""Issue #4."""\n' + text.split('"""', 2)[2], None),
    ],
    (INIT, f"{INIT}:1: evaluate leaves out"): [(lambda text: '"""Issue #4."""\n', None)],
    (INIT, rf"{INIT}:\d+: an __init__ holds its docstring only"): [
        (at_the_end("VERSION = 4\n"), None)
    ],
    (MODULE, "no_such_library is not installed"): [
        (at_the_end("import no_such_library\n"), ImportError)
    ],
    (MODULE, rf"{MODULE}:\d+: imports .*, which is not copied with it"): [
        (at_the_end("from .nowhere import f\n"), ImportError),
        (at_the_end("def f():\n    from .nowhere import f\n"), None),
        (at_the_end("from .....metrics import nothing\n"), ImportError),
    ],
    (MODULE, rf"{MODULE}:\d+: .* is a package, which holds its docstring only"): [
        (at_the_end("from . import __doc__ as text\n"), None)
    ],
    (MODULE, f"{PACKAGE} is imported absolutely, but copied to another place"): [
        (at_the_end(f"import {PACKAGE}\n"), None),
        (at_the_end(f"def f():\n    from {PACKAGE} import __name__\n"), None),
    ],
    (OF_METRIC, "SafeMetric belongs into the script"): [
        (
            at_the_end("import evaluate\nclass SafeMetric(evaluate.Metric): ...\n"),
            NotImplementedError,
        )
    ],
}
ALL_BROKEN = [(*what, *row) for what, rows in BROKEN.items() for row in rows]


@pytest.fixture
def changed(one_copy):
    """Changes a file of a copy, which is as it was after the test."""
    files = {}

    def changed(file, change):
        before = files.setdefault(file, (one_copy / file).read_text(encoding="utf-8"))
        text = change(before)
        assert text != before
        (one_copy / file).write_text(text, encoding="utf-8")
        return one_copy / SCRIPT

    yield changed
    for file, text in files.items():
        (one_copy / file).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("file", "message", "change", "_"), ALL_BROKEN)
def test_what_breaks_a_rule_is_noticed(changed, file, change, message, _):
    with pytest.raises(
        StageError, match=rf"(?s)rouge_full\.py breaks the rules of evaluate's loader:\n.*{message}"
    ):
        shipped_modules(changed(file, change))


@pytest.mark.deep
@pytest.mark.parametrize(("file", "_", "change", "error"), ALL_BROKEN)
def test_evaluate_fails_where_a_rule_is_broken(changed, load, file, change, _, error):
    if error is not None:
        with pytest.raises(error):
            load(changed(file, change))


# What looks like a broken rule and is none.
ALLOWED = [
    line_of_package(f"from .{PACKAGE} import (\n    __name__ as _PACKAGE,  # a comment\n)\n"),
    line_of_package(f"from .{PACKAGE} import \\\n    __name__ as _PACKAGE\n"),
    line_of_package(f"from .{MODULE[:-3].replace('/', '.')} import __doc__ as _TEXT\n"),
    # a comment behind an import that evaluate does not see
    lambda text: re.sub(r"(?m)^(    from \..*)$", r"\1  # a comment", text),
    before_imports("import os  # noqa: F401\n"),
    at_the_end('EXAMPLE = """\nimport no_such_library\n"""\n'),
    at_the_end('def f():\n    """Do nothing."""\n'),
    at_the_end("try:\n    import no_such_library\nexcept ImportError:\n    pass\n"),
    at_the_end("def f():\n    import no_such_library\n"),
    at_the_end("# see #4\n"),
]


@pytest.mark.parametrize("number", range(len(ALLOWED)))
def test_what_breaks_no_rule(changed, load, number):
    """All but the first three, which are of one line, are loaded at once."""
    assert loader_problems(changed(SCRIPT, ALLOWED[number])) == []
    if number < 3:
        changes = [ALLOWED[number], *ALLOWED[3:]] if number == 0 else [ALLOWED[number]]
        script = changed(
            SCRIPT, lambda text: reduce(lambda text, change: change(text), changes, text)
        )
        assert load(script).name == "rouge_full"


def test_a_script_that_is_not_there(tmp_path):
    assert loader_problems(tmp_path / "rouge_full.py") == [
        f"{tmp_path / 'rouge_full.py'} does not exist"
    ]


# --- the link by which the package is copied ---------------------------------------


def other_text(link):
    link.unlink()
    link.write_text("rouge_full", encoding="utf-8")


def other_folder(link):
    link.unlink()
    shutil.copytree(link.with_name(PACKAGE), link)
    with (link / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\n")


# What is in the place of the link, and how `evaluate` fails (None: it loads something else).
LINKS = {
    "nothing": (lambda link: link.unlink(), FileNotFoundError),
    "another folder": (other_folder, None),
    "a module": (other_text, ImportError),
}


@pytest.mark.parametrize(("change", "error"), LINKS.values(), ids=LINKS)
def test_the_link_must_lead_to_the_package(copy, load, change, error):
    """Else an edit in the package would change nothing, or a script would find no package."""
    change(copy / f"{PACKAGE}.py")
    message = f"{PACKAGE}.py must be a symbolic link to {PACKAGE}, which is copied by it"
    assert loader_problems(copy / SCRIPT) == [message]
    if error is not None:
        with pytest.raises(error):
            load(copy / SCRIPT)


@pytest.mark.parametrize("text", [PACKAGE, f"{PACKAGE}\n"])
def test_a_text_file_in_place_of_the_link_is_no_hindrance(copy, text):
    """A clone without symbolic links is staged, since that needs no link."""
    link = copy / f"{PACKAGE}.py"
    link.unlink()
    link.write_text(text, encoding="utf-8")
    assert loader_problems(copy / SCRIPT) == []
    names = [module.name for module in shipped_modules(copy / SCRIPT)]
    assert names == [module.name for module in shipped_modules(ROOT / SCRIPT)]


def test_a_copy_of_the_package_in_place_of_the_link_is_no_hindrance(copy, load):
    """Archives may hold what a link leads to; it is loaded as it would be by the link."""
    (copy / f"{PACKAGE}.py").unlink()
    shutil.copytree(copy / PACKAGE, copy / f"{PACKAGE}.py")
    assert loader_problems(copy / SCRIPT) == []
    assert load(copy / SCRIPT).name == "rouge_full"


@pytest.mark.parametrize("file", [SCRIPT, MODULE])
def test_a_mistake_in_python_is_named(changed, file):
    script = changed(file, at_the_end('\ntext = """\n'))
    with pytest.raises(StageError, match=rf"^{file}:\d+: .*unterminated"):
        loader_problems(script)


def test_a_package_that_is_not_there(copy):
    shutil.rmtree(copy / PACKAGE)
    assert f"{PACKAGE} is no package beside the script" in loader_problems(copy / SCRIPT)


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
