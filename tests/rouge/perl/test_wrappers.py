"""What the card says of packages around ROUGE-1.5.5.pl, and of stemming with -m."""

import json

import pytest

from helpers.cards import ROUGE_CARD, code_of, rows_below
from helpers.repository import ROOT
from helpers.rouge.perl import EXCEPTIONS, GOLDEN, corpus_of, expected_averages
from rouge_bleu.data.corpus import checked_corpus
from rouge_bleu.options.checked import checked_options
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.scorer import rouge
from rouge_bleu.text.stemming import rouge155_stemmer

ROWS = {code_of(row[0])[0]: row for row in rows_below("Command lines")}
STEM = {"stemmer": rouge155_stemmer(EXCEPTIONS)}

# Runs of the script with the same options where the types below are concerned, and the types.
RUNS = {
    "pyrouge": [
        (
            "main -n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 [plain]",
            ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeW-1.2"],
        )
    ],
    "files2rouge": [("main -n 2 -m [padded]", ["rouge1", "rouge2", "rougeL"])],
    # Without the limit of 100 words, with which no run was made.
    "pythonrouge": [
        ("main -n 2 -m [padded]", ["rouge1", "rouge2"]),
        ("main -x -2 4 -u -m [padded]", ["rougeSU4"]),
    ],
    "rouge-metric": [("main -n 4 -2 4 -U -w 1.2 -f A [padded]", ["rouge1", "rouge2", "rougeL"])],
}
TYPES = {
    "pyrouge": "rouge1 rouge2 rouge3 rouge4 rougeL rougeW-1.2 rougeS* rougeSU*",
    "files2rouge": "rouge1 rouge2 rougeL",
    "pythonrouge": "rouge1 rouge2 rougeSU4",
    "rouge-metric": "rouge1 rouge2 rougeL",
}


def options_of(line, **beside):
    return checked_options(RougeOptions, {"preset": line, **beside})


@pytest.mark.parametrize("package", ROWS)
def test_the_line_of_a_package_gives_the_figures_of_the_script(package):
    (line,) = code_of(ROWS[package][1])
    stem = STEM if "-m" in line.split() else {}
    n_compared = 0
    for name, types in RUNS[package]:
        (case,) = [case for case in GOLDEN["cases"] if case["name"] == name]
        order = {"padded": "input", "plain": "string"}[case["ids"]]
        options = options_of(line, **stem, document_order=order, max_words=None)
        result = rouge(corpus_of(case), options)
        assert list(dict.fromkeys(key.split("_")[0] for key in result)) == TYPES[package].split()
        for key, figure in expected_averages(case):
            if key.split("_")[0] in types:
                assert result[key] == figure, key
                n_compared += 1
    assert n_compared == 9 * sum(len(types) for _, types in RUNS[package])


@pytest.mark.parametrize("package", ROWS)
def test_what_stands_beside_the_line_of_a_package(rouge_full, package):
    line, beside = code_of(ROWS[package][1])[0], code_of(ROWS[package][3])[0]
    given = eval(f"dict({beside})", {"rouge": rouge_full})
    assert given["document_order"] == "string"
    texts = {"predictions": ["a b . c d e .", "f ."], "references": ["c d e . a b .", "g ."]}
    given["stemmer"] = rouge_full.rouge155_stemmer()
    assert len(rouge_full.compute(**texts, preset=line, **given)) >= 27


def test_packages_of_the_table():
    assert list(ROWS) == list(RUNS) == list(TYPES)
    limits = [options_of(code_of(row[1])[0], **STEM).max_words for row in ROWS.values()]
    assert limits == [None, None, 100, None]


