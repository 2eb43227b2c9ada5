"""Public patterns of use: the code beside itself with a changed import."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
import rouge_score
import sacrebleu

import rouge as pltrdy
from helpers.programs import python, run
from rouge_bleu.integrations import rouge as own_rouge
from rouge_bleu.integrations import rouge_score as own_rouge_score
from rouge_bleu.integrations import sacrebleu as own_sacrebleu

# Each line of public code with its imports, on these texts; `found` is compared.
TEXTS = {
    "hyps": ["The cat sat on a mat.", "A dog ran off. It barked.", "Rain"],
    "refs": ["The cats sat on the mat.", "The dog ran. Off it barked.", "It rains."],
}
PATTERNS = {
    # --- rouge_score
    "google": """
from rouge_score import rouge_scorer
scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
found = [scorer.score(ref, hyp)["rougeLsum"].fmeasure for ref, hyp in zip(refs, hyps)]
""",
    "evaluate, lm-eval": """
from rouge_score import rouge_scorer, scoring
scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=False, tokenizer=None)
aggregator = scoring.BootstrapAggregator()
for ref, hyp in zip(refs, hyps):
    aggregator.add_scores(scorer.score(ref, hyp))
np.random.seed(1)
found = [tuple(one) for score in aggregator.aggregate().values() for one in score]
""",
    "self-instruct, alpaca": """
from functools import partial
from rouge_score import rouge_scorer
scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
tokens = [scorer._tokenizer.tokenize(text) for text in refs]
score = partial(rouge_scorer._score_lcs, scorer._tokenizer.tokenize(hyps[0]))
found = [score.fmeasure for score in map(score, tokens)]
""",
    "oracle summaries": """
from rouge_score.rouge_scorer import RougeScorer, _create_ngrams, _score_ngrams
tokenize = RougeScorer(["rouge1"], use_stemmer=True)._tokenizer.tokenize
ngrams = [[_create_ngrams(tokenize(text), 2) for text in texts] for texts in (refs, hyps)]
found = [tuple(_score_ngrams(*pair)) for pair in zip(*ngrams)]
""",
    "summary level of tokens": """
from rouge_score import rouge_scorer, tokenizers
tokenize = tokenizers.DefaultTokenizer(use_stemmer=True).tokenize
sides = [[tokenize(text) for text in texts] for texts in (refs, hyps)]
found = [tuple(rouge_scorer._summary_level_lcs(*sides)), rouge_scorer.lcs_ind("abcd", "acbd")]
""",
    "another tokenizer later": """
from rouge_score.rouge_scorer import RougeScorer
class Scorer(RougeScorer):
    def __init__(self):
        super().__init__(["rouge1"])
        self._tokenizer = type("Letters", (), {"tokenize": staticmethod(list)})()
found = [tuple(Scorer().score(ref, hyp)["rouge1"]) for ref, hyp in zip(refs, hyps)]
""",
    "natural-instructions": """
from rouge_score import rouge_scorer
class Words:
    def tokenize(self, text):
        return text.split()
scorer = rouge_scorer.RougeScorer(["rougeL"], tokenizer=Words())
found = max(scorer.score(prediction=hyps[0], target=ref)["rougeL"].fmeasure for ref in refs)
""",
    "functions of tokens": """
from rouge_score.tokenize import tokenize
from rouge_score.scoring import Score, fmeasure
found = [*tokenize(hyps[0], None), fmeasure(0.5, 1), *Score(1, 2, 3)._asdict()]
""",
    "several references": """
from rouge_score import rouge_scorer
found = [tuple(one) for one in rouge_scorer.RougeScorer({"rougeL": 1, "rouge3": 2}.keys())
         .score_multi(refs, hyps[0]).values()]
""",
    # --- sacreBLEU
    "corpus": """
import sacrebleu
result = sacrebleu.corpus_bleu(hyps, [refs], lowercase=True, tokenize="intl")
found = [result.score, *result.precisions, result.bp, str(result)]
""",
    "metrics": """
from sacrebleu.metrics import BLEU, CHRF, TER
metrics = [BLEU(effective_order=True), CHRF(word_order=2), TER()]
found = [metric.corpus_score(hyps, [refs]).score for metric in metrics]
found += [str(metric.get_signature()) for metric in metrics]
""",
    "by name": """
