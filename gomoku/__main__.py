"""``python -m gomoku`` is the same as ``fukumi``."""

from gomoku.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
