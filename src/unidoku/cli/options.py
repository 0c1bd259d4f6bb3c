"""Commands of click, and words that name formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from unidoku.options import Option

Function: TypeAlias = Callable[..., int | None]
"""The function of a command, which returns its exit code."""

_SUFFIXES = {"text": (".txt",), "json": (".json", ".jsonl"), "html": (".html", ".htm")}
"""The suffixes of formats that are not the name of the format."""


class Formats(click.Choice[str]):
    """Words of formats; a suffix says the same, as it does in the name of an output: ``txt`` is ``text``."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__([*names], case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word for a word or a suffix."""
        word = next((form for form in self.choices if _is_named(form, str(value))), value)
        return super().convert(word, param, ctx)


class Command(click.Command):
    """A command; its help ends with exit codes and examples."""

    def __init__(
        self,
        name: str,
        function: Function,
        options: Sequence[Option],
        *,
        text: str,
        examples: tuple[str, ...],
        argument: click.Argument | None,
    ) -> None:
        arguments = [argument] if argument else []
        super().__init__(name, callback=function, help=text, params=[*arguments, *options])
        self.options = options
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option with an optional value gets it unless a choice follows."""
        for option in self.options:
            if isinstance(option.type, click.Choice) and isinstance(option.flag_value, str):
                for place, word in enumerate(args):
                    following = "".join(args[place + 1 : place + 2]).lower()
                    if word in option.opts and following not in option.type.choices:
                        args[place] = f"{word}={option.flag_value}"
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless an option is given that has no use without another one."""
        for option in self.options:
            is_given = ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT
            if option.needs and is_given and not any(self._has(ctx, needed) for needed in option.needs):
                raise click.UsageError(f"{option.opts[0]} needs {' or '.join(option.needs)}.", ctx)
        return super().invoke(ctx)

    def _has(self, ctx: click.Context, needed: str) -> bool:
        """Return whether an option is given, such as ``--blank``, or has a value: ``--method book``."""
        flag, _, value = needed.partition(" ")
        if flag == "--to":
            return is_written(value, ctx.params["to"], ctx.params["output"])
        [actual] = [ctx.params[str(option.name)] for option in self.params if flag in option.opts]
        return str(actual) == value if value else actual is not None and actual is not False

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def suffixes_of(form: str) -> tuple[str, ...]:
    """Return the suffixes of the files in a format."""
    return _SUFFIXES.get(form, (f".{form}",))


def _is_named(form: str, word: str) -> bool:
    """Return whether a word is the name of a format or one of its suffixes, in any case."""
    word = word.lower()
    return word == form or f".{word.removeprefix('.')}" in suffixes_of(form)


def is_written(form: str, to: str | None, output: str) -> bool:
    """Return whether --to or the suffix of an output says that it has this format."""
    return output.lower().endswith(suffixes_of(form)) if to is None else _is_named(form, to)


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}
