"""What stands in backticks on a page exists: options, their values, types, flags, files, targets.

Commands and examples in blocks are run by `test_readme.py`. The changelog tells of names that
are gone, and is left out.
"""

import ast
import dataclasses
import re
from functools import cache

import pytest

from helpers import pages
from helpers.pages import BLOCK, text_of, without_blocks
from helpers.repository import ROOT
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.families.table import measure_of_name
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.text.stemming import STEMMER_NAMES
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES
from rouge_bleu_tools.cli.main import main

PAGES = [page for page in pages.PAGES if page != "CHANGELOG.md"]
OPTIONS = (RougeOptions, BleuOptions)

COMMANDS = ("score", "compare", "find-settings", "explain", "install", "page")

# Flags of other programs, below whose they are.
FLAGS_ELSEWHERE = {
    "sacrebleu": "--paired-ar --paired-bs",
    "pip": "--force-reinstall --no-deps --upgrade",
    "accelerate launch": "--num_processes",
    "mteval-v13a.pl": "--international-tokenization --brevity-penalty --no-smoothing",
    "fairseq-score": "--sys --ref --order --ignore-case --sentence-bleu",
    "conala_eval.py": "--strip_ref_metadata",
}
# Arguments that are no options of the metrics, and other names.
NAMES_ELSEWHERE_TOO = {
    "compute": "predictions references",
    "batch_statistics": "item first_item missing",
    "evaluate and datasets": "keep_in_memory batched strategy launch_gradio_widget huggingface_hub",
    "TrainingArguments": "batch_eval_metrics load_best_model_at_end metric_for_best_model",
    "Seq2SeqTrainingArguments": "predict_with_generate",
    "log_dict of Lightning": "sync_dist",
    "sumeval, bleuscore, sacrebleu": "alpha ref_len_method force",
    "fast-bleu, rouge, pythonrouge": "smoothing_func exclusive split_sentences",
    "XL-Sum, rouge-chinese, HELM": "multilingual_rouge_scoring rouge_chinese bleu_4 rouge_1 rouge_2",
    "lm-eval": "bleu_max",
    "sacreBLEU, NLTK": "tokenize smooth_method smooth_value use_effective_order auto_reweigh",
    "torchmetrics, py-rouge, ignite": "accumulate apply_best stemming average",
}


def words_of(table):
    return {word for words in table.values() for word in words.split()}


PARTS_OF_KEYS = (
    r"_(precision|recall|fmeasure|matches|prediction_total|reference_total"
    r"|low|high|baseline|delta|p_value|signature)|^eval_"
)
TYPE = re.compile(r"rouge([0-9]\w*|[LWS][\w.*-]*)")


def inline_codes(page):
    """Return what stands in backticks outside of blocks."""
    text = without_blocks(text_of(page))
    return [match[2].strip() for match in re.finditer(r"(`+)(.+?)\1", text)]


CODES = [(page, code) for page in PAGES for code in dict.fromkeys(inline_codes(page))]


def assert_known(is_known, found):
    """Every name that is found in a code must be known."""
    lines = [
        f"{page}: {name} in `{code}`"
        for page, code in CODES
        for name in found(code)
        if not is_known(name)
    ]
    if lines:
        pytest.fail("there is no\n" + "\n".join(lines))


# --- flags --------------------------------------------------------------------------


def test_flags(capsys):
    """Those of all programs: those that help shows, else those that the file names."""
    flags = {"--help", "--version"}
    for name in COMMANDS:
        with pytest.raises(SystemExit):
            main([name, "--help"])
        flags |= set(re.findall(r"--[a-z][\w-]*", capsys.readouterr().out))
    for folder in ("examples", "benchmarks", "tests/programs"):
        for file in (ROOT / folder).glob("*.py"):
            flags |= set(re.findall(r'"(--[a-z][\w-]*)"', file.read_text(encoding="utf-8")))
    assert not flags & words_of(FLAGS_ELSEWHERE)
    is_known = flags.union(words_of(FLAGS_ELSEWHERE)).__contains__
    assert_known(is_known, re.compile(r"(?<![\w-])--[a-z][\w-]*").findall)


# --- options, their values, and types -----------------------------------------------


def keywords_of(code):
    """Return the arguments of a code such as `beta=2.0` or `compute(beta=2.0)`: name -> value."""
    try:
        call = ast.parse(f"f({code})", mode="eval").body
    except SyntaxError:
        return {}
    if len(call.args) == 1 and isinstance(call.args[0], ast.Call):
        call = call.args[0]
        if not ast.unparse(call.func).endswith(("compute", "load", "explain")):
            return {}  # a function of others
    return {keyword.arg: keyword.value for keyword in call.keywords}


