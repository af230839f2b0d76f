# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lock step with an external controller: a client that follows a path by topics alone."""

from collections.abc import Callable, Iterator
import math

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
import numpy as np
import pytest
from ros_client import Client, compose, planar_pose, running, stamp_ns, WALL
from sensor_msgs.msg import LaserScan

TRUTH, SCAN = '/base_pose_ground_truth', '/scan'
PERIOD_NS, FIRST_NS = 50_000_000, 5_000_000
PATH = [(1.0 + 1.2 * math.sin(0.1 * k), 2.0 + 1.2 * (1 - math.cos(0.1 * k))) for k in range(63)]
AHEAD = 0.4  # m


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    with running(domain, WALL, 'lockstep:=0.05', 'odom_rate:=20.0', 'lockstep_timeout:=1.0',
                 'realtime_factor:=0.0', 'measure_unsubscribed:=true') as each:
        each.listen(Odometry, TRUTH)
        each.listen(LaserScan, SCAN)
        each.fresh(TRUTH)
        yield each


def pursue(state: Odometry) -> tuple[float, float]:
    """Return the velocities that lead along `PATH` (pure pursuit)."""
    x, y, yaw = planar_pose(state.pose.pose)
    nearest = min(range(len(PATH)), key=lambda k: math.dist(PATH[k], (x, y)))
    goal = next((p for p in PATH[nearest:] if math.dist(p, (x, y)) >= AHEAD), PATH[-1])
    bearing = math.atan2(goal[1] - y, goal[0] - x) - yaw
    return 0.5, 2 * 0.5 * math.sin(bearing) / math.dist(goal, (x, y))


def follow(client: Client, steps: int, answer: Callable[[Odometry], tuple[float, float]],
           ) -> list[tuple[float, ...]]:
    """Reset, answer so many states with a command each, and return the states."""
    publisher = client.publisher(TwistStamped, '/cmd_vel')
    assert client.trigger('reset').success
    heard = client.heard[TRUTH]
    client.wait('the first state', lambda: heard and stamp_ns(heard[-1].header) == FIRST_NS)
    del client.heard[SCAN][:]
    states: dict[int, Odometry] = {}
    while len(states) < steps:
        state = heard[-1]
        stamp = stamp_ns(state.header)
        if stamp not in states:
            states[stamp] = state
            message = TwistStamped(header=state.header)
            message.twist.linear.x, message.twist.angular.z = answer(state)
            publisher.publish(message)
        client.wait('the next state', lambda stamp=stamp: stamp_ns(heard[-1].header) > stamp)
    return [(stamp, *planar_pose(state.pose.pose), state.twist.twist.linear.x)
            for stamp, state in states.items()]


def test_a_path_followed_twice_is_the_same_to_the_last_bit(client: Client) -> None:
    """
    A controller in lock step gives the same run bit for bit.

    :reference: each other
    """
    first = follow(client, 240, pursue)
    scans = [(stamp_ns(scan.header), tuple(scan.ranges)) for scan in client.heard[SCAN]]
    assert [state[0] for state in first] == [FIRST_NS, *(
        k * PERIOD_NS for k in range(1, 240))]  # no state was passed by
    assert follow(client, 240, pursue) == first
    again = [(stamp_ns(scan.header), tuple(scan.ranges)) for scan in client.heard[SCAN]]
    common = min(len(scans), len(again))
    assert common > 100 and again[:common] == scans[:common]
    for _, x, y, _, _ in first[20:]:
        assert min(math.dist((x, y), point) for point in PATH) < 0.1
    assert max(y for _, _, y, _, _ in first) > 4.3


def test_a_floor_is_mapped_from_scans_alone(client: Client) -> None:
    """Every hit, put where the robot was by its true pose, lies on a wall."""
    states = {state[0]: state[1:4] for state in follow(client, 160, pursue)}
    hits = []
    for scan in client.heard[SCAN]:
        if stamp_ns(scan.header) in states:
            x, y, yaw = compose(states[stamp_ns(scan.header)], (0.1, 0.0, math.pi / 2))
            ranges = np.array(scan.ranges)
            bearing = yaw + scan.angle_min + scan.angle_increment * np.arange(len(ranges))
            seen = np.isfinite(ranges)
            hits.append(np.column_stack([x + ranges * np.cos(bearing),
                                         y + ranges * np.sin(bearing)])[seen])
    points = np.concatenate(hits)
    assert len(hits) > 50 and len(points) > 5000
    boxes = [(4.95, -2.0, 5.05, 6.0), (0.5, 5.95, 1.5, 6.05)]  # of wall and crate
    cells = [(-6.0, -2.0, -5.5, -1.5), (-4.5, -3.0, -4.0, -2.5), (-6.0, -3.0, -4.0, -1.5)]
    outside = [np.maximum(np.maximum(low - points, points - high), 0.0)
               for low, high in ((np.array(box[:2]), np.array(box[2:])) for box in boxes + cells)]
    assert np.min([np.hypot(*each.T) for each in outside], axis=0).max() < 1e-3
    found = {(round(x), round(y)) for x, y in points}
    assert {(5, y) for y in range(-1, 6)} <= found and (1, 6) in found


def test_who_is_late_is_named(client: Client) -> None:
    client.wait_for_words('waiting for a command with this stamp on /cmd_vel')


def test_time_waits_for_the_command(client: Client) -> None:
    heard = client.heard[TRUTH]
    before = stamp_ns(client.fresh(TRUTH, 2).header)
    assert stamp_ns(client.fresh(TRUTH, 2).header) == before
    message = TwistStamped(header=heard[-1].header)
    message.header.stamp.nanosec += 1
    client.publisher(TwistStamped, '/cmd_vel').publish(message)
    client.wait_for_words('answer odometry with its own stamp')
    assert stamp_ns(client.fresh(TRUTH, 2).header) == before


def test_commands_without_a_stamp_are_refused(client: Client, domain: int) -> None:
    other = Client(domain)
    try:
        other.command('/cmd_vel', 1.0, message_type=Twist)
        client.wait_for_words('use the stamped type')
    finally:
        other.close()
