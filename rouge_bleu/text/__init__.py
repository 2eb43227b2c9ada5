"""From strings to token ids: sentences, words, stems, tokenizers by name.

    tokenizers      a column of texts -> token ids
    named           the record of each tokenizer that has a name: one is added here
    words           how a column is cut at once, by bytes; `words_of_scripts`, by characters
    sentence_lines  texts -> lines of one sentence each

What is here sees texts and returns words or ids; it knows no metric and no option but how
texts become tokens. May import `ground`.
"""
