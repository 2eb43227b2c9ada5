# Every target does its own set-up: `make demo` and `make test` need nothing but Python 3.10 or later.
# What is installed once is reused until the requirements change.

PYTHON ?= python3
PYTHON310 ?= python3.10
ARGS ?=

.PHONY: help demo train test test-deep test-oldest test-page test-page-deep screenshots gallery picture docs test-spark test-peers test-training test-endurance mutants simulations coverage check bench bench-quick bench-spark spaces install release-check clean
.NOTPARALLEL:

help:
	@echo "make demo     score the example files with both metrics"
	@echo "make train    train a small model that summarizes, and score it with both metrics after every epoch"
	@echo "make test     run the tests                  (ARGS=\"-k loading\" for some of them)"
	@echo "make test-deep  run them with ten times as many examples, and those that take long"
	@echo "make test-oldest  run the tests with the oldest packages that are supported; needs Python 3.10, now $(PYTHON310)"
	@echo "make test-page  run the tests of app.py in a browser; CHROMIUM=... chooses it"
	@echo "make test-page-deep  run these and those that take long, such as a Space in an environment of its own"
	@echo "make screenshots  draw the page anew for docs/page.md"
	@echo "make gallery  run examples/gallery.ipynb, and write its outputs into it"
	@echo "make picture  draw docs/result.svg, the picture in README.md"
	@echo "make docs     write the documentation site into build/website/html; a broken link is an error"
	@echo "make test-spark  run the tests on Apache Spark and Ray; needs Java"
	@echo "make test-peers  run originals of other fields beside ours: captions, dialogue, languages; one needs Java"
	@echo "make test-training  run the tests on transformers, accelerate, TRL, Lightning and lm-eval"
	@echo "make test-endurance  compute 20,000 times in one process: what grows?"
	@echo "make mutants  break the modules in many small ways: which faults does no test notice?   (ARGS=\"--sample 20 lcs\")"
	@echo "make simulations  how often do intervals hold the true score, and paired tests find what is not there?"
	@echo "make coverage  run the tests: which branches does none of them take?"
	@echo "make check    check format, lint and types"
	@echo "make bench    measure speed beside other packages    (make bench-quick: the main rows)"
	@echo "make bench-spark  2,000,000 rows on Apache Spark, beside one machine; needs Java"
	@echo "make spaces   write a Space folder for each metric into build/"
	@echo "make install  make evaluate.load(\"rouge_full\") and evaluate.load(\"bleu_full\") work in any folder"
	@echo "make release-check  build wheel and sdist, install the wheel, start the Spaces: all of a release but the upload"
	@echo "make clean    remove all that these targets write"
	@echo "PYTHON=... chooses the Python to use or to set up from, now $(PYTHON)"

# What is tried out here is installed into a cache of its own, and asks no Hub.
DEMO_ENV := env -u HF_MODULES_CACHE -u HF_EVALUATE_CACHE -u HF_METRICS_CACHE HF_HOME="$(CURDIR)/.hf" HF_EVALUATE_OFFLINE=1 HF_HUB_OFFLINE=1 EVALUATE_VERBOSITY=error

demo: .venv/demo.stamp
	@$(DEMO_ENV) .venv/bin/python -m rouge_bleu_tools.hub install > /dev/null
	@$(DEMO_ENV) .venv/bin/python examples/demo.py

train: .venv-training/training.stamp
	@$(DEMO_ENV) .venv-training/bin/python -m rouge_bleu_tools.hub install > /dev/null
	@$(DEMO_ENV) .venv-training/bin/python examples/train_summarizer.py --folder build/summarizer $(ARGS)

# Two processes, of which the first to end takes tests from the other. They and the programs that
# they start compile each module once, also where the environment forbids it.
PYTEST := -m pytest -n 2 --dist worksteal
test test-deep test-oldest test-page: export PYTHONDONTWRITEBYTECODE :=

test: .venv/test.stamp
	.venv/bin/python $(PYTEST) $(ARGS)

test-deep: .venv/test.stamp
	.venv/bin/python $(PYTEST) -m "deep or not deep" --hypothesis-profile=deep $(ARGS)

test-oldest: .venv-oldest/oldest.stamp
	.venv-oldest/bin/python $(PYTEST) $(ARGS)

# Debian's Chromium is installed where there is no browser and apt-get may; the tests say what they miss.
# A browser on a busy machine is late now and then, so what fails is tried again.
test-page: .venv-page/page.stamp
	@command -v "$(CHROMIUM)" > /dev/null || command -v chromium > /dev/null || command -v google-chrome > /dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; } || true
	CHROMIUM="$(CHROMIUM)" .venv-page/bin/python $(PYTEST) -rsR --reruns 2 tests/page/browser $(ARGS)

test-page-deep: override ARGS += -m "deep or not deep"
test-page-deep: test-page

screenshots: .venv-page/page.stamp
	CHROMIUM="$(CHROMIUM)" PYTHONPATH=.:tests .venv-page/bin/python tests/programs/screenshots.py

gallery: .venv/test.stamp
	PYTHONPATH=.:tests .venv/bin/python tests/programs/gallery.py

picture: .venv/test.stamp
	.venv/bin/python website/picture.py

docs: .venv-docs/docs.stamp
	.venv-docs/bin/python website/gather.py
	.venv-docs/bin/zensical build --clean --strict --config-file build/website/zensical.toml

