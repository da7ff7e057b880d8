# Two commands: `make quickstart` shows the system, `make test` checks it. Each makes what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: quickstart test lint types contract unit faults clean

quickstart: $(VENV)/quick.stamp
	$(BIN)/fastnav quickstart --out quickstart

test: lint types contract unit

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

contract: $(VENV)/dev.stamp
	$(BIN)/lint-imports

unit: $(VENV)/dev.stamp
	$(BIN)/pytest -n $(JOBS) --cov --cov-report=term

# Thousands of broken files, options and disks: no traceback, no half-written output, no unclear message.
# And works killed at random moments, which go on to the same bytes.
faults: $(VENV)/dev.stamp
	$(BIN)/python -m tests.bad_input --cases 10000 --seed 1
	$(BIN)/python -m tests.bad_input --subject trained --cases 2000 --seed 1
	$(BIN)/python -m tests.kills --moments 20 --seed 1

$(VENV)/quick.stamp: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[train,report]'
	touch $@

$(VENV)/dev.stamp: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,train]'
	touch $@

clean:
	rm -rf $(VENV) quickstart build dist .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage*
