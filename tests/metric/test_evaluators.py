"""The evaluators of `evaluate`, and the blocks of docs/training.md for them and for several processes.

Evaluators ask for `transformers` 4, of which the tests need only a few names: a ten-line stub stands
in for it, and a callable for a pipeline.
"""

import json

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
import json, os, sys
import evaluate
import transformers

transformers.TFPreTrainedModel = transformers.PreTrainedModel
blocks, names = json.load(sys.stdin), {}
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

EVALUATE = """
import evaluate
from datasets import Dataset

KEYS = {"summarization": "summary", "translation": "translation", "text2text-generation": "generated"}

class Pipeline:
    def __init__(self, task):
        self.task = task
    def __call__(self, texts, **options):
        return [{f"{KEYS[self.task]}_text": text} for text in texts]

texts = ["the cat sat on the mat", "a dog ran away from here", "it rains today here again"] * 4
labels = ["the cat sat on a mat", "a dog ran from here", "it rains here today again"] * 4
given = {"data": Dataset.from_dict({"text": texts, "label": labels})}
bleu = given["metric"] = evaluate.load("bleu_full", output="score", smoothing="exp")
score = bleu.compute(predictions=texts, references=labels)["bleu"]
for task in KEYS:
    given["model_or_pipeline"] = Pipeline(task)
    assert evaluate.evaluator(task).compute(**given)["bleu"] == score
bootstrap = {"strategy": "bootstrap", "n_resamples": 99, "random_state": 0}
result = evaluate.evaluator(task).compute(**given, **bootstrap)["bleu"]
low, high = result["confidence_interval"]
assert 0 < low < result["score"] == score < high <= 1
"""


@needs_fork
def test_the_blocks_of_the_page_and_every_evaluator(tmp_path):
    """Evaluators give the result of `compute`, also with a bootstrap."""
    package = tmp_path / "packages" / "transformers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(TRANSFORMERS, encoding="utf-8")
    (package / "pipelines.py").write_text(PIPELINES, encoding="utf-8")
    offline = {"HF_EVALUATE_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    env = environment(tmp_path / "home", **offline, EVALUATE_VERBOSITY="error")
    env["PYTHONPATH"] = str(package.parent)  # with scipy, which evaluators need
    install(tmp_path / "home" / "modules" / "evaluate_modules")
    blocks = json.dumps([GIVEN, EVALUATOR, CHECK, RANK, EVALUATE])
    assert run("-c", RUN, input=blocks, env=env, cwd=tmp_path).stdout == PRINTED
