"""Write a folder of pages, one per puzzle of some inputs, with an index that lists and sorts them."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any

from unidoku.errors import InvalidPuzzleError, OutputError, UnidokuError, writing
from unidoku.files.inputs import expand
from unidoku.files.output import Folder, final_name, lock_folder
from unidoku.files.overlap import refuse_foreign, refuse_overlap, refuse_unwritable
from unidoku.files.storage import is_remote, local_path
from unidoku.native.text.render import render as render_rows
from unidoku.run.rate import Rate
from unidoku.run.sink import Sink
from unidoku.run.start import stage_file
from unidoku.threads import Cancel
from unidoku.view.pages import markup, render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields, InputOptions
    from unidoku.run.progress import Progress
    from unidoku.run.rows import Table
    from unidoku.run.summary import Summary

MANIFEST = "unidoku-pages.json"
"""File name of the manifest, which names the pages of the folder."""

PAGE_SIZE = 900_000
"""Largest number of characters of a page or an index; a longer page is cut off, a longer index continues."""

_BELOW = 9.0  # harder steps take too long
_BUDGET = 100_000  # steps of the step engine, and candidates from which chains are searched
_AHEAD = {"puzzle": 500, "index": 0}  # further pages that the manifest names before they exist
_LARGEST = 10_000  # bytes of a manifest
_NAME = re.compile(r"(puzzle|index)(?:-([1-9][0-9]{0,9}))?\.html")

_COLUMNS = ("number", "er", "steps", "level", "class", "solutions", "clues", "line", "puzzle")
WORDS = {
    "en": {
        "number": "Page",
        "er": "ER",
        "steps": "Steps",
        "level": "Level",
        "class": "Class",
        "solutions": "Solutions",
        "clues": "Clues",
        "line": "Line",
        "puzzle": "Puzzle",
        "help": "Choose a heading to sort by it, again for the opposite order. A + means: at least.",
        "stopped": "The run was stopped before its end; the pages of the first puzzles are listed.",
        "before": "Earlier puzzles",
        "after": "Later puzzles",
        "pages": "Pages",
    },
    "zh": {
        "number": "页",
        "er": "ER",
        "steps": "步数",
        "level": "最深层",
        "class": "难度类",
        "solutions": "解数",
        "clues": "题给格值",
        "line": "行",
        "puzzle": "题目",
        "help": "点击列标题即按该列排序,再点则反序。带 + 的数表示至少。",
        "stopped": "作业中途停止,只列出已完成的题目。",
        "before": "前面的题目",
        "after": "后面的题目",
        "pages": "页",
    },
}


def is_folder(output: str) -> bool:
    """Test whether an output is a folder of pages.

    It is if the folder exists, or if nothing exists and the name ends with ``/`` or has no suffix.
    """
    if output == "-":
        return False
    name = output.rpartition("/")[2]
    if is_remote(output):
        return "." not in name
    path = local_path(output)
    return path.is_dir() if path.exists() else "." not in name


class _Rate(Rate):
    """Rates few puzzles at a time, as a page of each is made before the next ones."""

    chunk_bytes = (64 * 82, 64 * 82)


def write_pages(
    inputs: Input | Iterable[Input],
    output: str,
    page: Callable[[str, str], str],
    *,
    title: str,
    lang: str = "en",
    index_size: int = PAGE_SIZE,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    empty: bool = True,
    **fields: Unpack[InputFields],
) -> Summary:
    """Write a page for each puzzle, and ``index.html``, which sorts them by rating, steps, level and class.

    The pages are called ``puzzle-1.html`` and so on. After `index_size` characters the list continues in
    ``index-2.html``. Memory does not grow with the inputs.

    Parameters
    ----------
    inputs, threads, progress, options, **fields
        As for `unidoku.convert_file`.
    output : str
        Path or URL of the folder, which is created if necessary. The pages of an earlier call are replaced.
    page : callable
        Makes the page of a puzzle from its cells and the name of its index.
    title : str
        Title of the index.
    lang : {"en", "zh"}
        Language of the index.
    index_size : int, optional
        Characters of rows after which the list continues in another index.
    on_failure : callable, optional
        Called with the error of each record without a page, and of each input that cannot be read.
    cancel : Cancel, optional
        Set it to stop the run.
    empty : bool, optional
        Whether inputs without any record replace the pages of an earlier call too.

    Returns
    -------
    Summary
        ``written`` is the number of pages, ``invalid`` that of records without one.

    Raises
    ------
    OutputError
        The folder contains files that its manifest does not name, it is an input, another run is writing it,
        or it cannot be written.
    UnidokuError
        Without `on_failure`: an input cannot be read.
    """
    inputs = expand(inputs)
    refuse_overlap(inputs, folders=[output])
    refuse_unwritable(output.rstrip("/") or "/")
    stop = Cancel() if cancel is None else cancel
    with writing(output), lock_folder(output):
        folder = _PageFolder(Folder(output))
        ends: dict[str, Any] = {"on_failure": on_failure, "cancel": stop}
        pages = _Pages(folder, page, index_size, title=title, lang=lang, **ends)
        ends |= {"threads": threads, "progress": progress, "empty": empty, "options": options, **fields}
        summary = stage_file(inputs, pages, _Rate(_BELOW, _BUDGET), **ends)
    summary.written = pages.written
    summary.invalid = summary.puzzles - pages.written
    return summary


class _Pages(Sink):
    """Writes the page of each puzzle and lists it; writes each full list and begins a new one."""

    columns = ("puzzle", "file", "line", "er", "at_least", "steps", "solutions", "level", "class", "complete")

    def __init__(
        self,
        folder: _PageFolder,
        page: Callable[[str, str], str],
        most: int,
        *,
        cancel: Cancel,
        on_failure: Callable[[UnidokuError], None] | None,
        **titles: str,
    ) -> None:
        self.written = 0
        self._folder = folder
        self._page = page
        self._titles = titles
        self._most = most
        self._cancel = cancel
        self._failed = on_failure or (lambda _: None)
        self._rows: list[str] = []
        self._size = 0
        self._number = 1

    def render(self, table: Table) -> list[dict[str, Any] | InvalidPuzzleError]:
        """Return the ratings, and the errors of the records that are not puzzles, in their order."""
        text = render_rows("jsonl", len(table), [column.native(True) for column in table.columns])
        rows: list[Any] = [json.loads(line) for line in bytes(text).splitlines()]
        for reject in reversed(table.batch.rejects):
            rows.insert(reject.before, reject.error(table.batch.source))
        return rows

    def write(self, piece: list[dict[str, Any] | InvalidPuzzleError]) -> None:
        """Write and list the pages."""
        for row in piece:
            if isinstance(row, InvalidPuzzleError):
                self._failed(row)
                continue
            if len(row["puzzle"]) != 81:
                reason = "a puzzle with pencil marks cannot be rated"
                self._failed(InvalidPuzzleError(reason, file=row["file"], line=row["line"]))
                continue
            full = self._size > self._most
            try:
                text = self._page(row["puzzle"], _name("index", self._number + full))
            except InvalidPuzzleError as error:
                self._failed(InvalidPuzzleError(error.message, file=row["file"], line=row["line"]))
                continue
            if full:
                self._list(after=_name("index", self._number + 1))
                self._rows, self._size, self._number = [], 0, self._number + 1
            self.written += 1
            self._folder.add("puzzle", self.written, text)
            self._rows.append(_row(self.written, row))
            self._size += len(self._rows[-1])

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the last list, also where Ctrl-C or a signal ends the run at once."""
        if kind is None or not issubclass(kind, Exception):
            self._list(stopped=kind is not None or bool(self._cancel))
            self._folder.finish({"puzzle": self.written, "index": self._number})

    def _list(self, *, after: str | None = None, stopped: bool = False) -> None:
        text = render(
            "index.html",
            **self._titles,
            words=WORDS[self._titles["lang"]],
            columns=_COLUMNS,
            rows=markup("\n".join(self._rows)),
            before=_name("index", self._number - 1) if self._number > 1 else None,
            after=after,
            stopped=stopped,
            script="index.js",
        )
        self._folder.add("index", self._number, text)


