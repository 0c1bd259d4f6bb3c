"""Print the N-th shell block of the README: a command for the user to type."""

import re
import sys
from pathlib import Path

readme = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
print(re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[int(sys.argv[1]) - 1], end="")
