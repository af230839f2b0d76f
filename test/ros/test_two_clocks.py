# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Two simulators on one clock."""

from ros_client import Client, Simulator, WORLDS

WALL = f'world:={WORLDS}/wall.world.xml'


def test_both_simulators_warn_and_name_the_other(domain: int) -> None:
    client = Client(domain)
    with (Simulator(domain, WALL) as first,
          Simulator(domain, WALL, ros_args=('-r', '__ns:=/other')) as client.simulator):
        client.wait('a warning of the second', lambda: (
            '/clock has another publisher, /mvsim:' in client.simulator.errors))
        client.wait('a warning of the first', lambda: (
            '/clock has another publisher, /other/mvsim:' in first.errors))
    client.close()


def test_a_clock_of_its_own_is_no_reason_to_warn(domain: int) -> None:
    client = Client(domain)
    with (Simulator(domain, WALL),
          Simulator(domain, WALL, ros_args=(
              '-r', '__ns:=/other', '-r', '/clock:=/other/clock')) as client.simulator):
        for topic in ('/clock', '/other/clock'):
            client.wait(topic, lambda topic=topic: client.node.count_publishers(topic) == 1)
        client.wait('the loop', lambda: 'vehicles' in client.simulator.errors)
        assert 'another publisher' not in client.simulator.errors
    client.close()
