"""A loaded metric as bytes that other processes can read.

pickle stores the name of a class, and `evaluate` makes a module of its own for each
script that it loads: "evaluate_modules.metrics.rouge_full.<hash>.rouge_full". Another
process knows that module only if it has loaded the same script, so a function that holds
a metric failed on the workers of Spark, Ray or Dask.

Here a pickled metric begins with the text of one function, `metric_in_reach`, which
needs no module of ours. It finds the class where the other process can reach it, and
loads it there. The options follow, as pickle stores them.
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

    None: pickle finds the class by itself, or there is no text of the function, since
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
        source = inspect.getsource(metric_in_reach)
        file = inspect.getfile(metric_class)
    except OSError:
        return None
    arguments = {
        "module": module,
        "name": metric_class.__name__,
        "file": file,
        "version": version,
        **origin,
    }
    return eval, (_CALL, {"source": source, "scope": {}, "arguments": arguments})


def metric_in_reach(
    module: str,
    name: str,
    file: str,
    version: str,
    path: str | None = None,
    revision: str | None = None,
) -> object:
    """Return an empty metric of a class that this process can reach.

    These are tried, in this order: the module, where this process has it or shares the
    module cache; the copy that `evaluate` made of the script; the path or the address on
    the Hub that `load` was given; a copy that is installed under the name of the metric.
    A bare name that `load` was given comes last, since it asks the Hub.

    The text of this function is all that a process gets, so it imports what it needs.

    Parameters
    ----------
    module, name : str
        Of the class.
    file : str
        The copy that `evaluate` made of the script.
    version : str
        Of the metric.
    path, revision : str or None
        What `load` was given.

    Raises
    ------
    ImportError
        The class is nowhere, or of another version.
    """
    import importlib
    import os
    import sys

    import evaluate

    metric = module.rpartition(".")[2]

    def known():
        return sys.modules[module]

    def shared():
        evaluate.loading.init_dynamic_modules()
        importlib.invalidate_caches()
        return importlib.import_module(module)

    def loaded(place, **arguments):
        if os.path.isabs(place) and not os.path.exists(place):
            raise FileNotFoundError(place)
        return sys.modules[type(evaluate.load(place, **arguments)).__module__]

    def installed():
        factory = evaluate.loading.CachedEvaluationModuleFactory
        copy = factory(f"evaluate-metric--{metric}").get_module()
        return importlib.import_module(copy.module_path)

    ways = [known, shared, lambda: loaded(file)]
    if path is not None:
        ways.append(lambda: loaded(path, revision=revision))
    # A bare name asks the Hub first, which takes minutes where nobody answers.
    is_bare = path is None or "/" not in path.replace(os.sep, "/")
    ways.insert(3 if is_bare else 4, installed)
    for way in ways:
        try:
            found = getattr(way(), name)
        except (ImportError, KeyError, OSError, AttributeError):
            continue
        version_found = getattr(found, "version", "of another version")
        if version_found != version:
            raise ImportError(
                f"{metric} {version} was pickled, and this process finds {metric}"
                f" {version_found} in {sys.modules[found.__module__].__file__}: all"
                " machines need the same version"
            )
        return found.__new__(found)
    raise ImportError(
        f"{metric} was pickled in another process, and this one cannot reach it: neither"
        f" {file} nor {path or 'its module'} is there, and no copy is installed. Run `python"
        " stage.py install` on this machine, load the metric by a path that all machines"
        " share, or load it from the Hub"
    )
