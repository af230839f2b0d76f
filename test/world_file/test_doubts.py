# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a world file may say but hardly means is a warning, and what has no effect is told."""

from collections.abc import Callable

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.world import WorldSpec

Load = Callable[..., WorldSpec]
WALL = ('<element class="vertical_plane" name="w"><x0>0</x0><y0>0</y0><x1>5</x1><y1>0</y1>'
        '{}</element>')
REGION = ('<element class="property_region" name="p"><property_name>{}</property_name>'
          '<value_double>{}</value_double></element>')
SPRINGS = '<l_wheel pos="0 0.5" tyre_stiffness="9e4"/><r_wheel pos="0 -0.5" tyre_stiffness="9e4"/>'


def vehicle(inside: str, kind: str = 'differential', beside: str = '') -> str:
    """Return a vehicle with something in its dynamics, and something beside them."""
    return (f'<vehicle name="r"><init_pose>0 0 0</init_pose>{beside}'
            f'<dynamics class="{kind}">{inside}</dynamics></vehicle>')


def sensor(kind: str, inside: str) -> str:
    """Return a sensor that stands in the world."""
    return f'<sensor class="{kind}" name="s">{inside}</sensor>'


def joint(attributes: str) -> str:
    """Return two blocks 1 m apart, and a joint between them."""
    return ('<block name="a"><init_pose>0 0 0</init_pose></block>'
            '<block name="b"><init_pose>1 0 0</init_pose></block>'
            f'<joint body_a="a" body_b="b" anchor_a="0 0" anchor_b="-1 0" {attributes}/>')


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param(vehicle('<brakes parked="true"/>'), 'parked is true, but without a '
                 'parking_torque nothing holds the vehicle', id='parked without a torque'),
    pytest.param(vehicle('<brakes wheels="rear"/>'), 'they have no torque', id='idle brakes'),
    pytest.param(joint('type="pin" enable_limit="true" lower_angle_deg="10" upper_angle_deg="20"'),
                 'its angle at load is 0 and its limits are 10 and 20 deg', id='angle at load'),
    pytest.param(vehicle('<chassis centre_of_mass="0 0 -0.2"/>'),
                 'with this centre_of_mass that of the vehicle is 0.116 m below the '
                 'ground', id='centre below the ground'),
    pytest.param(vehicle('<chassis centre_of_mass="3 0 0.5"/>', 'ackermann'),
                 'with this centre_of_mass that of the vehicle is at x = 2.96, and its wheels '
                 'stand from x = 0 to 1.3',
                 id='centre before the wheels'),
    pytest.param(vehicle('<chassis centre_of_mass="0.5 -2 0.5"/>', 'ackermann'),
                 'with this centre_of_mass that of the vehicle is at y = -1.97, and its wheels '
                 'stand from y = -1 to 1',
                 id='centre beside the wheels'),
    pytest.param(vehicle('<controller class="twist_pid"><max_torque>0.5</max_torque></controller>'
                         '<chassis mass="100"/>', beside='<friction class="default"><C_rr>0.02'
                         '</C_rr></friction>'),
                 'with max_torque 0.5 N m its wheels push with 5 N, less than their rolling '
                 'resistance of 20.4 N: it does not move', id='torque against rolling'),
    pytest.param(vehicle('<controller class="twist_pid"><max_torque>0.5</max_torque></controller>',
                         beside='<friction class="default"><C_damping>1</C_damping></friction>'),
                 'with max_torque 0.5 N m and the C_damping of its axles it reaches 0.1 m/s',
                 id='torque against damping'),
    pytest.param(vehicle('', beside='<friction class="clay"><cone_index>60</cone_index>'
                         '</friction>'),
                 'a cone_index of 60 Pa is 0.0087 psi, that of soil some 20 to 300 psi: 60 psi '
                 'are 413685 Pa', id='cone index in psi'),
    pytest.param(REGION.format('cone_index', 60), 'a cone_index of 60 Pa', id='region in psi'),
    pytest.param(REGION.format('cone_index_psi', 413685), 'a cone_index_psi of 413685 is more',
                 id='region in Pa'),
    pytest.param(REGION.format('friction_mue', 0.2), "nothing reads the property 'friction_mue': "
                 'there are friction_mu, friction_C_rr, mu_scale, cone_index, cone_index_psi, '
                 "surface_type, gps_no_coverage; did you mean 'friction_mu'?", id='region'),
    pytest.param(WALL.format('<door width="6"/>'), 'the door in line 2 goes from -0.5 to 5.5 m of '
                 'a wall that is 5 m long', id='wide door'),
    pytest.param(WALL.format('<window width="1" position="0.95" z_min="1"/>'), 'the window in '
                 'line 2 goes from 4.25 to 5.25 m', id='window at the end'),
    pytest.param(WALL.format('<door z_min="3.5" z_max="5"/>'), 'the door in line 2 goes from '
                 'z = 3.5 to 5 and the wall from 0 to 3: it misses the wall', id='high door'),
])
def test_what_is_hardly_meant_is_a_warning(load: Load, content: str, message: str) -> None:
    warnings = load(content).warnings
    assert len(warnings) == 1
    assert warnings[0].message.partition('>: ')[2].startswith(message)
    assert warnings[0].source.line == 2
    with pytest.raises(WorldFileError, match=r'test\.world\.xml:2: '):
        load(content, strict=True)


