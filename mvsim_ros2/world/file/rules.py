# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the format on several values of one object."""

from collections.abc import Callable
from itertools import pairwise
import re
from typing import Any

from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.spec import (
    actor, block, common, ElementSpec, joint, lights, marker, OpeningSpec, PropertyRegionSpec,
    view, walls, world)
from mvsim_ros2.world.spec.checks import ranges
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.elements.property_region import PROPERTIES
from mvsim_ros2.world.spec.fields import Problems
from mvsim_ros2.world.spec.shapes import body_outlines, geometry_shapes
from mvsim_ros2.world.spec.vehicle import dynamics, vehicle


def _buildable(outline: Callable[[Any], object]) -> Callable[[Any], Problems]:
    def rule(spec: Any) -> Problems:
        outline(spec)
        return iter(())
    return rule


def _walls(spec: walls.WallsSpec) -> Problems:
    if spec.transformation is not None and [len(row) for row in spec.transformation] != [4] * 4:
        yield 'transformation must be a 4 x 4 matrix, such as [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]'
    elif not spec.shape and spec.model_uri is None:
        yield 'give the walls a <shape> or a <model_uri>'
    else:
        walls.wall_outlines(spec)


def _animation(spec: common.AnimationSpec) -> Problems:
    times = [key.time for key in spec.keys]
    if not times or times[-1] <= 0:
        yield 'give <time_pose> keys, the last at a time above 0'
    if any(after < before for before, after in pairwise(times)):
        yield 'the times of the keys must not fall'


def _publish(spec: common.PublishSpec) -> Problems:
    if bool(spec.publish_relative_pose_objects) != bool(spec.publish_relative_pose_topic):
        yield ('publish_relative_pose_objects and publish_relative_pose_topic belong together: '
               'give both or neither')


def _path(spec: actor.PathSpec) -> Problems:
    if not spec.waypoints:
        yield 'give a path at least one <waypoint>'


def _marker(spec: marker.MarkerSpec) -> Problems:
    if any(len(point) != 3 for point in spec.points):
        yield 'points takes one `x y z` a line'


def _joint(spec: joint.JointSpec) -> Problems:
    if spec.body_a == spec.body_b:
        yield 'body_a and body_b must be two bodies'
    if spec.max_length < spec.min_length:
        yield 'max_length must not be below min_length'
    if spec.enable_limit and spec.upper_angle < spec.lower_angle:
        yield 'upper_angle_deg must not be below lower_angle_deg'
    if spec.height is not None and spec.kind not in ('revolute', 'pin'):
        yield f'height belongs to a revolute joint, not to {spec.kind!r}'


def _georeference(spec: view.GeoreferenceSpec) -> Problems:
    if spec.world_is_utm and spec.world_to_enu_rotation != 0:
        yield 'world_is_utm and world_to_enu_rotation_deg exclude each other'
    if spec.world_is_utm and not -80 <= spec.latitude <= 84:
        yield 'UTM covers latitudes from -80 to 84 degrees'
    if spec.world_is_utm and spec.latitude == spec.longitude == 0:
        yield 'world_is_utm needs latitude and longitude'


def _world(spec: world.WorldSpec) -> Problems:
    if not re.fullmatch('[0-9]+[.][0-9]+', spec.version):
        yield f'version is {spec.version!r}: give two whole numbers with a dot, such as 1.0'
    if 0.0 < spec.simul_timestep < 1e-6:
        yield (f'simul_timestep is {spec.simul_timestep:g} s: it must be at least 1e-06 s, or 0 '
               'for the default')


_RULES: dict[type, Callable[[Any], Problems]] = {
    actor.PathSpec: _path,
    block.BlockSpec: _buildable(body_outlines.block_footprint),
    common.AnimationSpec: _animation,
    common.GeometrySpec: _buildable(geometry_shapes.geometry_footprint),
    common.PublishSpec: _publish,
    dynamics.ChassisSpec: ranges(('zmin', 'zmax')),
    marker.MarkerSpec: _marker,
    OpeningSpec: ranges(('z_min', 'z_max')),
    walls.WallsSpec: _walls,
    joint.JointSpec: _joint,
    vehicle.VehicleSpec: _buildable(body_outlines.vehicle_footprint),
    view.GeoreferenceSpec: _georeference,
    view.GuiSpec: ranges(('clip_plane_min', 'clip_plane_max')),
    lights.LightsSpec: ranges(('light_clip_plane_min', 'light_clip_plane_max')),
    world.WorldSpec: _world,
}


def doubts(spec: Any) -> Problems:
    """
    Yield a sentence for what is possible but hardly meant.

    They are what a method `doubts` of its class yields, or stand here.
    """
    yield from spec.doubts()
    if isinstance(spec, PropertyRegionSpec) and spec.property_name not in PROPERTIES:
        yield (f'nothing reads the property {spec.property_name!r}: there are '
               f'{", ".join(PROPERTIES)}{did_you_mean(spec.property_name, PROPERTIES)}')


def problems(spec: Any) -> Problems:
    """
    Yield a sentence for every violated rule of a spec.

    They are what a method `problems` of its class yields, or stand in a record, or here.

    :raises WorldFileError: where an outline is not possible.
    """
    yield from spec.problems()
    if isinstance(spec, ElementSpec):
        record = ELEMENTS[type(spec)]
        yield from record.check(spec)
        record.outlines(spec)
    rule = _RULES.get(type(spec))
    if rule:
        yield from rule(spec)
