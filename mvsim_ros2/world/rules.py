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
"""Rules of the format that bind several values of one thing."""

from collections.abc import Callable
from collections.abc import Iterator
from itertools import pairwise
import re
from typing import Any

from mvsim_ros2.world.spec import actor
from mvsim_ros2.world.spec import block
from mvsim_ros2.world.spec import camera
from mvsim_ros2.world.spec import common
from mvsim_ros2.world.spec import dynamics
from mvsim_ros2.world.spec import element
from mvsim_ros2.world.spec import joint
from mvsim_ros2.world.spec import lidar
from mvsim_ros2.world.spec import outlines
from mvsim_ros2.world.spec import sensor
from mvsim_ros2.world.spec import vehicle
from mvsim_ros2.world.spec import view
from mvsim_ros2.world.spec import world

Problems = Iterator[str]
Matrix = tuple[tuple[float, ...], ...]


def _ordered(spec: Any, *pairs: tuple[str, str]) -> Problems:
    for low, high in pairs:
        if getattr(spec, high) <= getattr(spec, low):
            yield (f'{high} is {getattr(spec, high):g} and {low} is {getattr(spec, low):g}: '
                   f'{high} must be larger')


def _ranges(*pairs: tuple[str, str]) -> Callable[[Any], Problems]:
    return lambda spec: _ordered(spec, *pairs)


def _buildable(outline: Callable[[Any], object]) -> Callable[[Any], Problems]:
    def rule(spec: Any) -> Problems:
        outline(spec)
        return iter(())
    return rule


def _walls(spec: element.WallsSpec) -> Problems:
    if spec.transformation is not None and [len(row) for row in spec.transformation] != [4] * 4:
        yield 'transformation must be a 4 x 4 matrix, such as [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]'
    elif not spec.shape and spec.model_uri is None:
        yield 'give the walls a <shape> or a <model_uri>'
    else:
        outlines.wall_outlines(spec)


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


def _square_with_sum_one(matrix: Matrix) -> bool:
    return (all(len(row) == len(matrix) for row in matrix)
            and abs(sum(map(sum, matrix)) - 1) < 5e-3)


def _elevation_map(spec: element.ElevationMapSpec) -> Problems:
    matrix = spec.elevation_data_matrix
    if spec.elevation_image is None and matrix is None and spec.dem_xyzrgb_file is None:
        yield 'give <elevation_image>, <elevation_data_matrix> or <dem_xyzrgb_file>'
    if matrix is not None and (len(matrix) < 2 or len(matrix[0]) < 2):
        yield 'elevation_data_matrix needs at least two rows and two columns'
    if spec.elevation_image is not None:
        yield from _ordered(spec, ('elevation_image_min_z', 'elevation_image_max_z'))
    if spec.texture_image_rotate not in (0, 90, -90, 180, -180):
        yield 'texture_image_rotate must be 0, 90, -90, 180 or -180'
    if spec.apply_kernel is not None and not _square_with_sum_one(spec.apply_kernel):
        yield 'apply_kernel must be a square matrix whose numbers add up to 1'


def _pointcloud(spec: element.PointCloudSpec) -> Problems:
    if spec.file_txt_2d is None and spec.file_txt_3d is None:
        yield 'give <file_txt_2d> or <file_txt_3d>'


def _skybox(spec: element.SkyboxSpec) -> Problems:
    if spec.textures.count('%s') != 1:
        yield 'textures needs one %s, in place of Front, Back, Down, Up, Left or Right'


_NUMBERS = ('friction_mu', 'friction_C_rr', 'mu_scale', 'cone_index', 'cone_index_psi')


def _property_region(spec: element.PropertyRegionSpec) -> Problems:
    if spec.value_double is None and spec.value_bool is None and spec.value_string is None:
        yield 'give <value_double>, <value_bool> or <value_string>'
    if spec.property_name in _NUMBERS and spec.value_double is None:
        yield f'{spec.property_name} needs a <value_double>'
    if spec.property_name == 'surface_type' and spec.value_string not in element.SURFACES:
        yield f'surface_type needs a <value_string>: {", ".join(element.SURFACES)}'
    if spec.property_name == 'gps_no_coverage' and spec.value_bool is None:
        yield 'gps_no_coverage needs a <value_bool>'
    yield from _ordered(spec, ('x_min', 'x_max'), ('y_min', 'y_max'), ('z_min', 'z_max'))


