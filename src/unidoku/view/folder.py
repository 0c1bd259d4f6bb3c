"""Write a folder of pages, one per puzzle of some inputs, with an index that lists and sorts them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from unidoku.declared import PAGE_SIZE
from unidoku.errors import InvalidPuzzleError, OutputError, UnidokuError, writing
from unidoku.files.inputs import Inputs
from unidoku.files.output import Folder, final_name, lock_folder, refuse_foreign, refuse_outputs
from unidoku.options import Options
from unidoku.run.sink import Sink, StoppedError
from unidoku.run.task import run_file
from unidoku.tasks.columns import BELOW
from unidoku.tasks.rate import Rate
from unidoku.threads import Cancel, cancel_of
from unidoku.view.pages import render
from unidoku.words import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.run.summary import Summary
    from unidoku.task import Rows

MANIFEST = "unidoku-pages.json"
"""File name of the manifest, which names the pages of the folder."""

_BUDGET = 100_000  # steps of the step engine, and candidates from which chains are searched
_KINDS = {"pages": "puzzle", "indexes": "index"}  # as the manifest and the names of files call them
_AHEAD = {"pages": 500, "indexes": 0}  # further pages that the manifest names before they exist
_LARGEST = 10_000  # bytes of a manifest
_NAME = re.compile(r"(?:puzzle|index)(?:-([1-9][0-9]{0,9}))?\.html")


class _Rate(Rate):
    """Rates few puzzles at a time, because the pages of these are made before more are rated."""

    at_once = (64, 64, 64)


def write_pages(
    inputs: Input | Iterable[Input],
    output: str,
    page: Callable[[str, str], str],
    *,
    title: str,
    lang: str = "en",
    **options: Unpack[OptionFields],
) -> Summary:
    """Write a page for each puzzle, and ``index.html``, which sorts them by rating, steps, level and class.

    The pages are called ``puzzle-1.html`` and so on. A long list continues in ``index-2.html``. Memory does
    not grow with the inputs.

    Parameters
    ----------
    inputs, **options
        As for `unidoku.check_file`; ``on_failure`` is also called with the error of each record without a
        page.
    output : str
        Path or URL of the folder, which is created if necessary. The pages of an earlier call are replaced.
    page : callable
        Makes the page of a puzzle from its cells and the name of its index.
    title : str
        Title of the index.
    lang : {"en", "zh"}
        Language of the index.

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
    sources = Inputs(inputs)
    refuse_outputs(sources, folders=[output])
    chosen = Options.of(options)
    stop = cancel_of(chosen.cancel)
    with writing(output), lock_folder(output):
        titles, failed = {"title": title, "lang": lang}, chosen.on_failure or (lambda _: None)
        pages = _Pages(_PageFolder(output), page, titles, failed, stop)
        summary = run_file(_Rate(BELOW, _BUDGET), sources, pages, options=replace(chosen, cancel=stop))
    summary.written, summary.invalid = pages.written, pages.refused
    summary.puzzles = pages.written + pages.refused
    return summary


