# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What drives described robots: plugins, controllers, joints; what they stand on and reach."""

from collections.abc import Callable
import math
from pathlib import Path
import re

import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.urdf_import.convert import convert
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Loader = Callable[..., VehicleSpec]

BASE = """<link name="base_link"><inertial><origin xyz="0 0 0.1"/><mass value="8"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.15"/></inertial><collision><origin xyz="0 0 0.15"/>
  <geometry><box size="0.4 0.3 0.12"/></geometry></collision></link>"""
TURNED = '<origin rpy="1.5707963267948966 0 0"/>'


def wheel(name: str, x: float, y: float, radius: float = 0.08, kind: str = 'continuous',
          extra: str = '', axis: str = '0 1 0', turn: str = '1.5707963267948966 0 0',
          parent: str = 'base_link') -> str:
    """Return a wheel of a cylinder whose joint has the name, and its link `name_link`."""
    return f"""<link name="{name}_link"><inertial><mass value="0.3"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001"/></inertial><collision><origin rpy="{turn}"/>
      <geometry><cylinder radius="{radius}" length="0.04"/></geometry></collision></link>
      <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{name}_link"/>
      <origin xyz="{x} {y} {radius if parent == 'base_link' else 0}"/><axis xyz="{axis}"/>
      {extra}</joint>"""


def pair(x: float = 0.0, names: tuple[str, str] = ('lj', 'rj'), **options: object) -> str:
    left, right = names
    return wheel(left, x, 0.18, **options) + wheel(right, x, -0.18, **options)  # type: ignore


def part(name: str, shape: str, x: float, z: float, y: float = 0.0) -> str:
    """Return a link with one solid on a fixed joint."""
    return f"""<link name="{name}"><collision>{TURNED}<geometry>{shape}</geometry></collision>
      </link><joint name="{name}_joint" type="fixed"><parent link="base_link"/>
      <child link="{name}"/><origin xyz="{x} {y} {z}"/></joint>"""


BALL = part('ball', '<sphere radius="0.03"/>', -0.15, 0.03)
FOUR = pair(0.15, ('fl', 'fr'), radius=0.05) + pair(-0.15, ('rl', 'rr'), radius=0.05)


def commands(joints: str, kind: str = 'velocity') -> str:
    return '<ros2_control name="c" type="system">' + ''.join(
        f'<joint name="{name}"><command_interface name="{kind}"/></joint>'
        for name in joints.split()) + '</ros2_control>'


def plugin(filename: str, inside: str = '') -> str:
    return f'<gazebo><plugin filename="{filename}" name="p">{inside}</plugin></gazebo>'


def said(folder: Path) -> str:
    """Return all that the conversion of the robot in a folder says."""
    found = convert(str(folder / 'robot.urdf'), {}, lambda source, text: None).findings
    return '\n'.join(each.text for each in found)


def speed(folder: Path, forward: float = 0.5, seconds: float = 5.0) -> float:
    """Return how fast the robot in a folder drives when it is commanded."""
    simulation = Simulation(load_world(folder / 'one.world.xml'), sensors=False)
    simulation.vehicles['r1'].set_twist(forward, 0.0)
    simulation.run(seconds)
    return float(simulation.vehicles['r1'].twist_body[0])


def limits(effort: float, damping: float = 0.0) -> str:
    return (f'<limit effort="{effort}" velocity="100"/><dynamics damping="{damping}" '
            'friction="0"/>')


@pytest.mark.parametrize(('extra', 'drive', 'expected', 'words'), [
    pytest.param(limits(100, 1.0), commands('lj rj'), 0.5, 'its speed is commanded', id='damped'),
    pytest.param(limits(0.01), commands('lj rj'), 0.5, 'does not move', id='no torque'),
    pytest.param(limits(0.5, 10.0), plugin('gz-sim-diff-drive-system', '<left_joint>lj'
                 '</left_joint><right_joint>rj</right_joint>'), 0.5, 'its speed is commanded',
                 id='damped, plugin'),
    pytest.param(limits(1.0, 1.0), commands('lj rj', 'effort'), 0.08,
                 'with the damping of its joints and a torque of 1 N m at a wheel it reaches '
                 '0.08 m/s', id='effort')])
def test_a_robot_reaches_what_is_commanded_or_it_is_said(
        load_robot: Loader, tmp_path: Path, extra: str, drive: str, expected: float,
        words: str) -> None:
    load_robot(robot=BASE + pair(extra=extra) + BALL + drive, strict=expected == 0.5)
    assert words in said(tmp_path)
    assert speed(tmp_path) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize('friction', ['0.0', '1000.0'])
