#!/usr/bin/env bash
# Prints the path of a Python 3.11 or newer that can make virtual environments; says what is missing otherwise.
# The system's Python comes first: the sandbox's unprivileged user can read it, unlike one in somebody's home directory.
set -euo pipefail

for candidate in ${PYTHON:+"$PYTHON"} /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do
  path=$(command -v "$candidate" 2>/dev/null) || continue
  if "$path" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "$path"
    exit 0
  fi
done

echo "error: no Python 3.11 or newer with the venv module was found (python3 is $(python3 --version 2>&1 || true))." >&2
echo "  mend: on Debian 12 or Ubuntu 24.04 and newer, apt-get install python3-venv;" >&2
echo "        on Ubuntu 22.04, apt-get install python3.11-venv; or PYTHON=/path/to/python3.12 make run" >&2
exit 1
