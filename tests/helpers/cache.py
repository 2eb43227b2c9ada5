"""A separate cache for `evaluate`, which reads these variables when it is imported.

Tests and their programs import this before `evaluate`.
"""

import os
import tempfile

os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="rouge_bleu_")
os.environ["HF_UPDATE_DOWNLOAD_COUNTS"] = "0"
for name in ("HF_MODULES_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE", "HF_ENDPOINT"):
    os.environ.pop(name, None)
