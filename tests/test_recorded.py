"""What other programs and packages printed: each recorded figure is compared once.

`golden/published.json` was printed by programs of many fields, `golden/packages.json` by
`programs/print_packages.py` and `golden/peers.json` by `programs/print_peers.py`. The nightly workflow
also runs the packages of other fields themselves.
"""

import shutil
from importlib.metadata import PackageNotFoundError, version

import pytest

from helpers.published import (
    ITEMS,
    PACKAGES,
    PEERS,
    PUBLISHED,
    SUMMARIES,
    assert_figures,
    figures_by_key,
    texts,
    values,
)
from programs.print_peers import printed_cases

CUT = values("LongBench rouge_zh_score, multilingual[2]")
FULL = [item for item in ITEMS if item["prediction"]]
BY_RANK = [
    item | {"references": (item["references"] + item["references"][:1] * 4)[:4]} for item in ITEMS
]
TEXTS = {
    "all": texts(),
    "first": texts(first=True),
    "summaries": texts(SUMMARIES),
    "summaries first": texts(SUMMARIES, first=True),
    "a1": texts(ITEMS[:1]),
    "not-empty first": texts(FULL, first=True),
    "not-a3-a4 first": texts([item for item in FULL if item["id"] != "a4"], first=True),
    "by-rank": texts(BY_RANK),  # the first one again if one is missing
    "stripped": texts(change=str.strip),
    "lines first": texts(first=True, change=lambda text: text.replace(" . ", " .\n")),
    # Words of pycocoevalcap, and of jieba.
    "ptb": texts(change=values("PTB tokens of the items").__getitem__),
    "jieba": {"predictions": [CUT["cut_prediction"]], "references": [CUT["cut_reference"]]},
} | {
    f"multilingual-{n}": {side + "s": [pair[side]] for side in ("prediction", "reference")}
    for n, pair in enumerate(PUBLISHED["corpus"]["multilingual"])
}
OURS = [
    pytest.param(entry["values"], ours, id=f"{entry['name']}; {' '.join(ours['figures'])}")
    for entry in PUBLISHED["golden"]
    for ours in entry.get("ours", ())
]


@pytest.mark.parametrize(("printed", "ours"), OURS)
def test_published(request, printed, ours):
    for name in ours.get("needs", ()):
        try:
            found = shutil.which(name) if name == "java" else version(name)
        except PackageNotFoundError:
            found = None
        if found is None:
            pytest.skip(f"{name} is missing")
    options = dict(ours["options"])
    if isinstance(options.get("stemmer"), dict):
        options["stemmer"] = options["stemmer"].__getitem__
    if "stopwords" in options:
        options["stopwords"] = PUBLISHED["stopwords"][options["stopwords"]]
    figures = {"items": {}, "average": {}}
    for path, words in ours["figures"].items():
        below = printed
        for part in filter(None, path.split("/")):
            below = below[part]
        for key, is_column, score in figures_by_key(below, words.split()):
            if is_column:
                figures["items"].setdefault(key, []).append(score)
            else:
                figures["average"][key] = score
    data = texts(printed) if ours.get("texts") == "own" else TEXTS[ours.get("texts", "all")]
    accuracy = {name: ours[name] for name in ("rtol", "atol") if name in ours}
    assert_figures(request.getfixturevalue(ours["metric"]), data, options, **figures, **accuracy)


CASES = [
    pytest.param(golden, case, id=str(case["options"]))
    for golden in (PACKAGES, PEERS)
    for case in golden["cases"]
]


@pytest.mark.parametrize(("golden", "case"), CASES)
def test_packages(request, golden, case):
    """Sentences are those that torchmetrics found."""
    options = dict(case["options"])
    if "rougeLsum" in options.get("rouge_types", ()) and options["preset"] == "torchmetrics":
        options["sentence_splitter"] = golden["sentences"].__getitem__
    figures = {name: case[name] for name in ("items", "average", "rtol") if name in case}
    metric, data = request.getfixturevalue(case["metric"]), golden["corpora"][case["corpus"]]
    assert_figures(metric, data, options, **figures, atol=1e-70)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("package", printed_cases())
def test_hostile_texts(request, package):
    try:
        cases = list(printed_cases()[package]())
    except (ImportError, FileNotFoundError):
        pytest.skip(f"{package} is missing")
    assert cases
    for case in cases:
        metric = request.getfixturevalue(case.pop("metric"))
        assert_figures(metric, PEERS["corpora"][case.pop("corpus")], **case, atol=1e-70)
