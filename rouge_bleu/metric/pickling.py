"""A loaded metric as bytes that other processes can read.

pickle stores the name of a class, and `evaluate` makes a module of its own for each
script that it loads: "evaluate_modules.metrics.rouge_full.<hash>.rouge_full". Another
process knows that module only if it has loaded the same script, so a function that holds
a metric failed on the workers of Spark, Ray or Dask.

Here a pickled metric begins with the text of a function, `metric_in_reach`, which needs
no module of ours. It finds the class where the other process can reach it, and loads it
there, if the script is the same. The options follow, as pickle stores them.
"""

from __future__ import annotations

import inspect
import os
from types import FrameType
from typing import Any

import evaluate

# What pickle calls first: it can name `eval`, which every process has.
_CALL = "exec(source, scope) or scope['metric_in_reach'](**arguments)"


def load_call(caller: FrameType | None) -> dict[str, Any]:
    """Return path and revision that `evaluate.load` was given, or nothing.

    A path of this machine is absolute, since other processes have other folders.

    Parameters
    ----------
    caller : frame or None
        What called the class of the metric.
    """
    if caller is None or caller.f_code is not evaluate.load.__code__:
        return {}
    path, revision = caller.f_locals["path"], caller.f_locals["revision"]
    script = os.path.join(path, os.path.basename(os.path.normpath(path)) + ".py")
    if os.path.isfile(path) or os.path.isfile(script):
        path = os.path.abspath(path)
    return {"path": path, "revision": revision}


def reduced_metric(
    metric_class: type, version: str, origin: dict[str, Any]
) -> tuple[Any, ...] | None:
    """Return the function and arguments by which pickle makes an empty metric.

    None: pickle finds the class by itself, or there is no text of the functions, since
    the copy that `evaluate` made of the script is gone.

    Parameters
    ----------
    metric_class : type
    version : str
    origin : dict
        What `load_call` returned.
    """
    module = metric_class.__module__
    if not module.startswith(evaluate.config.MODULE_NAME_FOR_DYNAMIC_MODULES + "."):
        return None
    try:
        functions = (content_of_script, metric_in_reach)
        source = "\n\n".join(inspect.getsource(function) for function in functions)
        file = inspect.getfile(metric_class)
    except OSError:
        return None
    arguments = {
        "module": module,
        "name": metric_class.__name__,
        "file": file,
        "version": version,
        "content": content_of_script(file),
        **origin,
    }
    return eval, (_CALL, {"source": source, "scope": {}, "arguments": arguments})


def content_of_script(script: str) -> str | None:
    """Return a hash of a script and of the modules and packages that it names.

    None: one of them is missing. The hash that `evaluate` puts into the name of a module
    is no help: it depends on the order in which a file system lists a package.
    """
    import hashlib
    import os

    import evaluate

    folder = os.path.dirname(script)
    content = hashlib.sha256()
    try:
        files = [script]
        for kind, name, *_ in evaluate.loading.get_imports(script):
            place = os.path.join(folder, name)
            if kind == "internal" and os.path.isdir(place):
                files += [
                    os.path.join(inside, file)
                    for inside, _, names in os.walk(place)
                    for file in names
                    if file.endswith(".py")
                ]
            elif kind == "internal":
                files.append(f"{place}.py")
        path_of_name = {os.path.relpath(file, folder).replace(os.sep, "/"): file for file in files}
        for name, path in sorted(path_of_name.items()):
            with open(path, "rb") as file:
                source = file.read()
            content.update(f"{name} {len(source)} ".encode() + source)
    except (OSError, ValueError):  # ValueError: this is no text
        return None
    return content.hexdigest()


