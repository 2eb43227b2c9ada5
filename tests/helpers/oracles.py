"""Plain slow twins of the fast code, each straight from its paper, and the random columns on which
the two are compared.

The twins take one text at a time as a list of tokens, or as a list of sentences, each a list of
tokens. Tokens are anything that can be hashed. Papers: Lin 2004, "ROUGE: A Package for Automatic
Evaluation of Summaries" (https://aclanthology.org/W04-1013), Papineni et al. 2002, "BLEU: a method
for automatic evaluation of machine translation" (https://aclanthology.org/P02-1040).
"""

import math
import re
import string
from collections import Counter
from fractions import Fraction

import numpy as np

from rouge_bleu.arrays import Ragged, flattened
from rouge_bleu.tokens import Tokens, shared_tokens

# --- n-grams --------------------------------------------------------------------------------------


def ngrams(tokens, order):
    """Return the count of each n-gram.

    >>> ngrams("abab", 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def clipped_matches(prediction_count, reference_count):
    """Return the sum of min(count in the prediction, count in the reference): Lin 2004, section 2,
    Count_match.
    """
    return sum(min(count, reference_count[unit]) for unit, count in prediction_count.items())


def highest_counts(reference_counts):
    """Return the highest count of each unit in any one reference: Papineni et al. 2002, section
    2.1, Max_Ref_Count.
    """
    highest = Counter()
    for count in reference_counts:
        highest |= count
    return highest


def ngram_matches(prediction, references, order):
    """Return the clipped n-gram matches of a prediction with all its references together."""
    return clipped_matches(
        ngrams(prediction, order),
        highest_counts(ngrams(reference, order) for reference in references),
    )


def summed(counts):
    """Return the counts of several sentences added up: what does not cross sentences."""
    total = Counter()
    for count in counts:
        total.update(count)
    return total


# --- skip-bigrams ---------------------------------------------------------------------------------


def skip_bigrams(tokens, max_skip=None):
    """Return the count of each pair of tokens in their order with at most `max_skip` tokens between
    them: Lin 2004, section 5.

    >>> sorted(skip_bigrams("abc", 0).elements()), sum(skip_bigrams("abcd").values())
    ([('a', 'b'), ('b', 'c')], 6)
    """
    n_following = len(tokens) if max_skip is None else max_skip + 1
    return Counter(
        (token, other)
        for i, token in enumerate(tokens)
        for other in tokens[i + 1 : i + 1 + n_following]
    )


# --- the tokens that take part in matches ---------------------------------------------------------


def occurrences_of_ngrams(tokens, order):
    """Return each n-gram of a text with the positions of its tokens, in order."""
    starts = range(len(tokens) - order + 1)
    places = [tuple(range(start, start + order)) for start in starts]
    return [(tuple(tokens[i] for i in place), place) for place in places]


def occurrences_of_skip_bigrams(tokens, max_skip=None):
    """The same of skip-bigrams: by the second token, then by the first."""
    places = [
        (i, j)
        for j in range(len(tokens))
        for i in range(j)
        if max_skip is None or j - i - 1 <= max_skip
    ]
    return [((tokens[i], tokens[j]), (i, j)) for i, j in places]


def first_occurrences(occurrences, most):
    """Return so many occurrences of each unit at most: the first ones."""
    seen, kept = Counter(), []
    for unit, place in occurrences:
        seen[unit] += 1
        if seen[unit] <= most:
            kept.append((unit, place))
    return kept


def clipped_positions(of_prediction, of_references):
    """Return the positions, of the prediction and of each reference, in the first occurrences of
    each unit: as many as count, clipped at the highest count in any reference.

    >>> text = occurrences_of_ngrams("aba", 1)
    >>> clipped_positions(text, [occurrences_of_ngrams("ca", 1)])
    [{0}, {1}]
    """
    count_of_units = [Counter(unit for unit, _ in text) for text in (of_prediction, *of_references)]
    n_matches = count_of_units[0] & highest_counts(count_of_units[1:])
    marked = []
    for text in (of_prediction, *of_references):
        left, positions = n_matches.copy(), set()
        for unit, place in text:
            if left[unit] > 0:
                left[unit] -= 1
                positions.update(place)
        marked.append(positions)
    return marked


# --- longest common subsequences ------------------------------------------------------------------


def lcs_table(prediction, reference):
    """Return c[i][j], the LCS length of the first i tokens of the reference and the first j of the
    prediction: Lin 2004, section 3.1.
    """
    table = [[0] * (len(prediction) + 1)]
    for r in reference:
        above, row, length = table[-1], [0], 0
        for j, p in enumerate(prediction):
            if p == r:
                length = above[j] + 1
            elif above[j + 1] > length:
                length = above[j + 1]
            row.append(length)
        table.append(row)
    return table


def lcs_length(prediction, reference):
    """Return the length of the longest common subsequence.

    Lin 2004, section 3.1: S2 has ROUGE-L 3/4.

    >>> lcs_length("police kill the gunman".split(), "police killed the gunman".split())
    3
    """
    return lcs_table(prediction, reference)[-1][-1]


def lcs_positions(prediction, reference):
    """Return the reference positions that one LCS takes, a set.

    Which one: from the end of both, a match is taken; else one step left (in the prediction) where
    that cell is strictly larger than the one above, else one step up (in the reference). This is
    rouge_score's rule.
    """
    table = lcs_table(prediction, reference)
    i, j, taken = len(reference), len(prediction), set()
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            taken.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return taken


def union_lcs_length(prediction_sentences, reference_sentences):
    """Return the clipped union LCS: Lin 2004, section 3.2, and rouge_score's rule that a token
    counts at most as often as both texts have it.

    The paper's example: 4/5.

    >>> candidate = ["w1 w2 w6 w7 w8".split(), "w1 w3 w8 w9 w5".split()]
    >>> union_lcs_length(candidate, ["w1 w2 w3 w4 w5".split()])
    4
    """
    left_in_prediction, left_in_reference = (
        summed(map(Counter, sentences)) for sentences in (prediction_sentences, reference_sentences)
    )
    matches = 0
    for reference in reference_sentences:
        union = set().union(
            *(lcs_positions(prediction, reference) for prediction in prediction_sentences)
        )
        for token in (reference[position] for position in sorted(union)):
            if left_in_prediction[token] > 0 and left_in_reference[token] > 0:
                left_in_prediction[token] -= 1
                left_in_reference[token] -= 1
                matches += 1
    return matches


def best_sentence_lcs_lengths(prediction_sentences, reference_sentences):
    """Return the sum over the prediction's sentences of the longest LCS with one of the reference,
    and the same from the other side.
    """
    lengths = [
        [lcs_length(prediction, reference) for reference in reference_sentences]
        for prediction in prediction_sentences
    ]
    return sum(max(row, default=0) for row in lengths), sum(map(max, zip(*lengths, strict=True)))


def wlcs_score(prediction, reference, weight):
    """Return the weighted LCS with f(k) = k ** weight: the program of Lin 2004, section 4, with c
    and w as there; a match always goes diagonally.

    The paper's example, X, Y1 and Y2: one run of 4 against four runs of 1.

    >>> x, y1, y2 = "ABCDEFG", "ABCDHIK", "AHBKCID"
    >>> wlcs_score(y1, x, 2), wlcs_score(y2, x, 2)
    (16.0, 4.0)
    """
    f = [float(k) ** weight for k in range(len(prediction) + 1)]
    c = [[0.0] * (len(reference) + 1) for _ in range(len(prediction) + 1)]
    w = [[0] * (len(reference) + 1) for _ in range(len(prediction) + 1)]
    for i, p in enumerate(prediction, 1):
        for j, r in enumerate(reference, 1):
            if p == r:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + f[k + 1] - f[k]
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1]


def weighted_lcs_way(prediction, reference, f):
    """Return the matches on the way back through the weighted table as ROUGE-1.5.5 goes it, each a
    place in the reference and one in the prediction: a match is (diagonal + f[k + 1]) - f[k] and
    goes diagonally; elsewhere to the larger one of above (a token of the reference less) and left,
    above on a tie.

    >>> f = [float(k) ** 2 for k in range(9)]
    >>> weighted_lcs_way("ABXC", "ABCD", f), weighted_lcs_way("BA", "AB", f)
    ([(0, 0), (1, 1), (2, 3)], [(0, 1)])
    """
    value = [[0.0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    run = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, r in enumerate(reference, 1):
        for j, p in enumerate(prediction, 1):
            if r == p:
                k = run[i - 1][j - 1]
                value[i][j] = (value[i - 1][j - 1] + f[k + 1]) - f[k]
                run[i][j] = k + 1
            else:
                value[i][j] = max(value[i - 1][j], value[i][j - 1])
    i, j, way = len(reference), len(prediction), []
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            way.append((i, j))
        elif value[i - 1][j] >= value[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return way[::-1]


def weighted_lcs_positions(prediction, reference, f):
    """Return the positions of the reference on that way.

    >>> f = [float(k) ** 2 for k in range(9)]
    >>> weighted_lcs_positions("ABCDHIK", "ABCDEFG", f), weighted_lcs_positions("BA", "AB", f)
    ({0, 1, 2, 3}, {0})
    """
    return {row for row, _ in weighted_lcs_way(prediction, reference, f)}


def runs(places):
    """Return the lengths of runs of places, each of one or more numbers, that grow by 1.

    >>> runs([(0, 0), (1, 1), (2, 3)])
    [2, 1]
    """
    lengths, last = [], None
    for place in places:
        if last is not None and place == tuple(number + 1 for number in last):
            lengths[-1] += 1
        else:
            lengths.append(1)
        last = place
    return lengths


# --- tokenizers -----------------------------------------------------------------------------------


def rouge_score_tokens(text):
    """Return runs of ASCII letters and digits of the lowercased text: google-research rouge_score,
    tokenize.py.
    """
    return re.findall(r"[a-z0-9]+", text.lower())


def rouge155_tokens(text):
    """Return runs of ASCII letters and digits, of which A-Z are lowercased: what ROUGE-1.5.5.pl
    takes from bytes.
    """
    return [token.lower() for token in re.findall(r"[A-Za-z0-9]+", text)]


# Every ASCII symbol but ' , - and . always stands alone.
_13A_SYMBOL = re.compile("([" + re.escape("".join(set(string.punctuation) - set("',-."))) + "])")


def tokens_13a(text, keeps_end=False):
    """Return the tokens of mteval-v13a (NormalizeText, language-independent part and that for
    Western languages) of a whole text; sacreBLEU takes blanks off its end before, evaluate does not.

    >>> tokens_13a('It&apos;s 1,000.5 &lt;b&gt;, well-known: "A."')
    ['It', '&', 'apos', ';', 's', '1,000.5', '<', 'b', '>', ',', 'well-known', ':', '"', 'A', '.', '"']
    >>> tokens_13a("word-\\n"), tokens_13a("word-\\n", keeps_end=True)
    (['word-'], ['word'])
    """
    text = (text if keeps_end else text.rstrip()).replace("<skipped>", "")
    text = text.replace("-\n", "").replace("\n", " ")
    for entity, character in {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}.items():
        text = text.replace(entity, character)
    text = _13A_SYMBOL.sub(r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)  # period and comma, unless behind a digit
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)  # period and comma, unless before a digit
    text = re.sub(r"([0-9])-", r"\1 - ", text)  # a dash behind a digit
    return text.split()


# --- scores ---------------------------------------------------------------------------------------


def f_measure(precision, recall, beta=1.0, epsilon=0.0):
    """Return (1 + beta^2) P R / (beta^2 P + R + epsilon): Lin 2004, equation 4, where epsilon is 0;
    0 where both are 0.
    """
    if math.isinf(beta):
        return recall
    denominator = beta**2 * precision + recall + epsilon
    return (1 + beta**2) * precision * recall / denominator if denominator else 0.0


def scores(matches, prediction_total, reference_total, beta=1.0, inverse=1.0):
    """Return precision, recall and F; a side without units scores 0."""
    precision = (matches / prediction_total) ** inverse if prediction_total else 0.0
    recall = (matches / reference_total) ** inverse if reference_total else 0.0
    return precision, recall, f_measure(precision, recall, beta)


def perl_samples(n_documents, n_resamples):
    """Yield the documents of each resample of ROUGE-1.5.5: int(rand(n)) of Perl after srand(s).

    >>> list(perl_samples(5, 2))  # perl 5.36: srand(0), srand(1)
    [[0, 3, 0, 4, 2], [0, 2, 4, 1, 2]]
    """
    for seed in range(n_resamples):
        state = (seed << 16) + 0x330E
        drawn = []
        for _ in range(n_documents):
            state = (0x5DEECE66D * state + 11) % 2**48
            drawn.append(int(n_documents * (state / 2**48)))
        yield drawn


def perl_average(scores, n_resamples):
    """Return the average that ROUGE-1.5.5 prints of the scores of documents: the mean of bootstrap
    means, each number added to the sum of those before it.
    """
    means = []
    for drawn in perl_samples(len(scores), n_resamples):
        total = 0.0
        for document in drawn:
            total += scores[document]
        means.append(total / len(scores))
    total = 0.0
    for mean in sorted(means):
        total += mean
    return float(f"{total / n_resamples:.5f}")


def closest_reference_length(prediction_length, reference_lengths):
    """Return the best match length: Papineni et al. 2002, section 2.2.2; on a tie the shorter."""
    return min(reference_lengths, key=lambda length: (abs(length - prediction_length), length))


def bleu(predictions, references, weights=(0.25, 0.25, 0.25, 0.25)):
    """Return BLEU of a corpus: Papineni et al. 2002, section 2.3.

    Parameters
    ----------
    predictions : list of token lists
    references : list of lists of token lists
    weights : sequence of float
        Of each order; they sum to one. An order of weight 0 has no influence.
    """
    prediction_length = sum(map(len, predictions))
    reference_length = sum(
        closest_reference_length(len(p), list(map(len, r)))
        for p, r in zip(predictions, references, strict=True)
    )
    log_mean = 0.0
    for order, weight in enumerate(weights, 1):
        matches = sum(
            ngram_matches(p, r, order) for p, r in zip(predictions, references, strict=True)
        )
        total = sum(max(len(p) - order + 1, 0) for p in predictions)
        if weight and not matches:
            return 0.0
        log_mean += weight * math.log(matches / total) if weight else 0.0
    brevity_penalty = (
        1.0
        if prediction_length >= reference_length
        else math.exp(1 - reference_length / prediction_length)
    )
    return brevity_penalty * math.exp(log_mean)


# --- columns of token ids -------------------------------------------------------------------------

EDGE_LENGTHS = (0, 1, 63, 64, 65, 129)  # around the word of 64 bits
WORD_EDGES = (0, 1, 63, 64, 65, 127, 128, 129, 512, 513)  # around one word, two and eight
VOCABULARIES = (1, 2, 5, 40, 10**6)


def random_texts(rng, lengths, n_types, max_sentences=1):
    """Return a text for each length: a list of at most `max_sentences` sentences, possibly empty,
    of ids below `n_types`.
    """
    texts = []
    for length in lengths:
        ends = np.sort(rng.integers(0, length + 1, rng.integers(0, max_sentences)))
        texts.append(
            [sentence.tolist() for sentence in np.split(rng.integers(0, n_types, length), ends)]
        )
    return texts


def random_pairs(rng, n_types, max_sentences=1, n_short=60):
    """Return predictions and references: each edge length with each, and short texts of mixed
    lengths.
    """
    edges = np.array([(p, r) for p in EDGE_LENGTHS for r in EDGE_LENGTHS])
    lengths = np.concatenate([edges, rng.integers(0, 14, (n_short, 2))])
    return tuple(
        random_texts(rng, side, n_types, max_sentences) for side in rng.permutation(lengths).T
    )


def random_documents(rng, n_types, n_documents):
    """Return short documents of several sentences; the vocabularies of both sides overlap, so that
    tokens which the other side lacks lie between.
    """
    predictions, references = (
        random_texts(rng, rng.integers(0, 25, n_documents), n_types, max_sentences=5)
        for _ in range(2)
    )
    shift = rng.integers(0, n_types, n_documents).tolist()
    return predictions, [
        [[token + k for token in sentence] for sentence in text]
        for text, k in zip(references, shift, strict=True)
    ]


def edited_documents(rng, n_types, n_documents):
    """Return predictions and references of which some sentences are equal, in other places and
    several times, and others begin or end alike.
    """

    def edited(sentence):
        start, end = sorted(rng.integers(0, len(sentence) + 1, 2).tolist())
        new = rng.integers(0, n_types + 2, rng.integers(0, 4)).tolist()
        return [sentence, sentence[:start] + new + sentence[end:]][rng.integers(2)]

    references = random_texts(rng, rng.integers(0, 60, n_documents), n_types, max_sentences=5)
    predictions = [
        [edited(text[k]) for k in rng.integers(0, len(text), rng.integers(0, 6))]
        for text in references
    ]
    return predictions, references


def word_edge_pairs(seed, n_types, max_sentences=1):
    """Return predictions and references of lengths around whole words: each length with itself and
    with the one that follows it. Half of each reference is a part of its prediction.
    """
    rng = np.random.default_rng(seed)
    predictions, references = [], []
    for index, length in enumerate(WORD_EDGES):
        for shift in range(2):
            other = WORD_EDGES[(index + shift) % len(WORD_EDGES)]
            prediction, reference = (rng.integers(0, n_types, n) for n in (length, other))
            shared = min(length, other) // 2
            reference[other - shared :] = prediction[:shared]
            for texts, tokens in ((predictions, prediction), (references, reference)):
                ends = np.sort(rng.integers(0, len(tokens) + 1, rng.integers(0, max_sentences)))
                texts.append([part.tolist() for part in np.split(tokens, ends)])
    return predictions, references


def joined(sentences):
    """Return the tokens of a text without its sentences."""
    return [token for sentence in sentences for token in sentence]


def as_tokens(texts):
    """Return texts, each a list of sentences of ids, as the kernels take them."""
    sentences, first_sentence = flattened(texts)
    values, sentence_offsets = flattened(sentences)
    sentence = np.repeat(np.arange(len(sentences)), np.diff(sentence_offsets))
    n_types = max(values, default=-1) + 1
    return Tokens(
        Ragged(np.array(values, dtype=np.int64), sentence_offsets[first_sentence]),
        sentence,
        n_types,
    )


def as_shared(predictions, references, item_of_reference=None):
    """Return both sides as the kernels take them."""
    return shared_tokens(as_tokens(predictions), as_tokens(references), item_of_reference)


def recording(kernel, name, taken):
    """Return the kernel as a function that notes its name when it is called."""

    def recorded(*arguments):
        taken.add(name)
        return kernel(*arguments)

    return recorded


def expected_pair_matches(count, predictions, references, *, cross_sentences=True):
    """Return the clipped matches of each pair; `count` gives the counts of a list of tokens."""
    units = (lambda text: [joined(text)]) if cross_sentences else (lambda text: text)
    pairs = zip(predictions, references, strict=True)
    return [clipped_matches(*(summed(map(count, units(text))) for text in pair)) for pair in pairs]


# --- weights of a Poisson bootstrap, and sums without rounding ------------------------------------


def poisson_weight(seed, resample, number, pieces_of_weight):
    """The weight of one item: a piece of 16 bits of Philox, looked up in a list of 65,536 weights."""
    weights = [weight for weight, pieces in enumerate(pieces_of_weight) for _ in range(pieces)]
    key = np.array([seed, number % 2**64], dtype=np.uint64)
    numbers = np.random.Philox(key=key).random_raw(resample // 4 + 1)
    return weights[int(numbers[-1]) >> 16 * (resample % 4) & 0xFFFF]


def exact_mean(scores):
    """The mean of what is not NaN, rounded once."""
    defined = [Fraction(score) for score in scores if not math.isnan(score)]
    return float(sum(defined) / len(defined)) if defined else math.nan