import sacrebleu
from sacrebleu.metrics import METRICS
found = [sacrebleu.metrics.BLEU(tokenize="char").corpus_score(hyps, [refs]).score,
         METRICS["BLEU"](max_ngram_order=2).corpus_score(hyps, [refs]).score,
         sacrebleu.metrics.bleu.BLEU(force=True).sentence_score(hyps[0], refs[:1]).score,
         sorted(sacrebleu.BLEU.TOKENIZERS)]
""",
    "fairseq": """
from sacrebleu.metrics import BLEU
found = [BLEU.compute_bleu(correct=[9, 7, 4, 2], total=[10, 9, 8, 7], sys_len=10, ref_len=11,
                           smooth_method="exp").score]
""",
    "sentences": """
import sacrebleu
found = [sacrebleu.sentence_bleu(hyp, [ref], smooth_method="floor").score for hyp, ref in zip(hyps, refs)]
found += [sacrebleu.sentence_chrf(hyps[0], refs[:1]).score, sacrebleu.raw_corpus_bleu(hyps, [refs]).score]
""",
    "tokenizers": """
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from sacrebleu import BLEU
found = [Tokenizer13a()(hyps[0]), TokenizerZh()(hyps[0]), BLEU().tokenizer(hyps[0])]
""",
    "significance": """
from sacrebleu.significance import PairedTest
from sacrebleu.metrics import BLEU
systems = [("a", hyps), ("b", hyps[::-1])]
_, scores = PairedTest(systems, {"BLEU": BLEU()}, [refs], test_type="ar", n_samples=50)()
found = [(one.score, one.p_value or 0) for one in scores["BLEU"]]
""",
    "intervals": """
import sacrebleu
result = sacrebleu.BLEU(references=[refs]).corpus_score(hyps, None, n_bootstrap=50)
found = [result.score, sacrebleu.compat.corpus_bleu(hyps, [refs]).score, sacrebleu.__version__]
""",
    # --- rouge
    "rewards": """
from rouge import Rouge
rouge = Rouge()
found = [rouge.get_scores(hyp, ref)[0]["rouge-l"]["f"] for hyp, ref in zip(hyps, refs)]
""",
    "averages": """
from rouge import Rouge
found = [Rouge().get_scores(hyps, refs, avg=True, ignore_empty=True),
         Rouge(metrics=["rouge-1", "rouge-L"], stats=["F"]).get_scores(hyps, refs, avg=True)]
""",
    "longbench, with empty texts": """
import rouge
def score(hyp, ref):
    try:
        return rouge.Rouge().get_scores([hyp], [ref], avg=True)["rouge-l"]["f"]
    except ValueError as error:
        return str(error)
found = [score(*pair) for pair in (("", "a"), ("a", "..."), (" ", "a"), ("a.", ".a"))]
""",
    "lengths and counts": """
from rouge.rouge import Rouge
found = [Rouge(return_lengths=True).get_scores(hyps, refs),
         Rouge(return_lengths=True).get_scores(hyps, refs, avg=True),
         Rouge(metrics=["rouge-3"], raw_results=True).get_scores(hyps, refs),
         Rouge(exclusive=False).get_scores(hyps, refs)]
""",
    "files": """
from rouge import FilesRouge
from pathlib import Path
for name, lines in (("hyp", hyps), ("ref", refs)):
    Path(name).write_text("".join(line + "\\n" for line in lines))
