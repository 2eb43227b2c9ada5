"""From strings to token ids: sentences, tokenizers, words, stems."""
