"""Both scripts follow the rules of `evaluate`'s loader, the rules notice each way to break one, and
the loader does fail there.

The last column of the table says how: a rule that no longer corresponds to an error of `evaluate`
shows up here.
"""

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
def test_evaluate_finds_the_same_packages(name):
    imports = get_imports(str(ROOT / f"{name}.py"))
    found = [imported for kind, imported, _, _ in imports if kind == "internal"]
    assert found == packages(Module.read(ROOT / f"{name}.py", ROOT)) == [PACKAGE]
    assert {kind for kind, *_ in imports} == {"internal", "library"}


@pytest.mark.parametrize("name", NAMES)
def test_python_imports_what_is_found_by_syntax(name, load):
    """No more and no less: so a built file has all that it needs, and nothing else."""
    loaded = type(load(ROOT / f"{name}.py")).__module__.rpartition(".")[0]
    imported = {
        module.removeprefix(f"{loaded}."): sys.modules[module].__file__
        for module in sys.modules
        if module.startswith(f"{loaded}.")
    }
    modules = {module for module, file in imported.items() if "__init__" not in file}
    assert modules == {module.name for module in shipped_modules(ROOT / f"{name}.py")}


def test_each_module_is_reached_by_a_script():
    reached = {module.file for name in NAMES for module in shipped_modules(ROOT / f"{name}.py")}
    files = (path for path in (ROOT / PACKAGE).rglob("*.py") if path.name != "__init__.py")
    unreached = {path.relative_to(ROOT).as_posix() for path in files} - reached
    assert unreached == {f"{PACKAGE}/__main__.py", f"{PACKAGE}/shipped/loading.py"}


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
INIT = f"{PACKAGE}/metric/__init__.py"
OF_METRIC = next(module.file for module in MODULES if "\nclass SafeMetric(" in module.source)

NOT_SEEN = "evaluate copies what a line that starts with `from .name import ...`"
STRINGS = "takes code for a docstring"
LOST = rf"{MODULE}:\d+: imports .*, which is not copied with it"
ABSOLUTE = f"{PACKAGE} is imported absolutely, but copied to another place"

