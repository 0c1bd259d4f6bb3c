"""Write a folder of pages, one per puzzle of some inputs, with an index that lists and sorts them."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from unidoku.errors import InvalidPuzzleError, OutputError, UnidokuError, writing
from unidoku.files.atomic import lock_folder, open_folder
from unidoku.files.inputs import expand
from unidoku.files.overlap import refuse_foreign, refuse_overlap, refuse_unwritable
from unidoku.files.storage import is_remote, local_path
from unidoku.run.summary import Summary
from unidoku.view.pages import markup, render, script
from unidoku.view.rated import rate_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from unidoku.files.atomic import Folder
    from unidoku.files.inputs import Input
    from unidoku.view.rated import Rating

__all__ = ["MANIFEST", "PAGE_SIZE", "is_folder", "write_pages"]

MANIFEST = "unidoku-pages.json"
"""File name of the manifest, which names the pages of the folder."""

PAGE_SIZE = 900_000
"""Largest number of characters of a page or an index; a longer page is cut off, a longer index continues."""

STEP_LIMIT = 100_000  # steps after which the rating of a puzzle ends
_AHEAD = {"puzzle": 500, "index": 0}  # further pages that the manifest names before they exist
_LARGEST = 10_000  # bytes of a manifest
_NAME = re.compile(r"(puzzle|index)(?:-([1-9][0-9]{0,9}))?\.html")
_TEMPORARY = re.compile(r"\.unidoku-[0-9a-f]{12}-(.+)")

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


def write_pages(
    inputs: Input | Iterable[Input],
    output: str,
    page: Callable[[str, str], str],
    *,
    title: str,
    lang: str = "en",
    index_size: int = PAGE_SIZE,
    on_failure: Callable[[UnidokuError], None] | None = None,
    **options: Any,
) -> Summary:
    """Write a page for each puzzle, and ``index.html``, which sorts them by rating, steps, level and class.

    The pages are called ``puzzle-1.html`` and so on. After `index_size` characters the list continues in
    ``index-2.html``. Memory does not grow with the inputs.

    Parameters
    ----------
    inputs : path or binary file, or several
        As for `unidoku.view.rated.rate_files`.
    output : str
        Path or URL of the folder, which is created if necessary. The pages of an earlier call are replaced.
    page : callable
        Makes the page of a puzzle from its 81 cells and the name of its index.
    title : str
        Title of the index.
    lang : {"en", "zh"}
        Language of the index.
    index_size : int, optional
        Characters of rows after which the list continues in another index.
    on_failure : callable, optional
        Called with the error of each record without a page, and of each input that cannot be read.
    **options
        Options of `unidoku.view.rated.rate_files`, such as ``progress`` and ``cancel``.

    Returns
    -------
    Summary
        ``puzzles`` is the number of records, ``written`` of pages; ``failures`` has the inputs that could not
        be read, and the puzzles without a page.

    Raises
    ------
    OutputError
        The folder contains files that its manifest does not name, it is an input, another run is writing it,
        or it cannot be written.
    """
    inputs = expand(inputs)
    refuse_overlap(inputs, folders=[output])
    refuse_unwritable(output.rstrip("/") or "/")
    done = Summary()
    cancel = options.get("cancel")
    options.setdefault("step_limit", STEP_LIMIT)
    with _opened(output) as folder, _Index(folder, title, lang, index_size) as index:
        for one in rate_files(inputs, **options):
            if isinstance(one, UnidokuError):
                _count(done, one, on_failure)
                continue
            try:
                text = page(one.puzzle, index.file)
            except InvalidPuzzleError as error:
                refused = InvalidPuzzleError(error.message, file=one.source, line=one.line)
                _count(done, refused, on_failure)
                continue
            done.puzzles += 1
            done.written += 1
            index.add(one, text)
        done.complete = not cancel
        index.finish(stopped=not done.complete)
    return done


def _count(done: Summary, error: UnidokuError, on_failure: Callable[[UnidokuError], None] | None) -> None:
    """Count the error of a record or an input, and report it."""
    if isinstance(error, InvalidPuzzleError):
        done.puzzles += 1
        done.invalid += 1
    else:
        done.failures.append(error)
    if on_failure is not None:
        on_failure(error)


@contextmanager
def _opened(output: str) -> Iterator[_PageFolder]:
    """Open the folder, and lock it against other runs."""
    with writing(output), lock_folder(output):
        yield _PageFolder(open_folder(output))


class _PageFolder:
    """The files of a folder that its manifest names."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._promised = self._read_manifest()
        names = folder.names()
        left = {name: found[1] for name in names if (found := _TEMPORARY.fullmatch(name))}
        foreign = {
            name
            for name in names - {MANIFEST}
            if left.get(name) != MANIFEST and not self._is_page(left.get(name, name), self._promised)
        }
        refuse_foreign(foreign, folder.name, "are not pages of an earlier run")
        folder.remove(left)

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


class _Index:
    """Lists the pages as they are written; writes each full list and begins a new one."""

    def __init__(self, folder: _PageFolder, title: str, lang: str, most: int) -> None:
        self._folder = folder
        self._most = most
        self._title = title
        self._lang = lang
        self._words = WORDS[lang]
        self._rows: list[str] = []
        self._size = 0
        self._pages = 0
        self._number = 1

    @property
    def file(self) -> str:
        """Return the name of the list for the next page."""
        return _name("index", self._number + (self._size > self._most))

    def __enter__(self) -> _Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the last list, also where Ctrl-C or a signal ends the run at once."""
        if kind is not None and not issubclass(kind, Exception):
            self.finish(stopped=True)

    def add(self, rating: Rating, text: str) -> None:
        """Write the page of a puzzle and list it."""
        if self._size > self._most:
            self._write(last=False)
        self._pages += 1
        self._folder.add("puzzle", self._pages, text)
        row = _row(self._pages, rating)
        self._rows.append(row)
        self._size += len(row)

    def finish(self, *, stopped: bool = False) -> None:
        """Write the last list."""
        self._write(last=True, stopped=stopped)
        self._folder.finish({"puzzle": self._pages, "index": self._number})

    def _write(self, *, last: bool, stopped: bool = False) -> None:
        number = self._number
        text = render(
            "index.html",
            lang=self._lang,
            title=self._title,
            words=self._words,
            columns=_COLUMNS,
            rows=markup("\n".join(self._rows)),
            before=_name("index", number - 1) if number > 1 else None,
            after=None if last else _name("index", number + 1),
            stopped=stopped,
            script=script("index.js"),
        )
        self._folder.add("index", number, text)
        if not last:
            self._rows, self._size, self._number = [], 0, number + 1


def _name(kind: str, number: int) -> str:
    """Return the file name of a page: kind ``puzzle`` or ``index``, the number from 1."""
    return "index.html" if (kind, number) == ("index", 1) else f"{kind}-{number}.html"


def _row(number: int, one: Rating) -> str:
    """Return the row of a table, with texts from inputs escaped."""
    from html import escape

    more = "" if one.complete else "+"
    numbers = [one.er or "–", f"{one.steps}{more}", f"{one.level}{more}", f"{one.book_class or '–'}"]
    numbers += [f"{one.solutions}{more}", str(81 - one.puzzle.count("."))]
    cells = "".join(f"<td>{text}</td>" for text in numbers)
    return (
        f'<tr><th scope="row"><a href="{_name("puzzle", number)}">{number}</a></th>{cells}'
        f'<td class="text">{escape(one.source)}:{one.line}</td>'
        f'<td class="text"><code>{one.puzzle}</code></td></tr>'
    )
