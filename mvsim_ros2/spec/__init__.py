# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The world as frozen data: dataclasses that say what a world file may hold.

All classes can be imported from here. A spec that is printed shows what differs from its defaults.

>>> from mvsim_ros2.spec import TwistPidController
>>> TwistPidController(KP=15.0, max_torque=10.0)
TwistPidController(KP=15, max_torque=10)
"""

from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.spec.actor import ActorSpec
    from mvsim_ros2.spec.actor import PathSpec
    from mvsim_ros2.spec.actor import WaypointSpec
    from mvsim_ros2.spec.air import AirSpec
    from mvsim_ros2.spec.block import BlockSpec
    from mvsim_ros2.spec.common import AnimationSpec
    from mvsim_ros2.spec.common import colour
    from mvsim_ros2.spec.common import Footprint
    from mvsim_ros2.spec.common import GeometrySpec
    from mvsim_ros2.spec.common import Keyframe
    from mvsim_ros2.spec.common import PublishSpec
    from mvsim_ros2.spec.common import Resource
    from mvsim_ros2.spec.common import Source
    from mvsim_ros2.spec.common import VisualSpec
    from mvsim_ros2.spec.element import Element
    from mvsim_ros2.spec.element import ElementSpec
    from mvsim_ros2.spec.elements.elevation_map import ElevationMapSpec
    from mvsim_ros2.spec.elements.ground_grid import GroundGridSpec
    from mvsim_ros2.spec.elements.horizontal_plane import HorizontalPlaneSpec
    from mvsim_ros2.spec.elements.occupancy_grid import OccupancyGridSpec
    from mvsim_ros2.spec.elements.plane import PlaneSpec
    from mvsim_ros2.spec.elements.point_cloud import PointCloudSpec
    from mvsim_ros2.spec.elements.property_region import PropertyRegionSpec
    from mvsim_ros2.spec.elements.skybox import SkyboxSpec
    from mvsim_ros2.spec.elements.vertical_plane import OpeningSpec
    from mvsim_ros2.spec.elements.vertical_plane import VerticalPlaneSpec
    from mvsim_ros2.spec.fields import Tag
    from mvsim_ros2.spec.fields import tag
    from mvsim_ros2.spec.grid import HeightMap
    from mvsim_ros2.spec.grid import OccupancyMap
    from mvsim_ros2.spec.joint import JointSpec
    from mvsim_ros2.spec.lights import LightGroupSpec
    from mvsim_ros2.spec.lights import LightsSpec
    from mvsim_ros2.spec.lights import PointLightSpec
    from mvsim_ros2.spec.lights import SpotLightSpec
    from mvsim_ros2.spec.marker import MarkerSpec
    from mvsim_ros2.spec.material import MaterialSpec
    from mvsim_ros2.spec.named_pose import NamedPoseSpec
    from mvsim_ros2.spec.read_only import ReadOnlyMapping
    from mvsim_ros2.spec.runtime_object import RuntimeObject
    from mvsim_ros2.spec.sensors.air_and_field import BarometerSpec
    from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec
    from mvsim_ros2.spec.sensors.base import sensor_pose
    from mvsim_ros2.spec.sensors.base import SensorSpec
    from mvsim_ros2.spec.sensors.camera import CameraSpec
    from mvsim_ros2.spec.sensors.camera import ImagerSpec
    from mvsim_ros2.spec.sensors.camera import RgbdCameraSpec
    from mvsim_ros2.spec.sensors.contact_and_encoders import BumperSpec
    from mvsim_ros2.spec.sensors.contact_and_encoders import WheelEncodersSpec
    from mvsim_ros2.spec.sensors.lidar import LaserSpec
    from mvsim_ros2.spec.sensors.lidar import Lidar3dSpec
    from mvsim_ros2.spec.sensors.navigation import GnssEventSpec
    from mvsim_ros2.spec.sensors.navigation import GnssSpec
    from mvsim_ros2.spec.sensors.navigation import ImuSpec
    from mvsim_ros2.spec.sensors.radar import RadarSpec
    from mvsim_ros2.spec.sensors.range_finder import InfraredSpec
    from mvsim_ros2.spec.sensors.range_finder import RangeFinderSpec
    from mvsim_ros2.spec.sensors.range_finder import SonarSpec
    from mvsim_ros2.spec.sensors.special_cameras import EventCameraSpec
    from mvsim_ros2.spec.sensors.special_cameras import PinholeSpec
    from mvsim_ros2.spec.sensors.special_cameras import ThermalCameraSpec
    from mvsim_ros2.spec.sensors.uwb import UwbAnchorSpec
    from mvsim_ros2.spec.sensors.uwb import UwbSpec
    from mvsim_ros2.spec.shapes.geometry_shapes import Profile
    from mvsim_ros2.spec.shapes.geometry_shapes import Shape
    from mvsim_ros2.spec.shapes.outlines import StaticOutline
    from mvsim_ros2.spec.tyres.base import TyreSpec
    from mvsim_ros2.spec.tyres.coulomb import DefaultTyre
    from mvsim_ros2.spec.tyres.coulomb import EllipseTyre
    from mvsim_ros2.spec.tyres.coulomb import WardIagnemmaTyre
    from mvsim_ros2.spec.tyres.slip import BakkerTyre
    from mvsim_ros2.spec.tyres.slip import LinearTyre
    from mvsim_ros2.spec.tyres.slip import MagicFormulaTyre
    from mvsim_ros2.spec.tyres.soil import ClayTyre
    from mvsim_ros2.spec.tyres.soil import SandTyre
    from mvsim_ros2.spec.tyres.soil import SoilTyre
    from mvsim_ros2.spec.vehicle.actuators import AerodynamicsSpec
    from mvsim_ros2.spec.vehicle.actuators import BrakesSpec
    from mvsim_ros2.spec.vehicle.actuators import DraughtSpec
    from mvsim_ros2.spec.vehicle.actuators import EngineSpec
    from mvsim_ros2.spec.vehicle.actuators import MotorSpec
    from mvsim_ros2.spec.vehicle.by_course import FourWheelSteeringSpec
    from mvsim_ros2.spec.vehicle.by_course import TricycleSpec
    from mvsim_ros2.spec.vehicle.controller import ControllerSpec
    from mvsim_ros2.spec.vehicle.controllers import FrontSteerPidController
    from mvsim_ros2.spec.vehicle.controllers import RawController
    from mvsim_ros2.spec.vehicle.controllers import TwistFrontSteerPidController
    from mvsim_ros2.spec.vehicle.controllers import TwistIdealController
    from mvsim_ros2.spec.vehicle.controllers import TwistPidController
    from mvsim_ros2.spec.vehicle.drivetrain import DrivetrainSpec
    from mvsim_ros2.spec.vehicle.dynamics import AckermannDrivetrainSpec
    from mvsim_ros2.spec.vehicle.dynamics import AckermannSpec
    from mvsim_ros2.spec.vehicle.dynamics import ChassisSpec
    from mvsim_ros2.spec.vehicle.dynamics import Differential3Spec
    from mvsim_ros2.spec.vehicle.dynamics import Differential4Spec
    from mvsim_ros2.spec.vehicle.dynamics import DifferentialSpec
    from mvsim_ros2.spec.vehicle.dynamics import DynamicsSpec
    from mvsim_ros2.spec.vehicle.dynamics import SteeredSpec
    from mvsim_ros2.spec.vehicle.joint_control import JointController
    from mvsim_ros2.spec.vehicle.omni import MecanumSpec
    from mvsim_ros2.spec.vehicle.omni import OmniSpec
    from mvsim_ros2.spec.vehicle.omni import RollerWheelSpec
    from mvsim_ros2.spec.vehicle.single_track import SingleTrackSpec
    from mvsim_ros2.spec.vehicle.skid_steer import SkidSteerSpec
    from mvsim_ros2.spec.vehicle.skid_steer import TrackedSpec
    from mvsim_ros2.spec.vehicle.trajectory import TimedWaypointSpec
    from mvsim_ros2.spec.vehicle.trajectory import TrajectoryController
    from mvsim_ros2.spec.vehicle.vehicle import OdometrySpec
    from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
    from mvsim_ros2.spec.vehicle.wheel import WheelSpec
    from mvsim_ros2.spec.view import GeoreferenceSpec
    from mvsim_ros2.spec.view import GuiSpec
    from mvsim_ros2.spec.walls import WallsSpec
    from mvsim_ros2.spec.weather import WeatherSpec
    from mvsim_ros2.spec.world import PhysicsSpec
    from mvsim_ros2.spec.world import WorldSpec
    from mvsim_ros2.spec.world import WorldWarning
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'AckermannDrivetrainSpec', 'AckermannSpec', 'ActorSpec', 'AerodynamicsSpec', 'AirSpec',
    'AnimationSpec', 'BakkerTyre', 'BarometerSpec', 'BlockSpec', 'BrakesSpec', 'BumperSpec',
    'CameraSpec', 'ChassisSpec', 'ClayTyre', 'colour', 'ControllerSpec', 'DefaultTyre',
    'Differential3Spec', 'Differential4Spec', 'DifferentialSpec', 'DraughtSpec',
    'DrivetrainSpec', 'DynamicsSpec', 'Element', 'ElementSpec', 'ElevationMapSpec', 'EllipseTyre',
    'EngineSpec', 'EventCameraSpec', 'Footprint', 'FourWheelSteeringSpec',
    'FrontSteerPidController', 'GeometrySpec', 'GeoreferenceSpec', 'GnssEventSpec', 'GnssSpec',
    'GroundGridSpec', 'GuiSpec', 'HeightMap', 'HorizontalPlaneSpec', 'ImagerSpec', 'ImuSpec',
    'InfraredSpec', 'JointController', 'JointSpec', 'Keyframe', 'LaserSpec', 'Lidar3dSpec',
    'LightGroupSpec', 'LightsSpec', 'LinearTyre', 'MagicFormulaTyre', 'MagnetometerSpec',
    'MarkerSpec', 'MaterialSpec', 'MecanumSpec', 'MotorSpec', 'NamedPoseSpec', 'OccupancyGridSpec',
    'OccupancyMap', 'OdometrySpec', 'OmniSpec', 'OpeningSpec', 'PathSpec', 'PhysicsSpec',
    'PinholeSpec', 'PlaneSpec', 'PointCloudSpec', 'PointLightSpec', 'Profile',
    'PropertyRegionSpec', 'PublishSpec', 'RadarSpec', 'RangeFinderSpec', 'RawController',
    'ReadOnlyMapping', 'Resource', 'RgbdCameraSpec', 'RollerWheelSpec', 'RuntimeObject',
    'SandTyre', 'sensor_pose', 'SensorSpec', 'Shape', 'SingleTrackSpec',
    'SkidSteerSpec', 'SkyboxSpec', 'SoilTyre', 'SonarSpec', 'Source',
    'SpotLightSpec', 'StaticOutline', 'SteeredSpec', 'Tag', 'tag', 'ThermalCameraSpec',
    'TimedWaypointSpec', 'TrackedSpec', 'TrajectoryController', 'TricycleSpec',
    'TwistFrontSteerPidController', 'TwistIdealController', 'TwistPidController', 'TyreSpec',
    'UwbAnchorSpec', 'UwbSpec', 'VehicleSpec', 'VerticalPlaneSpec', 'VisualSpec', 'WallsSpec',
    'WardIagnemmaTyre', 'WaypointSpec', 'WeatherSpec', 'WheelEncodersSpec', 'WheelSpec',
    'WorldSpec', 'WorldWarning',
]