# What warns in these three is Spark, transformers and their like: `-W default` makes no error of that.
test-spark: .venv-spark/spark.stamp
	@java -version > /dev/null 2>&1 || { echo "Spark needs Java: apt-get install openjdk-17-jre-headless, or set JAVA_HOME"; exit 1; }
	.venv-spark/bin/python -m pytest -W default tests/examples/test_score_on_spark.py tests/examples/test_ray.py $(ARGS)

test-peers: .venv-peers/peers.stamp
	.venv-peers/bin/python -m pytest -W default tests/peers tests/rouge/elsewhere tests/bleu/other_packages tests/pages/test_coming_from_fields.py $(ARGS)

test-endurance: .venv/test.stamp
	PYTHONPATH=.:tests .venv/bin/python tests/programs/endurance.py $(ARGS)

test-training: .venv-training/training.stamp
	.venv-training/bin/python -m pytest -W default tests/examples/test_train_summarizer.py tests/examples/test_training_page.py $(ARGS)

mutants: .venv/test.stamp
	PYTHONPATH=.:tests .venv/bin/python tests/programs/mutants.py $(ARGS)

# The report comes also where a test fails, as those of times may.
coverage: .venv/test.stamp
	.venv/bin/python -m coverage erase
	-.venv/bin/python -m coverage run $(PYTEST) $(ARGS)
	.venv/bin/python -m coverage combine -q
	.venv/bin/python -m coverage report

simulations: .venv/test.stamp
	PYTHONPATH=.:tests .venv/bin/python tests/programs/simulations.py $(ARGS)

check: .venv/test.stamp
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m ruff check .
	.venv/bin/lint-imports
	.venv/bin/python -m mypy -p rouge_bleu -p rouge_bleu_tools
	.venv/bin/python -m mypy app.py
	@$(TYPE_SCRIPTS)

# mypy needs the name of a package above a relative import: here that of a link to this folder.
define TYPE_SCRIPTS
folder=$$(mktemp -d) && ln -s "$(CURDIR)" $$folder/clone && trap "rm -r $$folder" EXIT && \
cd $$folder && "$(CURDIR)/.venv/bin/python" -m mypy --config-file clone/pyproject.toml -m clone.rouge_full -m clone.bleu_full
endef

bench: .venv-bench/bench.stamp
	.venv-bench/bin/python benchmarks/bench.py $(ARGS)

bench-quick:
	@$(MAKE) --no-print-directory bench ARGS=--quick

bench-spark: .venv-spark/spark.stamp
	PYTHONPATH=examples .venv-spark/bin/python benchmarks/spark.py $(ARGS)

spaces:
	$(PYTHON) -m rouge_bleu_tools.hub build

install:
	$(PYTHON) -m rouge_bleu_tools.hub install

# The tests of a release run before it: make test.
release-check: .venv-release/release.stamp
	.venv-release/bin/python tests/programs/release_check.py build/release $(ARGS)

clean:
	rm -rf .venv .venv-* .hf build .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/demo.stamp: requirements.txt
	$(call install_into,.venv,-r requirements.txt)
	@touch $@

# What is installed is a link to this folder and the extras of pyproject.toml that are named. Those of the tests have what the demo needs.
.venv/test.stamp: pyproject.toml
	$(call install_into,.venv,-e '.[test]')
	@touch $@ .venv/demo.stamp

.venv-bench/bench.stamp: benchmarks/requirements.txt requirements.txt
	$(call install_into,.venv-bench,-r benchmarks/requirements.txt)
	@touch $@

# Zensical succeeds MkDocs and Material for MkDocs, by the authors of the latter. It is young and changes every week: so this version.
.venv-docs/docs.stamp: Makefile
	$(call install_into,.venv-docs,zensical==0.0.73)
	@touch $@

.venv-oldest/oldest.stamp: override PYTHON := $(PYTHON310)
.venv-oldest/oldest.stamp: requirements/oldest.txt pyproject.toml
	$(call install_into,.venv-oldest,-r requirements/oldest.txt -e .)
	@touch $@

.venv-page/page.stamp: pyproject.toml
	$(call install_into,.venv-page,-e '.[test-page]')
	@touch $@

.venv-peers/peers.stamp: pyproject.toml
	$(call install_into,.venv-peers,-e '.[test-peers]')
	for release in 3.2.5 3.4.5 3.5; do \
	    .venv-peers/bin/python -m pip install --quiet --no-deps --upgrade --target .venv-peers/nltk-$$release nltk==$$release || exit 1; \
	done
	@touch $@

.venv-spark/spark.stamp: pyproject.toml
	$(call install_into,.venv-spark,-e '.[test-spark]')
	@touch $@

.venv-training/training.stamp: pyproject.toml
	$(call install_into,.venv-training,-e '.[training]')
	@touch $@

.venv-release/release.stamp: pyproject.toml
	$(call install_into,.venv-release,build twine)
	@touch $@

# $(call install_into,folder,what pip installs): makes the virtual environment if there is none that works.
define install_into
@$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or later is needed, $(PYTHON) is " + sys.version.split()[0] + ": choose one with PYTHON=..." if sys.version_info < (3, 10) else 0)'
@$(1)/bin/python -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear $(1)
@echo "Installing $(2) into $(1): once, until the requirements change"
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(2)
endef
