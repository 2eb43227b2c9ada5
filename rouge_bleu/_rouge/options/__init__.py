"""The options of `rouge_full`, checked: presets, command lines of ROUGE-1.5.5, types.

May import `rouge.families`, `rouge.measures` and what stands below `rouge`.
"""
