#!/usr/bin/env bash
# Writes the lock files anew from pyproject.toml: names, versions, hashes; no addresses, no paths of a machine.
# One resolution for every platform and Python from 3.11, so that one file serves all. UPGRADE=1 takes newer versions.
set -euo pipefail
cd "$(dirname "$0")/.."

compile() {
  local output=$1
  shift
  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
    ${UPGRADE:+--upgrade} --output-file "$output" "$@"
}

# setuptools builds our own package: it is locked like everything else.
build=$(mktemp --suffix .in)
trap 'rm -f "$build"' EXIT
echo "setuptools>=69  # the build system" >"$build"

compile requirements.lock pyproject.toml "$build" --no-annotate
compile requirements-dev.lock pyproject.toml "$build" --no-annotate --extra dev --constraint requirements.lock
compile requirements-gpu.lock pyproject.toml "$build" --no-annotate --extra gpu --constraint requirements.lock
