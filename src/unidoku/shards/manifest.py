"""What stands beside an output: of which inputs and options it is made, and how far it has come."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath

from unidoku.errors import UnidokuError
from unidoku.files.storage import open_folder
from unidoku.pipeline.summary import COUNTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from unidoku.files.storage import Folder
    from unidoku.shards.plan import Plan, Shard

__all__ = ["Manifest", "Mark", "ResumeError", "committed", "ranges"]


class ResumeError(UnidokuError):
    """An output cannot be gone on with: it was begun with other options, another input or another version."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The commit mark of a part: with it the part is there, without it the part is not.

    Attributes
    ----------
    id : str
        Of the shard.
    part : str
        File name of the part.
    size : int
        Bytes of the part.
    lines : int
        Physical lines (or records) read.
    counts : mapping of str to int
        By the names of `unidoku.pipeline.summary.COUNTS`.
    last : int
        Number of the last line (or record) with a row.
    columns : sequence of str or None
        The carried columns of its rows, None where it has none.
    rejects : sequence of (str, int, int)
        Message, line and column of the first invalid lines.
    mismatches : sequence of (str, int, int)
        The first wrong answers.
    error : str or None
        What kept the shard from being read to its end; it is then not done, only as much as could be.
    """

    id: str
    part: str
    size: int
    lines: int
    counts: Mapping[str, int]
    last: int = 0
    columns: Sequence[str] | None = None
    rejects: Sequence[tuple[str, int, int]] = ()
    mismatches: Sequence[tuple[str, int, int]] = ()
    error: str | None = None

    @classmethod
    def load(cls, data: bytes) -> Mark:
        """From the content of its file."""
        fields = json.loads(data)
        columns = fields["columns"]
        fields["columns"] = None if columns is None else tuple(columns)
        for key in ("rejects", "mismatches"):
            fields[key] = tuple(tuple(each) for each in fields[key])
        return cls(**fields)

    def dump(self) -> bytes:
        """As the content of its file."""
        return json.dumps(asdict(self)).encode() + b"\n"


def mark_name(shard: Shard) -> str:
    """File name of a shard's commit mark."""
    return f"part-{shard.id}.json"


def part_name(shard: Shard, suffix: str) -> str:
    """File name of a shard's part."""
    return f"part-{shard.id}{suffix}"


def notes_of(shard_id: str) -> str:
    """File name of the messages about a shard's invalid lines."""
    return f"part-{shard_id}.invalid"


def committed(plan: Plan, place: Folder) -> dict[str, Mark]:
    """The shards of a plan that need not be done again, by id.

    A mark counts when it is whole and its part is there with the size it names.
    """
    names = place.names()
    found = {}
    for shard in plan.shards:
        if mark_name(shard) not in names:
            continue
        with suppress(ValueError, TypeError, KeyError), place.open(mark_name(shard)) as stream:
            mark = Mark.load(stream.read())
            if mark.id == shard.id and mark.error is None and place.size(mark.part) == mark.size:
                found[shard.id] = mark
    return found


def total(marks: Iterable[Mark]) -> dict[str, int]:
    """The counts of some shards together."""
    counts: Counter[str] = Counter()
    for mark in marks:
        counts.update(mark.counts)
    return {key: counts[key] for key in COUNTS}


def total_by_input(plan: Plan, marks: Mapping[str, Mark]) -> list[dict[str, int]]:
    """The counts of some shards, by input."""
    parts: list[list[Mark]] = [[] for _ in plan.inputs]
    for shard in plan.shards:
        if shard.id in marks:
            parts[shard.input].append(marks[shard.id])
    return [total(part) for part in parts]


