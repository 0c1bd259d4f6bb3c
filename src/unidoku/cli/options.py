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


def _reader(option: Option) -> Callable[[object], Any]:
    """Return the function with which click reads the text of an option."""

    def read(value: object) -> Any:
        try:
            return option.read(value) if isinstance(value, str) else value  # the default
        except UnidokuError as error:
            raise click.BadParameter(error.message) from None

    return read


_SUFFIXES = {"text": (".txt",), "json": (".json", ".jsonl"), "html": (".html", ".htm")}
"""The suffixes of formats that are not the name of the format."""

_METAVARS = {bool: "", int: "N", float: "R", tuple: "NAMES", str: "TEXT"}


def _option_from(option: Option) -> click.Option:
    """Return the option of click for a declaration."""
    text, absent = option.help, option.absent
    if absent is None and option.default is not None and option.kind is not bool:
        absent = _default_text(option)
    if absent is not None:
        text += f"  [default: {absent}]"
    settings = {"is_flag": True} if option.kind is bool else _value_settings(option)
    flags = [*flags_of(option)]
    if option.kind is bool and option.default is True:
        flags[-1] += f"/--no-{option.name.replace('_', '-')}"
    return click.Option([*flags, option.name], help=text, default=option.default, **settings)


class _Formats(click.Choice[str]):
    """Words of formats; a suffix says the same, as it does in the name of an output: ``txt`` is ``text``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word for a word or a suffix."""
        word = next((form for form in self.choices if _is_named(form, str(value))), value)
        return super().convert(word, param, ctx)


def flags_of(option: Option) -> tuple[str, ...]:
    """Return the flags of an option on the command line."""
    return option.flags or (f"--{option.name.replace('_', '-')}",)


def _default_text(option: Option) -> str:
    """Return the default of an option as the help shows it."""
    if option.kind is tuple:
        return ",".join(option.default) or "none"
    return f"{option.default:g}" if option.kind is float else str(option.default)


def _value_settings(option: Option) -> dict[str, Any]:
    """Return the settings of click for the value of an option."""
    if option.kind is list:
        return {"metavar": option.metavar, "multiple": True, "required": True}
    if option.choices is not None and option.kind is not tuple:
        by_word = {str(choice): choice for choice in option.choices}
        words = (_Formats if option.name == "to" else click.Choice)([*by_word], case_sensitive=False)
        return {"metavar": option.metavar, "type": words, "callback": lambda _, __, word: by_word.get(word)}
    return {"metavar": option.metavar or _METAVARS[option.kind], "type": _reader(option)}


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
        for option in (option for option in self.options if option.alone is not None):
            for place, word in enumerate(args):
                following = "".join(args[place + 1 : place + 2]).lower()
                if word in flags_of(option) and following not in (option.choices or ()):
                    args[place] = f"{word}={option.alone}"
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless an option is given that has no use without another one."""
        for option in self.options:
            is_given = ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT
            if option.needs and is_given and not any(self._has(ctx, needed) for needed in option.needs):
                raise click.UsageError(f"{flags_of(option)[0]} needs {' or '.join(option.needs)}.", ctx)
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
