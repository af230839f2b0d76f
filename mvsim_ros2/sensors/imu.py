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
Inertial measurement unit.

With the rotation R_b of the body in the world, its rate w in body axes, the acceleration a of
its reference point and gravity g in the world, and the place r and the rotation R of the sensor
on the body, the sensor feels

    gyroscope:      R^T w
    accelerometer:  R^T (R_b^T (a - g) + dw/dt x r + w x (w x r))

(rigid body kinematics, for example Woodman, An introduction to inertial navigation, 2007).
Each reading is scaled, then come white noise and a bias that walks: the standard deviation of
its step from one sample to the next is the random walk times the root of the period. At last
the reading is limited to what the sensor can show.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import quaternion
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.frames import ypr_from_matrix
from mvsim_ros2.sensors.georeference import Georeference
from mvsim_ros2.sensors.observations import ImuSample
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.navigation import ImuSpec

Array = NDArray[np.float64]


def specific_force(state: BodyState, place: Array) -> Array:
    """
    Return acceleration minus gravity [m/s^2] at a point of the body, in body axes.

    :param place: x, y, z of the point in the body frame [m].
    """
    motion = state.motion
    felt = motion.acceleration + (0.0, 0.0, state.gravity)
    force: Array = (felt @ rotation_matrix(*state.pose[3:])
                    + np.cross(motion.rate_change, place)
                    + np.cross(motion.rate, np.cross(motion.rate, place)))
    return force


def rotation_of_vector(vector: Array) -> Array:
    """Return the matrix of a turn about `vector` by its length [rad] (Rodrigues)."""
    x, y, z = vector
    angle = math.sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return np.eye(3)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]) / angle
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


class Imu(Sensor):
    """Gyroscope and accelerometer on a vehicle, and where asked for its orientation."""

    def __init__(self, spec: ImuSpec, owner: str, random: np.random.Generator,
                 world_to_enu: float = 0.0) -> None:
        """
        Mount an IMU.

        :param random: source of its noise.
        :param world_to_enu: turn from the world frame to east-north-up [rad].
        """
        super().__init__(spec, owner)
        self._random = random
        self._world_to_enu = world_to_enu
        self._place = spec.pose.position
        self._rotation = spec.pose.rotation
        self._measures_orientation = spec.measure_orientation
        self._orientation_noise = spec.orientation_std_noise
        root = math.sqrt(self.period_ns * 1e-9)
        gyroscope, accelerometer = (
            sample if density is None else density / root for sample, density in (
                (spec.angular_velocity_white_noise, spec.angular_velocity_noise_density),
                (spec.linear_acceleration_white_noise, spec.linear_acceleration_noise_density)))
        self._white = np.repeat([gyroscope, accelerometer], 3)
        self._walk = root * np.repeat(
            [spec.angular_velocity_random_walk, spec.linear_acceleration_random_walk], 3)
        self._first_bias = np.array(spec.angular_velocity_bias + spec.linear_acceleration_bias)
        self._bias_noise = np.repeat(
            [spec.angular_velocity_bias_noise, spec.linear_acceleration_bias_noise], 3)
        self._scale = np.repeat(
            [spec.angular_velocity_scale, spec.linear_acceleration_scale], 3)
        self._limit = np.repeat([
            math.inf if limit is None else limit
            for limit in (spec.angular_velocity_limit, spec.linear_acceleration_limit)], 3)
        self._covariances = (
            _covariance(gyroscope), _covariance(accelerometer),
            _covariance(spec.orientation_std_noise) if spec.measure_orientation
            else _not_measured())
        # of gyroscope [rad/s] and accelerometer [m/s^2]
        self.bias: Array = self._first_bias
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> ImuSample:
        """
        Return one sample; the bias takes one step.

        :raises SensorError: where the state is not finite.
        """
        force = specific_force(state, self._place)
        truth = np.concatenate([state.motion.rate @ self._rotation, force @ self._rotation])
        if not np.isfinite(truth).all():
            raise SensorError(f'{self.name}: the state of its vehicle is not finite: {state}')
        normals = self._random.standard_normal(15)
        self.bias = self.bias + self._walk * normals[:6]
        values = np.clip(self._scale * truth + self.bias + self._white * normals[6:12],
                         -self._limit, self._limit)
        orientation = None
        if self._measures_orientation:
            orientation = self._orientation(state, self._orientation_noise * normals[12:])
        return ImuSample(self.name, self.frame_id, stamp_ns, values[:3], values[3:],
                         orientation, *self._covariances)

    def _orientation(self, state: BodyState, error: Array) -> Array:
        """Return the quaternion of the sensor in east-north-up, turned by `error` [rad]."""
        yaw, pitch, roll = state.pose[3:]
        rotation = (rotation_matrix(yaw + self._world_to_enu, pitch, roll)
                    @ self._rotation @ rotation_of_vector(error))
        return quaternion(*ypr_from_matrix(rotation))

    def reset(self) -> None:
        """Put the bias back to where it starts; a spread of that is drawn anew."""
        self.bias = self._first_bias
        if self._bias_noise.any():
            self.bias = self.bias + self._bias_noise * self._random.standard_normal(6)

    def state(self) -> dict[str, Any]:
        """Return the bias."""
        return {'bias': self.bias.tolist()}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue with the bias that `state` returned."""
        self.bias = np.array(state['bias'], float)


def make_imu(mount: Mount) -> Imu:
    """Return an IMU."""
    if mount.world.georeference is None:
        return Imu(mount.spec, mount.owner, mount.random)
    reference = Georeference(mount.world.georeference)
    return Imu(mount.spec, mount.owner, mount.random, reference.heading(reference.origin))


def _covariance(deviation: float) -> Array:
    """Return the covariance (3, 3) of three numbers; all zero means unknown (REP-145)."""
    covariance = deviation ** 2 * np.eye(3)
    covariance.flags.writeable = False
    return covariance


def _not_measured() -> Array:
    """Return the covariance (3, 3) that marks a quantity as not measured (REP-145)."""
    covariance = np.zeros((3, 3))
    covariance[0, 0] = -1.0
    covariance.flags.writeable = False
    return covariance
