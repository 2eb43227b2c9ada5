"""What a visitor takes away: a link, a table, code to paste."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from rouge_bleu_tools.app.scoring import MAX_CHARACTERS, MAX_REFERENCES, Scored, signatures
from rouge_bleu_tools.app.settings import (
    FIELDS,
    Refusal,
    Settings,
    bleu_options,
    checked,
    chosen,
    percent,
    rouge_options,
    rouge_types,
    shown_name,
)

REPOSITORY = "https://github.com/your-name/rouge-bleu"  # the only place in the code
_MAX_LINK = 8_000  # characters; servers refuse much longer addresses
_MAX_PASTED = 3_000  # characters of texts in code
_SPACE = re.compile(r"[\w.-]+/[\w.-]+")


def addresses() -> tuple[str, str]:
    """Return where documentation and source are: in a Space its own files."""
    space = os.environ.get("SPACE_ID", "")
    if not _SPACE.fullmatch(space):
        return f"{REPOSITORY}#documentation", REPOSITORY
    files = f"https://huggingface.co/spaces/{space}"
    return f"{files}/blob/main/README.md", f"{files}/tree/main"


# --- links --------------------------------------------------------------------------------------


def link_query(scored: Scored) -> str:
    """Return the query of a link with these texts and settings."""
    fields = [("prediction", scored.prediction)]
    fields += [("reference", one) for one in scored.references]
    fields += [
        (name, value if isinstance(value, str) else json.dumps(value))
        for name, value in chosen(scored.settings).items()
    ]
    query = urlencode(fields)
    if len(query) > _MAX_LINK:
        raise Refusal("The texts are too long for a link.")
    return f"?{query}"


def read_query(query: str) -> tuple[str | None, list[str], Settings, list[str]]:
    """Return the prediction, the references and the settings of a link, and what was ignored.

    Anybody can write a link: it sets only what a visitor could type or choose.
    """
    pairs = parse_qsl(query, keep_blank_values=True)
    texts = dict(pairs)
    settings, problems = checked(
        {name: _value(name, text) for name, text in texts.items() if name in FIELDS}
    )
    ignored = list(problems)
    references = [value for name, value in pairs if name == "reference"]
    prediction = texts.get("prediction", "" if references else None)
    if len(references) > MAX_REFERENCES:
        ignored.append(f"references after the first {MAX_REFERENCES}")
        references = references[:MAX_REFERENCES]
    if sum(map(len, [prediction or "", *references])) > MAX_CHARACTERS:
        return None, [], settings, [*ignored, "texts that are too long"]
    return prediction, references, settings, ignored


def _value(name: str, text: str) -> Any:
    """Return what a text stands for: settings that are no texts are JSON."""
    try:
        return text if isinstance(FIELDS[name].default, str) else json.loads(text[:500])
    except (ValueError, RecursionError):
        return text


# --- tables -------------------------------------------------------------------------------------


def markdown_table(scored: Scored) -> str:
    """Return the scores as a Markdown table, with their signatures."""
    names, values = _cells(scored)
    lines = (names, ["---:"] * len(names), values)
    rows = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([*rows, "", *(f"`{one}`" for one in signatures(scored))])


def latex_table(scored: Scored) -> str:
    """Return the scores as a LaTeX table, with their signatures as comments."""
    names, values = _cells(scored)
    comments = [f"% {one}" for one in signatures(scored)]
    rows = [rf"{' & '.join(names)} \\ \hline", rf"{' & '.join(values)} \\"]
    begin, end = rf"\begin{{tabular}}{{{'r' * len(names)}}}", r"\end{tabular}"
    return "\n".join([*comments, begin, *rows, end])


def _cells(scored: Scored) -> tuple[list[str], list[str]]:
    scores = scored.scores
    return list(map(shown_name, scores)), [percent(score, 2) for score in scores.values()]


# --- code ---------------------------------------------------------------------------------------

INSTALL = f"""\
pip install "rouge-bleu-full[tokenizers] @ git+{REPOSITORY}"
rouge-bleu install  # lets evaluate.load find the metrics
"""


def python_code(prediction: str, references: Sequence[str], settings: Settings) -> str:
    """Return a script that prints the scores on the page."""
    if not prediction or sum(map(len, [prediction, *references])) > _MAX_PASTED:
        prediction, references = "your text", ["a reference", "another reference"]
    return f"""\
import evaluate

predictions = [{_literal(prediction)}]
references = [{_literal(list(references))}]

rouge = evaluate.load("rouge_full")
print(rouge.compute({_arguments(_rouge(settings), 4)}))

bleu = evaluate.load("bleu_full")
print(bleu.compute({_arguments(bleu_options(settings), 4)}))
"""


def trainer_code(settings: Settings) -> str:
    """Return the `compute_metrics` of a Seq2SeqTrainer, as in README.md."""
    options = _rouge(settings)
    note = ""
    if "sentence_splitter" not in options and "preset" not in options:
        options["sentence_splitter"] = "sentences"
        note = "\n    # Decoded texts have no line breaks, and rougeLsum needs sentences."
    return f"""\
import evaluate

rouge = evaluate.load("rouge_full")


# Seq2SeqTrainer(compute_metrics=compute_metrics, ...) with predict_with_generate=True;
# tokenizer is your model's tokenizer.
def compute_metrics(eval_prediction):
    texts = []
    for ids in (eval_prediction.predictions, eval_prediction.label_ids):
        ids = ids[0] if isinstance(ids, tuple) else ids  # some models return a tuple
        if ids.ndim != 2:
            raise ValueError("predictions are not token ids: set predict_with_generate=True")
        rows = [row[row >= 0] for row in ids]  # -100 is padding, not a token
        texts.append(tokenizer.batch_decode(rows, skip_special_tokens=True))
    predictions, references = texts{note}
    return rouge.compute({_arguments(options, 8)})
"""


def command_code(settings: Settings) -> str:
    """Return commands that score text files with one text in each line."""
    lines = []
    for metric, options in (("rouge", _rouge(settings)), ("bleu", bleu_options(settings))):
        words = [f"rouge-bleu score predictions.txt -r references.txt -m {metric}"]
        for name, value in options.items():
            flag = f"--{name.replace('_', '-')}"
            if value is True:
                words.append(flag)
            elif value is not None:
                values = value if isinstance(value, list) else [value]
                words += [flag, *(shlex.quote(str(one)) for one in values)]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def _rouge(settings: Settings) -> dict[str, Any]:
    return {"rouge_types": rouge_types(settings), **rouge_options(settings)}


def _arguments(options: Mapping[str, Any], indent: int) -> str:
    """Return arguments with a line for each."""
    given = ["predictions=predictions", "references=references"]
    given += [f"{name}={_literal(value)}" for name, value in options.items()]
    space = "\n" + " " * indent
    return f"{space}{f',{space}'.join(given)},\n{' ' * (indent - 4)}"


def _literal(value: Any) -> str:
    """Return Python's literal, with double quotes as people write them."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)
