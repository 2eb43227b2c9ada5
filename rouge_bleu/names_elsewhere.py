"""What other packages, papers and people call an option or a value, for the hints of errors."""

from __future__ import annotations

from collections.abc import Collection

# Names elsewhere, and the name here; of several with a slash the first one that is known is meant.
_TABLE = """
n_gram ngram n_grams max_n max_ngram_order max_order/rouge_types
metrics rouge_keys variants rouge_types
smooth_method smoothing_function smoothing
auto_reweigh effective_order
stem stemming use_stemmer
alpha beta
accumulate multiref multi_ref multi_reference
aggregate avg apply_avg use_aggregator/average
lc lowercase
normalizer trg_lang tok tokenizer
split_summaries sentence_splitter
limit_length length_limit max_words
preds hypotheses hyps candidates predictions/prediction
target targets refs references/reference
baseline baselines baseline_preds baseline_predictions
rouge rouge1/pltrdy, rougen rouge-n rouge0 rouge1, corpus_bleu sentence_bleu nltk
f f1 f-score fscore fmeasure, p precision, r recall, mean average, max best
pyrouge files2rouge rouge-1.5.5, huggingface hf evaluate, google rouge_score
method0 none, method1 epsilon floor, method2 add-one add1 add_n add-k, method3 exp
method4 chen-cherry-4, method5 chen-cherry-5, method6 chen-cherry-6, method7 chen-cherry-7
ar arabic, da dansk danish, nl nederlands dutch, en english, fi suomi finnish, fr français french
de deutsch german, hu magyar hungarian, it italiano italian, no norsk norwegian
pt português portuguese, ro română romanian, ru русский russian, es español spanish
sv svenska swedish
"""
_NAMES_HERE: dict[str, list[str]] = {
    elsewhere: here.split("/")
    for *several, here in map(str.split, _TABLE.strip().replace("\n", ",").split(","))
    for elsewhere in several
} | {"force": []}  # an option that changes no score


def name_here(name: str, known: Collection[str]) -> str | None:
    """Return the known name for a name of another package; "" if it has no counterpart, else None."""
    names = _NAMES_HERE.get(name.lower())
    if names is None:
        return None
    return next((one for one in names if one in known), None if names else "")
