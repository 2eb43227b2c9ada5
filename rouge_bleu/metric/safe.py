"""What both metrics add to `evaluate.Metric`: checks, options at load, whole data.

`evaluate` looks at the first example only, writes what is added into an Arrow file
under a lock, and reads it back. `SafeMetric` checks all of it, once, and keeps it in
memory until `compute` (`metric/added.py`).

It is a mixin and not a subclass of `evaluate.Metric`, since `evaluate.load` takes the
first metric class that it finds in a script.
"""

from __future__ import annotations

import copy
import inspect
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar

import datasets
import evaluate

from ..corpus import Corpus, checked_corpus, checked_item
from ..data.texts_in_lists import check_tokens
from ..folding.metric import BatchMetric
from ..messages import warn_caller
from ..options import CheckedOptions, check_seed, checked_load_options, copied_options
from ..scorer import Scorer, baseline_of
from ..signature import options_of_line
from ..version import VERSION
from .added import AddedItems
from .hashing import register_hash
from .pickling import load_call, reduced_metric
from .shown import check_names, short_text, show_options, show_options_of_object
from .versions import check_versions, warn_of_old_copy

# What `evaluate.load` passes to every metric, beside options.
LOAD_ARGUMENTS = tuple(
    name
    for name, parameter in inspect.signature(evaluate.Metric).parameters.items()
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD
)

# Attributes that a copy makes anew: `evaluate` binds the methods to the object itself.
_NOT_COPIED = (*("compute", "add", "add_batch"), *("_added", "_turn", "_process", "_adding_thread"))


