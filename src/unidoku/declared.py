"""What a command follows from: a declaration; and that of a report of one puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from unidoku.options import options_of

if TYPE_CHECKING:
    from unidoku.options import Option


class Declared:
    """What a command follows from: the docstring is its help, the fields, each an `option`, its options."""

    name: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()
    command_options: ClassVar[tuple[Option, ...]] = ()
    """Further options of the command, which `command` takes."""
    common_options: ClassVar[tuple[str | Option, ...]] = ()
    """The options that `command` has in common with other commands: the names of parameters, as in
    `unidoku.options.TABLE`, or an option as it is in this command."""
    has_json: ClassVar[bool] = True
    """Whether the command has ``--json``."""
    argument_text: ClassVar[str | None] = None
    """What the help calls the argument of `command`.

    None: puzzles and files, from which inputs are made.  Otherwise `command` gets texts as they are: a tuple
    of them if this text ends with ``...``, otherwise one or None.  Without an argument this text is empty.
    """

    @staticmethod
    def command(*args: Any, **options: Any) -> int:
        """Do what the command does, and return the exit code: override it where that is more than a run.

        All is given by name: ``inputs``, unless there is no argument, and each option by its parameter.
        """
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Check the parameters against their declarations."""
        for each in options_of(type(self)):
            object.__setattr__(self, each.name, each.checked(getattr(self, each.name)))


class Report(Declared):
    """What is said of one puzzle: subclass it as a frozen dataclass.

    It has a method for each of its `formats`, which gets what `of` returns.  ``html`` and ``svg`` return a
    whole file.  The others, such as ``text`` and ``json``, also get a title that names the puzzle, empty if
    there is only one.  They yield what is printed: a text, an object, which becomes a line of JSON, or a
    `unidoku.shown.Line`, which has a style.

    Attributes
    ----------
    name, examples
        As of a `Task`.
    formats : tuple of str
        The first one is that of standard output; on a terminal, the first one that it can show.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)

    def of(self, cells: str) -> Any:
        """Return what is reported of a puzzle."""
        return cells

    def is_right(self, report: Any, /) -> bool:
        """Return whether a puzzle is as it should be; otherwise the exit code is 1."""
        return True

    def on_terminal(self) -> Self:
        """Return the report as it is on a terminal."""
        return self
