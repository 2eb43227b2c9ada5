"""The tools of evaluate: evaluators, several processes, publishing. Blocks of docs/training.md are run.

Evaluators ask for `transformers` 4, of which the tests need no more than some names: a
package of ten lines represents it, and a callable for a pipeline.
"""

import json

import pytest
import yaml

from helpers.metrics import loaded
from helpers.pages import BLOCK, text_of
from helpers.programs import environment, run
from helpers.systems import needs_fork
from rouge_bleu_tools.hub.install import install

BLOCKS = BLOCK.findall(text_of("docs/training.md"))
(RANK,) = (text for kind, text in BLOCKS if text.startswith("# score_rank.py\n"))
(EVALUATOR,) = (text for kind, text in BLOCKS if "evaluate.evaluator(" in text)
PRINTED = "".join(text for kind, text in BLOCKS if kind == "text")

TRANSFORMERS = """
import transformers.pipelines
class PreTrainedModel: pass
class Pipeline: pass
class PreTrainedTokenizerBase: pass
def pipeline(*arguments, **options): raise AssertionError
"""
PIPELINES = """
TASKS = ["summarization", "translation", "text2text-generation"]
SUPPORTED_TASKS, TASK_ALIASES = dict.fromkeys(TASKS), {}
def check_task(task):
    return task in TASKS
"""
RUN = """
import json, os, sys, warnings
import evaluate
import transformers

blocks = json.load(sys.stdin)
transformers.TFPreTrainedModel = transformers.PreTrainedModel
names = {}
for block in blocks:
    if "WORLD_SIZE" not in block:
        exec(block, names)
        continue
    children = []
    for rank in range(2):
        sys.stdout.flush()
        children.append(os.fork())
        if not children[-1]:
            os.environ.update(RANK=str(rank), WORLD_SIZE="2")
            exec(block, {})
            sys.stdout.flush()
            os._exit(0)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
"""
# What the evaluator's block takes as given.
GIVEN = """
from datasets import Dataset

def pipeline(texts, **options):
    return [{"summary_text": text.split(".")[0] + "."} for text in texts]

pipeline.task = "summarization"
articles = ["The cat sat on the mat. It slept.", "It rained all day. We stayed in."]
data = Dataset.from_dict({"article": articles, "summary": ["The cat sat.", "It rained."]})
"""
# F of the pairs: 3 of 6 and 3 words, 2 of 4 and 2 words.
CHECK = "assert abs(result['rouge1'] - (2 / 3 + 2 / 3) / 2) < 1e-12"


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What all blocks print, in a process with the metrics installed."""
    folder = tmp_path_factory.mktemp("evaluators")
    package = folder / "packages" / "transformers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(TRANSFORMERS, encoding="utf-8")
    (package / "pipelines.py").write_text(PIPELINES, encoding="utf-8")
    offline = {"HF_EVALUATE_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    env = environment(folder / "home", **offline, EVALUATE_VERBOSITY="error")
    env["PYTHONPATH"] = str(package.parent)  # with scipy, which evaluators need
    install(folder / "home" / "modules" / "evaluate_modules")
    blocks = [GIVEN, EVALUATOR, CHECK, RANK, EVALUATE, HUB_OF_TEST, PUSH]
    return run("-c", RUN, input=json.dumps(blocks), env=env, cwd=folder).stdout


EVALUATE = """
import evaluate
from datasets import Dataset

class Pipeline:
    def __init__(self, task, key):
        self.task, self.key = task, key
    def __call__(self, texts, **options):
        assert options == {"truncation": True}
        return [{self.key: text} for text in texts]

texts = ["the cat sat on the mat", "a dog ran away from here", "it rains today here again"] * 4
labels = ["the cat sat on a mat", "a dog ran from here", "it rains here today again"] * 4
data = Dataset.from_dict({"text": texts, "label": labels})
LOAD = {
    "rouge_full": {"rouge_types": ["rouge1", "rougeL"]},
    "bleu_full": {"output": "score", "smoothing": "exp"},
}
TASKS = {
    "summarization": "summary_text",
    "translation": "translation_text",
    "text2text-generation": "generated_text",
}
found = []
for name, options in LOAD.items():
    metric = evaluate.load(name, **options)
    right = metric.compute(predictions=texts, references=labels)
    for task, key in TASKS.items():
        evaluator = evaluate.evaluator(task)
        pipe = Pipeline(task, key)
        result = evaluator.compute(model_or_pipeline=pipe, data=data, metric=metric)
        assert {key: result[key] for key in right} == right
        if task != "translation":
            continue
        result = evaluator.compute(
            model_or_pipeline=pipe, data=data, metric=metric, strategy="bootstrap",
            n_resamples=99, random_state=0,
        )
        for key, value in right.items():
            low, high = result[key]["confidence_interval"]
            assert result[key]["score"] == value
            assert 0 < low < value < high <= 1
            found.append(key)
print(found)
"""
FOUND = "['rouge1', 'rougeL', 'bleu']\n"


@needs_fork
def test_the_blocks_of_the_page_and_every_evaluator(printed):
    """Evaluators give the result of `compute`, also with a bootstrap."""
    assert printed.startswith(PRINTED + FOUND)


# --- publishing -----------------------------------------------------------------------------------


# What asks the Hub and changes the card of a model. YAML takes no number but a plain float.
HUB_OF_TEST = """
import sys
import evaluate, yaml

def metadata_update(repo_id, metadata, overwrite):
    print(yaml.safe_dump([repo_id, metadata]))

hub = sys.modules["evaluate.hub"]
hub.dataset_info = hub.model_info = print
hub.metadata_update = metadata_update
"""
PUSH = """
rouge = evaluate.load("rouge_full", rouge_types=["rouge1"], signature=True)
result = rouge.compute(predictions=["the cat sat"], references=["the cat sat down"])
evaluate.push_to_hub(
    model_id="your-name/my-model",
    task_type="summarization",
    dataset_type="your-name/news",
    dataset_name="News",
    dataset_split="test",
    metric_type="rouge",
    metric_name="ROUGE-1",
    metric_value=result["rouge1"],
    metric_args={"signature": result["signature"]},
)
"""


@needs_fork
def test_what_push_to_hub_sends(printed):
    """The card of the model gets one number, with the signature beside it."""
    dataset, model, card = printed.partition(FOUND)[2].split("\n", 2)
    assert (dataset, model) == ("your-name/news", "your-name/my-model")
    changed, metadata = yaml.safe_load(card)
    assert changed == model
    (of_model,) = (entry["results"] for entry in metadata["model-index"])
    metric = loaded("rouge_full", rouge_types=["rouge1"], signature=True)
    result = metric.compute(predictions=["the cat sat"], references=["the cat sat down"])
    assert of_model[0]["task"] == {"type": "summarization"}
    assert of_model[0]["dataset"] == {"type": "your-name/news", "name": "News", "split": "test"}
    score = {"type": "rouge", "name": "ROUGE-1", "value": result["rouge1"]}
    assert of_model[0]["metrics"] == [score | {"args": {"signature": result["signature"]}}]
