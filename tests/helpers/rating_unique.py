"""Techniques 15 and 19 of the plain model of se121: unique rectangles and loops, BUG."""

from __future__ import annotations

from collections.abc import Iterator

from rating_board import BOXES, COLUMNS, PEERS, ROWS, Board, Step, common_peers, houses_of, subsets


def loops(board: Board) -> Iterator[tuple[list[int], int, int]]:
    """The loops in the order in which the search meets them, with their two digits; some are missed."""
    for start in range(81):
        if len(board.candidates[start]) == 2:
            a, b = sorted(board.candidates[start])
            for path in grow(board, [start], {a, b}, (None, 2, set())):
                if valid(path):
                    yield path, a, b


def grow(
    board: Board, path: list[int], pair: set[int], so_far: tuple[int | None, int, set[int]]
) -> Iterator[list[int]]:
    """Go on from the last cell, which was entered by a kind of house, with an allowance and extra digits."""
    entered, allowance, extras = so_far
    extras = set(extras)  # own, but it keeps the extras of siblings that were looked at before
    cell = path[-1]
    if len(board.candidates[cell]) > 2:
        allowance -= 1
    for kind, house in enumerate(houses_of(cell)):
        if kind == entered:
            continue
        for other in house:
            if other == path[0] and len(path) >= 4:
                yield path
            elif other not in path and pair <= board.candidates[other]:
                extras |= board.candidates[other] - pair
                if len(board.candidates[other]) == 2 or len(extras) == 1 or allowance > 0:
                    yield from grow(board, [*path, other], pair, (kind, allowance, extras))


def valid(path: list[int]) -> bool:
    def houses(cells: list[int]) -> list[tuple[int, int]]:
        return sorted((kind, min(house)) for cell in cells for kind, house in enumerate(houses_of(cell)))

    even, odd = houses(path[::2]), houses(path[1::2])
    return len(set(even)) == len(even) and len(set(odd)) == len(odd) and even == odd


def unique_loops(board: Board) -> Iterator[Step]:
    """Technique 15: all collected, then sorted by rating and type."""
    found = []
    for path, a, b in loops(board):
        base = {4: 4.5, 6: 4.6, 8: 4.7}.get(len(path), 5.0)
        size = {4: "unique rectangle"}.get(len(path), "unique loop")
        for kind, rating, removed in loop_types(board, path, a, b, base):
            if removed:
                found.append(Step(15, size, rating, removed=removed, kind=kind))
    yield from sorted(found, key=lambda step: (step.rating, step.kind))


def loop_types(
    board: Board, path: list[int], a: int, b: int, base: float
) -> Iterator[tuple[int, float, dict[int, set[int]]]]:
    rich = [cell for cell in path if len(board.candidates[cell]) > 2]
    extras = set().union(*(board.candidates[cell] for cell in rich)) - {a, b}
    if len(rich) == 1:
        yield 1, base, board.holding(rich, {a, b})
    elif len(rich) > 2 or (len(rich) == 2 and len(extras) == 1):
        yield 2, base, board.holding(common_peers(rich), extras)
    if len(rich) == 2:
        first, second = rich
        shared = [house for house in houses_of(first) if house in houses_of(second)]
        if len(extras) > 1:
            for added, removed in loop_type_3(board, (first, second), {a, b}, extras, shared):
                yield 3, base + 0.1 * added, removed
        for locked, other in ((a, b), (b, a)):
            if any(set(board.places(house, locked)) == {first, second} for house in shared):
                yield 4, base, board.holding(rich, {other})
                break