def test_friction_that_no_tyre_has_is_replaced(load_robot: Loader, tmp_path: Path,
                                               friction: str) -> None:
    vehicle = load_robot(robot=BASE + pair() + BALL + '<gazebo reference="lj_link"><mu1>'
                         f'{friction}</mu1></gazebo>')
    assert 0.5 < vehicle.friction.mu <= 1.0  # type: ignore[attr-defined]
    assert 'is not that of a tyre' in said(tmp_path)


@pytest.mark.parametrize(('name', 'inside', 'robot', 'expected', 'motion'), [
    pytest.param('gz-sim-velocity-control-system', '', '', 'omni', 'twist_ideal',
                 id='velocity control, no wheels'),
    pytest.param('libgazebo_ros_kobuki.so', '<left_wheel_joint_name>lj</left_wheel_joint_name>'
                 '<right_wheel_joint_name>rj</right_wheel_joint_name>', pair() + BALL,
                 'differential_3_wheels', '', id='kobuki'),
    pytest.param('libgazebo_ros_tricycle_drive.so', '<steering_joint>s</steering_joint>'
                 '<actuated_wheel_joint>f</actuated_wheel_joint>',
                 pair(kind='fixed') + part('fork', '<box size="0.01 0.01 0.01"/>', 0.2, 0.08)
                 .replace('name="fork_joint" type="fixed"', 'name="s" type="revolute"')
                 .replace('<origin xyz="0.2', '<axis xyz="0 0 1"/><limit upper="0.9"/>'
                          '<origin xyz="0.2') + wheel('f', 0, 0, parent='fork'),
                 'tricycle', 'twist_front_steer_pid', id='tricycle, fixed rear wheels')])
def test_plugins_choose_the_class(load_robot: Loader, tmp_path: Path, name: str, inside: str,
                                  robot: str, expected: str, motion: str) -> None:
    dynamics = load_robot(robot=BASE + robot + plugin(name, inside)).dynamics
    assert dynamics.XML_CLASS == expected
    assert not motion or dynamics.controller.XML_CLASS == motion
    assert speed(tmp_path, 0.3) == pytest.approx(0.3, rel=0.02)
    assert 'no plugin or controller' not in said(tmp_path)
    if expected in ('mecanum', 'omni'):
        simulation = Simulation(load_world(tmp_path / 'one.world.xml'))
        simulation.vehicles['r1'].set_twist(0.0, 0.0, vy=0.2)
        simulation.run(3.0)
        assert simulation.vehicles['r1'].pose.y > 0.4


OMNI = ''.join(wheel(f'w{k}', 0.2 * math.cos(a), 0.2 * math.sin(a), 0.05,
                     axis=f'{math.cos(a)} {math.sin(a)} 0', turn=f'0 1.5707963 {a}')
               for k, a in enumerate((0.0, 2.0 * math.pi / 3, -2.0 * math.pi / 3)))


@pytest.mark.parametrize(('controller', 'parameters', 'robot', 'expected'), [
    pytest.param('diff_drive_controller/DiffDriveController',
                 'left_wheel_names: [lj]\n    right_wheel_names: [rj]\n    wheel_separation: 0.5',
                 pair() + BALL, 'differential_3_wheels', id='diff drive'),
    pytest.param('mecanum_drive_controller/MecanumDriveController',
                 'front_left_wheel_command_joint_name: fl\n'
                 '    front_right_wheel_command_joint_name: fr\n'
                 '    rear_left_wheel_command_joint_name: rl\n'
                 '    rear_right_wheel_command_joint_name: rr\n'
                 '    kinematics: {wheels_radius: 0.07}', FOUR, 'mecanum', id='mecanum'),
    pytest.param('omni_wheel_drive_controller/OmniWheelDriveController',
                 'wheel_names: [w0, w1, w2]\n    wheel_radius: 0.05', OMNI, 'omni', id='omni')])
def test_controllers_of_ros2_control_choose_the_class(
        load_robot: Loader, tmp_path: Path, controller: str, parameters: str, robot: str,
        expected: str) -> None:
    (tmp_path / 'c.yaml').write_text(f"""/**/controller_manager:
  ros__parameters:
    drive: {{type: {controller}}}
/**/drive:
  ros__parameters:
    {parameters}
""")
    dynamics = load_robot(robot=BASE + robot + plugin(
        'libgz_ros2_control-system.so', '<parameters>c.yaml</parameters>')).dynamics
    assert dynamics.XML_CLASS == expected
    if expected == 'omni':
        assert [round(math.degrees(wheel.pos[2])) for wheel in dynamics.wheels] == [-90, 30, 150]
    elif expected == 'mecanum':
        assert 'the radius of the wheels is 0.07 m here' in said(tmp_path)
    else:
        assert 'the separation of the wheels is 0.5 m here' in said(tmp_path)
    assert speed(tmp_path, 0.2) == pytest.approx(0.2, rel=0.02)


