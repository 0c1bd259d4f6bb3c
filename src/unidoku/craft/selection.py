"""Selection of puzzles: which have the ratings, the measures and the paths that a request asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unidoku.arguments import wrong_type
from unidoku.compat import np
from unidoku.craft.bounds import ANY_RATING
from unidoku.craft.request import SEARCH, Request
from unidoku.method.rules import classes_of, run_classify
from unidoku.native.steps import STEP_LIMIT
from unidoku.rating.effort import efforts_of
from unidoku.rating.measure import measure
from unidoku.rating.paths import ALL, first_steps
from unidoku.rating.ratings import rate_columns
from unidoku.rating.scale import TECHNIQUES
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CAPS = ((TECHNIQUES.index("XYZ-wing"), 4.5), (TECHNIQUES.index("aligned pair exclusion"), 6.3))
"""Techniques, and a rating that no step of them or of those before them has."""


def fits(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    """Test which proper puzzles have the requested rating and measures: bool[n]."""
    tests: list[Callable[[Request, NDArray[np.uint8], Cancel], NDArray[np.bool_]]] = []
    if "classes" in request.measures:
        tests.append(_fits_class)
    if "effort" in request.measures:
        tests.append(_fits_effort)
    if request.measures.keys() & SEARCH.keys():
        tests.append(_fits_search)
    if request.er != ANY_RATING or request.technique or request.parts:
        tests.append(_fits_rating)
    if request.uses or request.barred:
        tests.append(_fits_path)
    if accept := request.accept:
        tests.append(lambda _, puzzles, __: _answers(accept(puzzles), len(puzzles)))
    good = np.ones(len(puzzles), np.bool_)
    for test in tests:
        indices = np.flatnonzero(good)
        if indices.size:
            good[indices] = test(request, puzzles[indices], cancel)
    return good


def _fits_class(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    totals = run_classify(puzzles, presets=0, cancel=cancel)
    return request.measures["classes"].inside(classes_of(totals))


def _fits_effort(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    efforts = efforts_of(puzzles, cancel=cancel)
    cancel.raise_if_set()
    return request.measures["effort"].inside(efforts)


def _fits_search(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    limit = request.measures["steps"].high + 1 if "steps" in request.measures else STEP_LIMIT
    measures = measure(puzzles, limit, cancel=cancel)
    good: NDArray[np.bool_] = measures["complete"]
    for name in request.measures.keys() & SEARCH.keys():
        good &= request.measures[name].inside(measures[name])
    return good


def _fits_rating(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    """Rate no further than the request needs."""
    is_whole = bool(request.technique or request.name or request.parts)
    if is_lower_bound := request.er.high == ANY_RATING.high and not is_whole:
        below = request.er.low / 10
    else:
        caps = [cap for code, cap in _CAPS if 0 < request.technique <= code]
        below = min([(request.er.high + 1) / 10, *caps])
    ratings, _ = rate_columns(puzzles, below=min(below, ANY_RATING.high / 10), threads=1, cancel=cancel)
    cancel.raise_if_set()
    at_least: NDArray[np.bool_] = ratings["at_least"].values
    if is_lower_bound:
        return at_least
    good = ~at_least
    good &= request.er.inside(np.rint(10 * ratings["er"].values))
    for name, bounds in request.parts.items():
        good &= bounds.inside(np.rint(10 * ratings[name].values))
    if request.technique:
        good &= ratings["technique"].values == request.technique
    if request.name:
        good &= np.isin(ratings["name"].values, request.name)
    return good


def _fits_path(request: Request, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
    paths = first_steps(puzzles, ALL, barred=request.barred, candidates=False, threads=1, cancel=cancel)
    cancel.raise_if_set()
    good, names = np.ones(len(puzzles), np.bool_), paths.rows.numbers("name")
    for group in request.uses:
        has_step = np.zeros(len(puzzles), np.bool_)
        has_step[paths.source_rows[np.isin(names, group)]] = True
        good &= has_step
    if request.barred:
        solved, _ = paths.ends()
        good &= solved
    return good


def _answers(accepted: Any, count: int) -> NDArray[np.bool_]:
    """Check what `accept` returned."""
    answers = np.asarray(accepted)
    if answers.dtype != np.bool_ or answers.shape != (count,):
        raise wrong_type("what accept returns", f"bool[{count}], one for each puzzle", accepted)
    return answers