def loop_type_3(
    board: Board, rich: tuple[int, int], pair: set[int], extras: set[int], shared: list[list[int]]
) -> Iterator[tuple[int, dict[int, set[int]]]]:
    """The two rich cells as one member of a naked or hidden set: tenths above the loop, what is removed."""
    first, second = rich
    in_both = extras & board.candidates[first] & board.candidates[second]
    for size in range(len(extras), 8):
        for house in shared:
            empty = len(board.empty(house))
            others = [cell for cell in house if cell not in (first, second)]
            if 2 * size <= empty:
                for cells in subsets(house, size):
                    if first not in cells or second in cells:
                        continue
                    rest = [cell for cell in cells if cell != first]
                    digits = set().union(*(board.candidates[cell] for cell in rest))
                    if (
                        all(len(board.candidates[cell]) > 1 for cell in rest)
                        and len(digits | extras) == size
                        and len(digits | in_both) == size
                    ):
                        removed = board.holding(set(others) - set(rest), digits | extras)
                        yield size - 1, removed
            if 2 * size < empty:
                free = [digit for digit in range(1, 10) if digit not in pair | extras]
                for chosen in subsets(free, size - 2):
                    digits = pair | set(chosen)
                    places = [set(board.places(house, digit)) - {second} for digit in digits]
                    union = set().union(*places)
                    if all(places) and len(union) == size:
                        removed = board.holding(union - {first}, set(range(1, 10)) - digits)
                        yield size - 2, removed


def bug_cells(board: Board) -> dict[int, set[int]] | None:
    """The BUG cells with their BUG digits, in the order in which they are met; none if there is no BUG."""
    found: dict[int, set[int]] = {}
    for house in BOXES + ROWS + COLUMNS:
        for digit in range(1, 10):
            places = board.places(house, digit)
            if len(places) in (0, 2):
                continue
            rich = [cell for cell in places if len(board.candidates[cell]) > 2]
            if not rich:
                return None
            if len(rich) == 1:
                found.setdefault(rich[0], set()).add(digit)
    if not found:
        return None
    rest = [board.candidates[cell] - found.get(cell, set()) for cell in range(81)]
    if any(len(rest[cell]) != 2 for cell in range(81) if not board.value[cell]):
        return None
    for house in BOXES + ROWS + COLUMNS:
        for digit in range(1, 10):
            if sum(digit in rest[cell] for cell in house) not in (0, 2):
                return None
    return found


def bug(board: Board) -> Iterator[Step]:
    """Technique 19."""
    found = bug_cells(board)
    if found is None:
        return
    cells = list(found)
    digits = set().union(*found.values())
    common = common_peers(cells) - set(cells)
    if len(cells) == 1:
        yield Step(19, "BUG", 5.6, removed={cells[0]: board.candidates[cells[0]] - digits})
        return
    if len(digits) > 1 and not common:
        return
    if len(digits) == 1 and (removed := board.holding(common, digits)):
        yield Step(19, "BUG", 5.7, removed=removed)
        return
    if len(cells) == 2 and (removed := bug_type_4(board, found, digits)):
        yield Step(19, "BUG", 5.7, removed=removed)
        return
    if len(digits) > 1:
        yield from bug_type_3(board, cells, digits, common)


def bug_type_4(board: Board, found: dict[int, set[int]], digits: set[int]) -> dict[int, set[int]]:
    first, second = found
    shared = (board.candidates[first] & board.candidates[second]) - digits
    if len(shared) != 1 or not any(house in houses_of(second) for house in houses_of(first)):
        return {}
    removed = {cell: board.candidates[cell] - own - shared for cell, own in found.items()}
    return {cell: gone for cell, gone in removed.items() if gone}


def bug_type_3(board: Board, cells: list[int], digits: set[int], common: set[int]) -> Iterator[Step]:
    for house in houses_of(cells[0]):
        if not set(cells) <= set(house):
            continue
        inside = [cell for cell in PEERS[cells[0]] if cell in common and cell in house]
        for size in range(2, 7):
            if len(inside) < size:
                continue
            for chosen in subsets(inside, size - 1):
                union = set().union(*(board.candidates[cell] for cell in chosen))
                if (
                    all(len(board.candidates[cell]) > 1 for cell in chosen)
                    and len(union) == size
                    and digits <= union
                ):
                    removed = board.holding(set(inside) - set(chosen), union)
                    if removed:
                        yield Step(19, "BUG", 5.7 + 0.1 * (size - 1), removed=removed)
