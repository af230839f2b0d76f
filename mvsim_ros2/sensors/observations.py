# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What sensors measure, as plain data.

Every observation carries the name of its sensor (``'r1/laser1'``), the name of the
sensor's frame and the simulated time of the measured state in nanoseconds (for a LiDAR
the start of the scan). Frames follow REP-103, units are SI.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Observation:
    """What all observations share."""

    sensor: str  # vehicle/sensor
    frame_id: str  # frame of the data, without any prefix of the vehicle
    stamp_ns: int  # simulated time [ns]


@dataclass(frozen=True, eq=False)
class LaserScan2D(Observation):
    """
    One scan of a planar LiDAR.

    Ray i points to ``angle_min + i * angle_increment`` [rad], counter-clockwise from the x
    axis of the sensor. A range is in metres; +inf: nothing within reach, -inf: too close
    (REP-117).
    """

    angle_min: float
    angle_max: float
    angle_increment: float
    time_increment: float  # s between rays, 0 where all were measured at once
    scan_time: float  # s between scans
    range_min: float
    range_max: float
    ranges: NDArray[np.float32]  # shape (rays,)


@dataclass(frozen=True, eq=False)
class PointCloud(Observation):
    """
    Points of a LiDAR or a depth camera: a structured array with the fields `x`, `y`, `z` [m].

    It has one dimension, or two where points are ordered in rows and columns; points that are
    missing are then NaN and the cloud is not dense. Further fields are as the sensor says.
    """

    points: NDArray[np.void]
    is_dense: bool


@dataclass(frozen=True, eq=False)
class CameraInfo(Observation):
    """Calibration of a camera; K (3, 3), R (3, 3), P (3, 4) as in sensor_msgs."""

    width: int
    height: int
    distortion_model: str
    distortion: NDArray[np.float64]
    K: NDArray[np.float64]
    R: NDArray[np.float64]
    P: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelImage(Observation):
    """
    What each pixel shows, shape (height, width); 0 is nothing, such as the sky.

    `boxes` has an entry for each object in sight: the fields `thing` and `label` (numbers as in
    the images), and `u_min`, `v_min`, `u_max`, `v_max` [px], borders included.
    """

    label: NDArray[np.uint16]  # class, a number of `scene.Scene.LABELS`
    thing: NDArray[np.uint16]  # object, a number of `thing_names`
    thing_names: tuple[str, ...]  # entry 0 is ''
    boxes: NDArray[np.void]
    info: CameraInfo


@dataclass(frozen=True, eq=False)
class Image(Observation):
    """Colour image, rgb8, shape (height, width, 3)."""

    pixels: NDArray[np.uint8]
    info: CameraInfo
    labels: LabelImage | None = None


@dataclass(frozen=True, eq=False)
class DepthImage(Observation):
    """
    Depth along the optical axis [m], shape (height, width); NaN where there is none.

    Where `unit` is not 0, depths are meant to be handed on as whole numbers of it [m].
    """

    depth: NDArray[np.float32]
    info: CameraInfo
    unit: float = 0.0


@dataclass(frozen=True, eq=False)
class RgbdImages(Observation):
    """Colour, depth and coloured points of one camera, as far as it gives them."""

    colour: Image | None = None
    depth: DepthImage | None = None
    cloud: PointCloud | None = None


@dataclass(frozen=True, eq=False)
class StereoImages(Observation):
    """What two cameras side by side see at the same time; the baseline is in P of the right."""

    left: Image
    right: Image


@dataclass(frozen=True, eq=False)
class ImuSample(Observation):
    """
    Angular velocity [rad/s] and specific force [m/s^2] in the sensor frame.

    At rest on level ground the specific force is +g along z (REP-145). `orientation` is the
    quaternion x y z w of the sensor frame in east-north-up, None where it is not measured.
    Covariances have shape (3, 3).
    """

    angular_velocity: NDArray[np.float64]
    linear_acceleration: NDArray[np.float64]
    orientation: NDArray[np.float64] | None
    angular_velocity_covariance: NDArray[np.float64]
    linear_acceleration_covariance: NDArray[np.float64]
    orientation_covariance: NDArray[np.float64]


class FixType(IntEnum):
    """How well a position is known; the numbers are those of sensor_msgs/NavSatStatus."""

    NONE = -1
    SINGLE = 0  # on its own
    DIFFERENTIAL = 1  # with corrections from satellites
    RTK = 2  # with corrections from a base on the ground


@dataclass(frozen=True, eq=False)
class GnssFix(Observation):
    """
    Geodetic position on WGS84 and velocity; NaN where there is no fix.

    Covariances are east-north-up, shape (3, 3).
    """

    fix: FixType
    latitude: float  # deg
    longitude: float  # deg
    altitude: float  # m above the ellipsoid
    covariance: NDArray[np.float64]  # m^2
    velocity: NDArray[np.float64]  # east, north, up [m/s]
    velocity_covariance: NDArray[np.float64]  # m^2/s^2


@dataclass(frozen=True, eq=False)
class RangeSample(Observation):
    """Distance to the nearest thing in a cone around x; +inf: nothing, -inf: too close."""

    infrared: bool  # False: ultrasound
    field_of_view: float  # rad, whole angle of the cone
    range_min: float  # m
    range_max: float  # m
    distance: float  # m


@dataclass(frozen=True, eq=False)
class MagneticSample(Observation):
    """Magnetic field in the sensor frame [T]; covariance (3, 3) [T^2]."""

    field: NDArray[np.float64]
    covariance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PressureSample(Observation):
    """Pressure of the air [Pa] and its variance [Pa^2]."""

    pressure: float
    variance: float


@dataclass(frozen=True, eq=False)
class EncoderSample(Observation):
    """What the encoders of the wheels of a vehicle count, in the order of its wheels."""

    names: tuple[str, ...]
    ticks: NDArray[np.int64]  # since the start
    angle: NDArray[np.float64]  # the same [rad]
    rate: NDArray[np.float64]  # mean since the last measurement, by the ticks [rad/s]


@dataclass(frozen=True, eq=False)
class ContactSample(Observation):
    """Whether something touches a bumper, and where in the frame of the vehicle."""

    pressed: bool
    points: NDArray[np.float64]  # (n, 2): x, y [m]