found = [FilesRouge().get_scores("hyp", "ref"), FilesRouge(["rouge-2"]).get_scores("hyp", "ref", avg=True)]
""",
}


def with_ours(code):
    code = re.sub(r"^from (rouge|sacrebleu)", r"from rouge_bleu.integrations.\1", code, flags=re.M)
    ours = r"from rouge_bleu.integrations import \1"
    return re.sub(r"^import (rouge|sac)", ours, code, flags=re.M)


def flat(found):
    """The texts and numbers in a result."""
    if isinstance(found, dict):
        return [leaf for key, one in found.items() for leaf in (key, *flat(one))]
    is_list = isinstance(found, (list, tuple))
    return [leaf for one in found for leaf in flat(one)] if is_list else [found]


@pytest.mark.parametrize("code", PATTERNS.values(), ids=PATTERNS)
def test_a_changed_import_changes_no_result(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    theirs, ours = ({"np": np, **TEXTS} for _ in range(2))
    exec(code, theirs)
    exec(with_ours(code), ours)
    for own, other in zip(flat(ours["found"]), flat(theirs["found"]), strict=True):
        assert own == (other if isinstance(other, str) else pytest.approx(other, rel=1e-12))
    assert ours["found"]


def public(module):
    return {name for name in dir(module) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("own", "other"),
    [(own_rouge_score, rouge_score), (own_sacrebleu, sacrebleu), (own_rouge, pltrdy)],
)
def test_drop_ins_have_the_names_of_the_originals(own, other):
    """The drop-in adds no name: `sacrebleu.TOKENIZERS` would be a dictionary of this package."""
    assert public(own) == public(other)
    for name in ("rouge_scorer", "metrics", "compat", "rouge"):
        if hasattr(other, name):
            assert public(getattr(own, name)) >= public(getattr(other, name))
    assert own.__doc__ != other.__doc__


def test_bleu_is_ours_wherever_it_is_named():
    places = [
        own_sacrebleu,
        own_sacrebleu.metrics,
        own_sacrebleu.metrics.bleu,
        own_sacrebleu.compat,
    ]
    classes = {place.BLEU for place in places} | {own_sacrebleu.metrics.METRICS["BLEU"]}
    assert classes == {own_sacrebleu.BLEU} != {sacrebleu.BLEU}
    assert own_sacrebleu.metrics.CHRF is sacrebleu.metrics.CHRF
    assert sacrebleu.metrics.METRICS["BLEU"] is sacrebleu.BLEU is sacrebleu.compat.BLEU


def test_a_drop_in_alone_imports_its_modules_and_defines_no_flags():
    """In a new process, and before the original is imported: absl refuses flags of one name."""
    code = """if True:
        from rouge_bleu.integrations.sacrebleu.metrics.bleu import BLEU
        from rouge_bleu.integrations.rouge_score.rouge_scorer import RougeScorer
        from rouge_bleu.integrations.rouge.rouge import Rouge
        from absl import flags
        import sys
        assert "use_stemmer" not in flags.FLAGS
        assert "sentencepiece" not in sys.modules
    """
    run("-c", code)


def test_rouge_has_no_limit_of_recursion():
    """F = 2 P R / (P + R + 1e-8), of the distinct words of the LCS, here one."""
    text = "word " * 1500
    with pytest.raises(RecursionError):
        pltrdy.Rouge(metrics=["rouge-l"]).get_scores(text, text)
    [scores] = own_rouge.Rouge(metrics=["rouge-l"]).get_scores(text, text)
    assert scores["rouge-l"]["f"] == pytest.approx(2 / (2 + 1e-8), rel=1e-12)


def test_errors_of_the_originals():
    scorer = own_rouge_score.rouge_scorer.RougeScorer
    with pytest.raises(TypeError, match="rouge_types"):
        scorer(name for name in ["rouge1"])
    with pytest.raises(ValueError, match="rouge-x"):
        own_rouge.Rouge(metrics=["rouge-x"])


def test_the_tests_of_rouge_score_pass(tmp_path):
    """Those that need no file, as its wheel has no test data."""
    names = ["rouge_scorer_test", "scoring_test", "tokenize_test", "tokenizers_test"]
    folder = Path(importlib.util.find_spec("rouge_score").origin).parent
    data = tmp_path / "testdata"
    data.mkdir()
    for name in ("target", "prediction", "target_large", "prediction_large"):
        (data / f"{name}.txt").write_text("a line\n" * 300)
    utility = (folder / "test_util.py").read_text()
    (tmp_path / "test_util.py").write_text(utility)
    for name in names:
        text = (folder / f"{name}.py").read_text()
        text = text.replace("from rouge_score import test_util", "import test_util")
        (tmp_path / f"theirs_{name}.py").write_text(text)
        (tmp_path / f"ours_{name}.py").write_text(with_ours(text))
    passed = {}
    for whose in ("theirs", "ours"):
        files = [f"{whose}_{name}.py" for name in names]
        flags = ("-v", "-p", "no:cacheprovider", "-W", "ignore")
        done = python("-m", "pytest", *flags, *files, cwd=tmp_path)
        passed[whose] = set(re.findall(rf"^{whose}_(\S+) PASSED", done.stdout, flags=re.M))
    assert len(passed["theirs"]) > 25
    assert passed["ours"] >= passed["theirs"]
