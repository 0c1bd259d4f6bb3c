"""``unidoku info``: what is installed and what this processor runs."""

from __future__ import annotations

import json

import click

from unidoku.cli.command import command
from unidoku.cli.options import options

__all__ = ["info"]


@command("info", "unidoku info", "unidoku info --json")
@options("as_json")
def info(as_json: bool) -> None:
    """Show version, processor, instruction sets, compiler and threads."""
    from unidoku import kernel

    facts = kernel.facts()
    if as_json:
        click.echo(json.dumps(facts))
        return
    click.echo(f"unidoku {facts['version']}")
    click.echo(f"processor        {facts['processor']}")
    click.echo(f"instruction set  {facts['isa']}")
    click.echo(f"usable           {' '.join(facts['usable'])}")
    click.echo(f"compiled         {' '.join(facts['compiled'])}")
    click.echo(f"compiler         {facts['compiler']}")
    click.echo(f"threads          {facts['threads']}")
    lock = "" if facts["gil"] else ", no global interpreter lock"
    click.echo(f"python           {facts['python']}{lock} on {facts['platform']}")
