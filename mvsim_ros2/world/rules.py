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
from mvsim_ros2.world.spec import common
from mvsim_ros2.world.spec import dynamics
from mvsim_ros2.world.spec import element
from mvsim_ros2.world.spec import joint
from mvsim_ros2.world.spec import omni
from mvsim_ros2.world.spec import outlines
from mvsim_ros2.world.spec import single_track
from mvsim_ros2.world.spec import skid_steer
from mvsim_ros2.world.spec import vehicle
from mvsim_ros2.world.spec import view
from mvsim_ros2.world.spec import world
from mvsim_ros2.world.spec.fields import ordered

Problems = Iterator[str]
Matrix = tuple[tuple[float, ...], ...]


def _ranges(*pairs: tuple[str, str]) -> Callable[[Any], Problems]:
    return lambda spec: ordered(spec, *pairs)


def _differential(spec: Any) -> Problems:
    wheels = spec.wheels
    for left, right in zip(wheels[0::2], wheels[1::2], strict=False):
        if left.pos[1] > right.pos[1]:
            continue
        yield (f'the left wheel stands at y = {left.pos[1]:g}, the right one at '
               f'y = {right.pos[1]:g}: the left one must have the larger y')


def _ackermann(spec: dynamics.AckermannSpec) -> Problems:
    if spec.rl_wheel.pos[1] == spec.rr_wheel.pos[1]:
        yield 'the rear wheels stand at the same y: give them different ones'
    if not 0 < abs(spec.max_steer_ang) < 1.5607963267948966:
        yield 'max_steer_ang_deg must be above 0 and below 89.4'


def _single_track(spec: single_track.SingleTrackSpec) -> Problems:
    if spec.f_wheel.pos[0] <= spec.r_wheel.pos[0]:
        yield (f'the front axle stands at x = {spec.f_wheel.pos[0]:g}, the rear one at x = '
               f'{spec.r_wheel.pos[0]:g}: the front one must have the larger x')


def _skid_steer(spec: skid_steer.SkidSteerSpec) -> Problems:
    if not (spec.l_wheels and spec.r_wheels):
        yield 'give it at least one <l_wheel> and one <r_wheel>'
    if any(wheel.pos[1] <= 0 for wheel in spec.l_wheels) or any(
            wheel.pos[1] >= 0 for wheel in spec.r_wheels):
        yield 'each <l_wheel> must have a y above 0, each <r_wheel> one below'


def _omni(spec: omni.OmniSpec) -> Problems:
    if not 3 <= len(spec.wheels) <= 4:
        yield f'it has {len(spec.wheels)} wheels: give it 3 or 4 <wheel> tags'


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
        yield from ordered(spec, ('elevation_image_min_z', 'elevation_image_max_z'))
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
    yield from ordered(spec, ('x_min', 'x_max'), ('y_min', 'y_max'), ('z_min', 'z_max'))


def _marker(spec: element.MarkerSpec) -> Problems:
    if any(len(point) != 3 for point in spec.points):
        yield 'points takes one `x y z` a line'


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


_RECTANGLE = ('x_min', 'x_max'), ('y_min', 'y_max')
_RULES: dict[type, Callable[[Any], Problems]] = {
    actor.PathSpec: _path,
    block.BlockSpec: _buildable(outlines.block_footprint),
    common.AnimationSpec: _animation,
    common.GeometrySpec: _buildable(outlines.geometry_footprint),
    common.PublishSpec: _publish,
    dynamics.AckermannDrivetrainSpec: _ackermann,
    dynamics.AckermannSpec: _ackermann,
    dynamics.ChassisSpec: _ranges(('zmin', 'zmax')),
    dynamics.Differential3Spec: _differential,
    dynamics.Differential4Spec: _differential,
    dynamics.DifferentialSpec: _differential,
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
    omni.OmniSpec: _omni,
    single_track.SingleTrackSpec: _single_track,
    skid_steer.SkidSteerSpec: _skid_steer,
    vehicle.VehicleSpec: _buildable(outlines.vehicle_footprint),
    view.GeoreferenceSpec: _georeference,
    view.GuiSpec: _ranges(('clip_plane_min', 'clip_plane_max')),
    view.LightsSpec: _ranges(('light_clip_plane_min', 'light_clip_plane_max')),
    world.WorldSpec: _world,
}


def problems(spec: Any) -> Problems:
    """
    Yield a sentence for every rule that the spec breaks.

    Those of its class are what its method `problems` yields, or stand here.

    :raises WorldFileError: where an outline is not possible.
    """
    if hasattr(spec, 'problems'):
        yield from spec.problems()
    rule = _RULES.get(type(spec))
    if rule:
        yield from rule(spec)
