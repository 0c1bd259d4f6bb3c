"""Generation of puzzles from a seed.

An attempt removes clues from a random full grid in a random order as long as the puzzle stays proper. Attempt
k of a seed depends only on the seed and k, and the first attempts that meet the request give the puzzles. The
puzzles are therefore the same for any number of threads and on any machine.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any, Unpack, overload

from unidoku import kernel
from unidoku._arguments import positive, seed_of, whole_number, wrong_type
from unidoku._compat import NDArray, np
from unidoku._native.clues.reduction import keep_clues, random_boxes
from unidoku._table.batch import Batch
from unidoku._threads import Cancel, cancel_of, map_parts, thread_count, within
from unidoku.counting import Solutions
from unidoku.craft._minimize import are_minimal, reduce_clues
from unidoku.craft._request import Request, RequestFields, requests_of
from unidoku.craft._seeds import random_bits, random_items
from unidoku.craft._transform import GROUP_ORDER
from unidoku.errors import Message, SearchStoppedError, UnidokuError
from unidoku.grid import Grid
from unidoku.kernel import are_proper, first_solutions
from unidoku.rating._paths import ALL, first_steps, path_lengths
from unidoku.rating._ratings import effort_column, rate_columns


def fits(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    """Test which proper puzzles have the requested rating and measures: bool[n]."""
    good = np.ones(len(puzzles), np.bool_)
    for columns, measured in _MEASURES.items():
        wanted = columns & request.wanted.keys()
        if wanted and (rows := np.flatnonzero(good)).size:
            values = measured(request, puzzles[rows], cancel)
            good[rows] = np.all([request.wanted[name].has(values[name]) for name in wanted], axis=0)
    return good


def _efforts(_: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> Mapping[str, NDArray[Any]]:
    return {"effort": np.asarray(effort_column(Batch.of_cells(puzzles), cancel=cancel).values)}


def _lengths(_: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> Mapping[str, NDArray[Any]]:
    """Count the steps of the path; a puzzle that no techniques solve has no number."""
    lengths = path_lengths(Batch.of_cells(puzzles), cancel=cancel)
    return {"steps": np.where(lengths.has_value(), np.asarray(lengths.values), np.nan)}


def _ratings(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> Mapping[str, NDArray[Any]]:
    """Rate no further than the request needs; a puzzle that needs more has a rating beyond, and no words."""
    below = request.steps.below(only_er=request.wanted.keys() & _RATINGS == {"er"})
    columns, _ = rate_columns(Batch.of_cells(puzzles), below=below, threads=1, cancel=cancel)
    technique, name = (np.asarray(columns[each].values) for each in ("technique", "name"))
    return {"er": columns["er"].array(), "technique": technique, "name": np.isin(name, request.steps.name)}


def _paths(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> Mapping[str, NDArray[Any]]:
    """Follow the path; of several names to use, return how many it has."""
    batch = Batch.of_cells(puzzles)
    paths = first_steps(batch, ALL, barred=request.steps.barred, candidates=False, threads=1, cancel=cancel)
    names, uses = paths.rows.numbers("name"), np.zeros(len(puzzles), np.int64)
    for group in request.steps.uses:
        uses[np.unique(np.asarray(paths.source_rows)[np.isin(names, group)])] += 1
    return {"uses": uses, "techniques": np.frombuffer(paths.ends()[0], np.bool_)}


def _answers(request: Request, puzzles: NDArray[np.uint8], _: Cancel) -> Mapping[str, NDArray[Any]]:
    """Return the result of `accept`, and check it."""
    accept: Any = request.accept
    accepted = accept(puzzles)
    answers = np.asarray(accepted)
    if answers.dtype != np.bool_ or answers.shape != (len(puzzles),):
        raise wrong_type("what accept returns", f"bool[{len(puzzles)}], one for each puzzle", accepted)
    return {"accept": answers}


_RATINGS = frozenset({"er", "technique", "name"})
_MEASURES = {
    frozenset({"effort"}): _efforts,
    frozenset({"steps"}): _lengths,
    _RATINGS: _ratings,
    frozenset({"uses", "techniques"}): _paths,
    frozenset({"accept"}): _answers,
}
"""The function that measures each set of columns, the fastest first."""


_BLOCK = 4096  # attempts that a thread makes at once, at most
_LONG_BLOCK = 1024  # as _BLOCK, where each takes long
_PART = 256  # attempts of a block between two looks at the time: those before a stop are kept
_BLOCKS = 4  # of each thread, before their puzzles are taken
_IMAGES = 64  # attempts with a pattern that use images of the same full grid
_ATTEMPTS = 1_000_000
VAIN_ATTEMPTS = 200_000  # after which a request without a puzzle is given up
_RARE_ATTEMPTS = 50_000  # where puzzles have so few clues, or are so hard, that more take long in vain
_RARITY: Mapping[float, str] = {18: "1,000,000,000", 19: "3,000,000"}
"""Of how many attempts one leaves so many clues (3,006,464 attempts: one with 19, 156 with 20)."""
_VERY_HARD = 9.0  # ER from which hardly any attempt makes a puzzle
_SAMPLE, _RATED = 2048, 256  # attempts and puzzles that tell how far a request is from being met
_EACH = 8  # attempts of a seed that are made at once, where each seed gives a puzzle
_WAVE = 64  # attempts that are made at once if the first attempts were too few
_FEW = 8  # attempts that take less time than the start of a worker thread
_UNIFORM_BLOCK = 8192  # as _BLOCK; larger blocks of grids by number cost less per grid
_BOXES, _MOVES, _ORDERS, _TARGETS, _HIGH, _LOW, _MIXED = (0, 1, 2, 3, 5, 6, 7)  # streams of random numbers


class AttemptsError(UnidokuError):
    """Too few puzzles were found within the number of attempts.

    Attributes
    ----------
    puzzles : uint8[k, 81]
        The puzzles found.

    Examples
    --------
    >>> try:
    ...     generate(2, difficulty="hard", attempts=1, seed=1)
    ... except AttemptsError as error:
    ...     error.puzzles.shape
    (0, 81)
    """

    __module__ = "unidoku.craft"

    puzzles: NDArray[np.uint8]
    exit_code = 1
    code = "too_few"


@overload
def generate(
    count: None = None,
    *,
    seed: int | None = None,
    attempts: int | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
    **request: Unpack[RequestFields],
) -> Grid: ...
@overload
def generate(
    count: int,
    *,
    seed: int | None = None,
    attempts: int | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
    **request: Unpack[RequestFields],
) -> NDArray[np.uint8]: ...
def generate(
    count: int | None = None,
    *,
    seed: int | None = None,
    attempts: int | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
    **request: Unpack[RequestFields],
) -> Grid | NDArray[np.uint8]:
    """Generate new proper puzzles: one, or an array of `count`.

    Parameters
    ----------
    count : int, optional
        Number of puzzles; without it, one is made and returned as a `Grid`.
    seed : int or None, optional
        The same seed and request give the same puzzles; by default the seed is a fresh one.
    attempts : int, optional
        Largest number of attempts; by default a million plus a thousand for each puzzle, and 200,000 if none
        of these meets the request.
    threads : int, optional
        Worker threads; by default one per available core.
    cancel, timeout
        As for `unidoku.check`.
    **request
        The parameters of `Request`, such as ``clues=24, symmetry="180"``. `difficulty` can also be a mixture,
        words with their shares: ``{"easy": 4, "hard": 4, "expert": 2}``. Each word then has the same puzzles
        as a request for only that word with this seed; the seed also sets their random order.

    Returns
    -------
    Grid or uint8[count, 81]
        Cells 0 to 9.

    Raises
    ------
    AttemptsError
        There were too few attempts; its attribute ``puzzles`` has the puzzles found.
    InvalidPuzzleError
        `solution` is not a full grid.
    SearchStoppedError
        `cancel` ended the work; its attribute ``puzzles`` has the puzzles found.
    ValueError
        A value is out of range, or the request contradicts itself.

    Notes
    -----
    The distribution is not uniform.  Removing clues one by one favours puzzles with few clues: the mean
    number of clues is 24.4, and about 26.6 for all minimal puzzles.  docs/craft.md and
    ``bench/distribution.py`` have measurements.

    Examples
    --------
    >>> generate(seed=1).line
    '......69...5.4..1.2.9.6..85..3...5.176..2....4.............3.....76..8.2....8...7'
    >>> generate(3, clues=24, symmetry="180", seed=1).shape
    (3, 81)
    """
    cancel = cancel_of(within(cancel, timeout))
    target = 1 if count is None else whole_number("count", count)
    limits: Any = {"attempts": positive("attempts", attempts), "threads": threads, "cancel": cancel}
    maker, blocks = PuzzleMaker(request, target, seed_of(seed), **limits), list[bytes]()
    try:
        for block in maker:
            blocks.append(block)
    except SearchStoppedError:
        found = _rows(blocks)
        stopped = SearchStoppedError(len(found), "puzzles")
        stopped.puzzles = found
        raise stopped from None
    if maker.found < maker.count:
        error = maker.error()
        error.puzzles = _rows(blocks)
        raise error
    if count is None:
        return Grid(bytes(blocks[0]))
    return _rows(blocks)


class PuzzleMaker:
    """The puzzles that the attempts of a request give, made as they are taken, also by a run over them.

    Iteration yields blocks of puzzles in order, 81 cells of each; of a mixture all at once, after the last is
    made. It ends early after too many attempts.  NumPy is needed only for a pattern, for minimal puzzles with
    a symmetry, uniform solutions, measures and mixtures.

    Parameters
    ----------
    fields : RequestFields
        As `generate` has them.
    count : int
        Number of puzzles.
    seed : int
    attempts : int, optional
        Largest number of attempts for each word of a mixture; 0 for the number that `most_attempts` returns.
    threads, cancel
        As for `generate`.

    Attributes
    ----------
    attempts : int
        How many attempts were made.
    request, count, made, found
        The request at work, which is about one word of a mixture; its number of puzzles, and its attempts and
        puzzles so far.
    """

    request: Request
    count: int
    seed: int
    attempts: int
    made: int
    found: int

    def __init__(
        self,
        fields: RequestFields,
        count: int,
        seed: int,
        *,
        attempts: int = 0,
        threads: int | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self.seed, self._attempts, self._requests = seed, attempts, requests_of(fields, count)
        self._is_mixture = isinstance(fields.get("difficulty"), Mapping)
        self._workers, self._cancel = thread_count(threads), cancel_of(cancel)
        self.request, self.count = self._requests[0]
        self.attempts = self.made = self.found = 0

    def __iter__(self) -> Iterator[bytes]:
        blocks = self._blocks()
        if not self._is_mixture:
            yield from blocks
            return
        made = list[bytes]()
        try:
            for block in blocks:
                made.append(block)
        except SearchStoppedError:
            yield b"".join(made)
            raise
        rows = _rows(made)
        if self.found == self.count:
            rows = rows[np.argsort(random_bits(self.seed, 0, len(rows), _MIXED), kind="stable")]
        yield rows.tobytes()

    def _blocks(self) -> Iterator[bytes]:
        """Yield the puzzles of one request after the other, until one has too few."""
        for request, count in self._requests:
            self.request, self.count, self.made, self.found = request, count, 0, 0
            most, vain = most_attempts(request, count, self._attempts)
            while self.found < count and self.made < (limit := most if self.found else vain):
                self._cancel.raise_if_set()
                puzzles = self._wave(limit)[: 81 * (count - self.found)]
                self.found += len(puzzles) // 81
                if puzzles:
                    yield puzzles
            if self.found < count:
                break

    def _wave(self, limit: int) -> bytes:
        """Return the puzzles of as many attempts as are likely to be enough."""
        request, tries, found = self.request, self.made, self.found
        if self.count == 1 and tries < _FEW and not request.is_long:
            self.made, self.attempts = tries + 1, self.attempts + 1
            return make_attempts(request, self.seed, tries, 1, self._cancel)
        block, part_size = _LONG_BLOCK if request.is_long else _BLOCK, _PART
        if request.uniform:
            block = part_size = _UNIFORM_BLOCK
        likely = (self.count - found) * tries // found if found else min(tries, self._workers * block)
        likely = max(likely, min(_WAVE, 8 * tries)) if tries else self.count
        wave = min(likely, limit - tries, _BLOCKS * self._workers * block)
        size = min(block, max(_WAVE, -(-wave // self._workers)))
        blocks = [range(k, min(k + size, tries + wave)) for k in range(tries, tries + wave, size)]
        is_long = wave > _FEW or request.is_long

        def work(numbers: range, stop: Cancel) -> tuple[int, bytes]:
            """Make attempts until a stop; return how many, and their puzzles."""
            puzzles: list[bytes] = []
            for begin in range(0, len(numbers), part_size):
                part = numbers[begin : begin + part_size]
                try:
                    puzzles.append(make_attempts(request, self.seed, part.start, len(part), stop))
                except SearchStoppedError:
                    return begin, b"".join(puzzles)
            return len(numbers), b"".join(puzzles)

        results = map_parts(work, blocks, self._workers, self._cancel, cancellable=is_long)
        kept: list[bytes] = []
        for numbers, (made, puzzles) in results:
            self.made, self.attempts = self.made + made, self.attempts + made
            kept.append(puzzles)
            if made < len(numbers):  # a stop: puzzles of later attempts would leave a gap
                break
        return b"".join(kept)

    def error(self, reason: Message | None = None) -> AttemptsError:
        """Return the error for too few puzzles: how far the attempts came, or another reason."""
        if reason is not None:
            return AttemptsError(reason)
        return attempts_error(self.request, self.seed, self.found, self.count, self.made)


def _rows(blocks: Iterable[bytes | bytearray]) -> NDArray[np.uint8]:
    """Return blocks of puzzles as one array, uint8[n, 81]."""
    return np.frombuffer(bytearray().join(blocks), np.uint8).reshape(-1, 81)


def generate_each(
    seeds: Sequence[int], *, cancel: Cancel | None = None, **fields: Unpack[RequestFields]
) -> NDArray[np.uint8]:
    """Return for each seed the puzzle that `generate` makes of it, uint8[n, 81]; many are rated at once."""
    request, flag = Request(**fields), cancel_of(cancel)
    _, limit = most_attempts(request, 1, 0)
    puzzles, pending = np.empty((len(seeds), 81), np.uint8), np.arange(len(seeds))
    for begin in range(0, limit, _EACH):
        flag.raise_if_set()
        count = min(_EACH, limit - begin)
        made = [_unrated(request, seeds[k], begin, count, flag) for k in pending.tolist()]
        rows, owners = _rows(made), np.repeat(pending, [len(puzzles) // 81 for puzzles in made])
        good = np.flatnonzero(fits(request, rows, flag))
        found, first = np.unique(owners[good], return_index=True)
        puzzles[found] = rows[good[first]]
        pending = np.setdiff1d(pending, found)
        if not len(pending):
            return puzzles
    raise attempts_error(request, seeds[int(pending[0])], 0, 1, limit)


def most_attempts(request: Request, count: int, attempts: int) -> tuple[int, int]:
    """Return the largest number of attempts, and after how many without a puzzle a request is given up.

    The requested number of attempts; with 0 it depends on the number of puzzles.
    """
    most = attempts or _ATTEMPTS + 1000 * count
    if not attempts and request.sizes.high in _RARITY and request.cells is None:
        most = _RARE_ATTEMPTS
    most = request.attempts_of(0, most)
    vain = _RARE_ATTEMPTS if request.steps.er.low >= _VERY_HARD else VAIN_ATTEMPTS
    return most, most if attempts else min(most, vain)


def attempts_error(request: Request, seed: int, total: int, count: int, attempts: int) -> AttemptsError:
    """Return the error for too few puzzles: how far the attempts came, and what to relax."""
    advice = Message("allow more attempts")
    some = min(attempts, _SAMPLE)
    puzzles = _rows([_unrated(request, seed, 0, 0 if total else some, Cancel())])[:_RATED]
    if len(puzzles):
        texts: str = ""
        for name, alone in request.measured():
            number = int(fits(alone, puzzles, Cancel()).sum())
            last = Message("{n} have the {name}", n=number, name=name.replace("_", " "))
            texts = Message("{some}, {last}", some=texts, last=last) if texts else last
        text = "of the first {n} puzzles, {texts}; relax the rarest condition, or allow more attempts"
        advice = Message(text, n=len(puzzles), texts=texts)
    elif not total and request.cells is not None:
        text = (
            "no such puzzle with this pattern in the first {attempts} grids; add cells to the "
            "pattern, omit minimal, or give another solution"
        )
        advice = Message(text, attempts=f"{some:,}")
    elif not total:
        puzzles = _rows([make_attempts(Request(symmetry=request.symmetry), seed, 0, some, Cancel())])
        clues = np.count_nonzero(puzzles, axis=1)
        found = Message("the first attempts leave {least}-{most} clues", least=clues.min(), most=clues.max())
        if rarity := _RARITY.get(request.sizes.high):
            text = "{found}, and only one attempt in {rarity} leaves {clues}"
            found = Message(text, found=found, rarity=rarity, clues=request.sizes.high)
        advice = Message("{found}; allow other numbers of clues, or more attempts", found=found)
    if request.steps.er.low >= _VERY_HARD:
        near = Message("unidoku.learning.hard_puzzles_near searches near known hard puzzles")
        advice = Message("{reason}; {advice}", reason=advice, advice=near)
    text = "only {total} of {count} puzzles found in {attempts} attempts; {advice}"
    numbers = {"total": f"{total:,}", "count": f"{count:,}", "attempts": f"{attempts:,}"}
    error = AttemptsError(Message(text, **numbers, advice=advice))
    error.puzzles = np.empty((0, 81), np.uint8)
    return error


@cache
def _all_grids() -> tuple[Solutions, Lock]:
    """Return all full grids, numbered, which takes 40 MB, and the lock of the thread that takes some."""
    return Solutions("." * 81), Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_all_grids.cache_clear)  # the lock may be held


def _grids_of(request: Request, seed: int, begin: int, count: int, cancel: Cancel) -> bytes | bytearray:
    """Draw the full grids of the attempts from `begin` on."""
    if request.solution is not None:
        return request.solution.cells * count
    if request.uniform:
        pairs = zip(
            random_bits(seed, begin, count, _HIGH).tolist(),
            random_bits(seed, begin, count, _LOW).tolist(),
            strict=True,
        )
        grids, lock = _all_grids()
        with lock:
            numbers = [(high << 64 | low) % grids.count for high, low in pairs]
            return grids.take(numbers, cancel=cancel).tobytes()
    images = 1 if request.cells is None else _IMAGES
    return random_grid_values(count, seed, begin, images, cancel)


def make_attempts(request: Request, seed: int, begin: int, count: int, cancel: Cancel) -> bytes:
    """Make the attempts from `begin` on, in the calling thread; an error if `cancel` ends the work.

    Returns the puzzles of the successful attempts, 81 values each.
    """
    puzzles = _unrated(request, seed, begin, count, cancel)
    if not request.wanted:
        return puzzles
    rows = _rows([puzzles])
    return rows[fits(request, rows, cancel)].tobytes()


def _unrated(request: Request, seed: int, begin: int, count: int, cancel: Cancel) -> bytes:
    """Do the same for every request except measures of the puzzles."""
    count = request.attempts_of(begin, count)
    grids = _grids_of(request, seed, begin, count, cancel)
    if request.cells is not None:
        rows = _rows([grids])
        rows[:, [cell for cell in range(81) if cell not in request.cells]] = 0
        puzzles = rows[are_proper(rows, cancel)].tobytes()
    else:
        fewest = None
        if request.aim:
            fewest = random_items(seed, begin, count, _TARGETS, request.aim)
        orders = random_bits(seed, begin, count, _ORDERS)
        reduced = reduce_clues(grids, orders, fewest, request.units, solutions=grids, cancel=cancel)
        kept = keep_clues(reduced, *map(int, request.sizes[:2]))
        puzzles = bytes(reduced[: 81 * kept])
    if request.minimal and (request.cells is not None or request.symmetry != "none"):
        rows = _rows([puzzles])
        puzzles = rows[are_minimal(rows, cancel)].tobytes()
    return puzzles


def random_grids(
    count: int, seed: int, begin: int = 0, *, images: int = 1, cancel: Cancel | None = None
) -> NDArray[np.uint8]:
    """Generate random full grids from position `begin` of a seed's sequence on: uint8[count, 81].

    Three diagonal boxes are drawn uniformly, the rest is the first solution that the kernel finds; so the
    distribution is not uniform.  Each is then moved by a uniformly random element of the symmetry group;
    `images` consecutive grids come from the same one, which is faster.
    """
    return _rows([random_grid_values(count, seed, begin, images, cancel)])


def random_grid_values(count: int, seed: int, begin: int, images: int, cancel: Cancel | None) -> bytearray:
    """Return the grids of `random_grids`, 81 values each."""
    base = begin // images
    sources = (begin + count - 1) // images - base + 1
    rows, moved = bytearray(81 * sources), bytearray(81 * count)
    random_boxes(random_bits(seed, base, sources, _BOXES), rows)
    starts = array("q", [81 * (k // images - base) for k in range(begin, begin + count)])
    elements = random_items(seed, begin, count, _MOVES, range(GROUP_ORDER))
    native = kernel.isa_module(package="symmetry")
    native.transform(first_solutions(rows, cancel), starts, elements, moved, zero=0)
    return moved