@pytest.fixture(scope="module")
def is_accepted(rouge_full, bleu_full):
    """Whether one of the metrics takes these values together: ("beta", "2.0"), ...

    Some options of ROUGE are those of the Perl script only.
    """
    texts = {"predictions": ["a b"], "references": [["a b", "b"]]}
    perl = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"]}

    @cache
    def is_accepted(values):
        given = {name: ast.literal_eval(value) for name, value in values}
        if given.get("tokenizer") in TOKENIZER_NAMES:  # some would download a model
            del given["tokenizer"]
        for metric, more in ((rouge_full, {}), (bleu_full, {}), (rouge_full, perl)):
            try:
                metric.compute(**texts, **{**more, **given})
                return True
            except ImportError:
                return True  # it is there, and needs a package that is not
            except (TypeError, ValueError):
                pass
        return False

    return is_accepted


def is_literal(node):
    try:
        return ast.literal_eval(node) not in (..., [...])
    except ValueError:
        return False


OPTION_NAMES = {field.name for options in OPTIONS for field in dataclasses.fields(options)}
NAMES_OF_OTHERS = words_of(NAMES_ELSEWHERE_TOO)


def test_options():
    known = OPTION_NAMES | NAMES_OF_OTHERS

    def is_known(name):
        is_type = measure_of_name(re.sub(PARTS_OF_KEYS, "", name))  # of --reported
        return name in known or name.isupper() or is_type

    assert_known(is_known, keywords_of)


def test_values_of_options(is_accepted):
    """Those that are written out: no functions, and no names."""

    def found(code):
        values = {
            name: ast.unparse(value)
            for name, value in keywords_of(code).items()
            if name in OPTION_NAMES and is_literal(value)
        }
        return [tuple(values.items())]

    assert_known(is_accepted, found)
    assert not is_accepted((("smoothing", "'expo'"),))


def test_types():
    def found(code):
        name = re.sub(PARTS_OF_KEYS, "", code.strip('"'))
        return [name] if TYPE.fullmatch(name) else []

    assert_known(measure_of_name, found)


CHOICES = """
    preset tokenizer output multi_reference sentence_splitter summary_lcs corpus_average
    document_order smoothing reference_length paired_test level
""".split()


def test_quoted_values(is_accepted):
    """A name in quotes is a value of an option, an option, a type, or a value elsewhere."""
    known = {*OPTION_NAMES, *STEMMER_NAMES}  # some stemmers need lists of words

    def is_known(value):
        is_name = value in known or measure_of_name(value)
        return is_name or any(is_accepted(((option, repr(value)),)) for option in CHOICES)

    assert_known(is_known, re.compile(r'^"([a-z][\w.-]*)"$').findall)


# --- names, files and targets -------------------------------------------------------


@cache
def words_of_repository():
    """Return all names in the code of the repository and of its pages."""
    files = [path for path in ROOT.glob("*.py") if path.is_file()]
    for folder in ("rouge_bleu", "rouge_bleu_tools", "examples", "benchmarks"):
        files += (ROOT / folder).rglob("*.py")
    texts = [file.read_text(encoding="utf-8") for file in files]
    texts += [code for page in PAGES for _, code in BLOCK.findall(text_of(page))]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def test_names():
    """A name with an underscore stands in some code, if it is not one of others."""
    known = words_of_repository() | NAMES_OF_OTHERS

    def is_known(name):
        return name in known or re.sub(PARTS_OF_KEYS, "", name) in known

    assert_known(is_known, re.compile(r"^[a-z]+(?:_[a-z0-9]+)+$").findall)


def test_files_commands_and_targets():
    def found(code):
        words = re.findall(r"[\w.-]+(?:/[\w.-]+)+", code)
        return [word for word in words if word.split("/")[0] in folders]

    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build"}
    assert_known(lambda path: (ROOT / path).exists(), found)
    assert_known(COMMANDS.__contains__, re.compile(r"^rouge-bleu ([a-z][\w-]*)").findall)
    targets = set(re.findall(r"^([a-z][\w-]*)(?=[^=\n]*:)", text_of("Makefile"), re.MULTILINE))
    assert_known(targets.__contains__, re.compile(r"^make ([a-z][\w-]*)").findall)
