"""``python -m unidoku`` and the console script."""

import os
import signal


def main() -> None:
    """Run the command line; until it is imported, Ctrl-C ends the process without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # NumPy would start threads for matrix products, which nothing here uses: two fifths of its start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from unidoku.cli import main as run

    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()
