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
"""Elements of a world (`<element class="...">`), walls and markers."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.short_repr import ShortRepr
from mvsim_ros2.world.spec.common import AnimationSpec
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.common import colour
from mvsim_ros2.world.spec.common import Point
from mvsim_ros2.world.spec.common import PublishSpec
from mvsim_ros2.world.spec.common import reflects
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.grid import OccupancyMap


@dataclass(frozen=True)
class ElementSpec(ShortRepr):
    """What all elements share."""

    XML_CLASS = ''

    name: str = tag(
        'name', '', attribute=True, doc='name; without one the class name and a number')
    source: Source = Source()


@dataclass(frozen=True)
class OccupancyGridSpec(ElementSpec):
    """Occupancy map: solid for bodies and planar scanners."""

    XML_CLASS = 'occupancy_grid'

    file: Resource | None = tag(
        'uri', None, required=True,
        doc='image, ROS map-server yaml, or MRPT .gridmap / .gridmap.gz')
    resolution: float = tag(
        'float', 0.1, unit='m/px', above=0, doc='size of a cell, for images only')
    centerpixel_x: float = tag(
        'float', -1.0, unit='px', doc='column of the world origin, from the left; images only')
    centerpixel_y: float = tag(
        'float', -1.0, unit='px', doc='row of the world origin, from the bottom; images only')
    show_collisions: bool = tag('bool', True, acts=False, doc='draw the solid cells')
    restitution: float = tag('float', 0.01, minimum=0, maximum=1, doc='bounce of contacts')
    lateral_friction: float = tag('float', 0.5, minimum=0, doc='friction of contacts')
    occupancy: OccupancyMap | None = None  # the map that was read from `file`


@dataclass(frozen=True)
class GroundGridSpec(ElementSpec):
    """Lines on the ground, for the eye only."""

    XML_CLASS = 'ground_grid'
    ACTS = False

    floating: bool = tag('bool', True, doc='move with a vehicle')
    floating_focus: str = tag('text', '', doc='name of that vehicle; without it the first')
    color: Colour = tag('colour', colour('#e0e0e0ff'), doc='colour')
    line_width: float = tag('float', 1.0, unit='px', doc='width of a line')
    x_min: float = tag('float', -25.0, unit='m', doc='extent')
    x_max: float = tag('float', 25.0, unit='m', doc='extent')
    y_min: float = tag('float', -25.0, unit='m', doc='extent')
    y_max: float = tag('float', 25.0, unit='m', doc='extent')
    interval: float = tag('float', 5.0, unit='m', above=0, doc='distance of the lines')


@dataclass(frozen=True)
class ElevationMapSpec(ElementSpec):
    """Terrain heights on a grid; rows along x, columns along y."""

    XML_CLASS = 'elevation_map'

    elevation_image: Resource | None = tag(
        'uri', None, doc='grey image; the top row is the smallest x')
    elevation_image_min_z: float = tag(
        'float', 0.0, unit='m', doc='height of the darkest pixel of the image')
    elevation_image_max_z: float = tag(
        'float', 5.0, unit='m', doc='height of the brightest pixel of the image')
    elevation_data_matrix: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, unit='m', doc='heights in place of an image')
    elevation_data_matrix_scale: float = tag('float', 1.0, doc='factor of the matrix')
    dem_xyzrgb_file: Resource | None = tag(
        'uri', None, doc='text file with columns x y z r g b in place of an image')
    dem_offset_x: float = tag('float', 0.0, unit='m', doc='offset of that file')
    dem_offset_y: float = tag('float', 0.0, unit='m', doc='offset of that file')
    dem_offset_z: float = tag('float', 0.0, unit='m', doc='offset of that file')
    resolution: float = tag('float', 1.0, unit='m', above=0, doc='size of a cell')
    corner_min_x: float | None = tag('float', None, unit='m', doc='smallest x; else centred')
    corner_min_y: float | None = tag('float', None, unit='m', doc='smallest y; else centred')
    texture_image: Resource | None = tag(
        'uri', None, stand_in='the plain colour', doc='texture')
    texture_image_rotate: int = tag(
        'int', 0, unit='deg', doc='turn of the texture: 0, 90, -90, 180 or -180')
    texture_extension_x: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='length of the texture, 0 fits it to the map')
    texture_extension_y: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='width of the texture, 0 fits it to the map')
    mesh_color: Colour = tag('colour', colour('#a0e0a0'), doc='colour')
    reflectivity: float = reflects()
    model_split_size: float = tag('float', 0.0, unit='m', acts=False, doc='tile size')
    apply_kernel: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, doc='square filter with sum 1 that smooths the heights')
    heights: HeightMap | None = None  # what was read from the file or the matrix


@dataclass(frozen=True)
class PlaneSpec(ElementSpec):
    """What both planes share."""

    init_pose: Pose = tag(
        'pose', Pose(), aliases=('init_pose3d',), unit='m, deg',
        doc='pose of the frame that the numbers below are in')
    z: float = tag('float', 0.0, unit='m', doc='height of the plane, or of the foot of a wall')
    color: Colour = tag('colour', colour('#a0a0a0ff'), doc='colour')
    reflectivity: float = reflects()
    enable_shadows: bool = tag('bool', True, acts=False, doc='casts and receives shadows')
    cull_face: str = tag(
        'text', 'NONE', choices=('NONE', 'FRONT', 'BACK'),
        doc='face that pictures of the world leave out; sensors see both')
    texture: Resource | None = tag(
        'uri', None, stand_in='the plain colour', doc='texture')
    texture_size_x: float = tag('float', 1.0, unit='m', above=0, doc='length of a tile')
    texture_size_y: float = tag('float', 1.0, unit='m', above=0, doc='height of a tile')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    publish: PublishSpec | None = tag(
        'spec', None, spec=PublishSpec, acts=False, doc="the original's own topics")


@dataclass(frozen=True)
class HorizontalPlaneSpec(PlaneSpec):
    """Floor or ceiling."""

    XML_CLASS = 'horizontal_plane'

    x_min: float = tag('float', -10.0, unit='m', doc='extent')
    x_max: float = tag('float', 10.0, unit='m', doc='extent')
    y_min: float = tag('float', -10.0, unit='m', doc='extent')
    y_max: float = tag('float', 10.0, unit='m', doc='extent')


@dataclass(frozen=True)
class OpeningSpec(ShortRepr):
    """Door or window of a wall; heights are above z = 0, not above the foot of the wall."""

    position: float = tag(
        'float', 0.5, attribute=True, minimum=0, maximum=1,
        doc='centre of the opening as a share of the length of the wall')
    width: float = tag('float', 1.0, unit='m', attribute=True, above=0, doc='width')
    z_min: float = tag(
        'float', 0.0, unit='m', attribute=True, aliases=('z_start',), doc='lower side')
    z_max: float = tag(
        'float', 2.1, unit='m', attribute=True, aliases=('z_end',), doc='upper side')
    name: str = tag('text', '', attribute=True, doc='name')
    source: Source = Source()


@dataclass(frozen=True)
class VerticalPlaneSpec(PlaneSpec):
    """Wall with doors and windows; bodies and planar scanners pass doors, not windows."""

    XML_CLASS = 'vertical_plane'

    x0: float = tag('float', -10.0, unit='m', doc='start')
    y0: float = tag('float', -10.0, unit='m', doc='start')
    x1: float = tag('float', -10.0, unit='m', doc='end')
    y1: float = tag('float', 10.0, unit='m', doc='end')
    height: float = tag('float', 3.0, unit='m', above=0, doc='height')
    thickness: float = tag('float', 0.02, unit='m', above=0, doc='thickness')
    doors: tuple[OpeningSpec, ...] = tag(
        'specs', (), name='door', spec=OpeningSpec, doc='openings that bodies pass')
    windows: tuple[OpeningSpec, ...] = tag(
        'specs', (), name='window', spec=OpeningSpec, doc='openings for the eye only')


@dataclass(frozen=True)
class PointCloudSpec(ElementSpec):
    """Points to be seen by three-dimensional sensors, each 1 cm for a pixel of its size."""

    XML_CLASS = 'pointcloud'

    file_txt_2d: Resource | None = tag('uri', None, doc='text file with columns x y')
    file_txt_3d: Resource | None = tag('uri', None, doc='text file with columns x y z')
    points_size: float = tag('float', 3.0, unit='px', doc='size of a point')
    pose_3d: Pose = tag('pose3', Pose(), unit='m, deg', doc='pose of the cloud')


@dataclass(frozen=True)
class SkyboxSpec(ElementSpec):
    """
    Background in all six directions: front is x, left is y, and up is z.

    Seen from within and upright; the front is at the top of the image below, and at the bottom
    of that above. Where an image is missing the sky has one colour.
    """

    XML_CLASS = 'skybox'

    textures: str = tag(
        'text', required=True, default='',
        doc='address of the images, with one %s for Front, Back, Down, Up, Left, Right')
    faces: tuple[Resource, ...] = ()  # the six images, in that order


SURFACES = ('dry', 'wet', 'snow', 'ice', 'clay', 'sand')


@dataclass(frozen=True)
class PropertyRegionSpec(ElementSpec):
    """
    Box in which a property has a value.

    The first region in file order that holds the point wins. Properties that act:
    `friction_mu`, `friction_C_rr` (double), `gps_no_coverage` (bool); in physics mode
    `physical` also `mu_scale` (double), `surface_type` (string: dry, wet, snow, ice, clay or
    sand), `cone_index` (double, Pa) and `cone_index_psi` (double, psi).
    """

    XML_CLASS = 'property_region'

    property_name: str = tag('text', '', required=True, doc='name of the property')
    value_double: float | None = tag('float', None, doc='value, a number')
    value_bool: bool | None = tag('bool', None, doc='value, true or false')
    value_string: str | None = tag('text', None, doc='value, a text')
    x_min: float = tag('float', -1.0, unit='m', doc='extent')
    x_max: float = tag('float', 1.0, unit='m', doc='extent')
    y_min: float = tag('float', -1.0, unit='m', doc='extent')
    y_max: float = tag('float', 1.0, unit='m', doc='extent')
    z_min: float = tag('float', -1000.0, unit='m', doc='extent')
    z_max: float = tag('float', 1000.0, unit='m', doc='extent')


ELEMENTS = (OccupancyGridSpec, GroundGridSpec, ElevationMapSpec, HorizontalPlaneSpec,
            VerticalPlaneSpec, PointCloudSpec, SkyboxSpec, PropertyRegionSpec)


@dataclass(frozen=True)
class WallsSpec(ShortRepr):
    """Straight walls from segments (`<walls>`); each becomes a solid static box."""

    model_uri: Resource | None = tag(
        'uri', None, doc='mesh whose lines are the walls, in place of a shape')
    transformation: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, doc='4 x 4 matrix that moves the segments')
    wall_thickness: float = tag(
        'float', 0.1, name='wallThickness', unit='m', above=0, doc='thickness')
    wall_height: float = tag('float', 2.0, name='wallHeight', unit='m', above=0, doc='height')
    color: Colour = tag('colour', colour('#323232'), doc='colour')
    reflectivity: float = reflects()
    scale: float = tag('float', 1.0, acts=False, doc='not used, as in the original')
    shape: tuple[Point, ...] = tag('segments', (), unit='m', doc='ends of the segments')
    source: Source = Source()


@dataclass(frozen=True)
class MarkerSpec(ShortRepr):
    """Line for the eye only (`<marker>`)."""

    ACTS = False

    kind: str = tag(
        'text', 'line_strip', name='type', attribute=True, choices=('line_strip',),
        doc='only line_strip')
    color: Colour = tag('colour', (1.0, 1.0, 1.0, 1.0), doc='colour')
    translation: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='m', doc='offset of all points')
    points: tuple[tuple[float, float, float], ...] = tag(
        'matrix', (), unit='m', doc='one `x y z` a line')
    source: Source = Source()
