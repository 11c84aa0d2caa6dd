# Two commands set everything up: `make demo` shows the product, `make test` runs the whole gate.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS   ?= 2

.PHONY: demo test check format lint types imports stated counts unit wheel lock bench manifest conformance graders clean help

help:
	@echo "make demo    install into $(VENV), index examples/, ask questions, show client configuration"
	@echo "make test    install what the gate needs, then run the whole gate"
	@echo "make check   the gate alone"
	@echo "make bench   measure on generated and example data (see benchmarks/)"
	@echo "make conformance, make graders    the protocol's own suite and inspector (npm), independent graders (PyPI)"
	@echo "make counts  correct the numbers of tools and tests in the documents"
	@echo "make manifest    write mcp.yaml anew, after a change to the tools"
	@echo "make lock    resolve requirements/*.txt anew"

demo: $(VENV)/.run
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev
	@$(MAKE) --no-print-directory check

check: lint types imports stated wheel unit

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python scripts/check_sizes.py src tests benchmarks conformance scripts examples

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

# What the documents state of the number of tools and tests.
stated: $(VENV)/.dev
	$(BIN)/python scripts/check_counts.py

counts: $(VENV)/.dev
	$(BIN)/python scripts/check_counts.py --write

# Built and tried in an environment that holds nothing but what the wheel asks for.
wheel: $(VENV)/.dev
	PYTHON=$(BIN)/python scripts/try_wheel.sh

unit: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

manifest: $(VENV)/.run
	$(BIN)/python scripts/write_manifest.py

# No package's install script is run. `npm ci` would refuse a lock without the optional packages of other systems.
conformance: $(VENV)/.run build/conformance/.installed
	$(BIN)/python -m conformance

build/conformance/.installed: conformance/package.json conformance/package-lock.json
	@mkdir -p $(@D)
	cp $^ $(@D)
	cd $(@D) && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

graders: $(VENV)/.run build/graders/.installed
	$(BIN)/python -m conformance.graders

build/graders/.installed: requirements/graders.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

lock:
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/python -m pip install --quiet uv==0.13.9
	cd requirements && for name in run build dev graders; do \
	  ../$(VENV)/lock/bin/uv pip compile --quiet $$(test $$name = run && echo ../pyproject.toml || echo $$name.in) \
	    $$(test $$name = dev && echo ../pyproject.toml build.in) \
	    --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --custom-compile-command "make lock" --output-file $$name.txt || exit 1; done

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt requirements/build.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing the product into $(VENV) …"
	@$(PIP) --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.run
	@echo "Installing what the gate needs into $(VENV) …"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

clean:
	rm -rf $(VENV) .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
