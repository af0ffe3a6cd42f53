"""Weights of which most have few examples: a sum of parts, and a difference for which a small value is expected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

Floats = NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]
"""From the optimiser's numbers to a loss and its slope."""


class Shrunk:
    """Weights that are a sum of parts and a difference, both of which cost as Gaussian priors have it.

    The optimiser sees numbers that are scaled so that the loss is about equally curved in all of them.

    Args:
        parts: shape ``(weights, parts)``.
        spreads: standard deviations of the differences and of the parts.
        samples: number of samples over which the loss is averaged.
        curvature: shape ``(weights + parts,)``; about the second derivatives of the loss by weights and by parts.
        expected: shape ``(weights,)``; what the weights are without any data.
    """

    def __init__(
        self,
        parts: sparse.csr_array,
        spreads: tuple[float, float],
        samples: int,
        curvature: Floats,
        expected: Floats | float = 0.0,
    ) -> None:
        self._parts = parts
        self._cost = np.repeat([1 / spread**2 for spread in spreads], parts.shape) / samples
        self._scale = 1 / np.sqrt(curvature + self._cost)
        self._expected = expected

    def weights(self, numbers: Floats) -> Floats:
        """Return the weights that the optimiser's numbers stand for."""
        scaled = numbers * self._scale
        length = self._parts.shape[0]
        summed: Floats = self._expected + scaled[:length] + self._parts @ scaled[length:]
        return summed

    def loss(self, numbers: Floats, value: float, gradient: Floats) -> tuple[float, Floats]:
        """Add the cost of the numbers to a loss, and turn its gradient by weights into one by numbers."""
        scaled = numbers * self._scale
        slope = np.concatenate([gradient, self._parts.T @ gradient]) + self._cost * scaled
        return value + float(self._cost @ scaled**2) / 2, slope * self._scale

    def minimum(self, loss: Loss, iterations: int) -> Floats:
        """Return the weights with the least loss."""
        # Long before the minimum some steps gain next to nothing: only the count of iterations ends it.
        options = {"maxiter": iterations, "maxcor": 20, "ftol": 0.0, "gtol": 1e-9}
        found = minimize(loss, np.zeros(len(self._scale)), jac=True, method="L-BFGS-B", options=options)
        return self.weights(found.x)
