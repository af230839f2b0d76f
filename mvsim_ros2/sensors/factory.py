# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From sensor specs to sensors."""

from collections.abc import Callable
from collections.abc import Iterable
import logging

from mvsim_ros2.errors import SensorError
from mvsim_ros2.random_streams import RandomStreams
from mvsim_ros2.sensors.base import full_name
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.body.bumper import make_bumper
from mvsim_ros2.sensors.body.range_finder import make_range_finder
from mvsim_ros2.sensors.body.wheel_encoders import make_wheel_encoders
from mvsim_ros2.sensors.camera.rgb import make_camera
from mvsim_ros2.sensors.camera.rgbd import make_rgbd_camera
from mvsim_ros2.sensors.lidar.lidar3d import make_lidar3d
from mvsim_ros2.sensors.lidar.planar_tilted import make_lidar2d
from mvsim_ros2.sensors.navigation.barometer import make_barometer
from mvsim_ros2.sensors.navigation.gnss import make_gnss
from mvsim_ros2.sensors.navigation.imu import make_imu
from mvsim_ros2.sensors.navigation.magnetometer import make_magnetometer
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.spec.sensors.air_and_field import BarometerSpec
from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec
from mvsim_ros2.spec.sensors.base import SensorSpec
from mvsim_ros2.spec.sensors.camera import CameraSpec
from mvsim_ros2.spec.sensors.camera import RgbdCameraSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import BumperSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import WheelEncodersSpec
from mvsim_ros2.spec.sensors.lidar import LaserSpec
from mvsim_ros2.spec.sensors.lidar import Lidar3dSpec
from mvsim_ros2.spec.sensors.navigation import GnssSpec
from mvsim_ros2.spec.sensors.navigation import ImuSpec
from mvsim_ros2.spec.sensors.range_finder import InfraredSpec
from mvsim_ros2.spec.sensors.range_finder import SonarSpec
from mvsim_ros2.spec.world import WorldSpec

_LOG = logging.getLogger(__name__)

# class of the spec -> what makes the sensor; a new kind of sensor is one line here
MAKERS: dict[type[SensorSpec], Callable[[Mount], Sensor]] = {
    LaserSpec: make_lidar2d,
    Lidar3dSpec: make_lidar3d,
    CameraSpec: make_camera,
    RgbdCameraSpec: make_rgbd_camera,
    ImuSpec: make_imu,
    GnssSpec: make_gnss,
    WheelEncodersSpec: make_wheel_encoders,
    BumperSpec: make_bumper,
    SonarSpec: make_range_finder,
    InfraredSpec: make_range_finder,
    MagnetometerSpec: make_magnetometer,
    BarometerSpec: make_barometer,
}


def mounted_sensors(world: WorldSpec) -> list[tuple[str, SensorSpec]]:
    """Return name of the vehicle and spec of every sensor; '' for those without a vehicle."""
    on_vehicles = [(vehicle.name, spec) for vehicle in world.vehicles
                   for spec in vehicle.sensors]
    return on_vehicles + [('', spec) for spec in world.sensors]


def make_sensors(mounted: Iterable[tuple[str, SensorSpec]], streams: RandomStreams,
                 views: SceneViews) -> dict[str, Sensor]:
    """
    Return the sensors by name, ``'vehicle/sensor'``, or ``'sensor'`` without a vehicle.

    A sensor of a class that cannot be simulated is left out with a warning.

    :param mounted: as `mounted_sensors` returns them.
    :param streams: their noise; each sensor has the stream ``'sensor/<name>'``.
    :param eyes: what they look with.
    :raises SensorError: where two sensors of a vehicle have the same name.
    """
    sensors: dict[str, Sensor] = {}
    for owner, spec in mounted:
        name = full_name(owner, spec)
        if name in sensors:
            raise SensorError(f'{spec.source}: there is a sensor {name!r} already: give each '
                              'sensor of a vehicle a name of its own')
        if type(spec) in MAKERS:
            sensors[name] = MAKERS[type(spec)](
                Mount(spec, owner, streams.get(f'sensor/{name}'), views, views.world))
        else:
            _LOG.warning('%s: sensor %s of class %s is not simulated yet and left out',
                         spec.source, name, spec.XML_CLASS)
    return sensors
