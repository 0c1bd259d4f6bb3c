"""Commands of click from declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from unidoku.errors import UnidokuError
from unidoku.options import Option

Function: TypeAlias = Callable[..., int | None]
"""The function of a command, which returns its exit code."""


def _reader(each: Option) -> Callable[[object], Any]:
    """Return what click calls to read the text of an option."""

    def read(value: object) -> Any:
        try:
            return each.read(value) if isinstance(value, str) else value  # the default
        except UnidokuError as error:
            raise click.BadParameter(error.message) from None

    return read


_SUFFIXES = {"text": (".txt",), "json": (".json", ".jsonl"), "html": (".html", ".htm")}
"""The suffixes of formats that are not the name of the format."""

_METAVARS = {bool: "", int: "N", float: "R", tuple: "NAMES", str: "TEXT"}


def _option_from(each: Option) -> click.Option:
    text, absent = each.help, each.absent
    if absent is None and each.default is not None and each.kind is not bool:
        absent = _shown(each)
    if absent is not None:
        text += f"  [default: {absent}]"
    settings = {"is_flag": True} if each.kind is bool else _value_of(each)
    flags = [*flags_of(each)]
    if each.kind is bool and each.default is True:
        flags[-1] += f"/--no-{each.name.replace('_', '-')}"
    return click.Option([*flags, each.name], help=text, default=each.default, **settings)


class _Formats(click.Choice[str]):
    """Words of formats; a suffix says the same, as it does in the name of an output: ``txt`` is ``text``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word for a word or a suffix."""
        named = (form for form in self.choices if _is_named(form, str(value)))
        return super().convert(next(named, value), param, ctx)


def flags_of(each: Option) -> tuple[str, ...]:
    """Return what an option is called on the command line."""
    return each.flags or (f"--{each.name.replace('_', '-')}",)


def _shown(each: Option) -> str:
    """Return the default of an option as the help shows it."""
    if each.kind is tuple:
        return ",".join(each.default) or "none"
    return f"{each.default:g}" if each.kind is float else str(each.default)


def _value_of(each: Option) -> dict[str, Any]:
    """Return what click is told of the value of an option."""
    if each.kind is list:
        return {"metavar": each.metavar, "multiple": True, "required": True}
    if each.choices is not None and each.kind is not tuple:
        by_word = {str(choice): choice for choice in each.choices}
        words = (_Formats if each.name == "to" else click.Choice)([*by_word], case_sensitive=False)
        return {"metavar": each.metavar, "type": words, "callback": lambda _, __, value: by_word.get(value)}
    return {"metavar": each.metavar or _METAVARS[each.kind], "type": _reader(each)}


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
        parameters = [*arguments, *map(_option_from, options)]
        super().__init__(name, callback=function, help=text, params=parameters)
        self.options = options
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option that needs no value gets one unless a choice follows it."""
        for each in (each for each in self.options if each.alone is not None):
            for place, word in enumerate(args):
                following = "".join(args[place + 1 : place + 2]).lower()
                if word in flags_of(each) and following not in (each.choices or ()):
                    args[place] = f"{word}={each.alone}"
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless an option is given that has no use without another one."""
        for each in self.options:
            is_given = ctx.get_parameter_source(each.name) is not ParameterSource.DEFAULT
            if each.needs and is_given and not any(self._has(ctx, needed) for needed in each.needs):
                raise click.UsageError(f"{flags_of(each)[0]} needs {' or '.join(each.needs)}.", ctx)
        return super().invoke(ctx)

    def _has(self, ctx: click.Context, needed: str) -> bool:
        """Return whether an option is given, such as ``--blank``, or has a value: ``--method book``."""
        flag, _, value = needed.partition(" ")
        if flag == "--to":
            return is_written(value, ctx.params["to"], ctx.params["output"])
        [found] = [ctx.params[str(each.name)] for each in self.params if flag in each.opts]
        return str(found) == value if value else found is not None and found is not False

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