@pytest.mark.parametrize(('kind', 'inside', 'tags'), [
    ('camera', '<ncols>320</ncols><nrows>240</nrows>', ('cx', 'cy')),
    ('camera', '<ncols>1280</ncols>', ('cx',)),
    ('camera', '<cx>-3</cx>', ('cx',)),
    ('camera', '<ncols>320</ncols><cx>150</cx>', ()),
    ('camera', '<ncols>660</ncols>', ()),
    ('rgbd_camera', '<depth_ncols>320</depth_ncols><rgb_nrows>720</rgb_nrows>',
     ('depth_cx', 'rgb_cy')),
    ('rgbd_camera', '<sense_rgb>false</sense_rgb><rgb_ncols>320</rgb_ncols>', ()),
    ('thermal_camera', '<nrows>120</nrows>', ('cy',)),
    ('event_camera', '<ncols>640</ncols>', ('cx',))])
def test_a_principal_point_far_from_the_middle_is_a_warning(
        load: Load, kind: str, inside: str, tags: tuple[str, ...]) -> None:
    messages = [each.message for each in load(sensor(kind, inside)).warnings]
    assert [each.partition('>: ')[2].partition(' ')[0] for each in messages] == list(tags)
    assert all(f'say <{tag}>' in each for tag, each in zip(tags, messages, strict=True))


@pytest.mark.parametrize('content', [
    pytest.param(vehicle('<brakes torque="5"/>'), id='service brake'),
    pytest.param(vehicle('<brakes parking_torque="5" parked="true"/>'), id='parking brake'),
    pytest.param(joint('type="pin" enable_limit="true" lower_angle_deg="-10"'), id='limits'),
    pytest.param(vehicle('<chassis centre_of_mass="0.2 0 0.5"/>'), id='two wheels'),
    pytest.param(vehicle('<chassis mass="4" centre_of_mass="0 0 -0.2"/>'), id='with the wheels'),
    pytest.param(vehicle('<chassis centre_of_mass="0.5 0.2 0.5"/>', 'ackermann'), id='centre'),
    pytest.param(REGION.format('cone_index', 413685), id='Pa'),
    pytest.param(REGION.format('cone_index_psi', 60), id='psi'),
    pytest.param(WALL.format('<door width="5"/>'), id='door')])
def test_what_is_meant_is_none(load: Load, caplog: pytest.LogCaptureFixture, content: str) -> None:
    assert load(content, strict=True).warnings == ()
    assert caplog.messages == []


