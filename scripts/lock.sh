#!/usr/bin/env bash
# Writes the lock files anew from pyproject.toml: names, versions, hashes; no addresses, no paths of a machine.
# One resolution for every platform and Python from 3.11, so that one file serves all. UPGRADE=1 takes newer versions.
set -euo pipefail
cd "$(dirname "$0")/.."

inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT

# setuptools builds our own package: it is locked like everything else.
echo "setuptools>=69" >"$inputs/build.in"
# The grader runs on its own with two of the dependencies (and the extra `gpu`), for example in its container.
.venv/bin/python - "$inputs" <<'PYTHON'
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
grader = [line for line in project["dependencies"] if line.startswith(("numpy", "pyyaml"))]
for name, lines in {"grader.in": grader, "gpu.in": grader + project["optional-dependencies"]["gpu"]}.items():
    Path(sys.argv[1], name).write_text("\n".join(lines) + "\n")
PYTHON

compile() {
  local output=$1
  shift
  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
    ${UPGRADE:+--upgrade} --output-file "$output" "$@"
}

compile requirements.lock pyproject.toml "$inputs/build.in"
compile requirements-dev.lock pyproject.toml "$inputs/build.in" --extra dev --constraint requirements.lock
compile requirements-grader.lock "$inputs/grader.in" --constraint requirements.lock
compile requirements-gpu.lock "$inputs/gpu.in" --constraint requirements.lock
