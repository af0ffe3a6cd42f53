from typing import final

import numpy as np
from numpy.typing import NDArray

CODES: int
FACTS: int
CLASSES: int
SHAPES: int
COUNTS: int
COUNTED_CLASSES: tuple[int, ...]

def code_table(rule: int) -> list[tuple[tuple[int, int, int, int], int, int]]: ...

@final
class GameReader:
    def __init__(self, rule: int, size: int) -> None: ...
    def read(
        self,
        stones: NDArray[np.uint16],
        first: int,
        codes: NDArray[np.uint16],
        points: NDArray[np.uint16],
        playable: NDArray[np.uint8],
        ends: NDArray[np.int64],
        facts: NDArray[np.uint16],
        quiet: NDArray[np.uint8],
    ) -> int: ...
