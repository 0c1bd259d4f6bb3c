"""Sphinx configuration: `sphinx-build -W docs build/docs` makes the documentation site."""

import os
import sys
from pathlib import Path

import unidoku

# Docstrings of compiled modules are in the modules, not in their stubs.
os.environ["SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS"] = "1"

project = "unidoku"
author = copyright = "the unidoku developers"
version = release = unidoku.__version__

extensions = [
    "myst_parser",  # pages are Markdown, as on the project's page
    "sphinx.ext.autodoc",  # imports the modules, so compiled ones are documented too
    "sphinx.ext.napoleon",  # numpydoc sections
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
]
intersphinx_mapping: dict[str, tuple[str, None]] = {}  # the build needs no network

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = [
    "myst.xref_missing",  # links to files of the repository, which the site does not hold
    "ref.python",  # stepper and method each have an Event
]

autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # the numpydoc sections say it in words
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True  # attributes are listed once, in the class

html_theme = "furo"
html_title = f"unidoku {version}"
exclude_patterns = ["_build"]


def setup(app: object) -> None:
    """Make the page of the commands."""
    here = Path(__file__).parent
    sys.path.insert(0, str(here.parent / "tools"))
    from command_pages import reference

    (here / "commands.md").write_text(reference(), encoding="utf-8")
