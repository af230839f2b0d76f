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
The world as frozen data: dataclasses that say what a world file may hold.

All classes can be imported from here. A spec that is printed shows what differs from its defaults.

>>> from mvsim_ros2.world.spec import TwistPidController
>>> TwistPidController(KP=15.0, max_torque=10.0)
TwistPidController(KP=15, max_torque=10)
"""

from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.actor import ActorSpec
    from mvsim_ros2.world.spec.actor import PathSpec
    from mvsim_ros2.world.spec.actor import WaypointSpec
    from mvsim_ros2.world.spec.actuators import BrakesSpec
    from mvsim_ros2.world.spec.actuators import MotorSpec
    from mvsim_ros2.world.spec.block import BlockSpec
    from mvsim_ros2.world.spec.body_sensors import BumperSpec
    from mvsim_ros2.world.spec.body_sensors import WheelEncodersSpec
    from mvsim_ros2.world.spec.camera import CameraSpec
    from mvsim_ros2.world.spec.camera import ImagerSpec
    from mvsim_ros2.world.spec.camera import RgbdCameraSpec
    from mvsim_ros2.world.spec.common import AnimationSpec
    from mvsim_ros2.world.spec.common import colour
    from mvsim_ros2.world.spec.common import Footprint
    from mvsim_ros2.world.spec.common import GeometrySpec
    from mvsim_ros2.world.spec.common import Keyframe
    from mvsim_ros2.world.spec.common import PublishSpec
    from mvsim_ros2.world.spec.common import Resource
    from mvsim_ros2.world.spec.common import Source
    from mvsim_ros2.world.spec.common import VisualSpec
    from mvsim_ros2.world.spec.controller import FrontSteerPidController
    from mvsim_ros2.world.spec.controller import RawController
    from mvsim_ros2.world.spec.controller import TwistFrontSteerPidController
    from mvsim_ros2.world.spec.controller import TwistIdealController
    from mvsim_ros2.world.spec.controller import TwistPidController
    from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
    from mvsim_ros2.world.spec.dynamics import AckermannSpec
    from mvsim_ros2.world.spec.dynamics import ChassisSpec
    from mvsim_ros2.world.spec.dynamics import Differential3Spec
    from mvsim_ros2.world.spec.dynamics import Differential4Spec
    from mvsim_ros2.world.spec.dynamics import DifferentialSpec
    from mvsim_ros2.world.spec.dynamics import DrivetrainSpec
    from mvsim_ros2.world.spec.dynamics import DynamicsSpec
    from mvsim_ros2.world.spec.dynamics import SteeredSpec
    from mvsim_ros2.world.spec.element import ElementSpec
    from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
    from mvsim_ros2.world.spec.elements.ground_grid import GroundGridSpec
    from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
    from mvsim_ros2.world.spec.elements.occupancy_grid import OccupancyGridSpec
    from mvsim_ros2.world.spec.elements.plane import PlaneSpec
    from mvsim_ros2.world.spec.elements.point_cloud import PointCloudSpec
    from mvsim_ros2.world.spec.elements.property_region import PropertyRegionSpec
    from mvsim_ros2.world.spec.elements.skybox import SkyboxSpec
    from mvsim_ros2.world.spec.elements.vertical_plane import OpeningSpec
    from mvsim_ros2.world.spec.elements.vertical_plane import VerticalPlaneSpec
    from mvsim_ros2.world.spec.environment import BarometerSpec
    from mvsim_ros2.world.spec.environment import MagnetometerSpec
    from mvsim_ros2.world.spec.fields import Tag
    from mvsim_ros2.world.spec.fields import tag
    from mvsim_ros2.world.spec.grid import HeightMap
    from mvsim_ros2.world.spec.grid import OccupancyMap
    from mvsim_ros2.world.spec.joint import JointSpec
    from mvsim_ros2.world.spec.lidar import LaserSpec
    from mvsim_ros2.world.spec.lidar import Lidar3dSpec
    from mvsim_ros2.world.spec.marker import MarkerSpec
    from mvsim_ros2.world.spec.navigation import GnssEventSpec
    from mvsim_ros2.world.spec.navigation import GnssSpec
    from mvsim_ros2.world.spec.navigation import ImuSpec
    from mvsim_ros2.world.spec.omni import MecanumSpec
    from mvsim_ros2.world.spec.omni import OmniSpec
    from mvsim_ros2.world.spec.omni import RollerWheelSpec
    from mvsim_ros2.world.spec.outlines import StaticOutline
    from mvsim_ros2.world.spec.range_finder import InfraredSpec
    from mvsim_ros2.world.spec.range_finder import RangeFinderSpec
    from mvsim_ros2.world.spec.range_finder import SonarSpec
    from mvsim_ros2.world.spec.sensor import sensor_pose
    from mvsim_ros2.world.spec.sensor import SensorSpec
    from mvsim_ros2.world.spec.single_track import SingleTrackSpec
    from mvsim_ros2.world.spec.skid_steer import SkidSteerSpec
    from mvsim_ros2.world.spec.skid_steer import TrackedSpec
    from mvsim_ros2.world.spec.slip_tyre import BakkerTyre
    from mvsim_ros2.world.spec.slip_tyre import LinearTyre
    from mvsim_ros2.world.spec.slip_tyre import MagicFormulaTyre
    from mvsim_ros2.world.spec.soil_tyre import ClayTyre
    from mvsim_ros2.world.spec.soil_tyre import SandTyre
    from mvsim_ros2.world.spec.soil_tyre import SoilTyre
    from mvsim_ros2.world.spec.tyre import DefaultTyre
    from mvsim_ros2.world.spec.tyre import EllipseTyre
    from mvsim_ros2.world.spec.tyre import WardIagnemmaTyre
    from mvsim_ros2.world.spec.tyre_base import TyreSpec
    from mvsim_ros2.world.spec.vehicle import OdometrySpec
    from mvsim_ros2.world.spec.vehicle import VehicleSpec
    from mvsim_ros2.world.spec.view import GeoreferenceSpec
    from mvsim_ros2.world.spec.view import GuiSpec
    from mvsim_ros2.world.spec.view import LightsSpec
    from mvsim_ros2.world.spec.walls import WallsSpec
    from mvsim_ros2.world.spec.wheel import WheelSpec
    from mvsim_ros2.world.spec.world import PhysicsSpec
    from mvsim_ros2.world.spec.world import WorldSpec
    from mvsim_ros2.world.spec.world import WorldWarning
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'AckermannDrivetrainSpec', 'AckermannSpec', 'ActorSpec', 'AnimationSpec', 'BakkerTyre',
    'BarometerSpec', 'BlockSpec', 'BrakesSpec', 'BumperSpec', 'CameraSpec', 'ChassisSpec',
    'ClayTyre', 'colour', 'DefaultTyre', 'Differential3Spec', 'Differential4Spec',
    'DifferentialSpec', 'DrivetrainSpec', 'DynamicsSpec', 'ElementSpec', 'ElevationMapSpec',
    'EllipseTyre', 'Footprint', 'FrontSteerPidController', 'GeometrySpec', 'GeoreferenceSpec',
    'GnssEventSpec', 'GnssSpec', 'GroundGridSpec', 'GuiSpec', 'HeightMap', 'HorizontalPlaneSpec',
    'ImagerSpec', 'ImuSpec', 'InfraredSpec', 'JointSpec', 'Keyframe', 'LaserSpec', 'Lidar3dSpec',
    'LightsSpec', 'LinearTyre', 'MagicFormulaTyre', 'MagnetometerSpec', 'MarkerSpec',
    'MecanumSpec', 'MotorSpec', 'OccupancyGridSpec', 'OccupancyMap', 'OdometrySpec', 'OmniSpec',
    'OpeningSpec', 'PathSpec', 'PhysicsSpec', 'PlaneSpec', 'PointCloudSpec', 'PropertyRegionSpec',
    'PublishSpec', 'RangeFinderSpec', 'RawController', 'Resource', 'RgbdCameraSpec',
    'RollerWheelSpec', 'SandTyre', 'sensor_pose', 'SensorSpec', 'SingleTrackSpec', 'SkidSteerSpec',
    'SkyboxSpec', 'SoilTyre', 'SonarSpec', 'Source', 'StaticOutline', 'SteeredSpec', 'Tag', 'tag',
    'TrackedSpec', 'TwistFrontSteerPidController', 'TwistIdealController', 'TwistPidController',
    'TyreSpec', 'VehicleSpec', 'VerticalPlaneSpec', 'VisualSpec', 'WallsSpec', 'WardIagnemmaTyre',
    'WaypointSpec', 'WheelEncodersSpec', 'WheelSpec', 'WorldSpec', 'WorldWarning',
]
