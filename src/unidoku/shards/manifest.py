"""The files that describe an unfinished output: the manifest, and a commit record for each part.

Both are in the folder of the parts.  They are removed when the output is finished.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache

from unidoku.errors import ResumeError
from unidoku.kernel import MAX_COUNT
from unidoku.run.summary import COUNTS, SHOWN
from unidoku.shards.schema import (
    Mismatch,
    array,
    constant,
    flag,
    load,
    number,
    optional,
    real,
    record,
    text,
    values,
)
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from unidoku.files.atomic import Folder
    from unidoku.shards.plan import Plan, Shard
    from unidoku.shards.schema import Check

__all__ = ["MANIFEST", "Commit", "Manifest", "committed", "files_of", "refuse_other", "total"]

MANIFEST = "unidoku-manifest.json"
"""File name of the manifest."""

_BEGIN = re.compile(rb'\s*\{\s*"unidoku"')
_LARGEST = 1 << 28  # bytes of a file that is read back


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit record of a part: the part exists if and only if its record exists."""

    id: str
    part: str
    size: int
    lines: int
    counts: Mapping[str, int]
    last: int = 0
    columns: Sequence[str] | None = None
    rejects: Sequence[tuple[str, int, int]] = ()
    mismatches: Sequence[tuple[str, int, int]] = ()
    error: tuple[str, str, int | None, int | None] | None = None

    @classmethod
    def load(cls, data: bytes, shard: Shard, suffix: str, file: str) -> Commit:
        """Read the record of a shard."""
        fields = load(data, _commit_schema(shard.id, suffix), file, "the commit record of its part")
        return cls(**{name: _frozen(value) for name, value in fields.items()})

    def dump(self) -> bytes:
        """Return the content of its file."""
        return json.dumps(asdict(self)).encode() + b"\n"


def _frozen(value: Any) -> Any:
    """Return an array of JSON as a tuple."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def commit_name(shard_id: str) -> str:
    """File name of a shard's commit record."""
    return f"part-{shard_id}.json"


def part_name(shard_id: str, suffix: str) -> str:
    """File name of a shard's part."""
    return f"part-{shard_id}{suffix}"


def invalid_name(shard_id: str) -> str:
    """File name of the messages about a shard's invalid lines."""
    return f"part-{shard_id}.invalid"


def files_of(shard_ids: Sequence[str], suffix: str) -> list[str]:
    """Return the names of all files that some shards may have, in the order in which they must be removed.

    Without its commit record a part does not exist, so the records come first.
    """
    records, invalid = map(commit_name, shard_ids), map(invalid_name, shard_ids)
    return [*records, *invalid, *(part_name(each, suffix) for each in shard_ids)]


def committed(plan: Plan, folder: Folder) -> dict[str, Commit]:
    """Return the completed shards of a plan, by id.

    A shard is done when its commit record is valid and its part has the size that the record gives.
    """
    names = folder.names()
    found = {}
    for shard in plan.shards:
        name = commit_name(shard.id)
        if name not in names:
            continue
        file = f"{folder.name}/{name}"
        commit = Commit.load(_read(folder, name, file), shard, plan.format.suffix, file)
        if commit.error is None and folder.size(commit.part) == commit.size:
            found[shard.id] = commit
    return found


def total(commits: Iterable[Commit]) -> dict[str, int]:
    """Return the counts of some shards together."""
    counts: Counter[str] = Counter()
    for commit in commits:
        counts.update(commit.counts)
    return {key: counts[key] for key in COUNTS}


def total_by_input(plan: Plan, commits: Mapping[str, Commit]) -> list[dict[str, int]]:
    """Return the counts of some shards, by input."""
    parts: list[list[Commit]] = [[] for _ in plan.inputs]
    for shard in plan.shards:
        if shard.id in commits:
            parts[shard.input].append(commits[shard.id])
    return [total(part) for part in parts]