@dataclass(eq=False)
class _Pages(Sink):
    """Writes the page of each puzzle and lists it; writes each full list and begins a new one."""

    columns = (
        *("puzzle", "file", "line", "er", "at_least", "difficulty"),
        *("steps", "solutions", "level", "class", "complete"),
    )

    folder: _PageFolder
    page: Callable[[str, str], str]
    titles: dict[str, str]
    failed: Callable[[UnidokuError], None]
    cancel: Cancel
    written: int = 0
    refused: int = 0
    rows: list[str] = field(default_factory=list)
    size: int = 0
    number: int = 1

    def render(self, rows: Rows) -> list[dict[str, Any] | InvalidPuzzleError]:
        """Return the ratings, and the errors of the records that are not puzzles, in their order."""
        batch = rows.batch
        values = zip(*(column.to_list() for column in rows.named(self.columns)), strict=True)
        found: list[Any] = [dict(zip(self.columns, row, strict=True)) for row in values]
        if batch.place is not None:
            for row, k in enumerate(batch.place):
                if k < 0:
                    found[row] = batch.rejects[~k].error(batch.source)
        return found

    def write(self, piece: list[dict[str, Any] | InvalidPuzzleError]) -> None:
        """Write and list the pages, until the run is cancelled."""
        for row in takewhile(lambda _: not self.cancel, piece):
            if isinstance(row, InvalidPuzzleError):
                self._refuse(row)
                continue
            if len(row["puzzle"]) != 81:
                reason = "a puzzle with pencil marks cannot be rated"
                self._refuse(InvalidPuzzleError(reason, file=row["file"], line=row["line"]))
                continue
            full = self.size > PAGE_SIZE
            try:
                text = self.page(row["puzzle"], _name("indexes", self.number + full))
            except InvalidPuzzleError as error:
                self._refuse(error.at(row["file"], row["line"]))
                continue
            if full:
                self._list(after=_name("indexes", self.number + 1))
                self.rows, self.size, self.number = [], 0, self.number + 1
            self.written += 1
            self.folder.add("pages", self.written, text)
            lang = self.titles["lang"]
            words, difficulties = table(lang)["index"], table(lang)["difficulties"]
            text = render("row.html", number=self.written, row=row, words=words, difficulties=difficulties)
            self.rows.append(text)
            self.size += len(self.rows[-1])

    def _refuse(self, error: InvalidPuzzleError) -> None:
        """Count a record that has no page, and report why."""
        self.refused += 1
        self.failed(error)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the last list, also where Ctrl-C or a signal ends the run at once."""
        stopped = kind is not None and (issubclass(kind, StoppedError) or not issubclass(kind, Exception))
        if kind is None or (stopped and self.written):
            self._list(stopped=bool(self.cancel) or (kind is not None and kind is not StoppedError))
            self.folder.finish({"pages": self.written, "indexes": self.number})

    def _list(self, *, after: str | None = None, stopped: bool = False) -> None:
        text = render(
            "index.html",
            **self.titles,
            words=table(self.titles["lang"])["index"],
            rows="\n".join(self.rows),
            before=_name("indexes", self.number - 1) if self.number > 1 else None,
            after=after,
            stopped=stopped,
            script="index.js",
        )
        self.folder.add("indexes", self.number, text)


class _PageFolder(Folder):
    """A folder of pages: its manifest has the numbers of pages and of indexes, so it names all its files."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._promised = self._read_manifest()
        finals = {name: final_name(name) for name in self.names()}
        foreign = {
            name
            for name, final in finals.items()
            if final != MANIFEST and not _is_page(final, self._promised)
        }
        refuse_foreign(foreign, self.name, "are not pages of an earlier run")
        self.remove(name for name, final in finals.items() if name != final)

    def add(self, kind: str, number: int, text: str) -> None:
        """Write a page, or a page of the index."""
        if number > self._promised[kind]:
            self._promise({**self._promised, kind: number + _AHEAD[kind]})
        self._put(_name(kind, number), text)

    def finish(self, counts: dict[str, int]) -> None:
        """Remove further pages of an earlier run, and update the manifest."""
        old = (name for name in sorted(self.names()) if _is_page(name, self._promised))
        self.remove(name for name in old if not _is_page(name, counts))
        self._promise(counts)

    def _read_manifest(self) -> dict[str, int]:
        if MANIFEST not in self.names():
            return dict.fromkeys(_KINDS, 0)
        with self.open(MANIFEST) as file:
            text = file.read(_LARGEST)
        try:
            found = json.loads(text)
            counts = {kind: found[kind] for kind in _KINDS}
        except (ValueError, KeyError, TypeError):
            counts = {}
        if not counts or not all(isinstance(count, int) and count >= 0 for count in counts.values()):
            raise OutputError("the manifest of the pages is damaged", file=f"{self.name}/{MANIFEST}")
        return counts

    def _promise(self, counts: dict[str, int]) -> None:
        """Write the manifest before the pages that it names, so that they are known after a crash."""
        self._promised = counts
        self._put(MANIFEST, json.dumps(counts) + "\n")

    def _put(self, name: str, text: str) -> None:
        with self.write(name) as stream:
            stream.write(text.encode())


def _is_page(name: str, counts: dict[str, int]) -> bool:
    """Test whether a name is among some numbers of pages."""
    match = _NAME.fullmatch(name)
    return match is not None and any(
        _name(kind, int(match[1] or 1)) == name and int(match[1] or 1) <= counts[kind] for kind in _KINDS
    )


def _name(kind: str, number: int) -> str:
    """Return the file name of a page, or a page of the index, by its number from 1."""
    return "index.html" if (kind, number) == ("indexes", 1) else f"{_KINDS[kind]}-{number}.html"
