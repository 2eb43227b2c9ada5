"""ROUGE: `results.RougePlan` is the way from a checked corpus to the result."""
