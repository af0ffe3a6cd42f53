from collections.abc import Iterable
from typing import final

from gomoku.classics._grader import Grader

UNIT: int
LARGEST_BONUS: int

@final
class ChainGrades(Grader):
    def __init__(self, base: int, own: int, opposing: int) -> None: ...
    def set_matrix(self, rows: Iterable[Iterable[int]], width: int, height: int) -> None: ...