def test_robots_without_masses_and_with_slow_joints(load_robot: Loader, tmp_path: Path) -> None:
    robot = BASE + pair(extra='<limit effort="10" velocity="2"/>') + BALL
    bare = re.sub('<inertial>.*?</inertial>', '', robot, flags=re.DOTALL)
    dynamics = load_robot(robot=bare).dynamics
    words = said(tmp_path)
    assert 'the velocity limit of joint' in words and '0.16 m/s at the rim' in words
    # 0.4 m x 0.4 m (with the wheels) x 0.21 m of 200 kg/m^3
    assert 'is modelled as a box of 200 kg/m^3' in words
    assert dynamics.chassis.mass == pytest.approx(200 * 0.4 * 0.4 * 0.21, rel=0.02)
    assert speed(tmp_path) == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize('limit', ['1e16', 'inf', '1e6'])
@pytest.mark.parametrize('kind', ['revolute', 'continuous'])
def test_joints_without_an_end_are_wheels(load_robot: Loader, limit: str, kind: str) -> None:
    robot = pair(kind=kind, extra=f'<limit lower="-{limit}" upper="{limit}" effort="{limit}" '
                 'velocity="9"/>')
    assert len(load_robot(robot=BASE + robot + BALL).dynamics.wheels) == 3


def test_limits_are_numbers(load_robot: Loader) -> None:
    with pytest.raises(WorldFileError, match="upper of <limit> is 'far': write a number"):
        load_robot(robot=BASE + pair(extra='<limit upper="far"/>') + BALL)


def test_axles_along_x_are_those_of_no_wheels(load_robot: Loader) -> None:
    robot = ''.join(wheel(f'w{k}', 0.15 * x, 0.15 * y, axis='1 0 0', turn='0 1.5707963 0')
                    for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))))
    with pytest.raises(WorldFileError, match=r'the robot has no wheels: .*\(x forward\)'):
        load_robot(robot=BASE + robot)
    with pytest.raises(WorldFileError, match="the wheels roll along y of 'base_link'"):
        load_robot(robot=BASE + robot + commands('w0 w1 w2 w3'))


def test_an_unknown_plugin_names_the_class_that_is_guessed(load_robot: Loader,
                                                           tmp_path: Path) -> None:
    load_robot(robot=BASE + FOUR + plugin('libmy_drive.so'), strict=False)
    assert ("the plugin 'libmy_drive.so' is not known: the class 'differential_4_wheels' is "
            'guessed from the wheels; do what it does') in said(tmp_path)
    load_robot(robot=BASE + FOUR)
    assert ("its 4 driven and 0 steered wheels make the class 'differential_4_wheels'"
            ) in said(tmp_path)


def test_wheels_that_grip_aslant_without_rollers_are_said(load_robot: Loader,
                                                          tmp_path: Path) -> None:
    rims = FOUR.replace('</inertial>', '</inertial><visual><geometry><mesh filename="rim.stl"/>'
                        '</geometry></visual>')
    load_robot(robot=BASE + rims + ''.join(
        f'<gazebo reference="{name}_link"><mu2>0</mu2><fdir1>1 {side} 0</fdir1></gazebo>'
        for name, side in (('fl', -1), ('fr', 1), ('rl', 1), ('rr', -1))), strict=False)
    assert 'if they have rollers, choose --dynamics mecanum' in said(tmp_path)


def test_wheels_on_shock_absorbers_do_not_steer(load_robot: Loader) -> None:
    robot = ''.join(
        part(f'shock_{name}', '<box size="0.01 0.01 0.01"/>', x, 0.05, y).replace(
            'type="fixed">', 'type="prismatic"><axis xyz="0 0 1"/><limit lower="0" upper="0"/>')
        + wheel(name, 0, 0, 0.05, parent=f'shock_{name}')
        for name, x, y in (('fl', 0.15, 0.18), ('fr', 0.15, -0.18), ('rl', -0.15, 0.18),
                           ('rr', -0.15, -0.18)))
    dynamics = load_robot(robot=BASE + robot, strict=False).dynamics
    assert dynamics.XML_CLASS == 'differential_4_wheels'


BRACKET = part('caster_bracket', '<box size="0.04 0.04 0.04"/>', -0.12, 0.08) + part(
    'caster_fork', '<box size="0.04 0.03 0.03"/>', -0.12, 0.05)