@pytest.mark.parametrize(('content', 'told'), [
    pytest.param(vehicle('<controller class="raw"><max_torque>5</max_torque></controller>'),
                 "<max_torque> (line 2); a controller 'raw' does not take it", id='raw'),
    pytest.param(vehicle('<controller class="twist_ideal"><KP>5</KP></controller>'),
                 "<KP> (line 2); a controller 'twist_ideal' does not take it", id='ideal'),
    pytest.param('<variable name="c" value="raw"/>' + vehicle(
        '<controller class="${c}"><KP>5</KP></controller>'), '', id='class of a variable'),
    pytest.param(vehicle('<controller class="twist_ideal"/><motor max_torque="5"/>'),
                 "<motor> (line 2); the controller 'twist_ideal' gives the body its velocity",
                 id='motor'),
    pytest.param(vehicle('<controller class="twist_ideal"/><aerodynamics drag_area="1"/>'),
                 '<aerodynamics> (line 2); the controller', id='aerodynamics'),
    pytest.param(vehicle(f'<controller class="twist_ideal"/>{SPRINGS}'),
                 '<tyre_stiffness> (line 2); the controller', id='springs'),
    pytest.param(vehicle(f'<controller class="raw"/>{SPRINGS}'), '', id='springs that act'),
    *(pytest.param(vehicle(f'<drivetrain type="open_rear"><{tag}>{value}</{tag}></drivetrain>',
                           'ackermann_drivetrain'),
                   f'<{tag}> (line 2); no differential is {kind}', id=tag)
      for tag, value, kind in (('locking', 0.5, 'limited_slip'), ('preload', 9, 'limited_slip'),
                               ('torsen_tbr', 3, 'torsen'))),
    pytest.param(vehicle('<drivetrain type="open_4wd"><locking>0.5</locking><rear_differential>'
                         'limited_slip</rear_differential></drivetrain>', 'ackermann_drivetrain'),
                 '', id='locking that acts'),
    pytest.param(vehicle('', beside='<front_friction class="default"><mu>0.3</mu>'
                         '</front_friction>'),
                 '<front_friction> (line 2); no wheel stands before', id='one axle'),
    pytest.param(vehicle('', 'ackermann', '<front_friction class="default"><mu>0.3</mu>'
                         '</front_friction>'), '', id='two axles'),
    pytest.param(vehicle('<brakes torque="5" parking_wheels="rear"/>'),
                 'attribute parking_wheels of <brakes> (line 2); it needs <parking_torque>',
                 id='parking wheels'),
    pytest.param(joint('type="pin" upper_angle_deg="20"'), 'attribute upper_angle_deg of <joint> '
                 '(line 2); it needs <enable_limit>', id='limit'),
    pytest.param(joint('type="pin" stiffness="20"'), 'attribute stiffness of <joint> (line 2); '
                 "it is not of a joint of type 'pin'", id='stiff pin'),
    pytest.param(joint('type="rope" enable_limit="true"'), 'attribute enable_limit of <joint> '
                 "(line 2); it is not of a joint of type 'rope'", id='turning rope'),
    pytest.param(sensor('imu', '<angular_velocity_std_noise>0.1</angular_velocity_std_noise>'
                        '<angular_velocity_noise_density>0.1</angular_velocity_noise_density>'),
                 '<angular_velocity_std_noise> (line 2); '
                 '<angular_velocity_noise_density> replaces it', id='imu'),
    pytest.param(sensor('imu', '<angular_velocity_std_noise>0.1</angular_velocity_std_noise>'
                        '<linear_acceleration_noise_density>0.1'
                        '</linear_acceleration_noise_density>'), '', id='other density'),
])
def test_what_others_leave_without_effect_is_told(
        load: Load, caplog: pytest.LogCaptureFixture, content: str, told: str) -> None:
    load(content, strict=True)
    assert len(caplog.messages) == bool(told)
    assert all(f'read, but without effect here: {told}' in each for each in caplog.messages)
