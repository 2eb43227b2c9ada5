"""A build backend that builds nothing: it tells users of pip what to do instead.

`evaluate` loads a metric from a script or by a name that it knows, never from a package
that pip has installed. An installed package would do nothing, so each hook that pip (or
uv, or `python -m build`) may call ends with the message.
"""

import sys

_MESSAGE = """\
The metrics are scripts for Hugging Face evaluate, and pip cannot install them.
To load them by name in any folder, run this in a clone of the repository:

    pip install -r requirements.txt
    python stage.py install

Then evaluate.load("rouge_full") and evaluate.load("bleu_full") work. Or give
evaluate.load the path of rouge_full.py or bleu_full.py, and install nothing."""


def _refuse(*arguments, **settings):
    """End the process with the message; pip shows it in place of a traceback."""
    sys.exit(_MESSAGE)


get_requires_for_build_wheel = _refuse
get_requires_for_build_editable = _refuse
get_requires_for_build_sdist = _refuse
prepare_metadata_for_build_wheel = _refuse
prepare_metadata_for_build_editable = _refuse
build_wheel = _refuse
build_editable = _refuse
build_sdist = _refuse
