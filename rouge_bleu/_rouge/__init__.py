"""ROUGE: `scorer.rouge` scores a checked corpus."""
