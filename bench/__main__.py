"""Print a table of ratios to other solvers, or write the page of benchmarks.

The peers are found as docs/benchmarks.md says; those that are absent are skipped.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

SETS = ("17clue", "top1465", "several", "easy", "hard", "hardest", "1106", "serg")


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        choices=[*SETS, []],
        help=f"puzzles to solve: {', '.join(SETS)}; by default the first four",
    )
    parser.add_argument(
        "--page", action="store_true", help="write the figures of this processor into docs/benchmarks.md"
    )
    arguments = parser.parse_args()
    if arguments.page:
        import page

        page.main()
    else:
        import table

        table.main(arguments.sets or SETS[:4])


main()
