"""Memory stays bounded where counts or caches could grow with what no text has."""

import json
import tracemalloc

import pytest

from helpers.programs import environment
from helpers.repository import ROOT
from rouge_bleu.text.tokenizers import tokenized, tokenizer_rules

MEGABYTE = 1 << 20

# 50,000 items of two words and a thousand orders: of which only two have n-grams.
MANY_ORDERS = """
import json, resource, sys
import evaluate
metric = evaluate.load(sys.argv[1] + "/bleu_full.py")
texts = ["a b", "a c"] * 25_000
others = ["a c", "a c"] * 25_000
metric.compute(predictions=texts[:10], references=others[:10])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
results = [
    metric.compute(predictions=texts, references=others, max_order=max_order, **options)
    for max_order in (3, 1000)
    for options in (
        {"weights": {"two": [1, 1] + [0] * (max_order - 2), "all": [1] * max_order}},
        {"smoothing": "exp", "output": "score", "effective_order": True},
    )
]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([(after - before) * 1024, results]))
"""


def test_orders_that_no_text_has_cost_nothing(tmp_path, run_code):
    """1,000 orders of 50,000 items are 400 MB for each count alone; it took 1.4 GB. The numbers are
    those of three orders, followed by zeros.
    """
    done = run_code(MANY_ORDERS, ROOT, env=environment(tmp_path))
    grown, (few, few_by_length, many, many_by_length) = json.loads(done.stdout.splitlines()[-1])
    assert grown < 150 * MEGABYTE
    assert many["two"] == few["two"] > 0
    assert many["all"] == few["all"] == 0
    assert many["precisions"] == [*few["precisions"], *[0.0] * 997]
    assert few["precisions"] == [3 / 4, 1 / 2, 0.0]  # "a" of "a b", all of "a c"
    assert many_by_length["bleu"] == pytest.approx(few_by_length["bleu"], rel=1e-14)


@pytest.mark.parametrize("tokenizer", ["13a", "unicode"])
def test_texts_without_blanks_leave_nothing_large_behind(tokenizer):
    """A cache of words would hold each text without spaces, as in Chinese, which is one word: 28 to
    54 MB stayed after each call of 13a.
    """

    def tokenize(n_texts):  # the texts go too, since Python keeps UTF-8 beside a text
        texts = [chr(0x4E00 + k) + "中文，字。" * 60 + str(k) for k in range(n_texts)]
        tokenized(texts, tokenizer_rules(tokenizer))

    tokenize(10)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tokenize(3_000)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before > 2 * MEGABYTE  # 3,000 texts of 300 characters: it was measured
    assert after - before < MEGABYTE
