"""``unidoku info``: what is installed and what this processor runs."""

from __future__ import annotations

import json
import platform
import sys
from typing import Any

import click

import unidoku
from unidoku import kernel

__all__ = ["info"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(as_json: bool) -> None:
    """Show version, instruction sets and threads."""
    facts: dict[str, Any] = {
        "version": unidoku.__version__,
        "isa": kernel.isa(),
        "usable": list(kernel.usable()),
        "compiled": list(kernel.compiled()),
        "threads": kernel.default_threads(),
        "python": platform.python_version(),
        "gil": bool(getattr(sys, "_is_gil_enabled", lambda: True)()),
        "platform": f"{platform.system()} {platform.machine()}",
    }
    if as_json:
        click.echo(json.dumps(facts))
        return
    click.echo(f"unidoku {facts['version']}")
    click.echo(f"instruction set  {facts['isa']}")
    click.echo(f"usable           {' '.join(facts['usable'])}")
    click.echo(f"compiled         {' '.join(facts['compiled'])}")
    click.echo(f"threads          {facts['threads']}")
    lock = "" if facts["gil"] else ", no global interpreter lock"
    click.echo(f"python           {facts['python']}{lock} on {facts['platform']}")
