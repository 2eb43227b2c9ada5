"""Tokenizers straight from their descriptions, to compare with."""

import re
import string


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


# Every ASCII symbol but ' , - and . is always a token.
_13A_SYMBOL = re.compile("([" + re.escape("".join(set(string.punctuation) - set("',-."))) + "])")


def tokens_13a(text, keeps_end=False):
    """Return the tokens of mteval-v13a (NormalizeText, language-independent part and that for
    Western languages) of a whole text; sacreBLEU takes spaces off its end before, evaluate does not.

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
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)  # period and comma, unless after a digit
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)  # period and comma, unless before a digit
    text = re.sub(r"([0-9])-", r"\1 - ", text)  # a dash after a digit
    return text.split()
