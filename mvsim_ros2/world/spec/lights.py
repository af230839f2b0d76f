# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sun, sky and lamps of a world, and groups of lamps that can be switched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mvsim_ros2.world.spec.common import Colour, colour
from mvsim_ros2.world.spec.fields import Problems, Spec, tag

# why nothing acts on a tag, see `Tag.idle`
SHADOWS = 'shadows need no tuning here: they are those of rays, or of maps that fit the scene'


@dataclass(frozen=True)
class PointLightSpec(Spec):
    """
    Lamp that shines in all directions (`<point_light>`).

    Its light falls off as 1 / (constant + linear d + quadratic d²) with the distance d, times
    (1 − (d / range)⁴)² where it has a range.
    """

    position: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 3.0), unit='m', attribute=True,
        doc='place: in the world, or in the frame of the vehicle or block of its group')
    color: Colour = tag('colour', (1.0, 1.0, 1.0, 1.0), attribute=True, doc='colour')
    diffuse: float = tag('float', 0.8, attribute=True, minimum=0, doc='strength of the light')
    specular: float = tag('float', 0.5, attribute=True, minimum=0,
                          doc='strength of highlights on materials with them')
    attenuation_constant: float = tag('float', 1.0, attribute=True, minimum=0, doc='see above')
    attenuation_linear: float = tag(
        'float', 0.09, unit='1/m', attribute=True, minimum=0, doc='see above')
    attenuation_quadratic: float = tag(
        'float', 0.032, unit='1/m^2', attribute=True, minimum=0, doc='see above')
    reach: float = tag('float', 0.0, name='range', unit='m', attribute=True, minimum=0,
                       doc='range of the light; 0: unlimited')
    cast_shadows: bool = tag('bool', False, attribute=True, doc='objects cast shadows in its '
                             'light; false: light passes through them')

    def problems(self) -> Problems:
        if not (self.attenuation_constant or self.attenuation_linear
                or self.attenuation_quadratic):
            yield 'the three attenuations are 0: set one above 0, for example the constant to 1'


@dataclass(frozen=True)
class SpotLightSpec(PointLightSpec):
    """Lamp that shines in a cone (`<spot_light>`); it fades between two angles."""

    direction: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, -1.0), attribute=True, doc='where its axis points to')
    inner_cutoff: float = tag(
        'angle', 0.2181661564992912, name='inner_cutoff_deg', unit='deg', attribute=True,
        minimum=0, maximum=89, doc='half angle of the fully lit cone')
    outer_cutoff: float = tag(
        'angle', 0.30543261909900765, name='outer_cutoff_deg', unit='deg', attribute=True,
        minimum=0, maximum=89, doc='half angle at which its light ends')

    def problems(self) -> Problems:
        yield from super().problems()
        if not any(self.direction):
            yield 'direction is 0 0 0: give the direction in which it points'
        if self.inner_cutoff > self.outer_cutoff:
            yield 'inner_cutoff_deg is more than outer_cutoff_deg: exchange them'


Lamps = tuple[PointLightSpec, ...]


@dataclass(frozen=True)
class LightGroupSpec(Spec):
    """Lamps of a vehicle or block that are switched together (`<light_group>`)."""

    name: str = tag('text', '', attribute=True, required=True,
                    doc='name, unique in the vehicle or block')
    initially_on: bool = tag('bool', True, attribute=True, doc='whether they are on at the start')
    point_lights: Lamps = tag('specs', (), name='point_light', spec=PointLightSpec,
                              doc='lamps, in the frame of the body')
    spot_lights: tuple[SpotLightSpec, ...] = tag(
        'specs', (), name='spot_light', spec=SpotLightSpec, doc='lamps, in the frame of the body')

    def problems(self) -> Problems:
        if not self.name.strip():
            yield 'name is empty: a group is switched by its name'


def switched_lamps() -> tuple[LightGroupSpec, ...]:
    """Return the field `light_groups` of a vehicle or block."""
    groups: tuple[LightGroupSpec, ...] = tag(
        'specs', (), name='light_group', spec=LightGroupSpec,
        doc='lamps that are switched together')
    return groups


