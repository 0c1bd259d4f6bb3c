"""Keep a random sample of the mutations in a session of cosmic-ray: ``mutate.py SESSION COUNT SEED``.

Type annotations are left out: no test can notice a change in them.
"""

import ast
import random
import sys
from functools import cache

from cosmic_ray.work_db import WorkDB, use_db


@cache
def annotations(path):
    """Return the places of the annotations of a module, as pairs of (line, column)."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    fields = (getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns"))
    return [
        ((each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)) for each in fields if each
    ]


def main():
    """Replace the items of the session by a sample."""
    session, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with use_db(session, WorkDB.Mode.open) as db:
        found = []
        for item in db.work_items:
            (mutation,) = item.mutations
            inside = (
                begin <= mutation.start_pos and mutation.end_pos <= end
                for begin, end in annotations(mutation.module_path)
            )
            if not any(inside):
                place = str(mutation.module_path), mutation.start_pos, mutation.operator_name
                found.append((place, mutation.occurrence, item))
        found.sort(key=lambda each: each[:2])
        chosen = random.Random(seed).sample(found, min(count, len(found)))
        db.clear()
        db.add_work_items([item for *_, item in chosen])
    print(f"{len(chosen)} of {len(found)} mutations")


main()
