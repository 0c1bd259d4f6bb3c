# Recipes of development: `just` lists them. They use the environment .venv of this folder; `just setup` makes it.
# Without just, each recipe is the commands that stand in it.

set positional-arguments

export VIRTUAL_ENV := justfile_directory() / ".venv"
export PATH := VIRTUAL_ENV / "bin:" + env("PATH")

_default:
    @just --list

# make the environment: tools and dependencies; enough for `just lint` and the words, `just build` compiles
setup:
    python3 -m venv .venv
    python -m pip install -q -U pip setuptools cython babel rust-just
    UNIDOKU_NATIVE=none python -m pip install -q --no-build-isolation --group lint --group docs -e '.[test]'

# `UNIDOKU_NATIVE=lanes just build` compiles one engine, with `lanes.avx2` one module.
# compile in place what a change in a .pyx, .pxi, .pxd or .h file touches; the first time everything
build:
    python setup.py -q build_ext --inplace

# `just words fr` begins a language.
# take the texts of the code into the catalogs of all languages, say what they do not translate, and compile them
words *languages:
    python tools/words.py "$@"

# run tests: all of them, or what pytest is told (`just test -k "zh or console"`, `just test tests/cli`)
test *arguments:
    python -m pytest -q -n 3 --dist loadfile "$@"

# style, types and sentences, in seconds; .ci/lint has all checks
lint:
    ruff check .
    ruff format --check .
    mypy
    python tools/prose.py

# lint, and the tests of files, commands and craft
quick: lint
    python -m pytest -q -n 3 --dist loadfile tests/files tests/cli tests/craft

# one of each thing that a person gets, side by side in build/gallery/index.html
gallery:
    .ci/gallery

# build the pages into build/site; warnings are errors
docs:
    .ci/docs build/site

# everything that must pass before a change lands, on a clean copy
ci:
    .ci/run
