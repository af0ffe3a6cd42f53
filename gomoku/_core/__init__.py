"""The compiled core. Private: use :class:`gomoku.Board` and :mod:`gomoku.engine`."""
