"""From strings to token ids: sentences, words, stems, tokenizers by name.

May import `ground`.
"""