def _marker(spec: element.MarkerSpec) -> Problems:
    if any(len(point) != 3 for point in spec.points):
        yield 'points takes one `x y z` a line'


def _lidar3d(spec: lidar.Lidar3dSpec) -> Problems:
    yield from _ordered(spec, ('min_range', 'max_range'))
    angles = spec.vertical_ray_angles
    if angles and len(angles) != spec.vert_nrays:
        yield (f'vertical_ray_angles has {len(angles)} angles and vert_nrays is '
               f'{spec.vert_nrays}: they must agree')
    if len(set(angles)) < len(angles):
        yield 'the vertical_ray_angles must all be different'
    if spec.azimuth_offsets and len(spec.azimuth_offsets) != spec.vert_nrays:
        yield (f'azimuth_offsets has {len(spec.azimuth_offsets)} angles and vert_nrays is '
               f'{spec.vert_nrays}: they must agree')
    yield from _ordered(spec, ('azimuth_min', 'azimuth_max'),
                        ('rosette_elevation_min', 'rosette_elevation_max'))
    if spec.returns == 2 and spec.organised:
        yield 'an organised cloud has one point for each beam: set returns to 1'


def _names_of(spec: sensor.SensorSpec) -> Problems:
    if spec.topic and not _TOPIC.fullmatch(spec.topic):
        yield (f'the topic {spec.topic!r} is not possible: write words of letters, digits and _ '
               'with / between them, none of which begins with a digit or /')
    if spec.frame_id and not _FRAME.fullmatch(spec.frame_id):
        yield (f'the frame {spec.frame_id!r} is not possible: it must not have blanks or begin '
               'with /')


def _joint(spec: joint.JointSpec) -> Problems:
    if spec.body_a == spec.body_b:
        yield 'body_a and body_b must be two bodies'
    if spec.max_length < spec.min_length:
        yield 'max_length must not be below min_length'
    if spec.enable_limit and spec.upper_angle < spec.lower_angle:
        yield 'upper_angle_deg must not be below lower_angle_deg'


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


_TOPIC = re.compile(r'[A-Za-z_]\w*(/[A-Za-z_]\w*)*', re.ASCII)
_FRAME = re.compile(r'[^\s/]\S*')
_RECTANGLE = ('x_min', 'x_max'), ('y_min', 'y_max')
_RULES: dict[type, Callable[[Any], Problems]] = {
    actor.PathSpec: _path,
    block.BlockSpec: _buildable(outlines.block_footprint),
    common.AnimationSpec: _animation,
    common.GeometrySpec: _buildable(outlines.geometry_footprint),
    common.PublishSpec: _publish,
    dynamics.ChassisSpec: _ranges(('zmin', 'zmax')),
    element.ElevationMapSpec: _elevation_map,
    element.GroundGridSpec: _ranges(*_RECTANGLE),
    element.HorizontalPlaneSpec: _ranges(*_RECTANGLE),
    element.MarkerSpec: _marker,
    element.OpeningSpec: _ranges(('z_min', 'z_max')),
    element.PointCloudSpec: _pointcloud,
    element.PropertyRegionSpec: _property_region,
    element.SkyboxSpec: _skybox,
    element.VerticalPlaneSpec: _buildable(outlines.plane_outlines),
    element.WallsSpec: _walls,
    joint.JointSpec: _joint,
    camera.CameraSpec: _ranges(('clip_min', 'clip_max')),
    lidar.LaserSpec: _ranges(('min_range', 'max_range')),
    lidar.Lidar3dSpec: _lidar3d,
    camera.RgbdCameraSpec: _ranges(
        ('rgb_clip_min', 'rgb_clip_max'), ('depth_clip_min', 'depth_clip_max')),
    vehicle.VehicleSpec: _buildable(outlines.vehicle_footprint),
    view.GeoreferenceSpec: _georeference,
    view.GuiSpec: _ranges(('clip_plane_min', 'clip_plane_max')),
    view.LightsSpec: _ranges(('light_clip_plane_min', 'light_clip_plane_max')),
    world.WorldSpec: _world,
}


def problems(spec: Any) -> Problems:
    """
    Yield a sentence for every rule that the spec breaks.

    :raises WorldFileError: where an outline is not possible.
    """
    if isinstance(spec, sensor.SensorSpec):
        yield from _names_of(spec)
    if isinstance(spec, dynamics.DynamicsSpec):
        yield from spec.problems()
    rule = _RULES.get(type(spec))
    if rule:
        yield from rule(spec)
