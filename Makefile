# Every target sets up its requirements: `make demo` and `make test` need only Python 3.10 or later.
# What runs at night or at a release is in .github/workflows, as plain commands.

PYTHON ?= python3
PYTEST := -m pytest -n 2 --dist worksteal

.PHONY: help demo test test-deep test-page test-integrations check docs bench clean
.NOTPARALLEL:
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-18s%s\n", $$1, $$2}' Makefile
	@echo 'ARGS="..." passes options, PYTHON=... chooses the Python to set up from, now $(PYTHON)'

demo: .venv/demo.stamp ## score the example files with both metrics
	.venv/bin/python -m rouge_bleu score examples/summaries.jsonl
	.venv/bin/python -m rouge_bleu score examples/translations.jsonl -m bleu

# Tests start programs, which compile each module once, even if the environment forbids it.
test test-deep test-page: export PYTHONDONTWRITEBYTECODE :=

test: .venv/test.stamp ## run the tests, except the page (ARGS="-k loading" for some of them)
	.venv/bin/python $(PYTEST) --ignore=tests/page $(ARGS)

test-deep: .venv/test.stamp ## run all tests, with ten times as many examples of each property
	.venv/bin/python $(PYTEST) -m "deep or not deep" --hypothesis-profile=deep $(ARGS)

# A browser on a busy machine is sometimes late, so a test that fails is repeated.
test-page: .venv-test-page/stamp ## test the page in a browser; CHROMIUM=... names the browser
	@for name in "$(CHROMIUM)" chromium google-chrome; do command -v "$$name" > /dev/null && exit; done; \
	    apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null || true
	CHROMIUM="$(CHROMIUM)" .venv-test-page/bin/python $(PYTEST) -rsR --reruns 2 tests/page $(ARGS)

# `-W default`: the warnings here come from transformers and other large libraries.
test-integrations: .venv-training/stamp ## test with transformers, TRL, Lightning, lm-eval, lighteval, inspect-ai
	.venv-training/bin/python -m pytest -W default tests/integrations tests/pages/test_examples.py::test_docstrings $(ARGS)

check: .venv/test.stamp ## check format, lint, imports and types
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m ruff check .
	.venv/bin/lint-imports
	.venv/bin/python -m mypy -p rouge_bleu -p rouge_bleu_tools
	.venv/bin/python -m mypy app.py benchmarks/*.py examples/*.py
	mkdir -p build/types && ln -sfn ../.. build/types/clone  # mypy needs a package above a relative import
	cd build/types && ../../.venv/bin/python -m mypy --config-file clone/pyproject.toml -m clone.rouge_full -m clone.bleu_full

docs: .venv-docs/stamp ## build the documentation site in build/site/html; a broken link is an error
	rm -rf build/site && mkdir -p build/site/pages && cp website/zensical.toml build/site
	git ls-files '*.md' '*.toml' docs examples benchmarks tests/golden website LICENSE .github | tar -cf - -T - | tar -xf - -C build/site/pages
	.venv-docs/bin/zensical build --clean --strict --config-file build/site/zensical.toml

bench: .venv-bench/stamp ## measure speed beside other packages
	.venv-bench/bin/python benchmarks/bench.py $(ARGS)

clean: ## remove environments, caches and build output
	rm -rf .venv .venv-* build .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/demo.stamp: requirements.txt
	$(call install,.venv,-r requirements.txt)

.venv/test.stamp: pyproject.toml
	$(call install,.venv,-e '.[test]')

# An environment that is named after the extra of pyproject.toml that it has.
.venv-%/stamp: pyproject.toml
	$(call install,.venv-$*,-e '.[$*]')

.venv-docs/stamp: Makefile
	$(call install,.venv-docs,zensical==0.0.73 mkdocstrings-python==2.0.11 ruff)

.venv-bench/stamp: benchmarks/requirements.txt requirements.txt
	$(call install,.venv-bench,-r benchmarks/requirements.txt)

# $(call install,folder,what pip installs): make a virtual environment unless there is one that works.
define install
@$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or later is needed: choose one with PYTHON=..." * (sys.version_info < (3, 10)) or None)'
@$(1)/bin/python -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear $(1)
@echo "Installing $(2) into $(1): once, until the requirements change"
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(2)
@touch $@
endef
