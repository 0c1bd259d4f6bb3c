"""Choose the mutations of a session of cosmic-ray.

``mutate.py sample SESSION COUNT SEED`` keeps a random sample; ``mutate.py again SESSION`` forgets the
results of those that no test has noticed.  What no test can notice is left out: changes in type
annotations, in what only type checkers read, and in whether a dataclass has slots.
"""

import ast
import random
import sys
from functools import cache

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome


def unseen(node):
    """Yield what no test sees of a node."""
    yield getattr(node, "annotation", None)
    yield getattr(node, "returns", None)
    if isinstance(node, ast.keyword) and node.arg == "slots":
        yield node
    if isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING":
        yield node
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "TYPE_CHECKING":
        yield node


@cache
def left_out(path):
    """Return the places of a module that are not changed, as pairs of (line, column)."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    nodes = [each for node in ast.walk(tree) for each in unseen(node) if each]
    return [((each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)) for each in nodes]


def sample(db, count, seed):
    """Replace the items of the session by a sample."""
    found = []
    for item in db.work_items:
        (mutation,) = item.mutations
        places = left_out(mutation.module_path)
        if not any(begin <= mutation.start_pos and mutation.end_pos <= end for begin, end in places):
            place = str(mutation.module_path), mutation.start_pos, mutation.operator_name
            found.append((place, mutation.occurrence, item))
    found.sort(key=lambda each: each[:2])
    chosen = random.Random(seed).sample(found, min(count, len(found)))
    db.clear()
    db.add_work_items([item for *_, item in chosen])
    print(f"{len(chosen)} of {len(found)} mutations")


def again(db):
    """Make those that no test has noticed items without a result."""
    results = dict(db.results)
    items = list(db.work_items)
    db.clear()
    db.add_work_items(items)
    for job, result in results.items():
        if result.test_outcome != TestOutcome.SURVIVED:
            db.set_result(job, result)


def main():
    """Do what the first argument says."""
    with use_db(sys.argv[2], WorkDB.Mode.open) as db:
        if sys.argv[1] == "sample":
            sample(db, int(sys.argv[3]), sys.argv[4])
        else:
            again(db)


main()
