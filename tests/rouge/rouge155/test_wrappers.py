"""What the reference says of packages around ROUGE-1.5.5.pl."""

import pytest

from helpers.reference import REFERENCE, code_of, rows_below
from helpers.rouge.rouge155_script import EXCEPTIONS, GOLDEN, corpus_of, expected_averages
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.options import checked_options
from rouge_bleu.text.stemming import rouge155_stemmer

ROWS = {code_of(row[0])[0]: row for row in rows_below("Command lines", REFERENCE["rouge-1.5.5"])}
STEM = {"stemmer": rouge155_stemmer(EXCEPTIONS)}

# Runs of the script with the same options for the types below, and the types.
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
