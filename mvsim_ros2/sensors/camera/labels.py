# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the objects are in an image."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

_BOX = np.dtype([('thing', np.uint16), ('label', np.uint16), ('u_min', np.int32),
                 ('v_min', np.int32), ('u_max', np.int32), ('v_max', np.int32)])


@compiled(counted=False)
def _measure(ids: NDArray[np.uint16], boxes: NDArray[np.int32]) -> None:
    """Fill in label, least and largest u and v of each thing; boxes: (things, 5)."""
    for v in range(ids.shape[0]):
        for u in range(ids.shape[1]):
            thing = ids[v, u, 1]
            if thing == 0:
                continue
            if boxes[thing, 3] < 0:
                boxes[thing, 0] = ids[v, u, 0]
                boxes[thing, 1] = boxes[thing, 3] = u
                boxes[thing, 2] = v
            boxes[thing, 1] = min(boxes[thing, 1], u)
            boxes[thing, 3] = max(boxes[thing, 3], u)
            boxes[thing, 4] = v


def boxes_of(ids: NDArray[np.uint16], count: int) -> NDArray[np.void]:
    """
    Return a box for each object in sight, see `LabelImage`.

    :param ids: labels and things, shape (height, width, 2).
    :param count: of all things, nothing included.
    """
    limits = np.full((count, 5), -1, np.int32)
    _measure(ids, limits)
    things = np.flatnonzero(limits[:, 3] >= 0)
    boxes = np.zeros(len(things), _BOX)
    boxes['thing'] = things
    for column, name in enumerate(('label', 'u_min', 'v_min', 'u_max', 'v_max')):
        boxes[name] = limits[things, column]
    return boxes
