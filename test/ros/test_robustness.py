# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Restart, shutdown under load, and two simulators on one host."""

from collections.abc import Iterator
import signal

from geometry_msgs.msg import Twist
from nav_msgs.msg import OccupancyGrid, Odometry
import pytest
from ros_client import Client, Simulator, stamp_ns, WALL, WORLDS
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

PAIR = f'world:={WORLDS}/pair.world.xml'


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    each = Client(domain)
    yield each
    each.close()


def test_subscribers_stay_while_the_node_is_started_again(client: Client, domain: int) -> None:
    client.listen(Odometry, '/odom')
    client.listen(LaserScan, '/scan')
    client.listen(TFMessage, '/tf_static')
    client.listen(OccupancyGrid, '/map')
    for run in (1, 2):
        with Simulator(domain, WALL, 'realtime_factor:=20.0') as client.simulator:
            client.fresh('/odom', 2)
            client.fresh('/scan', 2)
            client.wait('what is latched', lambda run=run: len(
                client.heard['/map']) >= run and len(client.heard['/tf_static']) >= run)
            last = client.heard['/odom'][-1]
            client.wait('a later state', lambda last=last: stamp_ns(
                client.fresh('/odom').header) > stamp_ns(last.header) + 10 ** 9)
            assert client.simulator.end() == 0
        client.simulator = None
    assert len(client.heard['/map']) == 2


@pytest.mark.parametrize('how', [
    pytest.param(signal.SIGINT, id='SIGINT'), pytest.param(signal.SIGTERM, id='SIGTERM')])
def test_ends_cleanly_under_load(client: Client, domain: int, how: signal.Signals) -> None:
    with Simulator(domain, PAIR, 'realtime_factor:=0.0') as client.simulator:
        for robot in ('r1', 'r2'):
            client.listen(Odometry, f'/{robot}/odom')
            client.listen(LaserScan, f'/{robot}/front')
            client.listen(TFMessage, f'/{robot}/tf')
        client.fresh('/r2/odom')
        publisher = client.publisher(Twist, '/r1/cmd_vel')
        service = client.node.create_client(Trigger, '/mvsim/reset')
        client.wait('the service', service.service_is_ready)
        client.fresh('/r1/odom', 50)
        answers = []
        for _ in range(50):
            publisher.publish(Twist())
            answers.append(service.call_async(Trigger.Request()))
        client.wait('one of the answers', lambda: any(each.done() for each in answers))
        assert client.simulator.end(how) == 0
        assert 'Traceback' not in client.simulator.errors
    client.simulator = None


def test_two_simulators_live_in_namespaces_of_one_domain(client: Client, domain: int) -> None:
    def namespace(name: str) -> tuple[str, ...]:
        return '-r', f'__ns:=/{name}', '-r', f'/clock:=/{name}/clock'

    with Simulator(domain, WALL, 'realtime_factor:=2.0', ros_args=namespace('a')), \
            Simulator(domain, WALL, 'realtime_factor:=1.0', 'start_paused:=true',
                      ros_args=namespace('b')):
        for name in 'ab':
            client.listen(Clock, f'/{name}/clock')
            client.listen(Odometry, f'/{name}/base_pose_ground_truth')
        client.fresh('/b/clock')
        client.wait('a to drive', lambda: client.fresh(
            '/a/base_pose_ground_truth').pose.pose.position.x > 1.3,
            lambda: client.command('/a/cmd_vel', 0.5))
        assert client.call(Trigger, '/b/mvsim/resume', Trigger.Request()).success
        state = client.fresh('/b/base_pose_ground_truth')
        assert state.pose.pose.position.x == pytest.approx(1.0, abs=1e-6)
        assert not client.node.get_publishers_info_by_topic('/clock')


def test_two_simulators_live_in_two_domains(
        client: Client, domain: int, other_domain: int) -> None:
    """
    Two simulators on one host in two ROS domains do not receive each other's messages.

    :reference: messages that a client in one domain receives
    """
    client.listen(Odometry, '/odom')
    with Simulator(domain, WALL), Simulator(other_domain, PAIR):
        client.fresh('/odom', 10)
        names = {name for name, _ in client.node.get_topic_names_and_types()}
        assert '/scan' in names and '/r1/odom' not in names
        assert len(client.node.get_publishers_info_by_topic('/clock')) == 1


def test_both_simulators_warn_and_name_the_other(client: Client, domain: int) -> None:
    with (Simulator(domain, WALL) as first,
          Simulator(domain, WALL, ros_args=('-r', '__ns:=/other')) as client.simulator):
        client.wait_for_words('/clock has another publisher, /mvsim:')
        client.wait('a warning of the first', lambda: (
            '/clock has another publisher, /other/mvsim:' in first.errors))


def test_a_clock_of_its_own_is_no_reason_to_warn(client: Client, domain: int) -> None:
    with (Simulator(domain, WALL),
          Simulator(domain, WALL, ros_args=(
              '-r', '__ns:=/other', '-r', '/clock:=/other/clock')) as client.simulator):
        for topic in ('/clock', '/other/clock'):
            client.wait(topic, lambda topic=topic: client.node.count_publishers(topic) == 1)
        client.wait_for_words('vehicles')
        assert 'another publisher' not in client.simulator.errors
