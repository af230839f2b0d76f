# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts that several things of a world share: where they stand, looks, motion."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
import re
from typing import TypeVar

from mvsim_ros2.base.short_repr import ShortRepr
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import per_axis, PerAxis, Problems, Source, Spec, tag

# why nothing acts on a tag, see `Tag.idle`
PUBLISHING = ('poses and measurements are ROS topics here: base_pose_ground_truth, '
              'ground_truth_poses and those of the sensors, see docs/ros-interface.md')
SMALLEST_SCALE = 1e-9  # of meshes
SPLITTING = 'meshes of any size are searched by a tree here, whole'

Colour = tuple[float, float, float, float]  # red, green, blue, alpha in 0..1
Point = tuple[float, float]  # x, y [m]
Polygon = tuple[Point, ...]


def colour(text: str) -> Colour:
    """
    Return the colour of `#RRGGBB` or `#RRGGBBAA`.

    :raises ValueError: where the text is not of that form.
    """
    if not re.fullmatch('#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})', text):
        raise ValueError('a colour is #RRGGBB or #RRGGBBAA, such as #ff8000')
    red, green, blue, alpha = bytes.fromhex(text[1:].ljust(8, 'f'))
    return red / 255, green / 255, blue / 255, alpha / 255


def reflects(attribute: bool = False) -> float:
    """Return the field `reflectivity` of a thing; `attribute` as in `tag`."""
    field: float = tag('float', 0.5, attribute=attribute, minimum=0, maximum=1,
                       doc='share of the light of a LiDAR that returns')
    return field


def transmits(attribute: bool = False) -> float | None:
    """Return the field `transmittance` of a thing; `attribute` as in `tag`."""
    field: float | None = tag('float', None, attribute=attribute, minimum=0, maximum=1,
                              doc='share of the light of a LiDAR that passes each surface; at '
                              'most the rest returns; default: from the alpha of the colour')
    return field


@dataclass(frozen=True)
class Footprint(ShortRepr):
    """Plan outline and height range of a body, in its own frame."""

    polygon: Polygon  # convex, counter-clockwise [m]
    zmin: float  # m
    zmax: float  # m


@dataclass(frozen=True)
class Resource:
    """A file that a world refers to."""

    uri: str  # as the world file says
    path: str | None  # local file, None where it could not be had
    reason: str = ''  # why not


@dataclass(frozen=True)
class GeometrySpec(Spec):
    """Simple solid instead of a mesh (`<geometry>` of a block or of a `<visual>`)."""

    kind: str = tag(
        'text', name='type', attribute=True,
        choices=('cylinder', 'sphere', 'box', 'ramp', 'semi_cylinder_bump'),
        doc='`cylinder` (radius, length; base at z 0). `sphere` (radius; centred). `box` '
            '(lx, ly, lz; one corner at the origin). `ramp` (rises along x from 0 to lx, '
            'centred in y). `semi_cylinder_bump` (axis along x, centred, height lz)')
    radius: float = tag('float', 0.0, unit='m', attribute=True, minimum=0, doc='radius')
    length: float = tag('float', 0.0, unit='m', attribute=True, minimum=0, doc='height')
    lx: float = tag('float', 0.0, unit='m', attribute=True, minimum=0, doc='size along x')
    ly: float = tag('float', 0.0, unit='m', attribute=True, minimum=0, doc='size along y')
    lz: float = tag('float', 0.0, unit='m', attribute=True, minimum=0, doc='size along z')
    vertex_count: int = tag('int', 0, attribute=True, minimum=0, maximum=10_000,
                            doc='vertices of a circle; 0 takes 10')


@dataclass(frozen=True)
class VisualSpec(Spec):
    """Mesh of an object for cameras, 3D LiDARs and pictures (`<visual>`)."""

    model_uri: Resource | None = tag(
        'uri', None, stand_in='a box', doc='mesh file; none draws nothing')
    geometry: GeometrySpec | None = tag(
        'spec', None, spec=GeometrySpec, doc='simple solid instead of a mesh')
    enabled: bool = tag('bool', True, attribute=True, doc='false leaves this mesh out')
    model_scale: PerAxis = tag(
        'axes', 1.0, doc='scale of the mesh: one number, or three along its own axes before it '
        'is turned; a negative one mirrors it')
    model_offset_x: float = tag('float', 0.0, unit='m', doc='offset forward')
    model_offset_y: float = tag('float', 0.0, unit='m', doc='offset to the left')
    model_offset_z: float = tag('float', 0.0, unit='m', doc='offset up')
    model_yaw: float = tag('angle', 0.0, unit='deg', doc='turn about z')
    model_pitch: float = tag('angle', 0.0, unit='deg', doc='turn about y')
    model_roll: float = tag('angle', 0.0, unit='deg', doc='turn about x')
    model_color: Colour | None = tag(
        'colour', None, doc='colour instead of the materials of the mesh')
    model_emissive: Colour | None = tag('colour', None, doc='light that the mesh emits')
    model_emissive_strength: float = tag(
        'float', 1.0, minimum=0, doc='factor of that light; above 1 it may exceed white, which '
        'images of 16 bits and of light keep')
    cast_shadows: bool = tag('bool', True, doc='throw a shadow')
    sways: float = tag(
        'float', 0.0, minimum=0, maximum=0.5, doc='lean of the mesh of a block per height in a '
        'wind of 10 m/s. Cameras and 3D LiDARs see it sway in the wind of `<air>`')
    light_group: str = tag('text', '', attribute=True, doc='light group of its vehicle or block; '
                           'the mesh emits light only while the group is on')
    model_cull_faces: str = tag('text', 'NONE', choices=('NONE', 'BACK', 'FRONT'),
                                idle='sensors and pictures always see both sides of a mesh',
                                doc='faces that are not drawn')
    model_split_size: float = tag(
        'float', 0.0, unit='m', idle=SPLITTING, doc='tile size of large meshes, 0: no tiles')
    show_bounding_box: bool = tag(
        'bool', False, idle='the window marks the selected object and shows its size',
        doc='draw the bounding box')
    name: str = tag('text', 'group', attribute=True, doc='name that `linked_yaw` refers to')

    def problems(self) -> Problems:
        if min(map(abs, per_axis(self.model_scale))) < SMALLEST_SCALE:
            yield (f'each number of model_scale must be at least {SMALLEST_SCALE:g}, of either '
                   'sign')


