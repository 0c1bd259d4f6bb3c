# Sourced by the scripts of this folder: strict mode, the repository as working folder, a temporary folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PYTHON=${PYTHON:-python3}
UNIDOKU_INSTALL=${UNIDOKU_INSTALL:-.} # what is tested: a wheel, or this checkout
unset PYTHONPATH # only what is installed counts
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_RETRIES=10 PIP_TIMEOUT=60 # a network may fail for a moment
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# venv DIR [REQUIREMENT ...]: a new virtual environment with these requirements, or options of `uv pip install`; prints
# its folder of programs
venv() {
    "$PYTHON" -m venv "$1"
    local bin=$1/bin
    [ -d "$bin" ] || bin=$1/Scripts # Windows
    if [ $# -gt 1 ]; then
        "$bin/python" -m pip -q install "uv>=0.9" # it takes half the time of pip
        "$bin/uv" pip install -q --compile-bytecode --python "$bin/python" "${@:2}" >&2
    fi
    echo "$bin"
}

# venv_with_groups DIR GROUPS [REQUIREMENT ...]: the same with dependency groups of pyproject.toml, separated by commas
venv_with_groups() {
    local group groups=()
    for group in ${2//,/ }; do groups+=(--group "$group"); done
    venv "$1" "${groups[@]}" "${@:3}"
}

# environment GROUPS [REQUIREMENT ...]: the folder of programs of the environment that .ci/run has made for all its steps
# (UNIDOKU_ENVIRONMENT), or that is active (VIRTUAL_ENV); it has to have these groups of pyproject.toml. Without one, or
# to test a wheel, of a new one with these requirements
environment() {
    local made=${UNIDOKU_ENVIRONMENT:-}
    if [ -z "$made" ] && [ "$UNIDOKU_INSTALL" = . ]; then
        made=${VIRTUAL_ENV:-}
    fi
    if [ -n "$made" ]; then
        local bin=$made/bin
        [ -d "$bin" ] || bin=$made/Scripts
        realpath "$bin"
    else
        venv_with_groups "$work/venv" "$@"
    fi
}

# fresh_tree DIR: a copy of the tracked files, without anything else of this checkout or beside it
fresh_tree() {
    mkdir -p "$1"
    git ls-files -z | xargs -0 cp --parents -t "$1"
}

# apt_install PACKAGE ...: install packages of Debian, one step of .ci/run at a time; the log is $work/apt.log
apt_install() {
    # Without the lock's descriptor, so that no service that a package starts holds the lock.
    local apt=(timeout 600 env DEBIAN_FRONTEND=noninteractive apt-get -q)
    (flock -w 900 9 && "${apt[@]}" update 9>&- && "${apt[@]}" install -y "$@" 9>&-) \
        9>"${TMPDIR:-/tmp}/unidoku-apt.lock" </dev/null >"$work/apt.log" 2>&1
}

# Tests draw pages with Chromium, PDFs with Poppler and Ghostscript; what cannot be installed is skipped.
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v pdftoppm >/dev/null || missing+=(poppler-utils)
command -v gs >/dev/null || missing+=(ghostscript)
if [ ${#missing[@]} != 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt_install "${missing[@]}" || tail -3 "$work/apt.log"
fi
