"""What single implementations of BLEU do otherwise, a file for each.

Each file gives a `Formula` for the presets, and has its rules in its docstring. May
import `smoothing` and `brevity` of BLEU.
"""
