"""Show what ``pytest bench/ --benchmark-json=FILE`` has measured: as text, or in the files of -o.

The suffix of a file says what is written: a picture (.svg), a page (.html), a table (.md, .csv, .txt), or the
rows alone (.json).
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from report import VIEWS, BenchmarkReport


def main() -> None:
    """Parse the arguments and write the views."""
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="the JSON of pytest or `unidoku bench`"
    )
    parser.add_argument(
        "-o", "--output", type=Path, action="append", default=[], metavar="PATH", help="write this"
    )
    parser.add_argument(
        "--pages", action="store_true", help="write the figures of bench/results into README.md and docs/"
    )
    arguments = parser.parse_args()
    if arguments.pages:
        import pages

        pages.update()
        return
    if arguments.file is None:
        parser.error("name the JSON file of a run: pytest bench/test_solvers.py --benchmark-json=FILE.json")
    for path in arguments.output:
        if path.suffix not in VIEWS:
            parser.error(f"{path}: the suffix is none of {', '.join(VIEWS)}")
    if arguments.file.name == "others.json" and not arguments.output:
        import pages

        print("\n\n".join(map(pages.other_table, json.loads(arguments.file.read_text(encoding="utf-8")))))
        return
    try:
        report = BenchmarkReport.from_json(arguments.file.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{arguments.file} is no report of pytest bench/: {type(error).__name__}: {error}")
    if not arguments.output:
        print("\n".join(report.lines()))
    for path in arguments.output:
        path.write_text(VIEWS[path.suffix](report), encoding="utf-8")


try:
    main()
    sys.stdout.flush()
except BrokenPipeError:  # of head
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