def repeated_groups(groups: tuple[LightGroupSpec, ...]) -> Problems:
    """Yield a sentence for each name that two groups of a thing have."""
    names = [group.name for group in groups]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f'two of its light groups are named {name!r}: give each a name of its own'


@dataclass(frozen=True)
class LightsSpec(Spec):
    """Sun, sky and lamps (`<lights>`); cameras and pictures see them."""

    enable_shadows: bool = tag('bool', True, doc='cast shadows')
    shadow_map_size: int = tag(
        'int', 2048, unit='px', minimum=1, idle=SHADOWS, doc='size of the shadow map')
    light_azimuth: float = tag('angle', 0.7853981633974483, name='light_azimuth_deg', unit='deg',
                               doc='direction of the light source, from x towards y')
    light_elevation: float = tag('angle', 1.2217304763960306, name='light_elevation_deg',
                                 unit='deg', doc='height of the light')
    light_clip_plane_min: float = tag('float', 0.1, unit='m', idle=SHADOWS, doc='near plane')
    light_clip_plane_max: float = tag(
        'float', 900.0, unit='m', over='light_clip_plane_min', idle=SHADOWS, doc='far plane')
    light_color: Colour = tag('colour', (1.0, 1.0, 1.0, 1.0), doc='colour of the light')
    light_diffuse: float = tag('float', 0.8, minimum=0, doc='strength of the light of the sun')
    light_specular: float = tag(
        'float', 0.6, minimum=0, doc='strength of its highlights on materials with them')
    light_ambient: float = tag('float', 0.5, minimum=0, doc='strength of the ambient light')
    ambient_sky_color: Colour = tag(
        'colour', colour('#e0e8ff'), doc='colour of the ambient light on surfaces that face up')
    ambient_ground_color: Colour = tag('colour', colour('#403a30'), doc='the same for surfaces '
                                       'that face down; blended in between')
    clouds: float | None = tag(
        'float', None, minimum=0, maximum=1, doc='share of the sky that clouds cover; the sky '
        'then has a sun disc and a pale horizon. Default: one colour')
    point_lights: Lamps = tag(
        'specs', (), name='point_light', spec=PointLightSpec, doc='lamps, in the world')
    spot_lights: tuple[SpotLightSpec, ...] = tag(
        'specs', (), name='spot_light', spec=SpotLightSpec, doc='lamps, in the world')
    shadow_cascades: int = tag(
        'int', 4, minimum=1, maximum=4, idle=SHADOWS, doc='shadow maps of the user interface')
    sensor_shadow_cascades: int = tag(
        'int', 1, minimum=1, maximum=4, idle=SHADOWS, doc='shadow maps of cameras')
    disable_lights_on_high_cpu_usage: bool = tag(
        'bool', True, idle='lamps stay on: a slow simulation only runs slower',
        doc='switch lamps off if the simulation is slow')
    shadow_bias: float = tag('float', 1e-5, idle=SHADOWS, doc='shadow tuning')
    shadow_bias_cam2frag: float = tag('float', 1e-5, idle=SHADOWS, doc='shadow tuning')
    shadow_bias_normal: float = tag('float', 1e-4, idle=SHADOWS, doc='shadow tuning')
    eye_distance_to_shadow_map_extension: float = tag(
        'float', 2.0, idle=SHADOWS, doc='shadow tuning')
    minimum_shadow_map_extension_ratio: float = tag(
        'float', 0.005, idle=SHADOWS, doc='shadow tuning')


Switches = Mapping[tuple[str, str], bool]  # of groups, by name of the thing and of the group


def first_switches(things: Iterable[Any]) -> dict[tuple[str, str], bool]:
    """Return which groups of vehicles and blocks are on at the start, by both names."""
    return {(thing.name, group.name): group.initially_on
            for thing in things for group in groups_of(thing)}


def groups_of(thing: Any) -> tuple[LightGroupSpec, ...]:
    """Return the groups of a thing, those that only its visuals name included."""
    named = {group.name for group in thing.light_groups}
    others = dict.fromkeys(visual.light_group for visual in thing.visuals
                           if visual.light_group and visual.light_group not in named)
    return (*thing.light_groups, *(LightGroupSpec(name=name) for name in others))
