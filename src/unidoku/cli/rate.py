"""``unidoku rate``: steps, biggest guess level, class and solutions of every puzzle."""

from __future__ import annotations

import json

import click

from unidoku.errors import UnidokuError

__all__ = ["command"]


@click.command("rate")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Worker threads.  [default: the cores this process may use]",
)
@click.option(
    "--steps", type=click.IntRange(min=0), metavar="N", help="Give a puzzle up after N steps; 0: never."
)
@click.option(
    "--format", "form", metavar="NAME", help="Format of the input, where its content leaves it open."
)
@click.option("--column", metavar="NAME", help="Where the puzzle stands: a column's name, or a field number.")
def command(
    files: tuple[str, ...],
    *,
    as_json: bool,
    threads: int | None,
    steps: int | None,
    form: str | None,
    column: str | None,
) -> int:
    """Rate every puzzle of the FILES, or of standard input.

    Per puzzle: its line; the step engine's steps to the end of the whole search, the solutions found, the
    biggest guess level; and the numerical-analysis method's class (1 theorems, 2 extended zeroing, 3 subsets,
    4 presets; - for a puzzle with no or several solutions). The exit status is 1 if a record is no puzzle.
    """
    from unidoku.files.base import ReadOptions
    from unidoku.native.steps.levels import STEP_LIMIT
    from unidoku.pipeline.rate import rate_files

    found = rate_files(
        files or ("-",),
        threads=threads,
        step_limit=STEP_LIMIT if steps is None else steps,
        format_name=form,
        options=ReadOptions(column=column),
    )
    several = len(files) > 1
    status = 0
    if not as_json:
        click.echo(
            "\t".join([*(["file"] if several else []), "line", "steps", "solutions", "level", "class"])
        )
    for one in found:
        if isinstance(one, UnidokuError):
            click.echo(f"error: {one}", err=True)
            status = 1
        elif as_json:
            data = one.as_dict()
            click.echo(json.dumps({"file": one.source, **data} if several else data, separators=(",", ":")))
        else:
            more = "" if one.complete else "+"
            fields = [
                one.line,
                f"{one.steps}{more}",
                f"{one.solutions}{more}",
                f"{one.biggest_level}{more}",
                one.difficulty or "-",
            ]
            click.echo("\t".join(map(str, [one.source, *fields] if several else fields)))
    return status
