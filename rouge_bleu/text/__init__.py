"""From strings to token ids: sentences, tokenizers, words, stems.

tokenizers       texts -> token ids, and the table of tokenizers by name
mteval, xlsum, other_packages    the records of that table, by what they are for
words            how a column is split into words at once
sentences        texts -> lines of one sentence each
"""
