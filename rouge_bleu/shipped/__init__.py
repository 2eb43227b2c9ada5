"""The metric scripts as modules: `rouge_bleu.shipped.rouge_full` is `rouge_full.py`.

In a wheel the scripts lie in this folder, in a clone beside the package. A script imports
the package `rouge_bleu` from its own folder, as in the copies of `evaluate`. So this
package looks into two folders, its own and the one that holds `rouge_bleu`. What it finds
are modules with names that every process with this package can import: that is why a
metric can be pickled.
"""

from os.path import dirname

__path__.append(dirname(dirname(__path__[0])))
