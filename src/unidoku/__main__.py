"""``python -m unidoku`` and the console script."""

import gc
import os
import signal
import sys

_MOST_NEW = 10_000  # objects before a search for cycles, which at 700 takes a hundredth of a short command
_ROOM = 96 << 20  # bytes of addresses: NumPy takes 88 MB of them


def main() -> None:
    """Run the command line; until it is imported, Ctrl-C ends the process without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # NumPy would start threads for matrix products, which nothing here uses: two fifths of its start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_MOST_NEW)
    if _is_limited():
        sys.meta_path.insert(0, _RoomFinder())
    from unidoku._cli import main as run

    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    run()


def _is_limited() -> bool:
    """Return whether the addresses of this process are limited (``ulimit -v``)."""
    try:
        import resource  # there is none on Windows
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


class _RoomFinder:
    """Finds no module; refuses NumPy if its OpenBLAS would end the process, with a code of its own."""

    def find_spec(self, name: str, *_: object) -> None:
        """Look for room before NumPy is loaded."""
        if name == "numpy":
            import mmap

            try:
                mmap.mmap(-1, _ROOM).close()
            except OSError:
                raise MemoryError(f"NumPy needs {_ROOM >> 20} MB of address space; raise ulimit -v") from None


if __name__ == "__main__":
    main()
