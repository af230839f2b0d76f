# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Left and right exchanged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Mirror:
    """
    How what is observed and done looks with left and right exchanged.

    :ivar order: which entry of the flat observation each one takes the place of, shape (inputs,).
    :ivar sign: of these, shape (inputs,).
    :ivar action: sign of the entries of an action, shape (outputs,).
    """

    order: NDArray[np.int64]
    sign: Array
    action: Array

    def beside(self, rows: Array) -> Array:
        """Return flat observations, and below them what a mirror makes of them."""
        return np.concatenate([rows, rows[:, self.order] * self.sign])