def ranges(plan: Plan, done: Iterable[str]) -> list[dict[str, Any]]:
    """Which bytes (or row groups) of each input are done, neighbours joined."""
    ids = set(done)
    found = [{"input": source.url, "unit": "bytes", "done": []} for source in plan.inputs]
    for shard in plan.shards:
        entry: dict[str, Any] = found[shard.input]
        if shard.kind == "rows":
            entry["unit"] = "row groups"
        if shard.id in ids:
            runs: list[list[int]] = entry["done"]
            if runs and runs[-1][1] == shard.start:
                runs[-1][1] = shard.stop
            else:
                runs.append([shard.start, shard.stop])
    return found


class Manifest:
    """The manifest of one output.

    Parameters
    ----------
    output : str
        Path or URL of the output; the manifest is called the same with ``.manifest.json`` behind it.
    """

    def __init__(self, output: str) -> None:
        parent, slash, name = output.rstrip("/").rpartition("/")
        self.name = f"{name}.manifest.json"
        self.url = f"{output.rstrip('/')}.manifest.json"
        self._place = open_folder((parent or slash or ".") if "://" not in output else parent)

    def read(self) -> dict[str, Any] | None:
        """The manifest, None where there is none.

        Raises
        ------
        ResumeError
            When the file is not a manifest.
        """
        try:
            with self._place.open(self.name) as stream:
                data = json.loads(stream.read())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except ValueError as error:
            raise ResumeError("not a manifest of unidoku", file=self.name) from error
        if not isinstance(data, dict) or "unidoku" not in data:
            raise ResumeError("not a manifest of unidoku", file=self.name)
        return data

    def write(
        self, plan: Plan, marks: Mapping[str, Mark], *, complete: bool = False, failed: Iterable[str] = ()
    ) -> None:
        """Put down where the output stands."""
        data = {
            **_header(plan),
            "shards": len(plan.shards),
            "shards_done": len(marks),
            "complete": complete,
            "totals": total(marks.values()),
            "by_input": total_by_input(plan, marks),
            "ranges": ranges(plan, marks),
            "failed": list(failed),
        }
        with self._place.write(self.name) as stream:
            stream.write(json.dumps(data, indent=1).encode() + b"\n")

    def remove(self) -> None:
        """Remove it."""
        self._place.remove([self.name])


def _header(plan: Plan) -> dict[str, Any]:
    return {
        "unidoku": plan.version,
        "inputs": [asdict(source) for source in plan.inputs],
        "options": plan.options.to_json(),
        "target_bytes": plan.target_bytes,
    }


def refuse_other(old: Mapping[str, Any], plan: Plan, output: str) -> None:
    """Make sure that an output was begun by the same plan.

    Raises
    ------
    ResumeError
        Naming what differs.
    """
    new = _header(plan)

    def no(what: str) -> ResumeError:
        return ResumeError(f"cannot resume: {what}; start again without --resume", file=output)

    if old["unidoku"] != new["unidoku"]:
        raise no(f"it was begun by unidoku {old['unidoku']}, this is {new['unidoku']}")
    before, now = old.get("options", {}), new["options"]
    for key in sorted({*before, *now}):
        if before.get(key) != now.get(key):
            raise no(f"it was begun with {key} {_show(before.get(key))}, now it is {_show(now.get(key))}")
    if old.get("target_bytes") != new["target_bytes"]:
        raise no(f"its shards have {old.get('target_bytes')} bytes, now {new['target_bytes']}")
    was, are = old.get("inputs", []), new["inputs"]
    if [source["url"] for source in was] != [source["url"] for source in are]:
        raise no(f"its inputs were {_names(was)}, now {_names(are)}")
    for one, other in zip(was, are, strict=True):
        for key, word in (("size", "size"), ("stamp", "time of last change"), ("sample", "content")):
            if one[key] != other[key]:
                raise no(f"the {word} of {one['url']} has changed since ({one[key]}, now {other[key]})")


def _names(sources: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(PurePosixPath(source["url"]).name for source in sources) or "none"


def _show(value: object) -> str:
    return json.dumps(value) if value not in (None, [], "") else "unset"
