"""OpenSudoku's XML."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from unidoku.files.readers.opensudoku import GAME, INFO
from unidoku.files.readers.records import PuzzleRecord
from unidoku.files.writers.base import Writer, plain_cells

__all__ = ["OpenSudokuWriter"]


class OpenSudokuWriter(Writer):
    """Version 1, or version 2 where the first puzzles come with folders.

    The name, author and so on of a version 1 collection are those of its first puzzle.
    """

    in_order = True  # how a game is written depends on the ones before it

    def __init__(self, suffix: str = "") -> None:
        super().__init__(suffix)
        self._folders = False
        self._folder: str | None = None
        self._begun = False

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the declaration; the root's version depends on the columns."""
        self._folders = "folder" in names
        version = ' version="2"' if self._folders else ""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku{version}>\n'.encode()

    def puzzle(self, record: PuzzleRecord) -> str:
        """One game."""
        data = plain_cells(record, ".opensudoku").replace(".", "0")
        if self._folders:
            return self._in_folder(record.extra) + self._game(record.extra, data)
        info = ""
        if not self._begun:
            info = "".join(
                f"  <{tag}>{escape(_legal(record.extra[name]))}</{tag}>\n"
                for tag, name in INFO.items()
                if name in record.extra
            )
            self._begun = True
        return f'{info}  <game data="{data}"/>\n'

    def _in_folder(self, extra: dict[str, str]) -> str:
        folder = extra.get("folder", "")
        if folder == self._folder:
            return ""
        closing = "" if self._folder is None else "  </folder>\n"
        self._folder = folder
        return f"{closing}  <folder name={quoteattr(_legal(folder))}>\n"

    def _game(self, extra: dict[str, str], data: str) -> str:
        attributes = "".join(
            f" {attribute}={quoteattr(_legal(extra[name]))}"
            for attribute, name in GAME.items()
            if name in extra
        )
        return f'    <game{attributes} data="{data}"/>\n'

    def end(self) -> bytes:
        """Return the closing tags."""
        return b"  </folder>\n" * (self._folder is not None) + b"</opensudoku>\n"


def _legal(text: str) -> str:
    """Return the text with a blank for each control character, which XML cannot hold."""
    return "".join(c if c >= " " or c in "\t\n\r" else " " for c in text if c not in "\ufffe\uffff")
