"""``python -m unidoku``."""

from unidoku.cli import main

if __name__ == "__main__":
    main()
