# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The world as frozen data: dataclasses that say what a world file may hold.

All classes can be imported from here. A spec that is printed shows what differs from its defaults.

>>> from mvsim_ros2.world.spec import TwistPidController
>>> TwistPidController(KP=15.0, max_torque=10.0)
TwistPidController(KP=15, max_torque=10)
"""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.actor import ActorSpec, CrowdSpec, PathSpec, WaypointSpec
    from mvsim_ros2.world.spec.block import BlockSpec, JointSpec
    from mvsim_ros2.world.spec.common import (
        AnimationSpec, colour, Footprint, GeometrySpec, Keyframe, MaterialSpec, PublishSpec,
        ReadOnlyMapping, Resource, VisualSpec)
    from mvsim_ros2.world.spec.element import Element, ElementSpec, PlaneSpec
    from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
    from mvsim_ros2.world.spec.elements.ground_grid import GroundGridSpec
    from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
    from mvsim_ros2.world.spec.elements.occupancy_grid import OccupancyGridSpec
    from mvsim_ros2.world.spec.elements.point_cloud import PointCloudSpec
    from mvsim_ros2.world.spec.elements.property_region import PropertyRegionSpec
    from mvsim_ros2.world.spec.elements.skybox import SkyboxSpec
    from mvsim_ros2.world.spec.elements.vertical_plane import OpeningSpec, VerticalPlaneSpec
    from mvsim_ros2.world.spec.fields import Entry, Source, Spec, Tag, tag
    from mvsim_ros2.world.spec.grid import HeightMap, OccupancyMap
    from mvsim_ros2.world.spec.lights import (
        LightGroupSpec, LightsSpec, PointLightSpec, SpotLightSpec)
    from mvsim_ros2.world.spec.outlines import Profile, Shape, StaticOutline
    from mvsim_ros2.world.spec.sensors.base import sensor_pose, SensorSpec
    from mvsim_ros2.world.spec.sensors.body import (
        BatterySpec, BumperSpec, ContactForceSpec, JointEffortSpec, MotorCurrentSpec, MotorsSpec,
        WheelEncodersSpec)
    from mvsim_ros2.world.spec.sensors.camera import CameraSpec, ImagerSpec, RgbdCameraSpec
    from mvsim_ros2.world.spec.sensors.lidar import LaserSpec, Lidar3dSpec
    from mvsim_ros2.world.spec.sensors.navigation import (
        BarometerSpec, GnssEventSpec, GnssSpec, ImuSpec, MagnetometerSpec, UwbAnchorSpec, UwbSpec)
    from mvsim_ros2.world.spec.sensors.ranging import (
        InfraredSpec, LineSensorSpec, RadarSpec, RangeFinderSpec, RfidSpec, RfidTagSpec, SonarSpec)
    from mvsim_ros2.world.spec.sensors.special_cameras import (
        EventCameraSpec, PinholeSpec, ThermalCameraSpec)
    from mvsim_ros2.world.spec.tyres import (
        BakkerTyre, ClayTyre, DefaultTyre, EllipseTyre, LinearTyre, MagicFormulaTyre, SandTyre,
        SoilTyre, TyreSpec, WardIagnemmaTyre)
    from mvsim_ros2.world.spec.vehicle.classes import (
        FourWheelSteeringSpec, MecanumSpec, OmniSpec, RollerWheelSpec, SingleTrackSpec,
        SkidSteerSpec, TrackedSpec, TricycleSpec)
    from mvsim_ros2.world.spec.vehicle.controller import (
        ControllerSpec, FrontSteerPidController, JointController, RawController, TimedWaypointSpec,
        TrajectoryController, TwistFrontSteerPidController, TwistIdealController,
        TwistPidController)
    from mvsim_ros2.world.spec.vehicle.dynamics import (
        AckermannDrivetrainSpec, AckermannSpec, ChassisSpec, Differential3Spec, Differential4Spec,
        DifferentialSpec, DynamicsSpec, SteeredSpec)
    from mvsim_ros2.world.spec.vehicle.parts import (
        AerodynamicsSpec, BrakesSpec, DraughtSpec, DrivetrainSpec, EngineSpec, MotorSpec,
        WheelSpec)
    from mvsim_ros2.world.spec.vehicle.vehicle import OdometrySpec, VehicleSpec
    from mvsim_ros2.world.spec.view import (
        GeoreferenceSpec, GuiSpec, MarkerSpec, NamedPoseSpec, RuntimeObject)
    from mvsim_ros2.world.spec.walls import WallsSpec
    from mvsim_ros2.world.spec.weather import AirSpec, WeatherSpec
    from mvsim_ros2.world.spec.world import PhysicsSpec, WorldSpec, WorldWarning
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'AckermannDrivetrainSpec', 'AckermannSpec', 'ActorSpec', 'AerodynamicsSpec', 'AirSpec',
    'AnimationSpec', 'BakkerTyre', 'BarometerSpec', 'BatterySpec', 'BlockSpec', 'BrakesSpec',
    'BumperSpec', 'CameraSpec', 'ChassisSpec', 'ClayTyre', 'colour', 'ContactForceSpec',
    'ControllerSpec', 'CrowdSpec', 'DefaultTyre', 'Differential3Spec', 'Differential4Spec',
    'DifferentialSpec', 'DraughtSpec', 'DrivetrainSpec', 'DynamicsSpec', 'Element', 'ElementSpec',
    'ElevationMapSpec', 'EllipseTyre', 'EngineSpec', 'Entry', 'EventCameraSpec', 'Footprint',
    'FourWheelSteeringSpec', 'FrontSteerPidController', 'GeometrySpec', 'GeoreferenceSpec',
    'GnssEventSpec', 'GnssSpec', 'GroundGridSpec', 'GuiSpec', 'HeightMap', 'HorizontalPlaneSpec',
    'ImagerSpec', 'ImuSpec', 'InfraredSpec', 'JointController', 'JointEffortSpec', 'JointSpec',
    'Keyframe', 'LaserSpec', 'Lidar3dSpec', 'LightGroupSpec', 'LightsSpec', 'LinearTyre',
    'LineSensorSpec', 'MagicFormulaTyre', 'MagnetometerSpec', 'MarkerSpec', 'MaterialSpec',
    'MecanumSpec', 'MotorCurrentSpec', 'MotorSpec', 'MotorsSpec', 'NamedPoseSpec',
    'OccupancyGridSpec', 'OccupancyMap', 'OdometrySpec', 'OmniSpec', 'OpeningSpec', 'PathSpec',
    'PhysicsSpec', 'PinholeSpec', 'PlaneSpec', 'PointCloudSpec', 'PointLightSpec', 'Profile',
    'PropertyRegionSpec', 'PublishSpec', 'RadarSpec', 'RangeFinderSpec', 'RawController',
    'ReadOnlyMapping', 'Resource', 'RfidSpec', 'RfidTagSpec', 'RgbdCameraSpec', 'RollerWheelSpec',
    'RuntimeObject', 'SandTyre', 'sensor_pose', 'SensorSpec', 'Shape', 'SingleTrackSpec',
    'SkidSteerSpec', 'SkyboxSpec', 'SoilTyre', 'SonarSpec', 'Source', 'Spec', 'SpotLightSpec',
    'StaticOutline', 'SteeredSpec', 'tag', 'Tag', 'ThermalCameraSpec', 'TimedWaypointSpec',
    'TrackedSpec', 'TrajectoryController', 'TricycleSpec', 'TwistFrontSteerPidController',
    'TwistIdealController', 'TwistPidController', 'TyreSpec', 'UwbAnchorSpec', 'UwbSpec',
    'VehicleSpec', 'VerticalPlaneSpec', 'VisualSpec', 'WallsSpec', 'WardIagnemmaTyre',
    'WaypointSpec', 'WeatherSpec', 'WheelEncodersSpec', 'WheelSpec', 'WorldSpec', 'WorldWarning',
]
