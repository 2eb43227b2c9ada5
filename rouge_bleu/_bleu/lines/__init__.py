"""Lines of other programs that say how they score, as presets.

    perl        command lines of mteval-v13a.pl, multi-bleu.perl and multi-bleu-detok.perl
    sacrebleu   signatures of sacreBLEU, in the forms before 2.0 and since

Imports nothing of BLEU.
"""
