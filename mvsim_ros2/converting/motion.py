# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Where a vehicle truly was, at any time of a recording."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotations(quaternions: ArrayLike) -> Array:
    """Return the matrices of unit quaternions x y z w, shape (n, 3, 3)."""
    x, y, z, w = np.asarray(quaternions, float).T
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


def quaternions(matrices: Array) -> Array:
    """Return unit quaternions x y z w, w not negative, of rotation matrices (n, 3, 3)."""
    m = matrices
    trace = np.trace(m, axis1=1, axis2=2)
    # the largest of the four is found from the diagonal, the others from it
    squares = np.stack([1 + 2 * m[:, i, i] - trace for i in range(3)] + [1 + trace], axis=1)
    largest = squares.argmax(axis=1)
    away = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0],
                     m[:, 1, 0] - m[:, 0, 1]], axis=1)
    q = np.empty((len(m), 4))
    for k in range(4):
        rows = largest == k
        if k == 3:
            q[rows, :3], q[rows, 3] = away[rows], squares[rows, 3]
        else:
            q[rows, :3] = m[rows, k, :] + m[rows, :, k]
            q[rows, k], q[rows, 3] = squares[rows, k], away[rows, k]
    q /= np.linalg.norm(q, axis=1)[:, None]
    q[q[:, 3] < 0] *= -1.0
    return q


@dataclass(frozen=True, eq=False)
class Motion:
    """Poses of a frame in the world at growing times; it stands still before and after."""

    times_ns: NDArray[np.int64]  # (n,)
    positions: Array  # (n, 3) [m]
    quaternions: Array  # (n, 4): x y z w

    def at(self, times_ns: ArrayLike) -> Array:
        """Return homogeneous matrices at given times, shape (m, 4, 4); linear in between."""
        wanted = np.clip(np.asarray(times_ns, np.int64), self.times_ns[0], self.times_ns[-1])
        after = np.clip(np.searchsorted(self.times_ns, wanted), 1, max(1, len(self.times_ns) - 1))
        after = np.minimum(after, len(self.times_ns) - 1)
        before = np.maximum(after - 1, 0)
        span = np.maximum(self.times_ns[after] - self.times_ns[before], 1)
        share = ((wanted - self.times_ns[before]) / span)[:, None]
        one, other = self.quaternions[before], self.quaternions[after]
        other = other * np.where((one * other).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        mixed = (1 - share) * one + share * other  # the angle between two samples is small
        matrices = np.zeros((len(wanted), 4, 4))
        matrices[:, :3, :3] = rotations(mixed / np.linalg.norm(mixed, axis=1)[:, None])
        matrices[:, :3, 3] = ((1 - share) * self.positions[before]
                              + share * self.positions[after])
        matrices[:, 3, 3] = 1.0
        return matrices
