# Forward Pass. `make` lists the recipes. Each set-up step leaves a stamp, so that it runs once.

PORT ?= 8000
HOST ?= 127.0.0.1
BACKEND ?= auto
JOBS ?= 2
PYTHON_BIN := .venv/bin/python
STAMPS := build/stamps
NATIVE_SOURCES := $(shell find grader/native grader/inside -type f -not -path '*/__pycache__/*' 2>/dev/null)
PACKAGE_FILES := pyproject.toml scripts/venv.sh

.DEFAULT_GOAL := help
.PHONY: help run setup test check bench bench-latency peers verify parity hostile frontend native gpu lock clean

help:  ## list the recipes
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

run: setup  ## set up what is missing and serve the course on http://127.0.0.1:8000 (PORT=9000, HOST=0.0.0.0, BACKEND=gpu)
	FORWARDPASS_BACKEND=$(BACKEND) .venv/bin/forwardpass serve --host $(HOST) --port $(PORT)

setup: $(STAMPS)/system-run .venv/stamp-run $(STAMPS)/native

test: $(STAMPS)/system-test .venv/stamp-dev $(STAMPS)/native  ## run every test that needs no GPU, two at a time (JOBS=1); or a part, one by one (TESTS="tests/web -k quiz")
	$(PYTHON_BIN) -m pytest $(or $(TESTS),-n $(JOBS))

check: .venv/stamp-dev  ## lint, types, import contracts, content, repository rules
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	$(PYTHON_BIN) scripts/check_repository.py
	.venv/bin/forwardpass check

bench-latency: $(STAMPS)/system-run .venv/stamp-dev $(STAMPS)/native  ## submit to verdict: tables and ratios against plain processes and a peer
	$(PYTHON_BIN) -m bench latency peers throughput

peers: build/peers/dmoj/installed  ## install what `make bench-latency` compares with, into build/peers

build/peers/dmoj/installed:
	python3 -m venv build/peers/dmoj && build/peers/dmoj/bin/pip install --quiet dmoj && touch $@

bench: $(STAMPS)/system-run .venv/stamp-dev $(STAMPS)/native  ## run the benchmarks and print their ratios (BENCH=cold_submission)
	$(PYTHON_BIN) -m bench $(BENCH)

verify: $(STAMPS)/system-run .venv/stamp-run $(STAMPS)/native  ## grade every sample solution and wrong program of every exercise (BACKEND=gpu)
	$(PYTHON_BIN) -m grader verify --backend $(BACKEND)

parity: $(STAMPS)/system-run .venv/stamp-dev $(STAMPS)/native  ## compare the simulator with the real libcudnn (downloads its wheel, 716 MB); BACKEND=gpu: with the GPU of this machine
	$(PYTHON_BIN) -m tests.native.parity$(if $(filter gpu,$(BACKEND)),.gpu --report build/parity-gpu.json)

hostile: $(STAMPS)/system-test .venv/stamp-dev $(STAMPS)/native  ## run the catalogue of attacks against the sandbox
	$(PYTHON_BIN) -m tests.golden.hostile

frontend:  ## rebuild static/dist (needs Node 18 or newer)
	cd frontend && npm ci && npm run build

native: $(STAMPS)/system-run .venv/stamp-run  ## build the simulator and the call recorder into build/native
	$(PYTHON_BIN) -m grader.native.build

gpu: .venv/stamp-gpu  ## add CuPy, cuDNN 9 and the CUDA 12 runtime to .venv (about 2 GB)

lock: .venv/stamp-dev  ## write the lock files anew from pyproject.toml (UPGRADE=1 for newer versions)
	scripts/lock.sh

clean:  ## remove what was built; keeps .venv and var/ (the database)
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find app grader tests bench scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMPS)/system-run: scripts/system-packages.sh scripts/python.sh
	@mkdir -p $(STAMPS) && scripts/system-packages.sh run && touch $@

$(STAMPS)/system-test: scripts/system-packages.sh scripts/python.sh
	@mkdir -p $(STAMPS) && scripts/system-packages.sh test && touch $@ $(STAMPS)/system-run

.venv/stamp-run: requirements.lock $(PACKAGE_FILES) | $(STAMPS)/system-run
	@scripts/venv.sh requirements.lock && touch $@

# The development lock holds all of requirements.lock, in the same versions.
.venv/stamp-dev: requirements-dev.lock requirements.lock $(PACKAGE_FILES) | $(STAMPS)/system-run
	@scripts/venv.sh requirements-dev.lock && touch $@ .venv/stamp-run

.venv/stamp-gpu: requirements-gpu.lock .venv/stamp-run
	@scripts/venv.sh requirements-gpu.lock && touch $@

$(STAMPS)/native: $(NATIVE_SOURCES) | $(STAMPS)/system-run .venv/stamp-run
	@echo "native part: simulator and call recorder"
	@mkdir -p $(STAMPS) && $(PYTHON_BIN) -m grader.native.build && touch $@
