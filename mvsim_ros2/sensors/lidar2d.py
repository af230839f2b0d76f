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
"""
Planar LiDAR.

The scan lies in a horizontal plane, whatever the height, pitch and roll of vehicle and
sensor; a scanner that is mounted upside down turns the other way round.
"""

from collections.abc import Sequence
from dataclasses import replace
import logging
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.raycast.planar import PlanarRayCaster
from mvsim_ros2.sensors.raycast.scan import SCAN
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.sensor import LaserSpec

_LOG = logging.getLogger(__name__)
_FULL_CIRCLE = 2 * math.pi - 1e-6
_TILT = 1e-3  # rad; mountings more oblique than this get a warning


def scan_angles(fov: float, rays: int) -> tuple[float, float]:
    """
    Return angle_min and angle_increment [rad] of a scan.

    Below a full circle the first and the last ray lie on the borders of the field of view. A
    full circle starts at -pi and has no ray twice. A single ray points forward.

    :param fov: field of view [rad].
    """
    if fov >= _FULL_CIRCLE:
        return -math.pi, 2 * math.pi / rays
    if rays == 1:
        return 0.0, 0.0
    return -fov / 2, fov / (rays - 1)


class Lidar2D(Sensor):
    """
    Planar LiDAR on a vehicle: exact ranges plus the noise of its spec.

    With `rolling` a scan is swept in the period before the measurement, each ray from where
    vehicle and movers were at its time, going back along their twists; else all rays measure
    at once.
    """

    def __init__(self, spec: LaserSpec, owner: str, caster: PlanarRayCaster,
                 random: np.random.Generator) -> None:
        """
        Mount a LiDAR.

        :param caster: what it looks into.
        :param random: source of its noise.
        """
        super().__init__(spec, owner)
        if spec.height is not None:
            self.pose = replace(spec.pose, z=spec.height)
        self.caster = caster
        self.random = random
        self.angle_min, self.angle_increment = scan_angles(spec.fov, spec.nrays)
        angles = self.angle_min + self.angle_increment * np.arange(spec.nrays)
        self.angle_max = float(angles[-1])
        rotation = self.pose.rotation
        if abs(rotation[2, 2]) < math.cos(_TILT):
            _LOG.warning('%s: sensor %s is tilted: the planar mode measures in the horizontal '
                         'plane all the same', spec.source, self.name)
        bearings = (math.atan2(rotation[1, 0], rotation[0, 0])
                    + math.copysign(1.0, rotation[2, 2]) * angles)
        self.headings = np.stack([np.cos(bearings), np.sin(bearings)], axis=1)
        self.sweep_ns = self.period_ns if spec.rolling else 0
        self.angle_normals, self.range_normals = np.zeros((2, spec.nrays))
        self._scan = (self.pose.x, self.pose.y, self.sweep_ns * 1e-9, spec.min_range,
                      spec.max_range, spec.range_std_noise, spec.angle_std_noise)
        self._record, self._first = np.zeros(1, SCAN), np.array([0, spec.nrays])
        self._grids_only = not spec.bodies_visible
        self._range_limits = spec.min_range, spec.max_range

    def measure(self, stamp_ns: int, state: BodyState) -> LaserScan2D:
        """
        Return one scan; its stamp is the start of the sweep.

        :raises SensorError: where the state is not finite or does not fit the scene.
        """
        self._record[0] = self.request(state)
        ranges = self.caster.measure(
            self._record, self._first, self.headings, self.angle_normals, self.range_normals,
            state.mover_poses, state.mover_twists)
        return self.observation(stamp_ns, ranges)

    def request(self, state: BodyState) -> tuple[object, ...]:
        """Return the `SCAN` record of a measurement in `state`, and draw its noise."""
        x, y, _, yaw, _, _ = state.pose.tolist()
        vx, vy, wz = state.twist_body.tolist()
        if not math.isfinite(x + y + yaw + vx + vy + wz):
            raise SensorError(f'{self.name}: pose {state.pose} or twist {state.twist_body} of '
                              'its vehicle is not finite')
        if self._scan[6] > 0:
            self.random.standard_normal(out=self.angle_normals)
        if self._scan[5] > 0:
            self.random.standard_normal(out=self.range_normals)
        return (x, y, yaw, vx, vy, wz, *self._scan, state.mover_index, self._grids_only)

    def observation(self, stamp_ns: int, ranges: NDArray[np.float32]) -> LaserScan2D:
        """Return `ranges`, measured until `stamp_ns`, as a scan."""
        return LaserScan2D(
            self.name, self.frame_id, stamp_ns - self.sweep_ns, self.angle_min, self.angle_max,
            self.angle_increment, 1e-9 * self.sweep_ns / len(ranges), 1e-9 * self.period_ns,
            *self._range_limits, ranges)


def measure_together(
        lidars: Sequence[Lidar2D], stamp_ns: int,
        states: Sequence[BodyState]) -> list[LaserScan2D]:
    """
    Return one scan of each LiDAR, all at the same time; much faster than one by one.

    :param lidars: LiDARs that look into the same scene.
    :param states: the state of the vehicle of each; movers are taken from the first.
    :raises SensorError: where a state is not finite or does not fit the scene.
    """
    if len(lidars) < 2:
        return [lidar.measure(stamp_ns, state)
                for lidar, state in zip(lidars, states, strict=True)]
    scans = np.array([lidar.request(state)
                      for lidar, state in zip(lidars, states, strict=True)], SCAN)
    first = np.cumsum([0, *(len(lidar.headings) for lidar in lidars)])
    ranges = lidars[0].caster.measure(
        scans, first, np.concatenate([lidar.headings for lidar in lidars]),
        np.concatenate([lidar.angle_normals for lidar in lidars]),
        np.concatenate([lidar.range_normals for lidar in lidars]),
        states[0].mover_poses, states[0].mover_twists)
    return [lidar.observation(stamp_ns, ranges[begin:end])
            for lidar, begin, end in zip(
                lidars, first[:-1].tolist(), first[1:].tolist(), strict=True)]