@pytest.mark.parametrize(('parts', 'place', 'diameter'), [
    pytest.param(BRACKET + part('caster_wheel', '<cylinder radius="0.015" length="0.01"/>',
                                -0.15, 0.015), (-0.15, 0.0), 0.03, id='wheel in a fork'),
    pytest.param(part('tail', '<cylinder radius="0.02" length="0.01"/>', -0.17, 0.02).replace(
        '<origin xyz', '<axis/><origin xyz'), (-0.17, 0.0), 0.04, id='any name and axis'),
    pytest.param(part('caster_lamp', '<sphere radius="0.02"/>', 0.1, 0.3), None, 0.0,
                 id='no contact'),
    pytest.param(part('skid', '<box size="0.02 0.02 0.02"/>', -0.15, 0.005), (-0.15, 0.0), 0.02,
                 id='skid that reaches into the ground'),
    pytest.param(part('cliff_sensor', '<box size="0.02 0.02 0.02"/>', 0.15, 0.02), None, 0.0,
                 id='a box above the ground')])
def test_casters_are_what_touches_the_ground(
        load_robot: Loader, parts: str, place: tuple[float, float] | None,
        diameter: float) -> None:
    wheels = load_robot(robot=BASE + pair() + parts).dynamics.wheels
    assert len(wheels) == (2 if place is None else 3)
    if place is not None:
        assert wheels[2].pos[:2] == pytest.approx(place)
        assert wheels[2].diameter == pytest.approx(diameter)


def test_the_largest_round_shape_of_a_wheel_counts(load_robot: Loader) -> None:
    hub = ('<collision><origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.03" '
           'length="0.1"/></geometry></collision><collision>')
    robot = pair().replace('<collision>', hub, 2)
    left = load_robot(robot=BASE + robot + BALL).dynamics.wheels[0]
    assert (left.diameter, left.width) == pytest.approx((0.16, 0.04))


def test_arms_are_no_wheels(load_robot: Loader) -> None:
    arm = wheel('elbow', 0.1, 0.0, 0.03).replace('xyz="0.1 0.0 0.03"', 'xyz="0.1 0 0.4"')
    assert len(load_robot(robot=BASE + pair() + arm, strict=False).dynamics.wheels) == 2


@pytest.mark.parametrize('rate', [2, 1e6], ids=['limited', 'without a limit'])
def test_a_car_with_fixed_rear_wheels(load_robot: Loader, tmp_path: Path, rate: float) -> None:
    knuckles = ''.join(part(f'k{side}', '<box size="0.01 0.01 0.01"/>', 0.3, 0.08, y).replace(
        f'name="k{side}_joint" type="fixed"', f'name="s{side}" type="revolute"').replace(
        '<origin xyz="0.3', '<axis xyz="0 0 1"/><limit lower="-0.5" upper="0.5" effort="5" '
        f'velocity="{rate}"/><origin xyz="0.3') + wheel(f'f{side}', 0, 0, parent=f'k{side}')
        for side, y in (('l', 0.18), ('r', -0.18)))
    robot = BASE + pair(kind='fixed') + knuckles + commands('fl fr')
    dynamics = load_robot(robot=robot + commands('sl sr', 'position')).dynamics
    assert dynamics.XML_CLASS == 'ackermann'
    assert [wheel.pos[:2] for wheel in dynamics.wheels] == [
        pytest.approx((x, y)) for x in (0.0, 0.3) for y in (0.18, -0.18)]
    assert speed(tmp_path, 0.5) == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize('axis', ['<axis xyz="0 0 1"/>', ''])
def test_a_car_for_display_has_wheels_that_do_not_turn(load_robot: Loader, tmp_path: Path,
                                                       axis: str) -> None:
    front = pair(0.3, ('fl', 'fr')).replace('<axis xyz="0 1 0"/>', axis)
    bare = re.sub('<inertial>.*?</inertial>', '', BASE + pair(kind='fixed') + front,
                  flags=re.DOTALL)
    dynamics = load_robot(robot=bare).dynamics
    assert dynamics.XML_CLASS == 'ackermann_drivetrain'
    assert [wheel.pos[:2] for wheel in dynamics.wheels] == [
        pytest.approx((x, y)) for x in (0.0, 0.3) for y in (0.18, -0.18)]
    assert [wheel.steering_joint for wheel in dynamics.wheels] == ['', '', 'fl', 'fr']
    assert 'no joint lets a wheel roll' in said(tmp_path)
    assert speed(tmp_path, 0.5) == pytest.approx(0.5, rel=0.02)


def test_a_model_without_anything_round_has_no_wheels(load_robot: Loader) -> None:
    with pytest.raises(WorldFileError, match='the robot has no wheels'):
        load_robot(robot=BASE + part('skid', '<box size="0.1 0.1 0.1"/>', 0.0, 0.04))
