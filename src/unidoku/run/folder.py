"""The folder of the parts: what an earlier run left there, and how the parts become the output.

It holds the plan, the parts and their records.  Names of parts have the digits of their plan: nothing else in
the folder belongs to the run, and it is neither removed nor overwritten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from hashlib import blake2b
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from unidoku import __version__
from unidoku.errors import ResumeError
from unidoku.files.output import Folder, OutputFile, final_name, refuse_foreign
from unidoku.files.storage import is_remote, local_path
from unidoku.run.part import INVALID, RECORD, Part, Plan, Task
from unidoku.run.sink import different_columns
from unidoku.run.sinks import TextSink

if TYPE_CHECKING:
    from unidoku.files.formats import OutputFormat
    from unidoku.run.loop import RunOptions

PLAN = "unidoku-plan.json"
"""File name of the plan."""

_LARGEST = 1 << 28  # bytes of a file that is read back


class PartFolder:
    """The folder of a plan's parts; messages call it `name`.

    In the end the parts are joined in the `output`; without one they are the output, in the given form.
    """

    def __init__(
        self,
        name: str,
        plan: Plan,
        options: RunOptions,
        *,
        form: OutputFormat,
        output: str | None,
        invalid: str | None,
    ) -> None:
        self.name = name
        self.plan = plan
        self.url = name if is_remote(name) else str(local_path(name).absolute())
        self.folder = Folder(self.url, name)
        self._form, self._output, self._invalid = form, output, invalid
        self._stays = output is None and bool(self.folder.names())
        self._options = options
        self._parts: dict[str, Any] = {
            "suffix": form.ending,
            "header": output is None,
            "invalid": invalid is not None,
        }
        depends = {
            "unidoku": __version__,
            "options": options.to_json(),
            **self._parts,
            "part_bytes": plan.part_bytes,
            "inputs": [asdict(each) for each in plan.inputs],
            "ranges": plan.ranges,
        }
        self._text = json.dumps(depends, indent=1).encode() + b"\n"
        self._digits = [_digits(self._text)]

    def task(self, number: int) -> Task:
        """Return what makes the part of a range."""
        cut = self.plan.ranges[number]
        name = f"part-{number:06d}-{self._digits[0]}"
        source = self.plan.inputs[cut.input]
        return Task(name, source, cut, self.url, self._options, **self._parts)

    def begin(self, resume: bool) -> dict[int, Part]:
        """Write the plan; return the parts that an earlier run has made, or remove them without `resume`."""
        self.folder.make()
        names = self.folder.names()
        old = self._read_plan() if PLAN in names else b""
        if old:
            self._digits.append(_digits(old))
        refuse_foreign(names - self._own(names), self.name, "this run did not make")
        if old and resume and (other := _difference(json.loads(old), json.loads(self._text))):
            raise ResumeError(f"cannot resume: {other}; start again without --resume", file=self.name)
        left = self._own(names) - {PLAN}
        self._remove({name for name in left if name.startswith(".")} if resume else left)
        if old != self._text:
            with self.folder.write(PLAN) as stream:
                stream.write(self._text)
        return self.done() if resume else {}

    def done(self) -> dict[int, Part]:
        """Return the parts that are complete, by number."""
        names = self.folder.names()
        found = {}
        for number in range(len(self.plan.ranges)):
            task = self.task(number)
            if task.name + RECORD not in names:
                continue
            with self.folder.open(task.name + RECORD) as stream:
                part = Part.load(stream.read(_LARGEST), task.name + self._form.ending)
            if part is not None and self.folder.size(part.file) == part.size:
                found[number] = part
        return found

    def clean(self, keep: Sequence[Part] = ()) -> None:
        """Remove all files of the run, except some parts; the plan last."""
        self._remove(self._own(self.folder.names()) - {PLAN, *(part.file for part in keep)})
        self.folder.remove([PLAN])
        if not self._stays:
            self.folder.remove_if_empty()

    def finish(self, parts: Sequence[Part]) -> None:
        """Join all parts, and remove everything but the output, which appears complete or not at all."""
        kinds = {tuple(part.columns) for part in parts if part.columns is not None}
        if len(kinds) > 1 and self._form.format.headed:
            self.clean()  # another run could not join these parts either
            raise different_columns(sorted(kinds), self._output or self.name)
        if self._invalid is not None:
            stems = (part.file.removesuffix(self._form.ending) for part in parts)
            self._join(self._invalid, [stem + INVALID for stem in stems])
        files = [part.file for part in parts]
        if self._output is not None and self._form.format.columnar:
            self._join_arrow(self._output, files)
        elif self._output is not None:
            self._join(self._output, files, max(kinds, default=()))
        self.clean(keep=parts if self._output is None else ())

    def _join(self, output: str, files: Iterable[str], carried: tuple[str, ...] | None = None) -> None:
        """Write files one after the other, perhaps after the header of an output with `carried` columns.

        Members of gzip, bz2, xz and zstd are joined like plain text.
        """
        with OutputFile(output, atomic=True, draft=False).open() as joined:
            if carried is not None:
                TextSink(joined, self._form, self._options).begin(carried)
            for name in files:
                with self.folder.open(name) as piece:
                    joined.append(piece)

    def _join_arrow(self, output: str, files: Sequence[str]) -> None:
        """Write the record batches of Arrow IPC files, or streams, into one such file."""
        from unidoku.arrow import pyarrow
        from unidoku.files.formats.columnar import record_batches
        from unidoku.run.arrowsink import ArrowSink

        ipc, file = pyarrow().ipc, OutputFile(output, atomic=True, draft=False)
        read = ipc.open_stream if self._form.suffix == ".arrows" else ipc.open_file
        with ArrowSink(file, self._form, self._options) as joined:
            for name in files:
                with self.folder.open(name) as piece, read(piece) as opened:
                    for batch in record_batches(opened):
                        joined.write((batch, []))
                        joined.flush()

    def _own(self, names: set[str]) -> set[str]:
        """Return those of some names that belong to this plan, or to the one that was in the folder."""
        part = rf"part-\d{{6,}}-(?:{'|'.join(self._digits)})(?:\.[a-z0-9]+)+"
        own = re.compile(rf"{re.escape(PLAN)}|{part}")
        return {name for name in names if own.fullmatch(final_name(name))}

    def _remove(self, names: set[str]) -> None:
        # without its record a part does not exist, so the records come first
        self.folder.remove(sorted(names, key=lambda name: (not name.endswith(RECORD), name)))

    def _read_plan(self) -> bytes:
        with self.folder.open(PLAN) as stream:
            data = stream.read(_LARGEST)
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or "unidoku" not in found:
            raise ResumeError("not the plan of a run in parts, or damaged", file=f"{self.name}/{PLAN}")
        return data


def _digits(plan: bytes) -> str:
    return blake2b(plan, digest_size=6).hexdigest()


def _difference(before: Any, now: Any, place: str = "") -> str:
    """Return the first difference of two JSON values as a text, empty if there is none."""
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(key, before.get(key), now.get(key)) for key in {**now, **before}]
    elif isinstance(before, list) and isinstance(now, list):
        pairs = [(str(k), *pair) for k, pair in enumerate(zip_longest(before, now))]
    elif before == now:
        return ""
    else:
        return f"{place} was {_shown(before)}, now it is {_shown(now)}"
    found = (_difference(one, other, f"{place}.{key}".removeprefix(".")) for key, one, other in pairs)
    return next(filter(None, found), "")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]} …"
