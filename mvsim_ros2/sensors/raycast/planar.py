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
"""Exact distances along rays in the plane."""

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.scene.planar import PlanarScene
from mvsim_ros2.sensors.raycast.grid import build_grid
from mvsim_ros2.sensors.raycast.movers import Outlines
from mvsim_ros2.sensors.raycast.scan import cast_rays
from mvsim_ros2.sensors.raycast.scan import measure_scans

Array = NDArray[np.float64]


class PlanarRayCaster:
    """
    Casts rays against a planar scene; exact to rounding in double precision.

    Outlines are seen from both sides: a ray that starts inside a solid ends on its outline.
    """

    def __init__(self, scene: PlanarScene) -> None:
        self.scene = scene
        self._grid = build_grid(scene.static.segments, scene.static.is_grid)
        self._take_movers(scene)

    def update(self, scene: PlanarScene) -> None:
        """Cast against `scene` from now on; static geometry that is the same is kept."""
        if scene.static is not self.scene.static:
            self._grid = build_grid(scene.static.segments, scene.static.is_grid)
        self._take_movers(scene)
        self.scene = scene

    def _take_movers(self, scene: PlanarScene) -> None:
        first = scene.mover_first
        count = len(first) - 1
        circles = np.zeros((count, 3))
        for i, circle in enumerate(circles):
            ends = scene.mover_segments[first[i]:first[i + 1]].reshape(-1, 2)
            circle[:2] = (ends.min(axis=0) + ends.max(axis=0)) / 2
            circle[2] = np.linalg.norm(ends - circle[:2], axis=1).max()
        self._outlines = Outlines(np.ascontiguousarray(scene.mover_segments), first, circles)
        self._order = np.arange(count)
        self._still = np.zeros((count, 3))

    def _of_movers(self, values: ArrayLike | None, what: str) -> Array:
        """Return three numbers of each mover as the kernels take them."""
        if values is None:
            if what == 'poses' and len(self._order):
                raise SensorError(f'the scene has {len(self._order)} movers: give their poses')
            return self._still
        array = np.ascontiguousarray(values, float)
        if array.shape != self._still.shape:
            raise SensorError(
                f'the {what} of the movers have shape {array.shape}: the scene has '
                f'{len(self._order)} movers, so it must be {self._still.shape}')
        return array

    def cast(
            self, origins: ArrayLike, angles: ArrayLike, max_range: float,
            mover_poses: ArrayLike | None = None, ignore: int = -1,
            bodies_visible: bool = True) -> Array:
        """
        Return the distance to what each ray meets first, inf where nothing is in reach.

        :param origins: where the rays start [m], shape (2,) or (N, 2).
        :param angles: bearings of the rays in the world [rad], shape (N,).
        :param max_range: reach [m], inf for no limit.
        :param mover_poses: x, y, yaw of the movers in the world, shape (M, 3).
        :param ignore: number of a mover that is not seen, -1 for none.
        :param bodies_visible: False sees only occupancy grids.
        :raises SensorError: where a number is not finite or a shape does not fit.
        """
        angle_array = np.atleast_1d(np.asarray(angles, float))
        origin_array = np.array(
            np.broadcast_to(np.asarray(origins, float), (len(angle_array), 2)))
        if not (np.isfinite(angle_array).all() and np.isfinite(origin_array).all()
                and max_range >= 0):
            raise SensorError('a ray needs a finite origin, a finite angle and a range above 0')
        poses = self._of_movers(mover_poses, 'poses')
        directions = np.stack([np.cos(angle_array), np.sin(angle_array)], axis=1)
        ranges: Array = cast_rays(
            self._grid, self._outlines, poses, self._still, self._order, ignore,
            not bodies_visible, np.ndim(origins) == 1, origin_array, directions,
            np.zeros(len(angle_array)), float(max_range))
        return ranges

    def measure(
            self, scans: NDArray[np.void], first: NDArray[np.int64], headings: Array,
            angle_normals: Array, range_normals: Array, mover_poses: ArrayLike | None,
            mover_twists: ArrayLike | None = None) -> NDArray[np.float32]:
        """
        Return the ranges of several scans at once; see `raycast.scan.measure_scans`.

        :raises SensorError: where poses or twists of movers do not fit the scene.
        """
        ranges: NDArray[np.float32] = measure_scans(
            self._grid, self._outlines, self._of_movers(mover_poses, 'poses'),
            self._of_movers(mover_twists, 'twists'), self._order, scans, first, headings,
            angle_normals, range_normals)
        return ranges
