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
"""Points of a LiDAR, and the motion during a scan taken out of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.converting.motion import Motion
from mvsim_ros2.converting.source import stamp_ns

Array = NDArray[np.float64]

TYPES = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'f4', 8: 'f8'}


def points_of(message: Any) -> NDArray[np.void]:
    """Return the finite points of a PointCloud2, with its fields."""
    kind = np.dtype({
        'names': [field.name for field in message.fields],
        'formats': [('>' if message.is_bigendian else '<') + TYPES[field.datatype]
                    for field in message.fields],
        'offsets': [field.offset for field in message.fields],
        'itemsize': message.point_step})
    rows = np.frombuffer(message.data, np.uint8).reshape(message.height, message.row_step)
    points: NDArray[np.void] = np.frombuffer(
        rows[:, :message.width * message.point_step].tobytes(), kind)
    finite = np.isfinite(points['x']) & np.isfinite(points['y']) & np.isfinite(points['z'])
    kept: NDArray[np.void] = points[finite]
    return kept


def times_of(points: NDArray[np.void], message: Any) -> NDArray[np.int64]:
    """Return when each point was measured [ns]; all at the stamp where no field says it."""
    start = stamp_ns(message)
    names = points.dtype.names or ()
    if 'time' in names:
        return start + np.rint(points['time'].astype(float) * 1e9).astype(np.int64)
    if 't' in names:
        return start + points['t'].astype(np.int64)
    return np.full(len(points), start)


def standing(message: Any, motion: Motion, on_base: Array, at_ns: int) -> Array:
    """
    Return the points as a LiDAR that stood still would have measured them at a time.

    :param motion: of the vehicle.
    :param on_base: pose of the LiDAR on it.
    :returns: x, y, z in the frame of the LiDAR at that time [m], and intensity, shape (n, 4).
    """
    points = points_of(message)
    place = np.stack([points[axis].astype(float) for axis in 'xyz'], axis=1)
    times, which = np.unique(times_of(points, message), return_inverse=True)
    then = motion.at(times) @ on_base
    now = motion.at([at_ns])[0] @ on_base
    moved = np.linalg.inv(now) @ then
    place = np.einsum('nij,nj->ni', moved[which, :3, :3], place) + moved[which, :3, 3]
    names = points.dtype.names or ()
    shine = points['intensity'] if 'intensity' in names else np.zeros(len(points))
    return np.column_stack([place, shine])
