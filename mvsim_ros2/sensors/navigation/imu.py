# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Inertial measurement unit.

The body has the rotation R_b in the world and the rate w in body axes; a is the acceleration of
its reference point. The sensor is at the place r with the rotation R on the body; g is gravity. It
measures

    gyroscope:      R^T w
    accelerometer:  R^T (R_b^T (a - g) + dw/dt x r + w x (w x r))

(rigid body kinematics, for example Woodman, An introduction to inertial navigation, 2007). A
sample has the means since the last one, as behind an anti-aliasing filter. With the velocity v of
the sensor and the attitude R_b at both,

    gyroscope:      R^T log(R_b(t - T)^T R_b(t)) / T
    accelerometer:  R^T R_b(t)^T ((v(t) - v(t - T)) / T - g)

so that the integral of its readings is the true motion, impacts included. Each reading is filtered
and scaled, then white noise and a bias are added. From one sample to the next, the bias changes by
the random walk times the root of the period (standard deviation). `Flicker` adds its flicker.
White noise of the density N has the deviation N / sqrt(T) in samples every T. Its integral walks
by N sqrt(t) in a time t. N is the angle or velocity random walk of IEEE Std 952, a two-sided
density. A low-pass filters this noise too. Finally the reading is limited to the range of the
sensor.

Flicker noise of the bias instability B has the one-sided spectrum B^2 / (pi f). Its Allan
deviation is sqrt(2 ln 2 / pi) B = 0.664 B at any averaging time (IEEE Std 952-1997, annex C). It
is a sum of Gauss-Markov processes with the variance B^2 ln(r) / pi, whose correlation times grow
by the factor r. Between the shortest and the longest time their spectra add up to it (Barnes and
Jarvis, Efficient numerical and analog modeling of flicker noise processes, NBS Technical Note 604,
1971). With r = 4 the sum departs from it by 0.3 %.

The low-pass is a Butterworth filter of second order, by the bilinear transform with the same
cut-off frequency (Oppenheim and Schafer, Discrete-time signal processing, 7.1). With k = tan(pi f
T) of the cut-off f and the period T it lets pass the share

    k (k + 1/sqrt(2)) / (k^2 + sqrt(2) k + 1)

