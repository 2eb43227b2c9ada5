"""What other packages, papers and people call an option or a value, for the hints of errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping

# Names of languages; the last one of each is that of a stemmer.
_LANGUAGES = (
    "ar arabic, da dansk danish, nl nederlands dutch, en english, fi suomi finnish, "
    "fr français french, de deutsch german, hu magyar hungarian, it italiano italian, "
    "no norsk norwegian, pt português portuguese, ro română romanian, ru русский russian, "
    "es español spanish, sv svenska swedish"
)
# The first known name here is meant. An option without a name here changes no score.
_NAMES_HERE: Mapping[str, tuple[str, ...]] = {
    elsewhere: tuple(here.split())
    for several, here in {
        # options
        "n_gram ngram n_grams max_n max_ngram_order": "max_order rouge_types",
        "smooth_method smoothing_function": "smoothing",
        "auto_reweigh": "effective_order",
        "stem stemming": "use_stemmer",
        "metrics rouge_keys variants": "rouge_types",
        "alpha": "beta",
        "accumulate multiref multi_ref": "multi_reference",
        "aggregate avg apply_avg": "use_aggregator average",
        "lc": "lowercase",
        "normalizer trg_lang": "tokenizer",
        "split_summaries": "sentence_splitter",
        "limit_length length_limit": "max_words",
        "preds hypotheses hyps candidates": "predictions prediction",
        "target targets refs": "references reference",
        "baseline baselines baseline_preds": "baseline_predictions",
        "force": "",
        # values
        "rouge rougen rouge-n rouge0": "rouge1",
        "f f1 f-score fscore": "fmeasure",
        "p": "precision",
        "r": "recall",
        "pyrouge files2rouge": "rouge-1.5.5",
        "mean": "average",
        "max": "best",
        "method0": "none",
        "method1 epsilon": "floor",
        "method2 add-one add1 add_n": "add-k",
        "method3": "exp",
        "method4": "chen-cherry-4",
        "method5": "chen-cherry-5",
        "method6": "chen-cherry-6",
        "method7": "chen-cherry-7",
    }.items()
    for elsewhere in several.split()
} | {
    elsewhere: (here,)
    for *several, here in map(str.split, _LANGUAGES.split(","))
    for elsewhere in several
}


def name_here(name: str, known: Collection[str]) -> str | None:
    """Return the known name for a name of another package; "" if it has no counterpart, else None."""
    names = _NAMES_HERE.get(name.lower())
    if names is None:
        return None
    return next((one for one in names if one in known), None if names else "")
