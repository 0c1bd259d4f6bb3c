"""``unidoku info``: what is installed and what this processor runs."""

from __future__ import annotations

import json

import click

from unidoku import machine

__all__ = ["info"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(as_json: bool) -> None:
    """Show version, processor, instruction sets, compiler and threads."""
    facts = machine.facts()
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
