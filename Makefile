# make setup | demo | test | soak | bench | docs | compiled | pure
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
SOURCES := $(shell find compiler runtime grammar -type f -not -path '*/__pycache__/*' -not -path '*.egg-info/*' -not -path '*/.wheel/*' -not -name '*.so')

.PHONY: setup demo test lint types soak bench docs compiled pure clean

setup: $(COMPILED)

$(STAMP): pyproject.toml runtime/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./runtime -e '.[dev]'
	mkdir -p build/types/grimoire
	for part in compiler runtime grammar; do ln -sfn ../../../$$part build/types/grimoire/$$part; done
	touch $(STAMP)

# Byte code and the parser's table: a command then starts in a third of the time, also where Python may not write byte code by itself.
# What cannot be compiled is left to the tests to tell.
$(COMPILED): $(STAMP) $(SOURCES)
	-$(BIN)/python -m compileall -q compiler runtime grammar $(VENV)/lib/python*/site-packages/__editable__*.py
	-$(BIN)/python -c 'from grimoire.compiler.syntax.parse import install_parser; install_parser()'
	touch $(COMPILED)

demo: setup
	$(BIN)/grimoire check content
	$(BIN)/grimoire play $(shell test -d content/unfathomable && echo unfathomable || echo love-letter) --bots --seed 7

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy -p grimoire.compiler -p grimoire.runtime

# The pure kernel is the reference; the suite builds a compiled one for itself and compares.
test: pure lint types
	$(BIN)/python -m pytest -n 2

soak: setup
	$(BIN)/python -m tests.soak

bench: setup
	$(BIN)/python -m tests.bench

# The kernel as extension modules beside its sources, for this Python alone; `make pure` takes them away. Compile again after an edit.
compiled: setup
	GRIMOIRE_COMPILED=1 $(BIN)/python runtime/setup.py --quiet build_ext --inplace

pure:
	find runtime -name '*.so' -delete -o -name '*.pyd' -delete

docs: setup
	$(BIN)/mkdocs build --strict

clean: pure
	rm -rf $(VENV) build *.egg-info runtime/*.egg-info runtime/.wheel .mypy_cache .ruff_cache .pytest_cache site
