"""Games of the engine against itself, and the files that hold them: what its numbers are tuned on.

The modules are imported one by one, because the command line should not load numpy for commands that need none.

Example:
    >>> from gomoku.tuning.dataset import Dataset, DatasetWriter
    >>> from gomoku.tuning.selfplay import SelfPlay
"""
