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
"""From sensor specs to sensors."""

from collections.abc import Callable
from collections.abc import Iterable
import logging

from mvsim_ros2.errors import SensorError
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.sensors.barometer import make_barometer
from mvsim_ros2.sensors.bumper import make_bumper
from mvsim_ros2.sensors.camera import make_camera
from mvsim_ros2.sensors.camera_rgbd import make_rgbd_camera
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.gnss import make_gnss
from mvsim_ros2.sensors.imu import make_imu
from mvsim_ros2.sensors.lidar2d_in_space import make_lidar2d
from mvsim_ros2.sensors.lidar3d import make_lidar3d
from mvsim_ros2.sensors.magnetometer import make_magnetometer
from mvsim_ros2.sensors.range_finder import make_range_finder
from mvsim_ros2.sensors.sensor import full_name
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.wheel_encoders import make_wheel_encoders
from mvsim_ros2.world.spec.body_sensors import BumperSpec
from mvsim_ros2.world.spec.body_sensors import WheelEncodersSpec
from mvsim_ros2.world.spec.camera import CameraSpec
from mvsim_ros2.world.spec.camera import RgbdCameraSpec
from mvsim_ros2.world.spec.environment import BarometerSpec
from mvsim_ros2.world.spec.environment import MagnetometerSpec
from mvsim_ros2.world.spec.lidar import LaserSpec
from mvsim_ros2.world.spec.lidar import Lidar3dSpec
from mvsim_ros2.world.spec.navigation import GnssSpec
from mvsim_ros2.world.spec.navigation import ImuSpec
from mvsim_ros2.world.spec.range_finder import InfraredSpec
from mvsim_ros2.world.spec.range_finder import SonarSpec
from mvsim_ros2.world.spec.sensor import SensorSpec
from mvsim_ros2.world.spec.world import WorldSpec

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
                 eyes: Eyes) -> dict[str, Sensor]:
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
                Mount(spec, owner, streams.get(f'sensor/{name}'), eyes, eyes.world))
        else:
            _LOG.warning('%s: sensor %s of class %s is not simulated yet and left out',
                         spec.source, name, spec.XML_CLASS)
    return sensors