class Manifest:
    """The manifest of an unfinished output."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @classmethod
    def of(cls, plan: Plan) -> Manifest:
        """Return the manifest of a plan that is not done yet."""
        data = {
            "unidoku": plan.version,
            "inputs": [asdict(source) for source in plan.inputs],
            "options": plan.options.to_json(),
            "format": asdict(plan.format),
            "target_bytes": plan.target_bytes,
            "shards": [shard.id for shard in plan.shards],
            "totals": None,
            "by_input": None,
        }
        return cls(data)

    @classmethod
    def read(cls, folder: Folder) -> Manifest | None:
        """Return the manifest in a folder, or None."""
        file = f"{folder.name}/{MANIFEST}"
        try:
            data = _read(folder, MANIFEST, file)
        except (FileNotFoundError, NotADirectoryError):
            return None
        found = cls(load(data, _manifest_schema(), file, "a manifest of unidoku"))
        counted = found.data["by_input"]
        fits = counted is None or len(counted) == len(found.data["inputs"])
        if not fits or (counted is not None) != found.complete:
            raise ResumeError("not a manifest of unidoku: totals and by_input do not fit", file=file)
        return found

    def write(self, folder: Folder) -> None:
        """Write it into a folder."""
        with folder.write(MANIFEST) as stream:
            stream.write(json.dumps(self.data, indent=1).encode() + b"\n")

    @property
    def complete(self) -> bool:
        """Whether the output is complete, so that only files of the job remain to be removed."""
        return self.data["totals"] is not None

    def completed(self, totals: dict[str, int], by_input: list[dict[str, int]]) -> Manifest:
        """Return the manifest of the same output when it is complete."""
        return Manifest({**self.data, "totals": totals, "by_input": by_input})

    def files(self) -> list[str]:
        """Return the names of all files that its job may have made, as `files_of` gives them."""
        suffix = self.data["format"]["suffix"]
        return files_of(self.data["shards"], suffix)


def _read(folder: Folder, name: str, file: str) -> bytes:
    with folder.open(name) as stream:
        data = stream.read(64)
        if name == MANIFEST and not _BEGIN.match(data):  # a file of others is not read to its end
            raise ResumeError("not a manifest of unidoku: it does not begin with a version", file=file)
        data += stream.read(_LARGEST + 1 - len(data))
    if len(data) > _LARGEST:
        raise ResumeError(f"has more than {_LARGEST} bytes", file=file)
    return data


def _counts_schema() -> Check:
    fields = record(dict.fromkeys(COUNTS, number()))

    def check(value: Any, place: str) -> None:
        fields(value, place)
        if value["puzzles"] != sum(value[str(verdict)] for verdict in Verdict):
            raise Mismatch(f"{place} do not add up")

    return check


def _commit_schema(shard_id: str, suffix: str) -> Check:
    messages = array(array(text(), number(), number()), most=SHOWN)
    return record(
        {
            "id": constant(shard_id),
            "part": constant(part_name(shard_id, suffix)),
            "size": number(),
            "lines": number(),
            "counts": _counts_schema(),
            "last": number(),
            "columns": optional(array(text(), most=1 << 20)),
            "rejects": messages,
            "mismatches": messages,
            "error": optional(array(text(), text(), optional(number()), optional(number()))),
        }
    )


@cache
def _manifest_schema() -> Check:
    word = text("|".join(str(verdict) for verdict in Verdict))
    options = {
        "only": optional(array(word, most=len(Verdict))),
        "columns": optional(array(text(), most=1 << 20)),
        "format": optional(text()),
        "column": optional(text()),
        "strict": flag(),
        "keep": flag(),
        "bare": flag(),
        "comment": flag(),
        "file": flag(),
        "max_ratio": optional(real()),
        "max_size": optional(number(1, MAX_COUNT)),
        "stage": values(),
    }
    parts = {"suffix": text(r"(\.[a-z0-9]{1,12}){1,3}"), "header": flag(), "invalid": flag()}
    anything = text(".*")  # file names need not be valid Unicode
    source = {"name": anything, "url": anything, "size": number(-1), "version": text(), "sample": text()}
    return record(
        {
            "unidoku": text(),
            "inputs": array(record(source), most=1 << 24),
            "options": record(options),
            "format": record(parts),
            "target_bytes": number(1),
            "shards": array(text(r"\d{6,12}-[0-9a-f]{12}"), most=1 << 24),
            "totals": optional(_counts_schema()),
            "by_input": optional(array(_counts_schema(), most=1 << 24)),
        }
    )


def refuse_other(old: Manifest, plan: Plan, output: str) -> None:
    """Make sure that an output was begun with the same plan."""
    before, now = old.data, Manifest.of(plan).data
    for data in (before, now):
        data["options"] = {**data["options"], **data["options"]["stage"], "stage": None}

    def refusal(what: str) -> ResumeError:
        return ResumeError(f"cannot resume: {what}; start again without --resume", file=output)

    if before["unidoku"] != now["unidoku"]:
        raise refusal(f"it was begun by unidoku {before['unidoku']}, this is {now['unidoku']}")
    for part in ("options", "format"):
        for key, value in now[part].items():
            if before[part][key] != value:
                raise refusal(f"it was begun with {key} {_show(before[part][key])}, now it is {_show(value)}")
    if before["target_bytes"] != now["target_bytes"]:
        raise refusal(f"its shards have {before['target_bytes']} bytes, now {now['target_bytes']}")
    urls, now_urls = ([source["url"] for source in data["inputs"]] for data in (before, now))
    if urls != now_urls:
        raise refusal(f"its inputs were {_names(urls)}, now {_names(now_urls)}")
    for one, other in zip(before["inputs"], now["inputs"], strict=True):
        for key, word in (("size", "size"), ("version", "time of last change"), ("sample", "content")):
            if one[key] != other[key]:
                raise refusal(
                    f"the {word} of {other['name']} has changed since ({one[key]}, now {other[key]})"
                )
    if before["shards"] != now["shards"]:
        raise refusal("its shards are others")


def _names(urls: Iterable[str]) -> str:
    return ", ".join(repr(url.rpartition("/")[2])[1:-1] for url in urls) or "none"


def _show(value: object) -> str:
    return json.dumps(value) if value not in (None, [], "") else "unset"
