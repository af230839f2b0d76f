# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A vehicle that has tipped over is a warning on /diagnostics, on a real graph."""

import itertools
from pathlib import Path
import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from ros_client import TIMEOUT

from mvsim_ros2 import Simulation
from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.topics import profile

WORLD = """
<mvsim_world version="1.0"> <simul_timestep>0.005</simul_timestep>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose> <init_vel>0 {speed} 0</init_vel>
    <dynamics class="differential_4_wheels">
      <chassis mass="15" zmin="0.15" zmax="2.0"/> </dynamics>
    <friction class="default"> <mu>2.0</mu> </friction>
  </vehicle>
</mvsim_world>
"""


@pytest.mark.parametrize(('speed', 'tipped'), [(0.0, False), (8.0, True)], ids=['rests', 'tips'])
def test_tipped_vehicles_are_named(tmp_path: Path, speed: float, tipped: bool) -> None:
    path = tmp_path / 'tall.world.xml'
    path.write_text(WORLD.format(speed=speed))
    simulation = Simulation.from_file(path)
    simulation.step(600)
    assert simulation.vehicles['robot'].tipped is tipped
    context = Context()
    rclpy.init(context=context)
    heard: list[DiagnosticArray] = []
    try:
        node = Node('health', context=context)
        node.create_subscription(DiagnosticArray, '/diagnostics', heard.append, profile(qos.STATE))
        clock = itertools.count(0.0, 1.5)
        diagnostics = Diagnostics(node, [], 1.0, lambda: next(clock))  # type: ignore[arg-type]
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        end = time.monotonic() + TIMEOUT
        while not heard and time.monotonic() < end:
            diagnostics.report(simulation, 0.0, '')
            executor.spin_once(timeout_sec=0.05)
        node.destroy_node()
    finally:
        rclpy.shutdown(context=context)
    status, _ = heard[-1].status
    values = {each.key: each.value for each in status.values}
    assert values['vehicles tipped over'] == ('robot' if tipped else 'none')
    assert status.level == (DiagnosticStatus.WARN if tipped else DiagnosticStatus.OK)
    assert status.message == ('vehicles have tipped over' if tipped else 'running')
