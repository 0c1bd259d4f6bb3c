"""Declarations from which commands are built, and reports of puzzles."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from unidoku.options import Option, options_of


class Declaration:
    """A command: its docstring is the help, and its fields, each an `option`, are the options."""

    name: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()
    command_options: ClassVar[tuple[Option, ...]] = ()
    """Further options of the command, which `command` takes."""
    common_options: ClassVar[tuple[str | Option, ...]] = ()
    """The options that `command` shares with other commands: names of parameters in
    `unidoku.options.TABLE`, or the option of this command."""
    has_json: ClassVar[bool] = True
    """Whether the command has ``--json``."""
    argument_text: ClassVar[str | None] = None
    """Name of the argument of `command` in the help, or an empty text if there is none.

    None: inputs, from puzzles and files.  Otherwise `command` gets texts: a tuple if the name ends with
    ``...``, otherwise one or None.
    """

    @staticmethod
    def command(*args: Any, **options: Any) -> int:
        """Run the command, and return the exit code; override it if that is more than a run of a task.

        All arguments are keywords: ``inputs``, if there is an argument, and the parameters of the options.
        """
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Check the parameters against their declarations."""
        for option in options_of(type(self)):
            object.__setattr__(self, option.name, option.checked(getattr(self, option.name)))


class Report(Declaration):
    """A report of one puzzle: a frozen dataclass with a method for each of its `formats`.

    These methods take the `subject`.  ``html`` and ``svg`` return a whole file.  The others, such as ``text``
    and ``json``, also take a title that names the puzzle, empty if there is only one.  They yield texts,
    objects for lines of JSON, or `unidoku.shown.Line` for a line with a style.

    Attributes
    ----------
    name, examples
        As of a `Task`.
    formats : tuple of str
        The first one is for standard output; on a terminal, the first one that is text.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)

    def subject(self, cells: str) -> Any:
        """Return the object that the report describes; by default the puzzle."""
        return cells

    def is_right(self, report: Any, /) -> bool:
        """Return whether a puzzle is right; otherwise the exit code is 1."""
        return True

    def on_terminal(self) -> Self:
        """Return the report for a terminal."""
        return self
