"""The page of a metric's Space: texts, a button, a table of scores.

It serves the metric whose script lies beside it. Where both do, as in the repository,
that is rouge_full, or the one that the environment variable METRIC names:

    METRIC=bleu_full python app.py
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import evaluate
import gradio as gr

FOLDER = Path(__file__).resolve().parent

Rows = list[list[Any]]


@dataclass(frozen=True)
class Page:
    """What is special about the page of one metric.

    Its text, the texts it starts with, the options, and the result as a table.
    """

    about: str
    prediction: str
    references: str
    options: dict[str, Any]
    headers: list[str]
    rows: Callable[[dict[str, Any]], Rows]


def rouge_rows(result: dict[str, float]) -> Rows:
    """Return one row for each ROUGE type: its name, precision, recall and F1."""
    names = [
        key.removesuffix("_fmeasure") for key in result if key.endswith("_fmeasure")
    ]
    return [
        [
            name,
            *(
                round(result[f"{name}_{output}"], 4)
                for output in ("precision", "recall", "fmeasure")
            ),
        ]
        for name in names
    ]


def bleu_rows(result: dict[str, Any]) -> Rows:
    """Return one row for BLEU and for each of its parts."""
    precisions = {
        f"{order}-gram precision": value
        for order, value in enumerate(result["precisions"], start=1)
    }
    parts = {
        "BLEU": result["bleu"],
        **precisions,
        "brevity penalty": result["brevity_penalty"],
    }
    lengths = {
        "tokens in the prediction": result["translation_length"],
        "tokens in the reference": result["reference_length"],
    }
    return [[name, round(value, 4)] for name, value in (parts | lengths).items()]


PAGES = {
    "rouge_full": Page(
        about="ROUGE compares a text with one or more references by the n-grams, "
        "subsequences and word pairs that they have in common.",
        prediction="The fast brown fox jumped over the lazy dog.",
        references="The quick brown animal jumped over the lazy dog.\n\n"
        "The quick brown fox jumped over the lazy dog.",
        options={"output": "all"},
        headers=["ROUGE", "Precision", "Recall", "F1"],
        rows=rouge_rows,
    ),
    "bleu_full": Page(
        about="BLEU compares a translation with one or more references: the precision of "
        "its n-grams, and a penalty for being too short.",
        prediction="The fast brown fox jumped over the lazy dog.",
        references="The quick brown animal jumped over the lazy dog.\n\n"
        "The quick brown fox jumped over the lazy dog.",
        options={},
        headers=["Measure", "Value"],
        rows=bleu_rows,
    ),
}


def metric_name(folder: Path = FOLDER) -> str:
    """Return the name of the metric whose script lies in the folder."""
    names = [name for name in PAGES if (folder / f"{name}.py").exists()]
    chosen = os.environ.get("METRIC") or next(iter(names), None)
    if chosen not in names:
        raise SystemExit(
            f"no {chosen or 'metric'} to serve: the folder of app.py has "
            f"{' and '.join(names) or 'no metric script'}"
        )
    return chosen


def references_of_text(text: str) -> list[str]:
    """Split a text at blank lines.

    >>> references_of_text("a b\\nc\\n\\nd")
    ['a b\\nc', 'd']
    """
    return [reference for reference in re.split(r"\n\s*\n", text.strip()) if reference]


def score(name: str, prediction: str, references: str) -> tuple[Rows, str]:
    """Return the table for one prediction and its references, and its signature.

    What is wrong with them is shown on the page. Requests run in threads and a metric
    object holds the data it is given, so each request has one of its own, which keeps
    them in memory.
    """
    if not prediction.strip() or not references.strip():
        raise gr.Error("Enter a prediction and at least one reference.")
    contents = PAGES[name]
    metric = evaluate.load(str(FOLDER / f"{name}.py"), keep_in_memory=True)
    try:
        result = metric.compute(
            predictions=[prediction],
            references=[references_of_text(references)],
            **contents.options,
            signature=True,
        )
    except (TypeError, ValueError) as error:
        raise gr.Error(str(error)) from error
    return contents.rows(result), result["signature"]


def blocks(name: str) -> gr.Blocks:
    """Return the page of a metric; programs call its button as `/compute`."""
    contents = PAGES[name]

    def compute(prediction: str, references: str) -> tuple[Rows, str]:
        return score(name, prediction, references)

    with gr.Blocks(title=name) as page:
        gr.Markdown(f"# {name}\n{contents.about}")
        with gr.Row():
            prediction = gr.Textbox(
                contents.prediction,
                label="Prediction",
                info="The text to score.",
                lines=6,
            )
            references = gr.Textbox(
                contents.references,
                label="References",
                info="One, or several with a blank line between them.",
                lines=6,
            )
        button = gr.Button("Compute", variant="primary")
        scores = gr.Dataframe(
            headers=contents.headers, label="Scores", interactive=False
        )
        signature = gr.Textbox(
            label="Signature",
            info="What gave these scores; metric.options_of_signature gives the options.",
            interactive=False,
        )
        button.click(
            compute, [prediction, references], [scores, signature], api_name="compute"
        )
    return page


demo = blocks(metric_name())

if __name__ == "__main__":
    demo.launch()
