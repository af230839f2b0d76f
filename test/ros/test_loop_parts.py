# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the simulation loop without a node of the simulator: pace, queue, diagnostics."""

import itertools
from pathlib import Path
from threading import Thread
import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from ros_client import TIMEOUT

from mvsim_ros2 import Simulation
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.pacing import LockStep, Pacer, REPEAT_PERIOD, Repeats, REPORT_PERIOD
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.topics import profile

STEP_NS = FIRST_NS = 5_000_000
PERIOD_NS = 50_000_000
MAX_LAG = 0.1  # s


class Wall:
    """A wall clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_as_fast_as_possible_steps_are_always_due() -> None:
    assert Pacer(0.0, STEP_NS, MAX_LAG, Wall()).steps_due(10 ** 12, 4) == 4


@pytest.mark.parametrize('factor', [
    pytest.param(0.01, id='slow motion'), pytest.param(1.0, id='real time'),
    pytest.param(20.0, id='fast')])
def test_time_never_runs_ahead_and_keeps_up(factor: float) -> None:
    wall = Wall()
    pacer = Pacer(factor, STEP_NS, MAX_LAG, wall)
    time_ns = 0
    for _ in range(1000):
        steps = pacer.steps_due(time_ns, 4)
        time_ns += steps * STEP_NS
        due_ns = (wall.now - 100.0) * factor * 1e9
        assert time_ns <= due_ns + 1e-5 * STEP_NS
        if steps < 4:
            assert time_ns > due_ns - 1.001 * STEP_NS
        if steps == 0:
            wall.now += pacer.delay(time_ns)
    assert time_ns > 400 * STEP_NS


def test_what_was_lost_is_not_caught_up() -> None:
    wall = Wall()
    pacer = Pacer(1.0, STEP_NS, MAX_LAG, wall)
    wall.now += 5.0
    assert pacer.steps_due(0, 10 ** 6) == round(MAX_LAG * 1e9 / STEP_NS) + 1
    wall.now += 1.0
    assert pacer.steps_due(21 * STEP_NS, 10 ** 6) <= 21


@pytest.mark.parametrize('factor', [1e-6, 1e-300, 5e-324])
def test_time_hardly_runs_at_the_least_factors(factor: float) -> None:
    wall = Wall()
    pacer = Pacer(factor, STEP_NS, MAX_LAG, wall)
    for _ in range(3):
        assert pacer.steps_due(0, 100) == 0
        assert pacer.delay(0) == 1.0
        wall.now += 1.0
    wall.now += 5000.0
    assert pacer.steps_due(0, 100) == 1


def test_all_of_a_delay_is_caught_up_where_that_is_asked_for() -> None:
    wall = Wall()
    pacer = Pacer(1.0, STEP_NS, 0.0, wall)
    wall.now += 5.0
    assert pacer.steps_due(0, 10 ** 6) == 1000
    pacer.catch_up = 0.5
    assert pacer.steps_due(0, 10 ** 6) == 101


def test_another_factor_starts_from_now() -> None:
    wall = Wall()
    pacer = Pacer(1.0, STEP_NS, MAX_LAG, wall)
    wall.now += 0.02
    pacer.set_factor(2.0, 10 * STEP_NS)
    assert pacer.steps_due(10 * STEP_NS, 100) == 0
    assert pacer.delay(10 * STEP_NS) == pytest.approx(0.0025)


def test_slowness_is_reported_with_the_factor_reached() -> None:
    wall, reports = Wall(), []
    pacer = Pacer(1.0, STEP_NS, MAX_LAG, wall, reports.append)
    time_ns = 0
    while wall.now < 100.0 + 2.0 * REPORT_PERIOD + 1.0:
        time_ns += pacer.steps_due(time_ns, 1) * STEP_NS
        wall.now += 0.01  # a step takes twice as long as it should
    assert reports == [pytest.approx(0.5, rel=0.02)]


def test_a_single_delay_is_not_reported() -> None:
    wall, reports = Wall(), []
    pacer = Pacer(1.0, STEP_NS, MAX_LAG, wall, reports.append)
    wall.now += 6.0  # as by compilation
    time_ns = 0
    while wall.now < 100.0 + 3.0 * REPORT_PERIOD + 1.0:
        time_ns += pacer.steps_due(time_ns, 100) * STEP_NS
        wall.now += 0.005
    assert reports == []


def test_without_a_period_nothing_waits() -> None:
    lock = LockStep(0, 5.0)
    assert not lock.reach(10 ** 9) and not lock.waits
    assert lock.next_wait(7) is None
    assert lock.fault(None) == lock.fault(3) == ''


def test_waits_at_the_first_state_and_at_each_period() -> None:
    lock = LockStep(PERIOD_NS, 5.0)
    waits = []
    for now in range(FIRST_NS, 4 * PERIOD_NS + 1, FIRST_NS):
        if lock.reach(now):
            waits.append(now)
    assert waits == [FIRST_NS, *(k * PERIOD_NS for k in range(1, 5))]
    assert lock.next_wait(4 * PERIOD_NS) == 5 * PERIOD_NS
    lock.reset()
    assert lock.reach(FIRST_NS)


@pytest.mark.parametrize('stamp, said', [
    pytest.param(PERIOD_NS, '', id='this state'),
    pytest.param(PERIOD_NS - 1, 'not 0.049999999 s', id='before'),
    pytest.param(PERIOD_NS + 1, 'not 0.050000001 s', id='after'),
    pytest.param(None, 'needs a stamp', id='none')])
def test_which_commands_count(stamp: int | None, said: str) -> None:
    lock = LockStep(PERIOD_NS, 5.0)
    lock.reach(PERIOD_NS)
    fault = lock.fault(stamp)
    assert said in fault and bool(said) == bool(fault)
    lock.waits = False
    assert lock.fault(stamp)


def test_who_is_late_is_said_now_and_then() -> None:
    wall, said = Wall(), []
    lock = LockStep(PERIOD_NS, 5.0, said.append, wall)
    lock.reach(FIRST_NS)
    for _ in range(110):
        wall.now += 0.1
        lock.report_late(['/r2/cmd_vel'])
    assert len(said) == 2
    assert '0.005000000 s' in said[0] and '/r2/cmd_vel' in said[0]


def test_a_state_that_stays_is_repeated_now_and_then() -> None:
    wall = Wall()
    repeats, count = Repeats(wall), 0
    for _ in range(110):
        wall.now += 0.1
        count += repeats.due
    assert count == pytest.approx(11.0 / REPEAT_PERIOD, rel=0.3)
    for _ in range(50):  # of new states
        wall.now += 0.1
        repeats.restart()
        assert not repeats.due


def test_the_queue_runs_calls_in_order() -> None:
    queue, done = MainThreadQueue(), []
    for number in range(3):
        queue.post(lambda number=number: done.append(number))
    queue.run_pending()
    queue.run_pending()
    assert done == [0, 1, 2]


def test_a_letter_wakes_who_waits() -> None:
    queue, done = MainThreadQueue(), []
    thread = Thread(target=queue.post, args=(lambda: done.append('call'),))
    thread.start()
    queue.run_pending(60.0)
    thread.join()
    assert done == ['call']


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
