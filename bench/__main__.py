"""``python -m bench`` prints the table of ratios."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from table import main

main()
