"""``python -m bench`` prints the table of ratios; ``python -m bench --page`` writes docs/benchmarks.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

if sys.argv[1:] == ["--page"]:
    from page import main
else:
    from table import main

main()
