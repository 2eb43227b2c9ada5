"""ROUGE: `results.rouge_result` is the way from a checked corpus to the result."""
