"""Put faults into copies of the package and say which suites catch them.

Usage: ``python tools/mutants.py [WORD ...]``.

`mutants.txt` has the faults, each with its room, the place, the old and the new text, and suites that catch
it; words choose those with one of them in their first line.  The named suites are run first, then all quick
tests; a fault that nothing catches makes the exit code 1.  ``--check`` only names those that cannot be
put in, or whose suites are gone.  Tests import a copy of the package that this interpreter has; faults of
native code need a compiler.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "unidoku"
LIST = Path(__file__).with_name("mutants.txt")
SECONDS_A_TEST = 120  # a fault may make a loop without an end: the test that hangs is ended
SECONDS = 1200  # for all tests of a fault; the machine is too busy if they take longer
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no")
LIMIT = ("-o", f"faulthandler_timeout={SECONDS_A_TEST}")


@dataclass
class Mutant:
    """A fault, and the suites that are said to catch it."""

    name: str
    file: str = ""
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    suites: list[str] = field(default_factory=list)

    def why_stale(self) -> str:
        """Why the fault cannot be put in: the old text must be there exactly once, and each suite."""
        if absent := [suite for suite in self.suites if not (ROOT / suite).is_file()]:
            return f"no suite {', '.join(absent)}"
        file = SOURCES / self.file
        if not file.is_file():
            return f"no file {self.file}"
        times = file.read_text(encoding="utf-8").count("\n".join(self.old))
        return "" if times == 1 else f"the old text is {times} times in {self.file}"

    def put_in(self, package: Path) -> None:
        """Put the fault into a copy of the package; a native module is compiled."""
        file = package / self.file
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("\n".join(self.old), "\n".join(self.new)), encoding="utf-8")
        if file.suffix != ".pyx":
            return
        for made in file.parent.glob(f"{file.stem}.c*"):  # C, and the compiled module
            made.unlink()
        names = file.relative_to(package / "_native").with_suffix("").parts
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        for name in ("setup.py", "pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, package.parents[1])
        environment = os.environ | {"UNIDOKU_NATIVE": ".".join(names)}
        subprocess.run(command, cwd=package.parents[1], check=True, env=environment, capture_output=True)


def mutants() -> list[Mutant]:
    """The faults of the list."""
    found: list[Mutant] = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        kind, _, text = line.partition(" ")
        match kind:
            case "===":
                found.append(Mutant(text))
            case "file":
                found[-1].file = text
            case "-":
                found[-1].old.append(text)
            case "+":
                found[-1].new.append(text)
            case "by":
                found[-1].suites += text.split()
    return found


def failed(package: Path, *tests: str) -> list[str]:
    """The suites that fail with a copy of the package: of some tests, or of all."""
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    try:
        run = subprocess.run(
            [*PYTEST, *LIMIT, *tests],
            check=False,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        print(f"no result within {SECONDS} seconds: {' '.join(tests) or 'all quick tests'}", flush=True)
        return []  # a slow machine catches no fault
    if "Timeout (" in run.stderr:  # written by faulthandler, which then ends the process
        return ["a test that hangs"]
    suites = re.findall(r"^(?:FAILED|ERROR) ([^:\s]+)", run.stdout, re.MULTILINE)
    return [*dict.fromkeys(suites)] or ["no tests"] * (run.returncode != 0)


def caught(mutant: Mutant) -> tuple[Mutant, list[str]]:
    """The suites that catch a fault: of those that are named, or else of all."""
    import unidoku

    with TemporaryDirectory() as folder:
        package = Path(folder, "src", "unidoku")
        for sources in (Path(unidoku.__file__).parent, SOURCES):  # modules, compiled and as text
            shutil.copytree(sources, package, dirs_exist_ok=True)
        mutant.put_in(package)
        named = failed(package, *mutant.suites) if mutant.suites else []
        return mutant, named or failed(package)


def main() -> int:
    """Run the faults that are asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--check", action="store_true", help="put no fault in: say whether each can be")
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time")
    options = parser.parse_args()
    chosen = [
        one for one in mutants() if not options.words or any(word in one.name for word in options.words)
    ]
    if stale := [f"{mutant.name}: {why}" for mutant in chosen if (why := mutant.why_stale())]:
        raise SystemExit("\n".join(stale))
    if options.check:
        print(len(chosen), "faults")
        return 0
    survivors = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, suites in pool.map(caught, chosen):
            survivors += not suites
            print(f"{mutant.name}: {' '.join(suites) or 'NOT CAUGHT'}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} caught")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
