"""The command `info`; `unidoku.kernel.facts` has what it prints."""

from __future__ import annotations

from typing import ClassVar

import click

from unidoku import kernel
from unidoku.cli.terminal import print_json
from unidoku.task import Declaration


class Info(Declaration):
    """Show version, processor, instruction sets, compiler and threads."""

    name: ClassVar[str] = "info"
    examples: ClassVar[tuple[str, ...]] = ("unidoku info", "unidoku info --json")
    argument_text: ClassVar[str | None] = ""

    @staticmethod
    def command(*, as_json: bool) -> int:
        """Print the facts."""
        facts = kernel.facts()
        if as_json:
            print_json(facts)
            return 0
        for name, fact in facts.items():
            click.echo(f"{name:10} {' '.join(fact) if isinstance(fact, list) else fact}")
        return 0
