# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that change while the node runs, and a node that starts from them."""

import os
from pathlib import Path
from typing import Any

from rcl_interfaces.srv import DescribeParameters, ListParameters
from ros_client import Client, running, stamp_ns, WALL
from sensor_msgs.msg import LaserScan
import yaml

RATE = 'sensors.robot_1.lidar.rate'


def dump(client: Client) -> dict[str, Any]:
    """Return all parameters, as `ros2 param dump` writes them."""
    names = client.call(
        ListParameters, '/mvsim/list_parameters', ListParameters.Request()).result.names
    return dict(zip(names, client.parameters(*names), strict=True))


def periods(client: Client) -> set[int]:
    client.fresh('/scan', 2)
    scans = len(client.heard['/scan'])
    client.fresh('/scan', 4)
    stamps = [stamp_ns(each.header) for each in client.heard['/scan'][scans - 1:]]
    return {round((b - a) / 1e6) for a, b in zip(stamps, stamps[1:], strict=False)}


def test_rates_and_friction_change_while_it_runs(domain: int, tmp_path: Path) -> None:
    with running(domain, WALL, 'realtime_factor:=5.0') as client:
        client.listen(LaserScan, '/scan')
        before = periods(client)
        own = dump(client)[RATE]
        assert before == {round(1e3 / own)}
        assert not client.put(sensors__robot_1__lidar__rate=2.0 * own, friction=0.1,
                              realtime_factor=10.0, sensor_noise=False)
        client.wait('twice the rate', lambda: periods(client) == {round(500.0 / own)})
        assert client.put(sensors__robot_1__lidar__rate=1e6) and client.put(friction=-1.0)
        about = client.call(DescribeParameters, '/mvsim/describe_parameters',
                            DescribeParameters.Request(names=[RATE, 'friction'])).descriptors
        assert all(each.description and each.floating_point_range for each in about)
        wanted = dump(client)
    file = tmp_path / 'dump.yaml'
    file.write_text(yaml.safe_dump({'/mvsim': {'ros__parameters': wanted}}))
    with running(domain, ros_args=('--params-file', str(file))) as client:
        client.listen(LaserScan, '/scan')
        assert periods(client) == {round(500.0 / own)}
        assert dump(client) == wanted
        assert 'there is no parameter' not in client.simulator.errors


def test_what_is_set_while_the_world_loads_holds(domain: int, tmp_path: Path) -> None:
    """The world has its step from a pipe, in which nothing is before the parameter is set."""
    pipe, world = tmp_path / 'step', tmp_path / 'slow.world.xml'
    os.mkfifo(pipe)
    world.write_text(f'<mvsim_world><simul_timestep>$(cat {pipe})</simul_timestep></mvsim_world>')

    def opened() -> int | None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads
            return None

    with running(domain, f'world:={world}', 'allow_shell:=true') as client:
        written = client.wait('the world to be read', opened)
        assert not client.put(paused=True)
        os.write(written, b'0.25')
        os.close(written)
        answer = client.trigger('step')  # only where time stands
        assert answer.success and answer.message == 'simulated time 0.500000000 s'
