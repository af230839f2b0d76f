# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules that bind several values of one thing."""

from collections.abc import Callable

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.world import WorldSpec

Load = Callable[..., WorldSpec]


def vehicle(inside: str, dynamics: str = 'differential') -> str:
    """Return a vehicle with something in its dynamics."""
    return (f'<vehicle name="r"><init_pose>0 0 0</init_pose>'
            f'<dynamics class="{dynamics}">{inside}</dynamics></vehicle>')


def block(inside: str) -> str:
    """Return a block with something in it."""
    return f'<block name="b"><init_pose>0 0 0</init_pose>{inside}</block>'


def sensor(kind: str, inside: str) -> str:
    """Return a sensor that stands in the world."""
    return f'<sensor class="{kind}" name="s">{inside}</sensor>'


def element(kind: str, inside: str) -> str:
    """Return an element with something in it."""
    return f'<element class="{kind}">{inside}</element>'


def tyre(kind: str, tags: str) -> str:
    """Return a vehicle with a tyre."""
    return vehicle('').replace('<dyn', f'<friction class="{kind}" {tags}/><dyn')


MATRIX = '<elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix>'
BODIES = block('') + block('').replace('"b"', '"c"')
JOINT = '<joint type="rope" body_a="b" body_b="c" anchor_a="0 0" anchor_b="0 0" {}/>'


