#!/usr/bin/env bash
# Installs the system packages that Forward Pass needs, and only those that are missing.
# Usage: scripts/system-packages.sh run|test
# Debian and its relatives (apt). Elsewhere it names what to install by hand.
set -euo pipefail

group=${1:-run}
here=$(cd "$(dirname "$0")" && pwd)

# package | what proves that it is here | what it is for
run_packages='
bubblewrap     | command -v bwrap                          | the jail around learner programs
g++            | command -v g++                            | compiles the simulator and C++ submissions
make           | command -v make                           | drives the native build
libseccomp-dev | test -e /usr/include/seccomp.h            | system call filter of the jail
util-linux     | command -v setpriv && command -v prlimit  | drops privileges, sets limits
python3-venv   | "$here/python.sh"                         | Python 3.11 or newer with venv
'
test_packages='
chromium       | command -v chromium || command -v google-chrome              | browser tests
fonts-noto-cjk | ls /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc    | Korean glyphs in screenshots
postgresql     | command -v initdb || ls /usr/lib/postgresql/*/bin/initdb     | web tests on PostgreSQL
'
# Only makes linking faster; the work goes on without it.
optional_packages='mold | command -v mold | faster linking of C++ submissions'

case $group in
  run) required=$run_packages ;;
  test) required=$run_packages$test_packages ;;
  *) echo "usage: $0 run|test" >&2; exit 2 ;;
esac

trim() { local s=$1; s=${s#"${s%%[![:space:]]*}"}; printf '%s' "${s%"${s##*[![:space:]]}"}"; }

# missing TABLE: prints the names of the packages that are not here, with what they are for on standard error.
missing() {
  local package probe purpose
  while IFS='|' read -r package probe purpose; do
    # A probe may itself contain "||": its last field is the purpose.
    while [[ $purpose == *'|'* ]]; do probe="$probe|${purpose%%|*}"; purpose=${purpose#*|}; done
    package=$(trim "$package")
    [[ -n $package ]] || continue
    if ! (eval "$probe") >/dev/null 2>&1; then
      echo "  missing: $package ($(trim "$purpose"))" >&2
      echo "$package"
    fi
  done <<<"$1"
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"
  elif command -v sudo >/dev/null; then sudo DEBIAN_FRONTEND=noninteractive "$@"
  else return 1; fi
}

install() {
  as_root apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" </dev/null >/dev/null
}

echo "system packages ($group):"
mapfile -t needed < <(missing "$required")
if [[ ${#needed[@]} -eq 0 ]]; then
  mapfile -t wished < <(missing "$optional_packages" 2>/dev/null)
  [[ ${#wished[@]} -eq 0 ]] || echo "  not here, and not needed: ${wished[*]}"
  echo "  all present"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "error: this is not a Debian-like system (no apt-get)." >&2
  echo "  mend: install with your package manager what these Debian packages hold: ${needed[*]}" >&2
  exit 1
fi
if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
  echo "error: installing packages needs root, and sudo is not here." >&2
  echo "  mend: run as root: apt-get install -y --no-install-recommends ${needed[*]} mold" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "  installing: ${needed[*]}"
# One unreachable third-party source must not stop the install of Debian's own packages.
as_root apt-get update -qq </dev/null || echo "  warning: some package sources could not be read" >&2
install "${needed[@]}"
if [[ -n $(missing "$optional_packages" 2>/dev/null) ]]; then
  install mold || echo "  mold is not to be had here: linking will be slower" >&2
fi

mapfile -t needed < <(missing "$required")
if [[ ${#needed[@]} -ne 0 ]]; then
  echo "error: still missing after the install: ${needed[*]}" >&2
  if [[ " ${needed[*]} " == *" python3-venv "* ]]; then "$here/python.sh" || true; fi
  exit 1
fi
echo "  installed"
