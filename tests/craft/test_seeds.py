"""The seed and the content decide: in a call for one or for many, in a run and in a command, in any order."""

import pytest
from command import run
from forms import BEST, force

import unidoku
from unidoku.craft._request import Request
from unidoku.craft._series import Series
from unidoku.tasks import Generate, Minimize, Transform

PUZZLES = unidoku.lines(unidoku.generate(70, seed=2, clues=(30, 32)))
SEED = 5


def one_by_one(call):
    return {line: call(line) for line in PUZZLES[::7]}


def in_order(call, puzzles=PUZZLES):
    return dict(zip(puzzles, call(puzzles), strict=True))


def minimal(folder, threads):
    options = {"seed": SEED, "threads": threads}
    yield one_by_one(lambda line: unidoku.minimize(line, seed=SEED).line)
    for puzzles in (PUZZLES, PUZZLES[3::-1], PUZZLES[::-1]):
        yield in_order(
            lambda lines: unidoku.lines(unidoku.craft.minimize_many(lines, **options).puzzle), puzzles
        )
    yield from with_task(Minimize(seed=SEED), ["minimize"], folder, threads)


def with_task(task, words, folder, threads):
    """The puzzles that a task writes, by those that it reads."""
    (folder / "in.txt").write_text("\n".join(PUZZLES[::-1]))
    yield one_by_one(lambda line: unidoku.lines(unidoku.run_many(task, [line]).puzzle)[0])
    yield in_order(lambda lines: unidoku.lines(unidoku.run_many(task, lines, threads=threads).puzzle))
    unidoku.run(task, folder / "in.txt", folder / "out.txt", threads=threads)
    yield in_order(lambda _: (folder / "out.txt").read_text().split(), PUZZLES[::-1])
    command = [*words, "--seed", SEED, "--threads", threads, "--to", "txt"]
    yield one_by_one(lambda line: run(*command, line, code=0).stdout.strip())
    yield in_order(lambda _: run(*command, "in.txt", cwd=folder, code=0).stdout.split(), PUZZLES[::-1])


def generated(folder, threads):
    options = {"seed": SEED, "threads": threads}
    yield {0: unidoku.generate(**options).line}
    yield dict(enumerate(unidoku.lines(unidoku.generate(9, **options))))
    task = Generate(Request(), seed=SEED, count=100)
    unidoku.run(task, task.puzzles(threads=threads), folder / "out.txt", threads=threads)
    yield dict(enumerate((folder / "out.txt").read_text().split()))
    for count in (1, 100):
        words = ("generate", "-n", count, "--seed", SEED, "--threads", threads)
        yield dict(enumerate(run(*words, code=0).stdout.split()))


def numbered(folder, threads):
    series = Series.generate(seed=SEED)
    yield {number: series.puzzle(number).line for number in (1, 37, 2304)}


def sampled(folder, threads):
    solutions = unidoku.counting.Solutions("." * 81, threads=threads)
    yield dict(enumerate(unidoku.lines(solutions.sample(count=9, seed=SEED))))


def parted(folder, threads):
    """The part of each puzzle, whatever its place."""
    options = ["-o", "a.txt", "-o", "b.txt", "--fractions", ".5,.5", "--seed", SEED, "--threads", threads]
    parts = [folder / "a.txt", folder / "b.txt"]
    for puzzles in (PUZZLES, PUZZLES[::-1]):
        (folder / "in.txt").write_text("\n".join(puzzles))
        unidoku.learning.split_file(
            folder / "in.txt", parts, fractions=[0.5, 0.5], seed=SEED, threads=threads
        )
        yield {line: part.name for part in parts for line in part.read_text().split()}
        run("split", "in.txt", *options, cwd=folder, code=0)
        yield {line: part.name for part in parts for line in part.read_text().split()}


WAYS = {
    "counting": sampled,
    "generate": generated,
    "minimize": minimal,
    "series": numbered,
    "split": parted,
    "transform": lambda *to: with_task(Transform(count=1, seed=SEED), ["transform", "-n", 1], *to),
}


@pytest.mark.parametrize("isa", BEST)
@pytest.mark.parametrize("name", WAYS)
def test_every_way_gives_the_same(name, isa, monkeypatch, tmp_path):
    *_, expected = WAYS[name](tmp_path, 1)
    force(monkeypatch, isa)
    for threads in (1, 3):
        for made in WAYS[name](tmp_path, threads):
            assert {key: expected[key] for key in made} == made
