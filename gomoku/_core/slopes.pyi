from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def descend(
    own: NDArray[np.uint16],
    other: NDArray[np.uint16],
    starts: NDArray[np.int64],
    side: NDArray[np.uint8],
    logits: NDArray[np.float32],
    target: NDArray[np.float32],
    chosen: NDArray[np.int64],
    layers: Sequence[NDArray[np.float32]],
    slopes: Sequence[NDArray[np.float32]] | None,
    corrected: NDArray[np.float32],
) -> float: ...
