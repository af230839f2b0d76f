# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What compiled kernels cast rays at."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.bvh.bvh import Trees

Array = NDArray[np.float64]

PLANE_X, PLANE_Y, PLANE_Z, PLANE_OFFSET = 0, 1, 2, 3  # columns of `Target.faces`
REFLECTIVITY = 4


class Target(NamedTuple):
    """
    A scene as kernels see it: to be handed on, its entries are nobody's business.

    The frame is the world moved by the datum of the `RayScene`. The frame of a mesh is moved
    to its middle.
    """

    top: int  # the top scene of Embree, 0: the trees below
    intersect: int  # addresses of functions
    occluded: int
    coherent: int  # address of their arguments for coherent rays
    forward: Array  # (K, N, 3, 4): from the mesh to the target at K times of the motion
    inverse: Array  # (N, 3, 4): back, at the end of the motion
    steps: NDArray[np.int64]  # (N,): number of times that differ, 1 for what rests
    first_face: NDArray[np.int64]  # (N,): where the faces of an instance start
    faces: Array  # (F, 5): unit normal n and offset n.p [m] in the mesh frame; reflectivity
    labels: NDArray[np.uint32]  # (N,): label, and thing times 65536
    trees: Trees  # of our own, empty where there is Embree


@compiled(inner=True)
def inverse_of(m: Array, inverse: Array) -> float:
    """
    Fill in the inverse of an affine map and return the determinant of its linear part.

    :param m: shape (3, 4), as `inverse`, which is left alone where there is none.
    """
    xx = m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1]
    yx = m[1, 2] * m[2, 0] - m[1, 0] * m[2, 2]
    zx = m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0]
    determinant: float = m[0, 0] * xx + m[0, 1] * yx + m[0, 2] * zx
    if determinant == 0.0:
        return 0.0
    scale = 1.0 / determinant
    inverse[0, 0], inverse[1, 0], inverse[2, 0] = xx * scale, yx * scale, zx * scale
    inverse[0, 1] = (m[0, 2] * m[2, 1] - m[0, 1] * m[2, 2]) * scale
    inverse[1, 1] = (m[0, 0] * m[2, 2] - m[0, 2] * m[2, 0]) * scale
    inverse[2, 1] = (m[0, 1] * m[2, 0] - m[0, 0] * m[2, 1]) * scale
    inverse[0, 2] = (m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]) * scale
    inverse[1, 2] = (m[0, 2] * m[1, 0] - m[0, 0] * m[1, 2]) * scale
    inverse[2, 2] = (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) * scale
    for i in range(3):
        inverse[i, 3] = -(inverse[i, 0] * m[0, 3] + inverse[i, 1] * m[1, 3]
                          + inverse[i, 2] * m[2, 3])
    return determinant
