"""What both metrics add to `evaluate.Metric`: checks before `evaluate` sees the data, and order after every error.

`evaluate` keeps what is added in an Arrow file under a lock. `SafeMetric` uses that file only where it is needed: for `add`, `add_batch`
and for several processes. `compute` with predictions and references in one process scores them as they are: no file, no lock, no copy.

It is a mixin and not a subclass of `evaluate.Metric`, since `evaluate.load` takes the first metric class that it finds in a script.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import datasets

from .corpus import Corpus, checked_corpus, checked_item
from .option_checks import checked_options


class SafeMetric:
    """Mixin for an `evaluate.Metric`, to stand before it among the bases.

    A metric defines `options_class`, a frozen dataclass that checks itself and has a method `check_form`, and `score(corpus, options)`. Its
    `features` are, in this order: texts with lists of references, texts with one reference, lists of tokens with lists of references, and lists of
    tokens with one.
    """

    options_class: ClassVar[type]

    # Attributes of `evaluate.Metric`.
    features: Any
    num_process: int
    selected_feature_format: Any
    data: Any
    writer: Any
    buf_writer: Any
    cache_file_name: str | None
    file_paths: list[str] | None
    filelock: Any
    filelocks: list[Any] | None
    rendez_vous_lock: Any
    _init_writer: Callable[[], None]

    def __init__(self, *args: Any, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, seed=seed, **kwargs)  # type: ignore[call-arg]
        # `evaluate` puts a random number where no seed is given; here the same input gives the same result.
        self.load_seed = 0 if seed is None else seed

    def score(self, corpus: Corpus, options: Any) -> dict[str, Any]:
        """Return the result of a corpus."""
        raise NotImplementedError

    def compute(self, *unnamed: Any, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Compute the metric on what was added, and on the predictions and references given here.

        Options are checked first: what was added stays where one of them is refused. Where scoring itself fails, what was added is dropped.
        """
        _check_names("compute", unnamed)
        checked = checked_options(self.options_class, options)
        is_alone = self.num_process == 1 and self.writer is None
        is_given = predictions is not None or references is not None
        if is_alone and not is_given:
            raise ValueError("nothing to score: give predictions and references, or call add or add_batch first")
        corpus = checked_corpus(predictions, references) if is_given else checked_corpus([], [])
        is_tokenized = corpus.is_tokenized if self.writer is None else self.selected_feature_format is self.features[2]
        checked.check_form(is_tokenized=is_tokenized)
        if is_alone:
            return self._score(corpus, checked)
        self._store(corpus)
        try:
            return super().compute(options=checked)  # type: ignore[misc]
        finally:
            self._let_go()

    def add_batch(self, *unnamed: Any, predictions: Any = None, references: Any = None) -> None:
        """Add predictions and their references; a batch that is refused leaves the metric as it was."""
        _check_names("add_batch", unnamed)
        self._store(checked_corpus(predictions, references))

    def add(self, *unnamed: Any, prediction: Any = None, reference: Any = None, predictions: Any = None, references: Any = None) -> None:
        """Add one prediction and its reference or references; the plural names are accepted too."""
        _check_names("add", unnamed)
        self._store(checked_item(predictions if prediction is None else prediction, references if reference is None else reference))

    def _compute(self, *, predictions: Any, references: Any, options: Any) -> dict[str, Any]:
        """Called by `evaluate` with what was added."""
        return self._score(checked_corpus(predictions, references), options)

    def _score(self, corpus: Corpus, options: Any) -> dict[str, Any]:
        if not len(corpus):
            raise ValueError("predictions is empty: there is nothing to score")
        return self.score(corpus, options)

    def _store(self, corpus: Corpus) -> None:
        """Hand checked examples to `evaluate`, always with lists of references, so that batches of either form can follow each other."""
        texts_with_lists, _, tokens_with_lists, _ = self.features
        if not len(corpus):
            if self.num_process > 1 and self.writer is None:  # the other processes wait for a file of this one
                self.selected_feature_format = texts_with_lists
                self._init_writer()
            return
        form = tokens_with_lists if corpus.is_tokenized else texts_with_lists
        if self.writer is not None and self.selected_feature_format is not form:
            kind = ("strings", "lists of tokens")
            raise TypeError(f"predictions must be {kind[not corpus.is_tokenized]} like those added before, got {kind[corpus.is_tokenized]}")
        super().add_batch(predictions=corpus.predictions, references=corpus.references_of_items)  # type: ignore[misc]

    def _infer_feature_from_example(self, example: dict[str, Any]) -> Any:
        return self.features[0 if isinstance(example["predictions"], str) else 2]

    def _let_go(self) -> None:
        """Release and remove all that `evaluate` holds, so that the next call starts afresh and the metric can be pickled."""
        self.data = None
        if self.writer is not None:
            with suppress(Exception):
                self.writer.close()
            self.writer = None
        self.buf_writer = None
        for path in {self.cache_file_name, *(self.file_paths or ())} - {None}:
            with suppress(FileNotFoundError):
                os.remove(path)
        for lock in (self.filelock, self.rendez_vous_lock, *(self.filelocks or ())):
            if lock is not None:
                lock.release()
        self.cache_file_name = self.filelock = self.rendez_vous_lock = self.file_paths = self.filelocks = self.selected_feature_format = None


def text_and_token_features() -> list[datasets.Features]:
    """Return what both metrics take, the forms in the order that `SafeMetric` expects."""
    text, tokens = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
    forms = ((text, datasets.Sequence(text)), (text, text), (tokens, datasets.Sequence(tokens)), (tokens, tokens))
    return [datasets.Features({"predictions": predictions, "references": references}) for predictions, references in forms]


def _check_names(method: str, unnamed: tuple[Any, ...]) -> None:
    if unnamed:
        names = "prediction=..., reference=..." if method == "add" else "predictions=..., references=..."
        raise TypeError(f"{method}() takes its arguments by name: {names}")
