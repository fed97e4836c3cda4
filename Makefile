# All targets set up what they need: a virtual environment in .venv, pinned dependencies, generated stubs in gen/.
.DEFAULT_GOAL := help
SHELL := /bin/bash
# Without compiled modules every process that is started compiles all it imports, which takes three times as long.
unexport PYTHONDONTWRITEBYTECODE

# The newest Python of 3.11 and later that runs; `make PYTHON=...` overrides. CPython 3.12 and later serve faster.
PYTHON ?= $(shell for p in python3.13 python3.12 $$HOME/.pyenv/versions/3.13.*/bin/python3 $$HOME/.pyenv/versions/3.12.*/bin/python3 python3.11 python3; do \
  "$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
PROTOS := $(shell find proto -name '*.proto')

.PHONY: help setup proto lock play test lint contract-test faults compose-test bench nightly clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s'|'

.venv/.ready: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Hamle needs Python 3.11 or later; none was found. Set PYTHON=/path/to/python3." >&2; exit 1; }
	@echo "setting up .venv with $(PYTHON)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r <($(BIN)/python -c 'import re; print(re.search(r"^uv==.*?(?=^\S)", open("requirements.lock").read(), re.M | re.S).group())')
	@VIRTUAL_ENV=.venv $(BIN)/uv pip sync -q --compile-bytecode --require-hashes requirements.lock
	@VIRTUAL_ENV=.venv $(BIN)/uv pip install -q --no-deps --no-build-isolation -e .
	@touch $@

gen/.ready: .venv/.ready $(PROTOS)
	@rm -rf gen && mkdir -p gen/include/google/rpc
	@cp $$($(BIN)/python -c 'import google.rpc, os; d = list(google.rpc.__path__)[0]; print(d + "/status.proto", d + "/error_details.proto")') gen/include/google/rpc/
	@$(BIN)/python -m grpc_tools.protoc -Iproto -Igen/include --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc \
	  --python_out=gen --grpc_python_out=gen --mypy_out=quiet:gen --mypy_grpc_out=quiet:gen $(PROTOS)
	@touch $@

setup: gen/.ready

proto: setup ## generate the stubs into gen/

lock: ## write all lock files anew from pyproject.toml
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group dev pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url pyproject.toml -c requirements.lock -o requirements-runtime.lock
	printf 'grpcio-tools\n' | uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header - -c requirements.lock -o deploy/images/requirements-stubs.lock

play: setup ## start everything on this machine; Ctrl-C stops it
	@exec $(BIN)/hamle up

test: setup ## all tests
	@$(BIN)/python -m pytest -n auto -m "not nightly"

lint: setup ## ruff, mypy, import-linter, buf
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/buf lint
	@$(BIN)/python -m deploy.breaking

contract-test: setup ## the log's contract on a Redis in a container; REDIS_IMAGE names another image than redis:7
	@HAMLE_TEST_CONTAINERS=1 TESTCONTAINERS_RYUK_DISABLED=true $(BIN)/python -m pytest tests/core/log/contract -m container

faults: setup ## kill, stop and cut off everything under play (short; FAULTS=20 for 20 times as much)
	@$(BIN)/hamle faults --times $(or $(FAULTS),1)

compose-test: setup ## the containers: brought up, played on, broken, verified
	@$(BIN)/python -m tests.compose.run

bench: setup ## Hamle's figures of the README, medians of 3
	@$(BIN)/python -m bench

nightly: setup ## the long runs
	@HAMLE_NIGHTLY=1 $(BIN)/python -m pytest -n auto
	@$(MAKE) faults FAULTS=20

clean: ## forget the virtual environment and the stubs; matches in data/ are kept
	@rm -rf .venv gen
