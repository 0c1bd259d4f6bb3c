"""The command `info`; `unidoku.kernel.facts` has what it prints."""

from __future__ import annotations

import click

from unidoku import kernel
from unidoku.cli.command import Command
from unidoku.cli.terminal import print_json


def info(*, as_json: bool) -> int:
    """Show version, processor, instruction sets, compiler and threads."""
    facts = kernel.facts()
    if as_json:
        print_json(facts)
        return 0
    for name, fact in facts.items():
        click.echo(f"{name:10} {' '.join(fact) if isinstance(fact, list) else fact}")
    return 0


COMMAND = Command(
    info,
    examples=("unidoku info", "unidoku info --json"),
    argument=None,
)