class SafeMetric(AddedItems, BatchMetric):
    """Mixin for an `evaluate.Metric`, to stand before it among the bases.

    A metric defines `scorer`; `function` and `explain_function`, the functions of the
    package that do the same as `compute` and `explain`; and `fold_plan(options)`.
    Its `features` are, in this order: texts with lists of references, texts with one
    reference, lists of tokens with lists of references, and lists of tokens with one.
    """

    scorer: ClassVar[Scorer]
    options_class: ClassVar[type[CheckedOptions]]  # that of the scorer
    function: ClassVar[Callable[..., dict[str, Any]]]
    explain_function: ClassVar[Callable[..., dict[str, Any]]]
    version: ClassVar[str] = VERSION

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls.options_class = cls.scorer.options_class
        register_hash(cls)
        # A class of the user's may have a `compute` of its own.
        if cls.compute is SafeMetric.compute:
            show_options(cls)

    def __init__(
        self, config_name: str | None = None, *, seed: int | None = None, **arguments: Any
    ) -> None:
        if SafeMetric.compute.__doc__ is None:
            raise RuntimeError(
                "evaluate cannot load metrics under python -OO or PYTHONOPTIMIZE=2, which strip"
                " the docstrings that it appends to: use python -O or PYTHONOPTIMIZE=1"
            )
        check_versions()
        warn_of_old_copy()
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
        # `evaluate` puts a random number where no seed is given; here the same input
        # gives the same result.
        self.load_seed = 0 if seed is None else int(seed)
        self._origin = load_call(sys._getframe(1))
        self._added = []
        self._start_in_this_process()
        super().__init__(config_name=config_name, seed=self.load_seed, **own)  # type: ignore[call-arg]
        show_options_of_object(self)

    def __repr__(self) -> str:
        return short_text(self.name, self.version, self._load_options, len(self))

    @property
    def load_options(self) -> dict[str, Any]:
        """The options given to `load`, which are the defaults of this object; a copy."""
        return copied_options(self._load_options)

    def options_of_signature(self, signature: str, **supplied: Any) -> dict[str, Any]:
        """Return the options that give the score under a signature again.

        All options that can change the score are among them, so that those of `load` do
        not matter: `metric.compute(..., **metric.options_of_signature(signature))`.
        `output` of bleu_full, which changes no score, is not among them.

        Parameters
        ----------
        signature : str
            What `compute(..., signature=True)` returned under "signature". One of
            another version gives a warning, and so does one of intervals that `compute`
            does not draw.
        **supplied
            Under the names of their options, the functions and stop words that the
            signature only names.

        Raises
        ------
        TypeError
            The signature is no string, a function is none, or something was supplied
            that the signature does not ask for.
        ValueError
            The signature is damaged or of another metric, a function or stop words have
            to be supplied, or the stop words are others.
        """
        options = options_of_line(self.name, self.scorer.options_class, signature, supplied)
        if "|draws:" in signature:
            warn_caller(
                "the intervals under this signature (draws:poisson) are those of `fold` "
                "and of `rouge-bleu score`: with these options `compute` gives the same "
                "scores, and draws other intervals"
            )
        return options

    def compute(
        self,
        *unnamed: Any,
        predictions: Any = None,
        references: Any = None,
        baseline_predictions: Any = None,
        **options: Any,
    ) -> dict[str, Any] | None:
        """Score what was added, and the predictions and references given here.

        `baseline_predictions` are those of another system for all these references, to
        compare with.

        An option that is not given here has the value that `evaluate.load` was given.
        In full, the last of these that has a value wins: the default of the metric, the
        preset of `load`, the options of `load`, the preset of this call, the options of
        this call. A preset of this call takes the place of the preset of `load`;
        `preset=None` leaves that one out.

        Options are checked first: what was added stays where one of them is refused.
        Where scoring itself fails, what was added is dropped. Ctrl-C drops it at whatever
        stage of `compute` it comes, so that a cell that adds and computes can be run
        again and scores nothing twice. In `evaluate.combine` that of all metrics of this
        package is dropped.

        What was added belongs to one thread. Another one that adds to it, or is here at
        the same time, gets a RuntimeError. Threads may share an object to which nothing
        was added: `compute` with predictions and references, `explain`,
        `batch_statistics`, `item_scores`, `sum_statistics` and `fold` keep nothing in it.
        """
        had_items = bool(self._added)
        try:
            check_names("compute", unnamed)
            combined = _combined_metrics(sys._getframe(1))
            for metric in combined:
                metric._checked_options(options)
            return self._computed(predictions, references, baseline_predictions, options, combined)
        except Exception:
            raise
        except BaseException as error:  # such as KeyboardInterrupt
            if had_items:
                _drop_added([self, *_combined_metrics(sys._getframe(1))], error)
            raise

    def explain(
        self, *unnamed: Any, prediction: Any = None, reference: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Return what the score of one item is made of.

        Options are those of `compute`, with those of `load` as defaults. What was added
        is left alone.
        """
        check_names("explain", unnamed)
        return self.scorer.explained(prediction, reference, options, self._load_options)

    def add_batch(
        self, *unnamed: Any, predictions: Any = None, references: Any = None, **unknown: Any
    ) -> None:
        """Add predictions and their references, all of them or none.

        A batch that is refused leaves the metric as it was.
        """
        check_names("add_batch", unnamed, unknown)
        self._add(checked_corpus(predictions, references))

    def add(
        self,
        *unnamed: Any,
        prediction: Any = None,
        reference: Any = None,
        predictions: Any = None,
        references: Any = None,
        **unknown: Any,
    ) -> None:
        """Add one prediction and its reference or references.

        The plural names are accepted too.
        """
        check_names("add", unnamed, unknown)
        for name, *given in (
            ("prediction", prediction, predictions),
            ("reference", reference, references),
        ):
            if all(value is not None for value in given):
                raise TypeError(f"add() got both {name} and {name}s: give one of them")
        self._add(
            checked_item(
                predictions if prediction is None else prediction,
                references if reference is None else reference,
            )
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return what makes a copy: with the same options, and items of its own."""
        if self._round is not None:
            raise TypeError(
                f"{self.name} cannot be copied between add and compute with num_process > 1:"
                " other processes wait for it"
            )
        state = {name: value for name, value in vars(self).items() if name not in _NOT_COPIED}
        return {**state, "_items": self._corpus_added().items}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Items, and no class of ours: a process that reads them has none yet.
        state = {**state}
        self._added = [Corpus.of_items(items)] if (items := state.pop("_items")) else []
        vars(self).update(state)
        self._start_in_this_process()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return what pickle needs to make this metric in any process, with its options."""
        reduced = reduced_metric(type(self), self.version, self._origin)
        if reduced is None:
            return super().__reduce_ex__(protocol)
        return (*reduced, self.__getstate__())

    def __copy__(self) -> Any:
        metric = type(self).__new__(type(self))
        metric.__setstate__(self.__getstate__())
        return metric

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        metric = memo[id(self)] = type(self).__new__(type(self))
        metric.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return metric

    def _hashed_parts(self) -> tuple[Any, ...]:
        items = self._corpus_added().items
        return self._load_options, self.version, self.load_seed, items

    def _checked_options(self, given: dict[str, Any]) -> Any:
        """Return the options of a call of `compute`, or raise."""
        return self.scorer.options(given, self._load_options)

    def _computed(
        self,
        predictions: Any,
        references: Any,
        baseline_predictions: Any,
        options: dict[str, Any],
        combined: list[Any],
    ) -> dict[str, Any] | None:
        """Return the result of what was added and what is given."""
        checked = self._checked_options(options)
        is_given = predictions is not None or references is not None
        corpus = checked_corpus(*(predictions, references) if is_given else ([], []))
        if len(self) or self.num_process > 1 or not is_given:
            with self._in_turn():
                if not is_given and not len(self) and self.num_process == 1:
                    raise ValueError(
                        "nothing to score: give predictions and references,"
                        " or call add or add_batch first"
                    )
                return self._compute_with_added(corpus, checked, baseline_predictions, combined)
        return self.scorer.checked_result(corpus, checked, baseline_predictions, self.load_seed)

    def _compute_with_added(
        self, corpus: Corpus, options: Any, baseline_predictions: Any, combined: list[Any]
    ) -> dict[str, Any] | None:
        """Score what was added and this corpus, and forget what was added."""
        self._check_same_thread(corpus)
        self._check_same_form(corpus)
        is_given, corpus = len(corpus) > 0, Corpus.joined([*self._added, corpus])
        has_baseline = baseline_predictions is not None
        options.check_form(is_tokenized=corpus.is_tokenized, has_baseline=has_baseline)
        if self.num_process > 1:
            if has_baseline:
                raise ValueError(
                    "baseline_predictions needs num_process=1: gather the predictions of"
                    " all processes and compute in one of them"
                )
            self._added = []
            gathered = self._gathered(corpus)
            if gathered is None:
                return None
            return self.scorer.checked_result(gathered, options, seed=self.load_seed)
        try:
            check_tokens(corpus)
        except ValueError:
            if not is_given:  # what was added is refused itself, and would be again
                self._added = []
            raise
        baseline = baseline_of(baseline_predictions, corpus)
        self._added = []
        try:
            return self.scorer.result(corpus, options, baseline, self.load_seed)
        except Exception as error:
            _drop_added(combined, error)
            raise


def _combined_metrics(caller: FrameType) -> list[Any]:
    """Return the metrics of ours that an `evaluate.combine` calls one after the other.

    It hands all options to all of them, and those before the one that refuses an option
    would have used up what was added to them: so each of them checks for all.
    """
    if caller.f_code is not evaluate.CombinedEvaluations.compute.__code__:
        return []
    modules = caller.f_locals["self"].evaluation_modules
    return [module for module in modules if hasattr(module, "_checked_options")]


def _drop_added(metrics: list[Any], error: BaseException) -> None:
    """Let metrics forget what was added, its round, and that this thread is at work."""
    for metric in metrics:
        metric._added = []
        if metric._turn.get("thread") == threading.get_ident():
            metric._turn = {}
        metric._give_up_round(error)


def text_and_token_features() -> list[datasets.Features]:
    """Return what both metrics take, the forms in the order that `SafeMetric` expects."""
    text, tokens = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
    forms = (
        (text, datasets.Sequence(text)),
        (text, text),
        (tokens, datasets.Sequence(tokens)),
        (tokens, tokens),
    )
    return [
        datasets.Features({"predictions": predictions, "references": references})
        for predictions, references in forms
    ]