# What is done, to which file, what the rules say, and how `evaluate` fails (None: it loads, or
# fails only later). The script raises an ImportError itself where its package is not whole.
BROKEN = {
    "no line names the package": (SCRIPT, line_of_package(""), NOT_SEEN, ImportError),
    "a comment behind a relative import": (
        SCRIPT,
        line_of_package(LINE_OF_PACKAGE.replace("\n", "  # noqa: F401\n")),
        "as an address",
        FileNotFoundError,
    ),
    "a comment behind an open parenthesis": (
        SCRIPT,
        line_of_package(f"from .{PACKAGE} import (  # all\n    __name__ as _PACKAGE,\n)\n"),
        "as an address",
        FileNotFoundError,
    ),
    "import of a package": (
        SCRIPT,
        line_of_package(f"from . import {PACKAGE}\n"),
        NOT_SEEN,
        ImportError,
    ),
    "no blank before a star": (
        SCRIPT,
        line_of_package(f"from .{PACKAGE} import*\n"),
        NOT_SEEN,
        ImportError,
    ),
    "no blank before a parenthesis": (
        SCRIPT,
        line_of_package(f"from .{PACKAGE} import(__name__)\n"),
        NOT_SEEN,
        ImportError,
    ),
    "a blank behind the dot": (
        SCRIPT,
        line_of_package(LINE_OF_PACKAGE.replace(" .", " . ")),
        NOT_SEEN,
        ImportError,
    ),
    "an indented relative import": (
        SCRIPT,
        line_of_package(f"if True:\n    {LINE_OF_PACKAGE}"),
        NOT_SEEN,
        ImportError,
    ),
    "a relative import in a function": (
        SCRIPT,
        line_of_package(f"def late():\n    {LINE_OF_PACKAGE}"),
        NOT_SEEN,
        ImportError,
    ),
    "the parent folder": (
        SCRIPT,
        at_the_end(f"from ..{PACKAGE} import __name__ as _OTHER\n"),
        NOT_SEEN,
        ModuleNotFoundError,
    ),
    "a module that does not exist": (
        SCRIPT,
        at_the_end(f"from .{PACKAGE}.nowhere import f\n"),
        rf"imports {PACKAGE}\.nowhere, which is not copied with it",
        ModuleNotFoundError,
    ),
    "a package that does not exist": (
        SCRIPT,
        at_the_end("from .nowhere.module import f\n"),
        "nowhere is no package beside the script",
        FileNotFoundError,
    ),
    "more than the name of a package": (
        SCRIPT,
        at_the_end(f"from .{PACKAGE} import __file__ as _FILE\n"),
        f"{PACKAGE} is a package, which holds its docstring only",
        None,
    ),
    "a package with the name of the script": (
        SCRIPT,
        at_the_end("from .rouge_full import f\n"),
        "must not be named like the script",
        ValueError,
    ),
    "the package as a library": (
        SCRIPT,
        line_of_package(LINE_OF_PACKAGE.replace(" .", " ")),
        "imported absolutely|" + NOT_SEEN,
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
        before_imports(f"import os; {LINE_OF_PACKAGE}"),
        "one statement on a line",
        ImportError,
    ),
    "a triple quote in a comment": (
        SCRIPT,
        before_imports('# """ opens a docstring\n'),
        STRINGS,
        ImportError,
    ),
    "a triple quote in a string": (
        SCRIPT,
        before_imports('QUOTE = \'"""\'\n'),
        STRINGS,
        ImportError,
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
    "a byte order mark of a module": (
        MODULE,
        lambda text: "\ufeff" + text,
        f"{MODULE}:1: .*byte order mark",
        None,
    ),
    "a number sign in a string": (
        MODULE,
        at_the_end('VERSION = "#4"\n'),
        rf"{MODULE}:\d+: evaluate leaves out what follows",
        None,
    ),
    "a number sign in a docstring": (
        MODULE,
        lambda text: '"""Issue #4."""\n' + text.split('"""', 2)[2],
        f"{MODULE}:1: evaluate leaves out",
        None,
    ),
    "a number sign of a package": (
        INIT,
        lambda text: '"""Issue #4."""\n',
        f"{INIT}:1: evaluate leaves out",
        None,
    ),
    "code of a package": (
        INIT,
        at_the_end("VERSION = 4\n"),
        rf"{INIT}:\d+: an __init__ holds its docstring only",
        None,
    ),
    "a library of a module that is not there": (
        MODULE,
        at_the_end("import no_such_library\n"),
        "no_such_library is not installed",
        ImportError,
    ),
    "a module of a module that is not there": (
        MODULE,
        at_the_end("from .nowhere import f\n"),
        LOST,
        ImportError,
    ),
    "a module that is not there, in a function": (
        MODULE,
        at_the_end("def f():\n    from .nowhere import f\n"),
        LOST,
        None,
    ),
    "what is outside of the package": (
        MODULE,
        at_the_end("from .....metrics import nothing\n"),
        LOST,
        ImportError,
    ),
    "a module as a whole": (
        MODULE,
        at_the_end("from . import __doc__ as text\n"),
        rf"{MODULE}:\d+: .* is a package, which holds its docstring only",
        None,
    ),
    "the package by its own name": (MODULE, at_the_end(f"import {PACKAGE}\n"), ABSOLUTE, None),
    "the package by its own name, in a function": (
        MODULE,
        at_the_end(f"def f():\n    from {PACKAGE} import __name__\n"),
        ABSOLUTE,
        None,
    ),
    "a metric class of a module": (
        OF_METRIC,
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
    "several lines": line_of_package(
        f"from .{PACKAGE} import (\n    __name__ as _PACKAGE,  # a comment\n)\n"
    ),
    "a line that goes on": line_of_package(
        f"from .{PACKAGE} import \\\n    __name__ as _PACKAGE\n"
    ),
    "a module of the package": line_of_package(
        f"from .{MODULE[:-3].replace('/', '.')} import __doc__ as _TEXT\n"
    ),
    "a comment behind an import that evaluate does not see": lambda text: re.sub(
        r"(?m)^(    from \..*)$", r"\1  # a comment", text
    ),
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


# --- the link by which the package is copied ---------------------------------------


def other_folder(link):
    folder_of_its_own(link)
    link.rename(link.with_name("other"))
    link.symlink_to("other")


def folder_of_its_own(link):
    link.unlink()
    shutil.copytree(link.with_name(PACKAGE), link)
    with (link / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\n")


def other_text(link):
    link.unlink()
    link.write_text("rouge_full", encoding="utf-8")


def link_to_nothing(link):
    link.unlink()
    link.symlink_to("nothing")


# What is in the place of the link, and how `evaluate` fails (None: it loads something else).
LINKS = {
    "nothing": (lambda link: link.unlink(), FileNotFoundError),
    "a link to nothing": (link_to_nothing, FileNotFoundError),
    "a link to another folder": (other_folder, None),
    "another folder": (folder_of_its_own, None),
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
def test_a_mistake_in_python_is_named(copy, file):
    with (copy / file).open("a", encoding="utf-8") as opened:
        opened.write('\ntext = """\n')
    with pytest.raises(StageError, match=rf"^{file}:\d+: .*unterminated"):
        loader_problems(copy / SCRIPT)


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
