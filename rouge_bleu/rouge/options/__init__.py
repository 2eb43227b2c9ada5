"""The options of `rouge_full`: presets, command lines of ROUGE-1.5.5, signatures.

May import `rouge.measures` and what stands below `rouge`.
"""