def metric_in_reach(
    module: str,
    name: str,
    file: str,
    version: str,
    content: str | None = None,
    path: str | None = None,
    revision: str | None = None,
) -> object:
    """Return an empty metric of a class that this process can reach.

    These are tried, in this order: the module, where this process has it or shares the
    module cache; the copy that `evaluate` made of the script; the path or the address on
    the Hub that `load` was given; a copy that is installed under the name of the metric.
    A bare name that `load` was given comes last, since it asks the Hub.

    Nothing runs of a script that is not the one that was pickled: its content, with that of
    the package that it names, must have the same hash. What is installed on this machine
    is taken by its version.

    The text of this function, and of `content_of_script`, is all that a process gets, so they
    import what they need.

    Parameters
    ----------
    module, name : str
        Of the class.
    file : str
        The copy that `evaluate` made of the script.
    version : str
        Of the metric.
    content : str or None
        What `content_of_script` returned.
    path, revision : str or None
        What `load` was given.

    Raises
    ------
    ImportError
        The class is nowhere, or there are only other scripts or another version.
    Exception
        The script is there; this is why it cannot be imported.
    """
    import importlib
    import os
    import sys
    import tempfile

    import evaluate

    metric = module.rpartition(".")[2]
    others = []

    def is_there(script):
        if not os.path.isfile(script):
            return False
        is_same = content_of_script(script) == content is not None
        if not is_same:
            others.append(script)
        return is_same

    def known():
        return sys.modules.get(module)

    def cached(module_path=module):
        folder = os.path.dirname(evaluate.loading.init_dynamic_modules())
        if not is_there(os.path.join(folder, *module_path.split(".")) + ".py"):
            return None
        importlib.invalidate_caches()
        return importlib.import_module(module_path)

    def linked(script, links):
        # A copy of `evaluate` has the folder of a package, and no link by which `evaluate`
        # finds it.
        folder, file_name = os.path.split(os.path.abspath(script))
        imports = evaluate.loading.get_imports(script)
        names = [name for kind, name, *_ in imports if kind == "internal"]
        if all(os.path.exists(os.path.join(folder, f"{name}.py")) for name in names):
            return script
        os.symlink(os.path.join(folder, file_name), os.path.join(links, file_name))
        for name in names:
            os.symlink(os.path.join(folder, name), os.path.join(links, f"{name}.py"))
        return os.path.join(links, file_name)

    def loaded(place, **arguments):
        file_name = os.path.basename(os.path.normpath(place)) + ".py"
        script = place if place.endswith(".py") else os.path.join(place, file_name)
        is_local = os.path.isabs(place) or os.path.isfile(script)
        if is_local and not is_there(script):
            return None
        try:
            with tempfile.TemporaryDirectory() as links:
                if is_local:
                    place = linked(script, links)
                copy = evaluate.loading.evaluation_module_factory(place, **arguments)
        except OSError:
            if is_local:
                raise
            return None  # the Hub does not have it, or does not answer
        return cached(copy.module_path)

    def installed():
        factory = evaluate.loading.CachedEvaluationModuleFactory
        try:
            copy = factory(f"evaluate-metric--{metric}").get_module()
        except OSError:
            return None
        return importlib.import_module(copy.module_path)

    ways = [known, cached, lambda: loaded(file)]
    if path is not None:
        ways.append(lambda: loaded(path, revision=revision))
    # A bare name asks the Hub first, which takes minutes where nobody answers.
    is_bare = path is None or "/" not in path.replace(os.sep, "/")
    ways.insert(3 if is_bare else 4, installed)
    for way in ways:
        metric_class = getattr(way(), name, None)
        if metric_class is None:
            continue
        version_found = getattr(metric_class, "version", "of another version")
        if version_found != version:
            raise ImportError(
                f"{metric} {version} was pickled, and this process finds {metric}"
                f" {version_found} in {sys.modules[metric_class.__module__].__file__}: all"
                " machines need the same version"
            )
        if way is not known:
            metric_class()  # it refuses packages that are too old
        return metric_class.__new__(metric_class)
    remedy = (
        "Run `rouge-bleu install` on this machine, load the metric by a path that all"
        " machines share, or load it from the Hub"
    )
    if others:
        found = " and ".join(dict.fromkeys(others))
        raise ImportError(
            f"{metric} was pickled in another process, and this one finds another content"
            f" in {found}, of which nothing was run: all machines need the same script."
            f" {remedy}, with a revision"
        )
    raise ImportError(
        f"{metric} was pickled in another process, and this one cannot reach it: neither"
        f" {file} nor {path or 'its module'} is there, and no copy is installed. {remedy}"
    )