@dataclass(frozen=True)
class Keyframe:
    """One key of an animation: time [s] and pose relative to the initial pose."""

    time: float
    pose: Pose


@dataclass(frozen=True)
class AnimationSpec(Spec):
    """Motion by keyframes, repeated (`<animation>`)."""

    kind: str = tag('text', 'keyframes', name='type', attribute=True, choices=('keyframes',),
                    doc='only keyframes')
    keys: tuple[Keyframe, ...] = tag(
        'keyframes', (), name='time_pose', aliases=('time_pose3d',), unit='s, m, deg',
        doc='poses relative to the initial pose, at increasing times, linear in between')

    def problems(self) -> Problems:
        times = [key.time for key in self.keys]
        if not times or times[-1] <= 0:
            yield 'give <time_pose> keys, the last at a time above 0'
        if any(after < before for before, after in pairwise(times)):
            yield 'the times of the keys must not fall'


@dataclass(frozen=True)
class PublishSpec(Spec):
    """Topics of MVSim's own messaging (`<publish>`); ROS topics do not need it."""

    enabled: bool = tag('bool', True, attribute=True, idle=PUBLISHING, doc='false takes it out')
    publish_topic: str = tag('text', '', idle=PUBLISHING, doc='topic of a sensor')
    publish_pose_topic: str = tag('text', '', idle=PUBLISHING, doc='topic of the pose')
    publish_pose_period: float = tag(
        'float', 0.1, unit='s', idle=PUBLISHING, minimum=0, doc='period of the pose')
    publish_relative_pose_objects: tuple[str, ...] = tag(
        'names', (), idle=PUBLISHING, doc='objects whose relative pose is published')
    publish_relative_pose_topic: str = tag(
        'text', '', idle=PUBLISHING, doc='topic of the relative poses')

    def problems(self) -> Problems:
        if bool(self.publish_relative_pose_objects) != bool(self.publish_relative_pose_topic):
            yield ('publish_relative_pose_objects and publish_relative_pose_topic belong '
                   'together: give both or neither')


def publishes() -> PublishSpec | None:
    """Return the field `publish` of a thing."""
    field: PublishSpec | None = tag(
        'spec', None, spec=PublishSpec, idle=PUBLISHING, doc="the original's own topics")
    return field


@dataclass(frozen=True)
class MaterialSpec(Spec):
    """
    Surface properties of an object (`<material>`), in addition to colour and `reflectivity`.

    Objects with equal values share a material.
    """

    specular: float = tag(
        'float', 0.0, attribute=True, minimum=0, maximum=1,
        doc='strength of the highlights of lights, of the model of Blinn and Phong')
    shininess: float = tag('float', 32.0, attribute=True, minimum=1, maximum=1000,
                           doc='how small highlights are: the exponent of that model')
    emissive: Colour | None = tag(
        'colour', None, attribute=True, doc='light that it emits; default: none')
    temperature: float | None = tag(
        'float', None, unit='K', attribute=True, minimum=0, maximum=10_000,
        doc='temperature for thermal cameras; default: of the air')
    emissivity: float = tag('float', 0.95, attribute=True, minimum=0, maximum=1,
                            doc='share of the heat radiation of a black body, for thermal cameras')
    mirror: float = tag(
        'float', 0.0, attribute=True, minimum=0, maximum=1, doc='share of a LiDAR beam that is '
        'mirrored at normal incidence; more at grazing incidence')
    retroreflection: float = tag(
        'float', 0.0, unit='cd/(lx m^2)', attribute=True, minimum=0, maximum=10_000,
        doc='coefficient of retroreflection, as of road signs; a white wall has 0.3')
    radar_section: float | None = tag(
        'float', None, unit='dBsm', attribute=True, minimum=-60, maximum=60,
        doc='radar cross-section of the whole object from all sides, as of a corner reflector; '
            'default: from its surfaces')
    textured: bool = tag('bool', False, attribute=True, doc='multiply the reflectivity for LiDARs '
                         'by the brightness of the texture')
    source: Source = field(default=Source(), compare=False, kw_only=True)


PLAIN = MaterialSpec()


def made_of() -> MaterialSpec:
    """Return the field `material` of a thing."""
    made: MaterialSpec = tag('spec', PLAIN, spec=MaterialSpec, doc='matter of its surfaces')
    return made


V = TypeVar('V')


class ReadOnlyMapping(Mapping[str, V]):
    """
    A constant mapping that, unlike `types.MappingProxyType`, can be pickled and copied.

    >>> from mvsim_ros2.world.spec.common import ReadOnlyMapping
    >>> ReadOnlyMapping({'speed': '1.5'})
    ReadOnlyMapping({'speed': '1.5'})
    """

    def __init__(self, entries: Mapping[str, V]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> V:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f'ReadOnlyMapping({self._entries!r})'


LABELS = ('nothing', 'ground', 'wall', 'block', 'vehicle', 'person', 'terrain', 'vegetation',
          'sensor', 'points', 'marker')