of the variance of white noise, the integral of 1 / (1 + (tan(x) / k)^4) over x from 0 to pi/2,
divided by pi/2. At frequencies far below 1/T that is the noise bandwidth of the filter in time,
pi f / (2 sqrt(2)) = 1.11 f, of the 1/(2T) that samples show.
"""

import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.spatial_motion import feel_mean
from mvsim_ros2.sensors import BodyState, ImuSample, Mount, Sensor, SensorModel
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.world.spec.fields import per_axis, PerAxis
from mvsim_ros2.world.spec.sensors.navigation import ImuSpec

FLAT = math.sqrt(2.0 * math.log(2.0) / math.pi)  # Allan deviation of the bias instability 1
_RATIO = 4.0
_SHORTEST, _LONGEST = 0.05, 20_000.0  # s; correlation times of the processes


class Flicker:
    """Flicker noise of several axes."""

    def __init__(self, levels: Array, period: float) -> None:
        """
        Begin with noise that has been going on for long.

        :param levels: at which the Allan deviation is flat, shape (n,).
        """
        count = 1 + math.ceil(math.log(_LONGEST / _SHORTEST, _RATIO))
        times = _SHORTEST * _RATIO ** np.arange(count)
        self._deviation = (levels / FLAT * math.sqrt(math.log(_RATIO) / math.pi))[:, np.newaxis]
        self._keep = np.exp(-period / times)
        self._fresh = np.sqrt(-np.expm1(-2.0 * period / times)) * self._deviation
        self.parts: Array = np.zeros(self._fresh.shape)

    def begin(self, random: np.random.Generator) -> None:
        """Draw the noise anew."""
        self.parts = self._deviation * random.standard_normal(self._fresh.shape)

    def advance(self, random: np.random.Generator) -> Array:
        """Return the noise of the next sample, shape (n,)."""
        self.parts = (self._keep * self.parts
                      + self._fresh * random.standard_normal(self._fresh.shape))
        total: Array = self.parts.sum(axis=1)
        return total


class LowPass:
    """Low-pass filter of several axes; it begins as if the first value had been there for long."""

    def __init__(self, bandwidths: Array, period: float) -> None:
        """
        Prepare the filter.

        :param bandwidths: of each axis [Hz]; from half of the rate of samples on it passes
            everything, as these show nothing of it.
        :param period: between two samples [s].
        """
        self._filtered = bandwidths < 0.5 / period
        k = np.tan(math.pi * period * np.where(self._filtered, bandwidths, 0.0))
        scale = 1.0 / (1.0 + math.sqrt(2.0) * k + k * k)
        self._in = np.stack([k * k, 2.0 * k * k, k * k]) * scale  # of this value and of two before
        self._out = np.stack([2.0 * (k * k - 1.0), 1.0 - math.sqrt(2.0) * k + k * k]) * scale
        # of the variance of white noise that passes, shape (n,)
        self.share: Array = np.where(self._filtered, k * (k + math.sqrt(0.5)) * scale, 1.0)
        self._past: Array | None = None  # (4, n): values in and out, the last and the one before

    def reset(self) -> None:
        """Forget what was before."""
        self._past = None

    def begin(self, normals: Array) -> None:
        """
        Go on as if white noise of deviation 1 had passed for long.

        :param normals: independent ones, shape (4, n).
        """
        # values in and the values out that they are in have the joint covariance of the
        # stationary filter; what is left of two values out are two more normals
        before, earlier, third, fourth = normals
        first, second = self._in[0], self._in[1] - self._out[0] * self._in[0]  # of an impulse
        neighbours = (self._in[1] * first + self._in[2] * second - self._out[0] * self.share) / (
            1.0 + self._out[1])  # covariance of two values out, the Yule-Walker equation
        rest = np.sqrt(self.share - first * first)
        common = (neighbours - second * first) / rest
        own = np.sqrt(np.maximum(
            self.share - first * first - second * second - common * common, 0.0))
        self._past = np.stack([
            before, earlier, first * before + second * earlier + common * third + own * fourth,
            first * earlier + rest * third])

    def filtered(self, values: Array) -> Array:
        """Return the filtered values of the next sample, shape (n,)."""
        if self._past is None:
            self._past = np.stack([values] * 4)
        before, earlier, made, made_earlier = self._past
        out = (self._in[0] * values + self._in[1] * before + self._in[2] * earlier
               - self._out[0] * made - self._out[1] * made_earlier)
        result: Array = np.where(self._filtered, out, values)
        self._past = np.stack([values, before, result, made])
        return result


@compiled(counted=False)
def feel(pose: Array, motion: Array, gravity: float, place: Array, rotation: Array,
         felt: Array) -> None:
    """
    Fill in rate [rad/s] and specific force [m/s^2] in the sensor frame, without any error.

    :param pose: of the body, shape (6,).
    :param motion: `SpatialMotion.values` of its reference point.
    :param place: of the sensor in the body frame [m].
    :param rotation: of the sensor in the body frame, shape (3, 3).
    :param felt: shape (6,).
    """
    cy, sy = math.cos(pose[3]), math.sin(pose[3])
    cp, sp = math.cos(pose[4]), math.sin(pose[4])
    cr, sr = math.cos(pose[5]), math.sin(pose[5])
    ax, ay, az = motion[6], motion[7], motion[8] + gravity
    ahead = cy * ax + sy * ay  # turned by the yaw, then by pitch and roll
    left = cy * ay - sy * ax
    down = sp * ahead + cp * az
    wx, wy, wz = motion[3], motion[4], motion[5]
    bx, by, bz = motion[9], motion[10], motion[11]
    x, y, z = place[0], place[1], place[2]
    inner = wx * x + wy * y + wz * z
    square = wx * wx + wy * wy + wz * wz
    fx = cp * ahead - sp * az + by * z - bz * y + wx * inner - square * x
    fy = cr * left + sr * down + bz * x - bx * z + wy * inner - square * y
    fz = cr * down - sr * left + bx * y - by * x + wz * inner - square * z
    for k in range(3):
        felt[k] = rotation[0, k] * wx + rotation[1, k] * wy + rotation[2, k] * wz
        felt[3 + k] = rotation[0, k] * fx + rotation[1, k] * fy + rotation[2, k] * fz


@compiled(counted=False)
def orient(pose: Array, heading: float, mounting: Array, error: Array, q: Array) -> None:
    """
    Fill in the quaternion x y z w of a sensor in east-north-up.

    :param heading: turn from the world frame to east-north-up [rad].
    :param mounting: quaternion of the sensor in the body frame.
    :param error: rotation vector in the sensor frame [rad].
    """
    cy, sy = math.cos(0.5 * (pose[3] + heading)), math.sin(0.5 * (pose[3] + heading))
    cp, sp = math.cos(0.5 * pose[4]), math.sin(0.5 * pose[4])
    cr, sr = math.cos(0.5 * pose[5]), math.sin(0.5 * pose[5])
    x, y, z = cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr
    w = cy * cp * cr + sy * sp * sr
    angle = math.sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2])
    share = 0.5 if angle == 0.0 else math.sin(0.5 * angle) / angle
    for k in range(2):
        if k == 0:
            a, b, c, d = mounting[0], mounting[1], mounting[2], mounting[3]
        else:
            a, b, c = share * error[0], share * error[1], share * error[2]
            d = math.cos(0.5 * angle)
        x, y, z, w = (w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
                      w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c)
    q[0], q[1], q[2], q[3] = x, y, z, w


class Imu(Sensor):
    """Gyroscope and accelerometer on a vehicle, and its orientation where the spec says so."""

    MEMORY = ('bias', 'walked', 'flicker', 'low_pass', 'noise_pass', 'last')
    walked: Array  # (6,): the bias without its flicker
    bias: Array  # (6,): of gyroscope [rad/s] and accelerometer [m/s^2]
    last: Array  # (7,): of the last sample, see `feel_mean`

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: ImuSpec = mount.spec
        self._random = mount.random
        place = mount.world.georeference
        reference = None if place is None else Georeference(place)
        # turn from the world frame to east-north-up [rad]
        self._world_to_enu = reference.heading(reference.origin) if reference else 0.0
        self._place = spec.pose.position
        self._rotation = spec.pose.rotation
        self._mounting = np.array(spec.pose.quaternion)
        self._measures_orientation = spec.measure_orientation
        self._orientation_noise = spec.orientation_std_noise
        period = max(self.period_ns * 1e-9, mount.views.step)  # shortest between two samples [s]
        self._period, self._step = period, mount.views.step
        root = math.sqrt(period)
        densities = spec.angular_velocity_noise_density, spec.linear_acceleration_noise_density
        self._white = np.concatenate([
            per_axis(sample) if density is None else np.array(per_axis(density)) / root
            for sample, density in zip(
                (spec.angular_velocity_white_noise, spec.linear_acceleration_white_noise),
                densities, strict=True)])
        self._walk = root * _both(
            spec.angular_velocity_random_walk, spec.linear_acceleration_random_walk)
        self._first_bias = np.array(spec.angular_velocity_bias + spec.linear_acceleration_bias)
        self._bias_noise = _both(
            spec.angular_velocity_bias_noise, spec.linear_acceleration_bias_noise)
        self._scale = _both(spec.angular_velocity_scale, spec.linear_acceleration_scale)
        self._limit = _both(*(math.inf if limit is None else limit for limit in (
            spec.angular_velocity_limit, spec.linear_acceleration_limit)))
        self._misaligned = [
            _small_turn(spec.angular_velocity_misalignment),
            _small_turn(spec.linear_acceleration_misalignment)]
        self._turned = any(spec.angular_velocity_misalignment
                           + spec.linear_acceleration_misalignment)
        self._g_sensitivity = np.array(per_axis(spec.angular_velocity_g_sensitivity))
        self._feels_force = bool(self._g_sensitivity.any())
        self._resolution = _both(
            spec.angular_velocity_resolution, spec.linear_acceleration_resolution)
        self._stepped = np.flatnonzero(self._resolution)
        self._limited = bool(np.isfinite(self._limit).any())
        levels = _both(spec.angular_velocity_bias_instability,
                       spec.linear_acceleration_bias_instability)
        self.flicker = Flicker(levels, period) if levels.any() else None
        bandwidths = _both(*(math.inf if bandwidth is None else bandwidth for bandwidth in (
            spec.angular_velocity_bandwidth, spec.linear_acceleration_bandwidth)))
        self.low_pass = LowPass(bandwidths, period) if np.isfinite(bandwidths).any() else None
        # noise of a sample is what samples show, filter or not; a density is before the filter
        bandwidths = np.where(np.repeat([density is None for density in densities], 3),
                              math.inf, bandwidths)
        self.noise_pass = LowPass(bandwidths, period) if np.isfinite(bandwidths).any() else None
        shown = self._white if self.noise_pass is None else (
            self._white * np.sqrt(self.noise_pass.share))
        self._covariances = (
            _covariance(shown[:3]), _covariance(shown[3:]),
            _covariance(np.full(3, spec.orientation_std_noise)) if spec.measure_orientation
            else np.diag([-1.0, 0.0, 0.0]))  # not measured (REP-145)
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> ImuSample:
        """Return one sample; the bias takes one step."""
        truth = np.empty(6)
        feel(state.pose, state.motion.values, state.gravity, self._place, self._rotation, truth)
        feel_mean(state.pose, state.motion.values, state.gravity, self._place, self._rotation,
                  1e-9 * stamp_ns, self._period, self._step, state.steps, self.last, truth)
        if not np.isfinite(truth).all():
            raise SensorError(f'{self.name}: the state of its vehicle is not finite: {state}')
        if self._turned:
            truth = np.concatenate([self._misaligned[0] @ truth[:3],
                                    self._misaligned[1] @ truth[3:]])
        if self._feels_force:
            truth[:3] += self._g_sensitivity * truth[3:]
        if self.low_pass is not None:
            truth = self.low_pass.filtered(truth)
        normals = self._random.standard_normal(15)
        self.walked = self.walked + self._walk * normals[:6]
        self.bias = self.walked
        if self.flicker is not None:
            self.bias = self.walked + self.flicker.advance(self._random)
        white = normals[6:12]
        if self.noise_pass is not None:
            white = self.noise_pass.filtered(white)
        values = self._scale * truth + self.bias + self._white * white
        if self._limited:
            values = np.clip(values, -self._limit, self._limit)
        if len(self._stepped):
            step = self._resolution[self._stepped]
            values[self._stepped] = step * np.rint(values[self._stepped] / step)
        orientation = None
        if self._measures_orientation:
            orientation = np.empty(4)
            orient(state.pose, self._world_to_enu, self._mounting,
                   self._orientation_noise * normals[12:], orientation)
        return ImuSample(self.name, self.frame_id, stamp_ns, values[:3], values[3:],
                         orientation, *self._covariances)

    def reset(self) -> None:
        """Put the bias back to where it starts; a spread of that is drawn anew."""
        self.walked = self._first_bias
        if self._bias_noise.any():
            self.walked = self.walked + self._bias_noise * self._random.standard_normal(6)
        self.bias, self.last = self.walked, np.full(7, -1.0)
        if self.flicker is not None:
            self.flicker.begin(self._random)
        if self.low_pass is not None:
            self.low_pass.reset()
        if self.noise_pass is not None:
            self.noise_pass.begin(self._random.standard_normal((4, 6)))

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned; filters that one of both lacks stay as they are."""
        missing = [name for name in ('flicker', 'low_pass', 'noise_pass')
                   if getattr(self, name) is None or state[name] is None]
        super().set_state(state | {name: getattr(self, name) for name in missing})


def _small_turn(turn: tuple[float, float, float]) -> Array:
    """Return the matrix (3, 3) to axes that are turned by a small rotation vector."""
    x, y, z = turn
    return np.array([[1.0, z, -y], [-z, 1.0, x], [y, -x, 1.0]])


def _both(gyroscope: PerAxis, accelerometer: PerAxis) -> Array:
    """Return the values of the axes of both, shape (6,)."""
    return np.array(per_axis(gyroscope) + per_axis(accelerometer))


def _covariance(deviations: Array) -> Array:
    """Return the covariance (3, 3) of three numbers; all zero means unknown (REP-145)."""
    covariance = np.diag(deviations ** 2)
    covariance.flags.writeable = False
    return covariance


MODELS = (SensorModel(spec=ImuSpec, make=Imu),)
