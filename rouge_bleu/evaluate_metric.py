"""The mixin that makes a scorer a metric of `evaluate`: load, add, add_batch, compute, explain.

`evaluate` checks only the first example and keeps added examples in an Arrow file. `SafeMetric` checks
all examples and keeps them in memory. It is not a subclass of `evaluate.Metric`, since `evaluate.load` takes
the first metric class that it finds in a script.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import inspect
import os
import reprlib
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from types import FrameType
from typing import Any, ClassVar

import datasets
import evaluate

from .corpus import (
    Corpus,
    Example,
    are_tokenized,
    check_same_labels,
    check_token_lists,
    checked_corpus,
    checked_example,
    has_several_words,
)
from .distributed import gather_examples
from .metric import Metric, docstring_without_examples, keyword_only_signature, optional_baseline
from .options import CheckedOptions, check_seed, checked_load_options, copy_of_options
from .signature import options_text, parse_signature
from .streaming import BatchMetric
from .version import VERSION

# What `evaluate.load` passes to every metric, beside options: all but the last, which is **kwargs, and
# what many scripts pass to it, which no metric needs.
LOAD_ARGUMENTS = (*tuple(inspect.signature(evaluate.Metric).parameters)[:-1], "trust_remote_code")

# Attributes that a copy creates again: methods that `evaluate` binds, and the owner of the examples.
_NOT_COPIED = ("compute", "add", "add_batch", "_owner")


class SafeMetric(BatchMetric):
    """Mixin for an `evaluate.Metric`, which must come after it in the bases."""

    scorer: ClassVar[Metric]
    options_class: ClassVar[type[CheckedOptions]]
    function: ClassVar[Callable[..., dict[str, Any]]]
    explain_function: ClassVar[Callable[..., dict[str, Any]]]
    version: ClassVar[str] = VERSION

    # Attributes of `evaluate.Metric`.
    name: str
    info: Any
    config_name: str
    experiment_id: str
    num_process: int
    process_id: int
    timeout: float
    data_dir: str
    _data_dir_root: str

    _added: list[list[Example]]  # the parts that were added, none of them empty
    _owner: tuple[int, threading.Thread]  # the process and the thread that added the first

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls.options_class = cls.scorer.options_class
        with suppress(ImportError):  # it is private, and other releases may lack it
            from datasets.utils._dill import pklregister

            pklregister(cls)(_pickle_for_hash)
        if cls.compute is SafeMetric.compute:  # a user's subclass may have its own
            _show_options_in_help(cls)

    def __init__(
        self, config_name: str | None = None, *, seed: int | None = None, **arguments: Any
    ) -> None:
        own = {name: value for name, value in arguments.items() if name in LOAD_ARGUMENTS}
        options = {name: value for name, value in arguments.items() if name not in own}
        if seed is not None:
            check_seed("seed", seed)
        self._load_options = checked_load_options(
            self.scorer.options_class,
            config_name,
            options,
            seed=seed,
            other_arguments=LOAD_ARGUMENTS,
        )
        # `evaluate` draws a seed if none is given. Here the same input gives the same result.
        self.load_seed = 0 if seed is None else int(seed)
        self._origin = _path_and_revision_of_load(sys._getframe(1))
        self._added, self._owner = [], (os.getpid(), threading.current_thread())
        super().__init__(config_name=config_name, seed=self.load_seed, **own)  # type: ignore[call-arg]
        # `evaluate` has made a function of `compute` for this object.
        vars(self)["compute"].__func__.__signature__ = inspect.signature(type(self).compute)

    def __len__(self) -> int:
        """Return the number of examples that were added and not yet scored."""
        return sum(map(len, self._added))

    def __repr__(self) -> str:
        options = [f"{name}={reprlib.repr(value)}" for name, value in self._load_options.items()]
        of_load = f", options of load: {', '.join(options)}" if options else ""
        return (
            f"{self.name} {self.version}{of_load}, examples added: {len(self)}"
            " (see help(metric.compute) for options)"
        )

    @property
    def load_options(self) -> dict[str, Any]:
        """The options given to `load`, which are the defaults of this object; a copy."""
        return copy_of_options(self._load_options)

    def options_of_signature(self, signature: str, **supplied: Any) -> dict[str, Any]:
        """Return all options of a signature that can change the score, to reproduce it.

        `metric.compute(..., **metric.options_of_signature(signature))` does not depend on `load`.

        Args:
            signature: a line as `compute(..., signature=True)` returns it. There is a warning if it
                is of another version. One with draws:poisson is of `fold`, whose intervals differ
                as those of two seeds do.
            **supplied: the functions and stop words that the signature only names, by option.

        Raises:
            TypeError, ValueError: if the signature is damaged or of another metric, or if
                `supplied` does not match it.
        """
        return parse_signature(self.name, self.scorer.options_class, signature, supplied)

    def add_batch(self, *by_position: Any, predictions: Any = None, references: Any = None) -> None:
        """Add predictions and their references; after an error none of them is added."""
        _check_no_positional("add_batch", by_position)
        self._add_examples(checked_corpus(predictions, references))

    def add(
        self,
        *by_position: Any,
        prediction: Any = None,
        reference: Any = None,
        predictions: Any = None,
        references: Any = None,
    ) -> None:
        """Add one prediction with its reference or list of references; names may be plural."""
        _check_no_positional("add", by_position, "prediction=..., reference=...")
        for one, plural in ((prediction, predictions), (reference, references)):
            if one is not None and plural is not None:
                raise TypeError("add() takes prediction or predictions, reference or references")
        prediction = predictions if prediction is None else prediction
        example = checked_example(prediction, references if reference is None else reference)
        is_plural = predictions is not None and example.is_tokenized
        if is_plural and any(map(has_several_words, example.predictions[0])):
            raise TypeError("add() takes one example: for lists of examples use add_batch()")
        self._add_examples(example)

    def compute(
        self,
        *by_position: Any,
        predictions: Any = None,
        references: Any = None,
        baseline_predictions: Any = None,
        **options: Any,
    ) -> dict[str, Any] | None:
        """Score the added examples, and the predictions and references given here.

        `baseline_predictions` are the outputs of another system, to compare with. Options that are not
        given here have the values given to `evaluate.load`. A preset of this call replaces the
        preset of `load`; `preset=None` removes it.

        If an option or the data are invalid, the added examples stay. An error while
        scoring drops them, and so does Ctrl-C, so that a cell that adds and computes can be run
        again. In `evaluate.combine` all metrics of this package drop their examples.

        Examples belong to the thread that added them, also after it has ended: adding from another
        thread raises a RuntimeError. Threads may share an object if none of them adds examples to it.
        """
        added = self._added
        try:
            _check_no_positional("compute", by_position)
            # `combine` calls its metrics in turn, with all options: none may score if one refuses.
            for metric in _metrics_of_combine(sys._getframe(1)):
                metric.scorer.options(options, metric._load_options)
            checked = self.scorer.options(options, self._load_options)
            check_same_labels(predictions=predictions, baseline_predictions=baseline_predictions)
            is_given = predictions is not None or references is not None
            given = checked_corpus(predictions, references) if is_given else Corpus.of_examples([])
            self._check_addition(given)
            corpus = Corpus.of_examples([*self._examples, *given.examples]) if added else given
            checked.check_for(corpus, baseline_predictions is not None)
            if self.num_process > 1:
                if baseline_predictions is not None:
                    raise ValueError(
                        "baseline_predictions needs num_process=1: gather the predictions of all"
                        " processes and compute in one of them"
                    )
                self._added = []
                place = self.data_dir, options_text(checked), self.process_id, self.num_process
                of_all = gather_examples(corpus, *place, self.timeout)
                if of_all is None:
                    return None
                return self.scorer.check_and_score(of_all, checked, seed=self.load_seed)
            if not len(corpus):
                nothing = "predictions is empty" if is_given else "no examples were added or given"
                raise ValueError(f"{nothing}: there is nothing to score")
            if len(given):  # if it is refused, what was added stays
                check_token_lists(corpus)
            baseline = optional_baseline(baseline_predictions, corpus)
            self._added = []  # examples that fail from here on would fail again
            if not len(given):
                check_token_lists(corpus)
            return self.scorer.result(corpus, checked, baseline, self.load_seed)
        except BaseException as error:
            are_scored = self._added is not added
            if added and (are_scored or not isinstance(error, Exception)):
                if not are_scored:  # else another thread may have added others
                    self._added = []
                for metric in _metrics_of_combine(sys._getframe(1)):
                    metric._added = []
            raise

    def explain(
        self, *by_position: Any, prediction: Any = None, reference: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Explain the score of one example; added examples are not changed.

        Options are those of `compute`, with those of `load` as defaults.
        """
        _check_no_positional("explain", by_position, "prediction=..., reference=...")
        return self.scorer.explain(
            "explain", self._load_options, prediction=prediction, reference=reference, **options
        )

    def _add_examples(self, corpus: Corpus) -> None:
        if not len(corpus):
            return
        self._check_addition(corpus)
        examples = corpus.examples
        if corpus.is_tokenized:  # into lists that nobody else can change
            examples = [(list(tokens), list(map(list, lists))) for tokens, lists in examples]
        if not self._added:
            self._owner = os.getpid(), threading.current_thread()
        # One step for the interpreter: an interrupt adds all examples or none.
        self._added.append(examples)

    @property
    def _examples(self) -> list[Example]:
        return list(chain.from_iterable(self._added))

    def _check_addition(self, corpus: Corpus) -> None:
        """Raise if these examples cannot be combined with the added examples."""
        if not self._added:
            return
        process, thread = self._owner
        is_of_other_thread = len(corpus) and thread is not threading.current_thread()
        if process != os.getpid() or is_of_other_thread:
            raise RuntimeError(
                f"{self.name} has examples that thread {thread.name!r} of process {process} added:"
                " load a separate metric for each thread and fork, or call compute() without"
                " examples in that process first"
            )
        if len(corpus) and corpus.is_tokenized != are_tokenized(self._added[0]):
            kinds = ("strings", "lists of tokens")
            raise TypeError(
                f"predictions must be {kinds[not corpus.is_tokenized]} like earlier ones, got"
                f" {kinds[corpus.is_tokenized]}"
            )

    def _build_data_dir(self) -> str:
        """Return the folder in which several processes meet; one process needs none."""
        if self.num_process == 1:
            return self._data_dir_root
        # A name of a configuration may have characters that no file name has.
        run = f"{self.config_name}|{self.experiment_id}|{self.num_process}"
        digest = hashlib.sha256(run.encode(errors="surrogatepass")).hexdigest()
        folder = os.path.join(self._data_dir_root, self.name, digest[:32])
        os.makedirs(folder, exist_ok=True)
        return folder

    def __getstate__(self) -> dict[str, Any]:
        """Return the parts of a copy, with its own examples and without a class of this package."""
        state = {name: value for name, value in vars(self).items() if name not in _NOT_COPIED}
        return {**state, "_added": self._examples, "_version": self.version}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if (version := state.get("_version")) != self.version:
            raise ImportError(
                f"{self.name} {version} was pickled, and this process loads {self.version}: all"
                " machines need the same version"
            )
        vars(self).update(state)
        self._added = [examples] if (examples := state["_added"]) else []
        self._owner = (os.getpid(), threading.current_thread())

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Let another process load the metric as this one did; it must reach the same path."""
        if self._origin is None:
            return super().__reduce_ex__(protocol)
        path, revision = self._origin
        load = functools.partial(evaluate.loading.load, path, revision=revision)
        return load, (), self.__getstate__()

    def __copy__(self) -> Any:
        metric = type(self).__new__(type(self))
        metric.__setstate__(self.__getstate__())
        return metric

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        metric = memo[id(self)] = type(self).__new__(type(self))
        metric.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return metric


def _check_no_positional(
    method: str, positional: tuple[Any, ...], named: str = "predictions=..., references=..."
) -> None:
    """Raise if there are positional arguments; as in `evaluate`, methods take none."""
    if positional:
        raise TypeError(f"{method}() takes no positional arguments: pass {named}")


def _path_and_revision_of_load(caller: FrameType) -> tuple[str, str | None] | None:
    """Return path and revision that `evaluate.load` was given, or None if it was not called."""
    if caller.f_code is not evaluate.loading.load.__code__:
        return None
    path, revision = caller.f_locals["path"], caller.f_locals["revision"]
    script = os.path.join(path, f"{os.path.basename(os.path.normpath(path))}.py")
    # Another process may be in another folder.
    is_local = os.path.isfile(path) or os.path.isfile(script)
    return os.path.abspath(path) if is_local else path, revision


def _pickle_for_hash(pickler: Any, metric: SafeMetric) -> None:
    """Pickle what decides the result, for hashes of `datasets`: the class has no lasting name."""
    options = {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in metric._load_options.items()
    }
    parts = (options, metric.version, metric.load_seed, metric._examples)
    pickler.save_reduce(type(metric), parts, obj=metric)


def _metrics_of_combine(caller: FrameType) -> list[Any]:
    """Return our metrics in the calling `evaluate.combine`, if there is one."""
    if caller.f_code is not evaluate.CombinedEvaluations.compute.__code__:
        return []
    modules = caller.f_locals["self"].evaluation_modules
    return [module for module in modules if hasattr(module, "_added")]


def _show_options_in_help(metric_class: Any) -> None:
    """Give a class a `compute` and an `explain` that show their options in help and completion."""
    explain = metric_class.explain_function
    texts = {"explain": f"\n\n{docstring_without_examples(explain)}\n"}
    for name, function in {"compute": metric_class.function, "explain": explain}.items():
        inherited = getattr(metric_class, name)
        # A copy and not a wrapper, which would be the caller that `_metrics_of_combine` looks at.
        method = evaluate.module.copyfunc(inherited)
        method.__signature__ = keyword_only_signature(function)
        method.__doc__ = (inspect.getdoc(inherited) or "") + texts.get(name, "")
        setattr(metric_class, name, method)


def text_and_token_features() -> list[datasets.Features]:
    """Return the four forms of input, of which `evaluate` shows the first."""
    text, tokens = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
    return [
        datasets.Features({"predictions": predictions, "references": references})
        for predictions in (text, tokens)
        for references in (datasets.Sequence(predictions), predictions)
    ]
