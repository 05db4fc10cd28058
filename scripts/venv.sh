#!/usr/bin/env bash
# Makes .venv and installs exactly what a lock file says, each file checked against its hash.
# Usage: scripts/venv.sh LOCK…      (requirements.lock, requirements-dev.lock, requirements-gpu.lock)
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! -x .venv/bin/python ]]; then
  python=$(scripts/python.sh)
  echo "virtual environment: .venv with $("$python" --version)"
  "$python" -m venv .venv
fi

for lock in "$@"; do
  echo "dependencies: $lock"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r "$lock"
done
# setuptools is in the lock, so that building our own package fetches nothing beside it.
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
