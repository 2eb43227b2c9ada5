"""ROUGE. One call, step by step: `scorer.rouge` scores a checked corpus.

scorer            chunks of examples -> counts of pairs -> scores -> averages -> result
counting          the matches and totals of pairs, as Lin 2004 and rouge_score count
rouge155          the same as ROUGE-1.5.5 counts; rouge155_averages: what it prints
other_packages    what other packages do differently; presets: a record of rules for each
scores            from counts to scores of pairs, of examples and of the corpus
explain           what the scores of one example are made of
types             what the name of a rouge type means
"""