class _PageFolder:
    """The files of a folder that its manifest names."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._promised = self._read_manifest()
        finals = {name: final_name(name) for name in folder.names()}
        foreign = {
            name
            for name, final in finals.items()
            if final != MANIFEST and not self._is_page(final, self._promised)
        }
        refuse_foreign(foreign, folder.name, "are not pages of an earlier run")
        folder.remove(name for name, final in finals.items() if name != final)

    def add(self, kind: str, number: int, text: str) -> None:
        """Write a page, or a page of the index."""
        if number > self._promised[kind]:
            self._promise({**self._promised, kind: number + _AHEAD[kind]})
        self._write(_name(kind, number), text)

    def finish(self, counts: dict[str, int]) -> None:
        """Remove further pages of an earlier run, and update the manifest."""
        self._folder.remove(
            name
            for name in sorted(self._folder.names())
            if self._is_page(name, self._promised) and not self._is_page(name, counts)
        )
        self._promise(counts)

    def _read_manifest(self) -> dict[str, int]:
        """Return the numbers of pages and of index pages in the manifest."""
        if MANIFEST not in self._folder.names():
            return {"puzzle": 0, "index": 0}
        with self._folder.open(MANIFEST) as file:
            text = file.read(_LARGEST)
        try:
            found = json.loads(text)
            pages, indexes = found["pages"], found["indexes"]
        except (ValueError, KeyError, TypeError):
            pages = indexes = None
        if not (isinstance(pages, int) and isinstance(indexes, int) and pages >= 0 and indexes >= 0):
            raise OutputError("the manifest of the pages is damaged", file=f"{self._folder.name}/{MANIFEST}")
        return {"puzzle": pages, "index": indexes}

    def _promise(self, counts: dict[str, int]) -> None:
        """Write the manifest before the pages that it names, so that they are known after a crash."""
        self._promised = counts
        self._write(MANIFEST, json.dumps({"pages": counts["puzzle"], "indexes": counts["index"]}) + "\n")

    def _is_page(self, name: str, counts: dict[str, int]) -> bool:
        """Test whether a name is among some numbers of pages."""
        match = _NAME.fullmatch(name)
        if match is None or match.groups() == ("puzzle", None):
            return False
        kind, number = match.groups("1")
        return int(number) <= counts[kind]

    def _write(self, name: str, text: str) -> None:
        with self._folder.write(name) as stream:
            stream.write(text.encode())


def _name(kind: str, number: int) -> str:
    """Return the file name of a page: kind ``puzzle`` or ``index``, the number from 1."""
    return "index.html" if (kind, number) == ("index", 1) else f"{kind}-{number}.html"


def _row(number: int, rated: dict[str, Any]) -> str:
    """Return the row of a table, with texts from inputs escaped."""
    more = "" if rated["complete"] else "+"
    er = f"{rated['er'] or '–'}{'+' if rated['at_least'] else ''}"
    numbers = [er, f"{rated['steps']}{more}", f"{rated['level']}{more}", rated["class"] or "–"]
    numbers += [f"{rated['solutions']}{more}", 81 - rated["puzzle"].count(".")]
    cells = "".join(f"<td>{text}</td>" for text in numbers)
    return (
        f'<tr><th scope="row"><a href="{_name("puzzle", number)}">{number}</a></th>{cells}'
        f'<td class="text">{escape(rated["file"])}:{rated["line"]}</td>'
        f'<td class="text"><code>{rated["puzzle"]}</code></td></tr>'
    )
