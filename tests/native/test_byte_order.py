"""Native code that looks at single bytes of vectors, on this processor and, emulated, on a big-endian one."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "unidoku" / "_native" / "rating"


@pytest.mark.parametrize(
    ("compiler", "runner"),
    [
        pytest.param([os.environ.get("CC", "cc")], [], id="native"),
        pytest.param(["s390x-linux-gnu-gcc", "-static"], ["qemu-s390x"], id="big-endian"),
    ],
)
def test_depths_of_chains_do_not_depend_on_the_order_of_bytes(compiler, runner, tmp_path):
    program = tmp_path / "depths"
    for name in (compiler[0], *runner):
        if shutil.which(name) is None:
            pytest.skip(f"no {name} here")
    if not SOURCE.is_dir():
        pytest.skip("only in a checkout")
    command = [*compiler, "-O1", "-w", f"-I{SOURCE}", str(HERE / "depths.c"), "-o", str(program)]
    subprocess.run(command, check=True)
    done = subprocess.run([*runner, str(program)], capture_output=True, text=True, check=True)
    assert done.stdout == "0 0\n"
