"""The options that are chosen -> code to paste: a script, a command, a Trainer."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rouge_bleu_tools.commands.find_settings.printed import json_like

MAX_PASTED_CHARACTERS = 3_000  # of texts; longer ones are left to fill in
_VARIABLES = {"rouge_full": "rouge", "bleu_full": "bleu"}
_SPACE_ID = re.compile(r"[\w.-]+/[\w.-]+")
_LINE = 88


def loaded_name(name: str) -> str:
    """Return what `evaluate.load` takes: in a Space of that name, the Space."""
    space = os.environ.get("SPACE_ID", "")
    is_its_space = _SPACE_ID.fullmatch(space) and space.endswith(f"/{name}")
    return space if is_its_space else name


def script_code(
    name: str,
    options: Mapping[str, Any],
    prediction: str | None = None,
    references: Sequence[str] = (),
    signature: str = "",
) -> str:
    """Return a script that prints what the page shows.

    Parameters
    ----------
    name : str
        The metric.
    options : dict
        Those of `compute` that were chosen.
    prediction, references : str, list of str
        The texts of the page; without any there are some to be replaced.
    signature : str
        That of the scores, for a comment.
    """
    variable = _VARIABLES[name]
    texts = [prediction or "", *references]
    if not prediction or sum(map(len, texts)) > MAX_PASTED_CHARACTERS:
        prediction, references = "your text", ["a reference", "another reference"]
    arguments = {
        "predictions": [prediction],
        "references": [list(references)],
        **options,
        **({"output": "all"} if name == "rouge_full" else {}),
        "signature": True,
    }
    lines = [
        "import evaluate",
        "",
        *_loading(name),
        f"result = {variable}.compute(",
        *_written(arguments),
        ")",
        "for key, value in result.items():",
        "    print(key, value)",
    ]
    if signature:
        lines += ["", "# The signature of the scores on the page:", f"# {signature}"]
    return "\n".join(lines)


def training_code(name: str, options: Mapping[str, Any]) -> str:
    """Return the `compute_metrics` of a Seq2SeqTrainer; `tokenizer` is that of the model."""
    variable = _VARIABLES[name]
    flat = {"output": "flat"} if name == "bleu_full" else {}
    types = options.get("rouge_types") or ["rougeLsum"]
    needs_sentences = (
        name == "rouge_full"
        and "rougeLsum" in types
        and not {"sentence_splitter", "preset"} & options.keys()
    )
    note = (
        ["        # Decoded texts have no line breaks, and rougeLsum needs sentences."]
        if needs_sentences
        else []
    )
    splitter = {"sentence_splitter": "sentences"} if needs_sentences else {}
    return "\n".join(
        [
            "import evaluate",
            "import numpy as np",
            "",
            *_loading(name),
            "",
            "",
            "# For Seq2SeqTrainer(compute_metrics=compute_metrics), with",
            "# predict_with_generate=True; tokenizer is that of your model.",
            "def compute_metrics(eval_prediction):",
            "    texts = []",
            "    for ids in (eval_prediction.predictions, eval_prediction.label_ids):",
            "        # Some models return more than the ids; -100 fills up rows.",
            "        ids = ids[0] if isinstance(ids, tuple) else ids",
            "        ids = np.where(ids == -100, tokenizer.pad_token_id, ids)",
            "        texts.append(tokenizer.batch_decode(ids, skip_special_tokens=True))",
            "    predictions, references = texts",
            f"    return {variable}.compute(",
            "        predictions=predictions,",
            "        references=references,",
            *_written({**options, **flat}, indent=8),
            *note,
            *_written(splitter, indent=8),
            "    )",
        ]
    )


def command_line(name: str, options: Mapping[str, Any]) -> str:
    """Return a command that scores a file with the options.

    >>> command_line("bleu_full", {"weights": [1, 1], "lowercase": True}).splitlines()[-1]
    '    --weights 1 1 --lowercase'
    """
    flags = []
    for option, value in options.items():
        flag = f"--{option.replace('_', '-')}"
        if value is True:
            flags.append(flag)
        elif value is not None:
            values = value if isinstance(value, (list, tuple)) else [value]
            flags.append(" ".join([flag, *(shlex.quote(str(one)) for one in values)]))
    lines = [
        f"rouge-bleu score texts.csv -m {_VARIABLES[name]}",
        "--prediction prediction --reference reference",
        *([" ".join(flags)] if flags else []),
    ]
    return " \\\n    ".join(lines)


def _loading(name: str) -> list[str]:
    """Return the lines that load a metric, with what must be done before."""
    loaded = loaded_name(name)
    hint = f"# Run `rouge-bleu install` once, or write the path of {name}.py here."
    is_of_space = "/" in loaded
    line = f"{_VARIABLES[name]} = evaluate.load({json_like(loaded)})"
    return [line] if is_of_space else [hint, line]


def _written(arguments: Mapping[str, Any], indent: int = 4) -> list[str]:
    """Return arguments as lines; lists of texts that are long have a line for each."""
    lines = []
    blanks = " " * indent
    for argument, value in arguments.items():
        line = f"{blanks}{argument}={json_like(value)},"
        if len(line) > _LINE and isinstance(value, list):
            inner = _inner_lines(value, indent + 4)
            lines += [f"{blanks}{argument}=[", *inner, f"{blanks}],"]
        else:
            lines.append(line)
    return lines


def _inner_lines(values: Sequence[Any], indent: int) -> list[str]:
    blanks = " " * indent
    lines = []
    for value in values:
        line = f"{blanks}{json_like(value)},"
        if len(line) > _LINE and isinstance(value, list):
            lines += [f"{blanks}[", *_inner_lines(value, indent + 4), f"{blanks}],"]
        else:
            lines.append(line)
    return lines