@pytest.mark.parametrize('content', [
    pytest.param(vehicle('<rl_wheel pos="0 -1"/><rr_wheel pos="0 1"/>', 'ackermann'),
                 id='ackermann with exchanged wheels'),
    pytest.param(vehicle('<l_wheel pos="0 1"/><r_wheel pos="0 -1"/><r_wheel pos="1 -1"/>',
                         'skid_steer'), id='three wheels on two sides'),
    pytest.param(vehicle('<wheel pos="1 0 90"/><wheel pos="-1 1 210"/><wheel pos="-1 -1 -30"/>',
                         'omni'), id='three omni wheels'),
    pytest.param(element('elevation_map', MATRIX), id='matrix'),
    pytest.param(element('elevation_map', MATRIX + '<apply_kernel>[0.5 0; 0 0.5]</apply_kernel>'),
                 id='kernel'),
    pytest.param(BODIES + JOINT.format('max_length="2"'), id='rope'),
    pytest.param('<marker type="line_strip"><points>0 0 0\n1 1 1</points></marker>', id='marker'),
    pytest.param(element('property_region', '<property_name>friction_mu</property_name>'
                         '<value_double>0.2</value_double>'), id='region'),
])
def test_rule_is_kept(load: Load, content: str) -> None:
    assert load(content, strict=True).warnings == ()


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param(vehicle('<chassis zmin="1"/>'), 'zmax must be larger', id='chassis height'),
    pytest.param(vehicle('<l_wheel pos="0 -1"/>'), 'must have the larger y', id='wheels'),
    pytest.param(vehicle('<lf_wheel pos="1 -1"/>', 'differential_4_wheels'),
                 'must have the larger y', id='front wheels'),
    pytest.param(vehicle('<max_steer_ang_deg>90</max_steer_ang_deg>', 'ackermann'),
                 'below 89.4', id='steering'),
    pytest.param(vehicle('<f_wheel pos="-1 0"/>', 'single_track'), 'the larger x', id='axles'),
    pytest.param(vehicle('<l_wheel pos="0 1"/>', 'skid_steer'), 'one <r_wheel>', id='one side'),
    pytest.param(vehicle('<l_wheel pos="0 1"/><r_wheel pos="0 0"/>', 'skid_steer'),
                 'must have a y above 0', id='wrong side'),
    pytest.param(vehicle('<wheel pos="0 1"/>', 'omni'), 'give it 3 or 4', id='omni wheels'),
    pytest.param(block('<zmin>2</zmin>'), 'zmax', id='block height'),
    pytest.param(block('<geometry type="cylinder" radius="1"/>'), 'length', id='geometry'),
    pytest.param(block('<animation><time_pose>1 0 0 0</time_pose><time_pose>0 0 0 0</time_pose>'
                       '</animation>'), 'above 0', id='keys fall'),
    pytest.param(block('<publish publish_relative_pose_topic="a"/>'), 'belong together',
                 id='publish'),
    pytest.param(element('elevation_map', ''), 'give <elevation_image>', id='no heights'),
    pytest.param(element('elevation_map', MATRIX + '<apply_kernel>[1 1; 1 1]</apply_kernel>'),
                 'add up to 1', id='kernel sum'),
    pytest.param(element('elevation_map', MATRIX + '<texture_image_rotate>45'
                         '</texture_image_rotate>'), '-90', id='texture turn'),
    *(pytest.param(sensor('camera', f'<{tag}>0.2</{tag}>'), f'{tag} is 0.2 s', id=tag)
      for tag in ('exposure_time', 'readout_time')),
    pytest.param(sensor('lidar3d', '<firing_times>0 1</firing_times>'),
                 'firing_times go from 0 to 1 s: they must lie between 0 and the time of a column',
                 id='firing times'),
    *(pytest.param(sensor('lidar3d', f'<{tag}>0 0 0</{tag}>'),
                   f'{tag} has 3 values and vert_nrays is 16', id=f'number of {tag}')
      for tag in ('firing_times', 'azimuth_offsets')),
    pytest.param(sensor('lidar3d', '<azimuth_min_degrees>20</azimuth_min_degrees>'
                        '<azimuth_max_degrees>-90</azimuth_max_degrees>'),
                 'azimuth_max_degrees is -90 deg and azimuth_min_degrees is 20 deg: '
                 'azimuth_max_degrees must be larger', id='azimuths'),
    pytest.param(sensor('gnss', '<ambiguity_time>30</ambiguity_time>'),
                 "ambiguity_time is 30 s and fix is 'single': only a fix of the kind rtk",
                 id='ambiguities without rtk'),
    pytest.param(sensor('lidar3d', '<beam_heights>0 0 0</beam_heights>'), 'divides the rings',
                 id='beam heights'),
    pytest.param(element('horizontal_plane', '<x_min>11</x_min>'), 'x_max must', id='plane'),
    pytest.param(element('vertical_plane', '<y1>-10</y1>'), 'no length', id='wall'),
    pytest.param(element('vertical_plane', '<door z_min="3"/>'), 'z_max must', id='door'),
    pytest.param(element('skybox', '<textures>sky.png</textures>'), 'needs one %s', id='sky'),
    pytest.param(element('pointcloud', ''), 'file_txt_2d', id='point cloud'),
    pytest.param(element('property_region', '<property_name>a</property_name>'), 'value_double',
                 id='region without value'),
    pytest.param(element('property_region', '<property_name>friction_mu</property_name>'
                         '<value_bool>1</value_bool>'), 'needs a <value_double>',
                 id='region of wrong type'),
    pytest.param('<walls/>', 'give the walls', id='empty walls'),
    pytest.param('<walls><shape><pt>0 0</pt><pt>0 0</pt></shape></walls>', 'no length',
                 id='wall without length'),
    pytest.param('<walls transformation="[1 0; 0 1]"><shape><pt>0 0</pt><pt>1 0</pt></shape>'
                 '</walls>', '4 x 4', id='transformation'),
    pytest.param('<sensor class="lidar3d"><vertical_ray_angles>1 2</vertical_ray_angles></sensor>',
                 'must agree', id='ring count'),
    pytest.param('<sensor class="lidar3d"><vert_nrays>2</vert_nrays><vertical_ray_angles>1 1'
                 '</vertical_ray_angles></sensor>', 'different', id='equal rings'),
    pytest.param('<sensor class="laser"><max_range>1</max_range><min_range>2</min_range>'
                 '</sensor>', 'max_range must be larger', id='ranges'),
    pytest.param('<georeference latitude="1" longitude="1" world_is_utm="1"'
                 ' world_to_enu_rotation_deg="5"/>', 'exclude', id='UTM and rotation'),
    pytest.param('<marker><points>0 0</points></marker>', 'x y z', id='marker'),
    pytest.param(BODIES + JOINT.format('min_length="9"'), 'max_length', id='rope'),
    pytest.param('<actor><init_pose>0 0 0</init_pose><path/></actor>', 'waypoint', id='path'),
    # E above 1 turns the force round, a1 and a2 may leave none at small loads
    *(pytest.param(tyre(kind, f'{name}="{value}"'), name, id=f'{kind} {name}')
      for kind, name, value in (
          ('magic_formula', 'E', 1.1), ('magic_formula', 'surface', 'mud'),
          ('bakker', 'a2', -100), ('bakker', 'a0', 2.5), ('clay', 'section_height', 0),
          ('sand', 'cone_index', -1))),
])
def test_broken_rule_is_an_error(load: Load, content: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=r'test\.world\.xml:2: ') as error:
        load(content)
    assert message in str(error.value)


@pytest.mark.parametrize(('content', 'needed'), [
    pytest.param(sensor('camera', '<jpeg_quality>50</jpeg_quality><compressed>png</compressed>'),
                 '<jpeg_quality> (line 2); it needs <compressed>jpeg</compressed>', id='jpeg'),
    pytest.param(sensor('rgbd_camera', '<exposure_max>9</exposure_max>'),
                 '<exposure_max> (line 2); it needs <auto_exposure>', id='exposure'),
    pytest.param(sensor('lidar3d', '<rosette_rpm_1>9</rosette_rpm_1>'),
                 '<rosette_rpm_1> (line 2); it needs <pattern>rosette</pattern>', id='rosette'),
    pytest.param(sensor('gnss', '<sky_time>9</sky_time>'),
                 '<sky_time> (line 2); it needs <sky_view>', id='sky'),
    pytest.param(sensor('gnss', '<sky_time>0</sky_time>'), '', id='default'),
    pytest.param(sensor('gnss', '<sky_time>9</sky_time><sky_view>true</sky_view>'), '',
                 id='what it needs'),
])
def test_a_tag_without_what_it_needs_is_told(
        load: Load, caplog: pytest.LogCaptureFixture, content: str, needed: str) -> None:
    load(content)
    assert [needed in each for each in caplog.messages] == [True] * bool(needed)