def test_documents_of_files2rouge_are_cut_as_the_table_says(rouge_full):
    """`" .\\n".join(text.split(" ."))` is what utils.py of the package writes."""
    line = code_of(ROWS["files2rouge"][1])[0]
    given = eval(f"dict({code_of(ROWS['files2rouge'][3])[0]})")
    stemmer = rouge_full.rouge155_stemmer()
    predictions = ["the dog ran . a cat sat on a mat .", "one .5 two", "no stop"]
    references = ["a cat sat . the dog ran away .", "two . one", "no stop . at all"]
    texts = {"predictions": predictions, "references": references}
    written = {
        side: [" .\n".join(text.split(" .")) for text in column] for side, column in texts.items()
    }
    cut = rouge_full.compute(**texts, preset=line, stemmer=stemmer, **given)
    del given["sentence_splitter"]
    assert cut == rouge_full.compute(**written, preset=line, stemmer=stemmer, **given)
    assert cut != rouge_full.compute(**texts, preset=line, stemmer=stemmer, **given)


# --- stemming with -m -------------------------------------------------------------------

# The words of examples/summaries.jsonl that WordNet's lists have with another stem than Porter's,
# and their base forms.
IRREGULAR = {
    "been": "be", "began": "begin", "best": "well", "better": "well", "bought": "buy",
    "broke": "break", "came": "come", "carried": "carry", "caught": "catch", "children": "child",
    "customer": "customer", "data": "datum", "earlier": "early", "fell": "fall", "felt": "feel",
    "found": "find", "gave": "give", "given": "give", "goes": "go", "ground": "grind", "happier": "happy",
    "heard": "hear", "held": "hold", "hotter": "hot", "hottest": "hot",
    "kept": "keep", "left": "leave", "lives": "life", "lost": "lose", "made": "make",
    "meant": "mean", "paid": "pay", "rebuilt": "rebuild", "rewritten": "rewrite", "said": "say",
    "sent": "send", "shown": "show", "spent": "spend", "strongest": "strong", "struck": "strike",
    "sturdier": "sturdy", "taken": "take", "thought": "think", "threw": "throw", "told": "tell",
    "took": "take", "upheld": "uphold", "varied": "vary", "went": "go", "were": "be",
    "withdrawn": "withdraw", "worse": "bad", "youngest": "young",
}  # fmt: skip


def documents_and_averages(exceptions):
    """Return the figures of the example texts with these exceptions, of documents and together."""
    path = ROOT / "examples" / "summaries.jsonl"
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    corpus = checked_corpus(
        [item["prediction"] for item in items], [item["references"] for item in items]
    )
    line = "ROUGE-1.5.5.pl -n 2 -2 4 -u -m -a"
    stem = {"stemmer": rouge155_stemmer(exceptions)}
    documents = rouge(corpus, options_of(line, **stem, use_aggregator=False))
    return documents, rouge(corpus, options_of(line, **stem))


def test_what_the_list_of_irregular_words_changes_in_the_examples():
    """The numbers of the card. They were found with the lists of WordNet 3.0 from wordnet-base 3.0-37
    of Debian, of which these are the words that the texts have.
    """
    plain, averages = documents_and_averages(None)
    listed, averages_listed = documents_and_averages(IRREGULAR)
    n_documents = len(plain["rouge1_recall"])

    def changed(name):
        keys = [f"{name}_{output}" for output in ("precision", "recall", "fmeasure")]
        return {
            item
            for item in range(n_documents)
            if any(plain[key][item] != listed[key][item] for key in keys)
        }

    types = ["rouge1", "rouge2", "rougeL", "rougeSU4"]
    n_changed = len(set().union(*map(changed, types)))
    numbers = [len(changed(name)) for name in types]
    scores = zip(plain["rouge1_fmeasure"], listed["rouge1_fmeasure"], strict=True)
    largest = max(abs(one - other) for one, other in scores)
    text = " ".join(ROUGE_CARD.split())
    assert (
        f"Of the {n_documents} documents of `examples/summaries.jsonl` {n_changed} change" in text
    )
    one, two, lcs, su = numbers
    assert f"ROUGE-1 of {one}, ROUGE-2 of {two}, ROUGE-L of {lcs}, ROUGE-SU4 of {su};" in text
    both = (averages["rouge1_fmeasure"], averages_listed["rouge1_fmeasure"])
    assert f"by up to {largest:.3f}, its average from {both[0]} to {both[1]}." in text
