"""The folder of the parts: what an earlier run left there, and how the parts become the output.

It holds the plan, the parts and their records.  Names of parts have the digits of their plan: nothing else in
the folder belongs to the run, and it is neither removed nor overwritten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from unidoku.errors import FormatError, ResumeError
from unidoku.files.output import Folder, OutputFile, final_name, refuse_foreign
from unidoku.run.part import INVALID, RECORD, Part, Task
from unidoku.run.plan import Plan, difference
from unidoku.run.sinks import TextSink

if TYPE_CHECKING:
    from unidoku.files.formats import OutputFormat

PLAN = "unidoku-plan.json"
"""File name of the plan."""

_LARGEST = 1 << 28  # bytes of a file that is read back


class PartFolder:
    """The folder of a plan's parts; messages call it `name`.

    In the end the parts are joined in the `output`; without one they are the output, in the given form.
    """

    def __init__(
        self, plan: Plan, name: str, form: OutputFormat, output: str | None, invalid: str | None
    ) -> None:
        self.plan = plan
        self.name = name
        self.folder = Folder(plan.settings.folder, name)
        self._form, self._output, self._invalid = form, output, invalid
        self._stays = output is None and bool(self.folder.names())
        self._text = json.dumps(plan.value(), indent=1).encode() + b"\n"
        self._digits = [_digits(self._text)]

    def task(self, number: int) -> Task:
        """Return a range with all that is needed to make its part."""
        cut = self.plan.ranges[number]
        name = f"part-{number:06d}-{self._digits[0]}"
        return Task(number, name, self.plan.inputs[cut.input], cut, self.plan.settings)

    def begin(self, resume: bool) -> dict[int, Part]:
        """Write the plan; return the parts that an earlier run has made, or remove them without `resume`."""
        self.folder.make()
        names = self.folder.names()
        old = self._read_plan() if PLAN in names else b""
        if old:
            self._digits.append(_digits(old))
        refuse_foreign(names - self._own(names), self.name, "this run did not make")
        if old and resume and (other := difference(json.loads(old), json.loads(self._text))):
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
                part = Part.load(stream.read(_LARGEST), task.name + self.plan.settings.suffix)
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
        if len(kinds) > 1 and self._form.format.name not in ("lines", "jsonl"):
            self.clean()  # another run could not join these parts either
            shown = " and ".join(", ".join(kind) or "none" for kind in sorted(kinds))
            raise FormatError(
                f"the inputs carry different columns ({shown}); all rows of an output must have the same",
                file=self._output or self.name,
            )
        if self._invalid is not None:
            stems = (part.file.removesuffix(self.plan.settings.suffix) for part in parts)
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
                TextSink(joined, self._form, self.plan.settings.options).begin(carried)
            for name in files:
                with self.folder.open(name) as piece:
                    joined.append(piece)

    def _join_arrow(self, output: str, files: Sequence[str]) -> None:
        """Write the record batches of Arrow IPC files, or streams, into one such file."""
        from unidoku.arrow import pyarrow
        from unidoku.files.formats.columnar import record_batches

        ipc, stream = pyarrow().ipc, self._form.suffix == ".arrows"
        read = ipc.open_stream if stream else ipc.open_file
        schema = None
        for name in files:
            with self.folder.open(name) as piece, read(piece) as opened:
                schema = opened.schema
                if next(record_batches(opened), None) is not None:
                    break  # a part without rows has no carried columns
        with (
            OutputFile(output, atomic=True, draft=False).open() as joined,
            (ipc.new_stream if stream else ipc.new_file)(joined.arrow(), schema) as writer,
        ):
            for name in files:
                with self.folder.open(name) as piece, read(piece) as opened:
                    for batch in record_batches(opened):
                        writer.write_batch(batch)

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
