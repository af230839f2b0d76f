# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of all kinds, given to the real node by a real client."""

from collections.abc import Callable, Iterator
import importlib
import math
from typing import Any

from generated_types import provide
from geometry_msgs.msg import PoseArray, PoseWithCovarianceStamped, TransformStamped, TwistStamped
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, planar_pose, running, WORLDS
from std_msgs.msg import Bool, Float64, Float64MultiArray
import yaml

CAR, CART = '/car/base_pose_ground_truth', '/cart/base_pose_ground_truth'


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a node with a car and a cart, which repeats its commands."""
    provide('ackermann_msgs', patch)
    with running(domain, f'world:={WORLDS}/commands.world.xml', 'realtime_factor:=5.0',
                 'initialpose_teleports:=true') as each:
        each.listen(Odometry, CAR)
        each.listen(Odometry, CART)
        each.listen(PoseArray, '/ground_truth_poses')
        each.fresh(CART)
        yield each


def until(client: Client, topic: str, condition: Callable[[Any], bool],
          send: Callable[[], None] = lambda: None) -> Any:
    """Send with each new state on a topic until a condition on it holds, and return it."""
    heard = client.heard[topic]
    seen = [len(heard)]

    def again() -> None:
        if len(heard) > seen[0]:
            seen[0] = len(heard)
            send()

    send()
    client.wait('the state', lambda: len(heard) > seen[0] - 1 and condition(heard[-1]), again)
    return heard[-1]


def ackermann(speed: float, angle: float, stamped: bool = True) -> Any:
    types = importlib.import_module('ackermann_msgs.msg')
    drive = types.AckermannDrive(speed=speed, steering_angle=angle)
    return types.AckermannDriveStamped(drive=drive) if stamped else drive


def in_a_bend(client: Client) -> Any:
    """Have the car follow Ackermann commands into a bend, and return its state there."""
    publisher = client.publisher(type(ackermann(0.0, 0.0)), '/car/ackermann_cmd')
    until(client, CAR, lambda state: state.twist.twist.linear.x > 0.95,
          lambda: publisher.publish(ackermann(1.0, 0.2)))
    return until(client, CAR, lambda state: state.twist.twist.angular.z > 0.09,
                 lambda: publisher.publish(ackermann(1.0, 0.2)))


def test_a_car_follows_ackermann_commands(client: Client) -> None:
    state = in_a_bend(client)
    speed = state.twist.twist.linear.x
    assert state.twist.twist.angular.z == pytest.approx(math.tan(0.2) / 2.0 * speed, rel=0.2)


def test_it_stops_when_they_run_out_its_steering_where_it_was(client: Client) -> None:
    in_a_bend(client)
    state = until(client, CAR, lambda state: state.twist.twist.linear.x < 0.2)
    twist = state.twist.twist
    assert twist.angular.z == pytest.approx(math.tan(0.2) / 2.0 * twist.linear.x, abs=0.05)


def test_ackermann_commands_without_a_stamp_are_taken_as_well(
        client: Client, domain: int) -> None:
    other = Client(domain)  # DDS gives a topic one type within a process
    try:
        publisher = other.publisher(type(ackermann(0.0, 0.0, False)), '/car/ackermann_cmd')
        until(client, CAR, lambda state: state.twist.twist.linear.x < -0.3,
              lambda: publisher.publish(ackermann(-1.0, 0.0, False)))
    finally:
        other.close()


def test_a_refused_twist_is_reported_once(client: Client) -> None:
    for _ in range(3):
        client.command('/car/cmd_vel', 1.0)
        client.fresh(CAR)
    client.wait_for_words('does not take a twist')
    (line,) = [line for line in client.simulator.errors.splitlines()
               if 'does not take a twist' in line]
    assert '/car/cmd_vel: ' in line and 'use set_steering' in line


def test_who_has_which_topic(client: Client) -> None:
    expected = {'/car/cmd_vel', '/car/ackermann_cmd', '/cart/cmd_vel', '/cart/cmd_wheel_torques',
                '/cart/cmd_brake', '/cart/cmd_parking_brake', '/cart/cmd_handbrake'}

    def names() -> set[str]:
        return {name for name, _ in client.node.get_topic_names_and_types()
                if '/cmd_' in name or '_cmd' in name}

    client.wait('these topics and no other', lambda: names() == expected)


def pushing(client: Client) -> Callable[[], None]:
    """Return what pushes the cart forward."""
    torques = client.publisher(Float64MultiArray, '/cart/cmd_wheel_torques')
    return lambda: torques.publish(Float64MultiArray(data=[0.5, 0.5]))


def test_torques_drive_and_brakes_stop(client: Client) -> None:
    push = pushing(client)
    brake = client.publisher(Float64, '/cart/cmd_brake')

    until(client, CART, lambda state: state.twist.twist.linear.x > 0.5, push)
    brake.publish(Float64(data=1.0))
    until(client, CART, lambda state: abs(state.twist.twist.linear.x) < 0.01, push)
    brake.publish(Float64(data=0.0))
    until(client, CART, lambda state: state.twist.twist.linear.x > 0.5, push)
    # without commands: no torque, and the brake
    until(client, CART, lambda state: abs(state.twist.twist.linear.x) < 0.01)
    until(client, CART, lambda state: state.twist.twist.linear.x > 0.2, push)


def test_a_parking_brake_holds_until_it_is_released(client: Client) -> None:
    push = pushing(client)
    parking = client.publisher(Bool, '/cart/cmd_parking_brake')

    parking.publish(Bool(data=True))
    until(client, CART, lambda state: abs(state.twist.twist.linear.x) < 0.01, push)
    parking.publish(Bool(data=False))
    until(client, CART, lambda state: state.twist.twist.linear.x > 0.2, push)


def test_a_handbrake_is_pulled_by_degrees(client: Client) -> None:
    push = pushing(client)
    handbrake = client.publisher(Float64, '/cart/cmd_handbrake')

    handbrake.publish(Float64(data=1.0))
    until(client, CART, lambda state: abs(state.twist.twist.linear.x) < 0.01, push)
    handbrake.publish(Float64(data=0.0))
    until(client, CART, lambda state: state.twist.twist.linear.x > 0.2, push)
    handbrake.publish(Float64(data=1.5))
    client.wait_for_words('give a number from 0 to 1')


@pytest.mark.parametrize('message, said', [
    pytest.param(Float64MultiArray(data=[1.0]), 'takes 2 torques', id='too few'),
    pytest.param(Float64MultiArray(data=[]), 'takes 2 torques', id='none'),
    pytest.param(Float64MultiArray(data=[1.0, math.inf]), 'infinite', id='infinite')])
def test_torques_that_cannot_be_are_refused(
        client: Client, message: Float64MultiArray, said: str) -> None:
    client.publisher(Float64MultiArray, '/cart/cmd_wheel_torques').publish(message)
    client.wait_for_words(said)


def test_a_brake_is_pressed_no_harder_than_to_one(client: Client) -> None:
    client.publisher(Float64, '/cart/cmd_brake').publish(Float64(data=1.5))
    client.wait_for_words('cannot be pressed to 1.5')


def test_initialpose_moves_the_vehicle_where_that_is_wanted(client: Client) -> None:
    message = PoseWithCovarianceStamped()
    message.header.frame_id = 'map'
    message.pose.pose.position.x, message.pose.pose.position.y = -7.0, -8.0
    message.pose.pose.orientation.z = message.pose.pose.orientation.w = math.sqrt(0.5)
    client.publisher(PoseWithCovarianceStamped, '/car/initialpose').publish(message)
    state = until(client, CAR, lambda state: state.pose.pose.position.y < -7.0)
    assert planar_pose(state.pose.pose) == pytest.approx((-7.0, -8.0, math.pi / 2), abs=0.3)


@pytest.mark.parametrize('name', [pytest.param(n, id=n) for n in ('cart', 'crate')])
def test_things_are_put_elsewhere_by_a_message(client: Client, name: str) -> None:
    message = TransformStamped(child_frame_id=name)
    message.header.frame_id = 'map'
    message.transform.translation.x = -30.0
    message.transform.translation.y = 5.0 * (name == 'crate')  # not in the way of the other
    publisher = client.publisher(TransformStamped, '/mvsim/set_pose')
    publisher.publish(message)
    if name == 'cart':
        until(client, CART,
              lambda state: state.pose.pose.position.x == pytest.approx(-30.0, abs=0.5))


@pytest.mark.parametrize('name, frame, x, said', [
    pytest.param('ghost', 'map', 0.0, "no vehicle or block 'ghost'", id='unknown'),
    pytest.param('cart', 'odom', 0.0, "frame 'odom'", id='other frame'),
    pytest.param('cart', 'map', math.nan, 'finite numbers', id='NaN')])
def test_places_that_are_none_are_refused(
        client: Client, name: str, frame: str, x: float, said: str) -> None:
    message = TransformStamped(child_frame_id=name)
    message.header.frame_id = frame
    message.transform.translation.x = x
    client.publisher(TransformStamped, '/mvsim/set_pose').publish(message)
    client.wait_for_words(said)


def test_a_joystick_set_up_sets_what_its_node_has(project: Any) -> None:
    keys = yaml.safe_load((project / 'config/teleop_joy.yaml').read_text())
    (parameters,) = [node['ros__parameters'] for node in keys.values()]
    assert set(keys) == {'teleop_twist_joy_node'}
    assert set(parameters) <= {
        'require_enable_button', 'enable_button', 'enable_turbo_button', 'axis_linear',
        'axis_angular', 'scale_linear', 'scale_linear_turbo', 'scale_angular',
        'scale_angular_turbo', 'inverted_reverse', 'publish_stamped_twist', 'frame'}
    for name, table in parameters.items():
        if isinstance(table, dict):
            assert set(table) <= ({'yaw', 'pitch', 'roll'} if 'angular' in name else {
                'x', 'y', 'z'}), name


def test_each_topic_can_be_remapped_by_itself(
        domain: int, patch: pytest.MonkeyPatch) -> None:
    provide('ackermann_msgs', patch)
    remaps = ('__ns:=/fleet', '/clock:=/fleet/clock', 'car/cmd_vel:=/base/cmd',
              'car/ackermann_cmd:=steer', 'cart/cmd_wheel_torques:=cart/push',
              # two that are exchanged, which to remap twice would undo
              'cart/cmd_brake:=cart/cmd_parking_brake', 'cart/cmd_parking_brake:=cart/cmd_brake')
    with running(domain, f'world:={WORLDS}/commands.world.xml',
                 ros_args=tuple(word for each in remaps for word in ('-r', each)),
                 ) as client:
        stamped = client.publisher(TwistStamped, '/base/cmd')  # by the other type, too
        stamped.publish(TwistStamped())
        client.wait_for_words('/base/cmd: ')
        found = dict(client.node.get_subscriber_names_and_types_by_node('mvsim', '/fleet'))
        assert found.items() >= {
            '/base/cmd': ['geometry_msgs/msg/Twist'],
            '/fleet/steer': ['ackermann_msgs/msg/AckermannDriveStamped'],
            '/fleet/cart/cmd_vel': ['geometry_msgs/msg/Twist'],
            '/fleet/cart/push': ['std_msgs/msg/Float64MultiArray'],
            '/fleet/cart/cmd_parking_brake': ['std_msgs/msg/Float64'],
            '/fleet/cart/cmd_brake': ['std_msgs/msg/Bool'],
            '/fleet/cart/cmd_handbrake': ['std_msgs/msg/Float64']}.items()
        assert not found.keys() & {'/fleet/car/cmd_vel', '/fleet/car/ackermann_cmd',
                                   '/fleet/cart/cmd_wheel_torques'}


def test_commands_do_not_go_to_a_vehicle_without_that_topic(client: Client) -> None:
    (info,) = client.wait('a subscription', lambda: [
        each for each in client.node.get_subscriptions_info_by_topic('/car/cmd_vel')
        if each.topic_type == 'geometry_msgs/msg/Twist'])
    assert client.node.get_subscriptions_info_by_topic('/car/cmd_wheel_torques') == []
    assert info.node_name == 'mvsim'
