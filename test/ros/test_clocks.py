# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The wall clock in place of simulated time, poses of all objects."""

import time

from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, Simulator, stamp_ns, WALL
from sensor_msgs.msg import Imu, LaserScan
from tf2_msgs.msg import TFMessage

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.publishers.clock import Stamps

MS = 1_000_000  # ns


def test_stamps_lie_between_the_states_and_only_grow() -> None:
    clock = iter((1000 * MS, 1010 * MS, 1012 * MS, 1100 * MS))
    stamps = Stamps(True, lambda: next(clock))
    stamps.reach(20 * MS, 2.0)
    assert stamps.of(20 * MS) == 1010 * MS
    assert stamps.of(10 * MS) == 1005 * MS  # twice as fast as life
    stamps.reach(40 * MS, 2.0)  # late, and caught up
    assert [stamps.of(t * MS) for t in (30, 38, 40)] == [1010 * MS, 1011 * MS, 1012 * MS]
    stamps.reach(60 * MS, 0.0)
    assert stamps.of(41 * MS) == stamps.of(60 * MS) == 1100 * MS
    assert Stamps(False).of(7) == 7


def test_lock_step_needs_simulated_time() -> None:
    with pytest.raises(MvsimError, match='lock step needs timestamps in simulated time'):
        Settings(disable_sim_time_clock=True, lockstep=0.1)


def test_all_stamps_are_those_of_the_wall_clock(domain: int) -> None:
    client, start = Client(domain), time.time_ns()
    topics = {'/odom': Odometry, '/tf': TFMessage, '/tf_static': TFMessage, '/scan': LaserScan,
              '/imu': Imu, '/diagnostics': DiagnosticArray, '/objects_ground_truth': TFMessage}
    with Simulator(domain, WALL, 'disable_sim_time_clock:=true',
                   'objects_ground_truth_rate:=10.0', 'diagnostics_rate:=5.0',
                   ) as client.simulator:
        for topic, kind in topics.items():
            client.listen(kind, topic)
        for topic in topics:
            client.wait(topic, lambda topic=topic: client.heard[topic])
        client.fresh('/objects_ground_truth', 8)
        assert client.node.count_publishers('/clock') == 0
        (reason,) = client.put(lockstep=0.1)
        assert 'lock step' in reason
    end = time.time_ns()
    for topic in topics:
        stamps = [stamp_ns(getattr(each, 'transforms', [each])[0].header)
                  for each in client.heard[topic]]
        assert stamps == sorted(stamps) and start < stamps[0] <= stamps[-1] < end, topic
    objects = client.heard['/objects_ground_truth']
    assert {each.child_frame_id for each in objects[-1].transforms} == {
        'robot 1', 'wall', 'crate'}
    assert {each.header.frame_id for each in objects[-1].transforms} == {'map'}
    passed = (stamp_ns(objects[-1].transforms[0].header)
              - stamp_ns(objects[0].transforms[0].header))
    # a tenth of a second each, but for what is caught up and a step
    caught_up = 1e9 * Settings().max_simul_catchup_time + 10 * MS
    assert passed > 100 * MS * (len(objects) - 1) - caught_up
    client.close()
