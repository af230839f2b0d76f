# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is offered on the graph is ready from the first moment on."""

from collections.abc import Callable, Iterator
import importlib
from operator import call
import os
from pathlib import Path
from threading import Thread
import time
from typing import Any

from generated_types import provide
import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from ros_client import TIMEOUT
from standard_services import LOADING, PLAYING, STOPPED
from std_srvs.srv import Trigger

from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.parameters import declare
from mvsim_ros2.ros.rclpy_runtime import new_executor
from mvsim_ros2.ros.run_node import make_loop
from mvsim_ros2.ros.services.answers import offer, resource
from mvsim_ros2.ros.services.lamps_and_triggers import LightServices
from mvsim_ros2.ros.services.simulation_interfaces import StandardServices
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_parameters import WorldParameters

WORLD = """<mvsim_world>
  <block name="post"><static>true</static><init_pose>2 1 0</init_pose>
    <geometry type="box" lx="0.1" ly="0.1" lz="2"/>
    <light_group name="lamp"><point_light position="0.3 0 1"/></light_group></block>
  <sensor class="laser" name="scan"><sensor_period>0.1</sensor_period></sensor>
</mvsim_world>"""
RATE, LAMP = 'sensors.scan.rate', 'lights.post.lamp'


class WatchedNode(Node):
    """A node in which something happens as soon as a service or a parameter is there."""

    def __init__(self, context: Context, *parameters: Parameter) -> None:
        self.then: Callable[[str], object] = bool
        super().__init__('mvsim', context=context, parameter_overrides=list(parameters))

    def create_service(self, kind: Any, name: str, *args: Any, **options: Any) -> Any:
        service = super().create_service(kind, name, *args, **options)
        self.then(name)
        return service

    def declare_parameter(self, name: str, *args: Any, **options: Any) -> Any:
        parameter = super().declare_parameter(name, *args, **options)
        self.then(name)
        return parameter


@pytest.fixture
def context(domain: int) -> Iterator[Context]:
    each = Context()
    rclpy.init(context=each, domain_id=domain)
    yield each
    rclpy.shutdown(context=each)


@pytest.fixture
def node(context: Context, tmp_path: Path) -> Iterator[WatchedNode]:
    """Provide the node of a world that has a lamp and a LiDAR."""
    world = tmp_path / 'small.world.xml'
    world.write_text(WORLD)
    each = WatchedNode(context, Parameter('world', value=str(world)))
    yield each
    each.destroy_node()


@pytest.fixture
def queue() -> MainThreadQueue:
    return MainThreadQueue()


@pytest.fixture
def loop(node: Node, queue: MainThreadQueue) -> SimulationLoop:
    return make_loop(node, declare(node), queue)[0]


def set_elsewhere(node: Node, name: str, value: object) -> None:
    thread = Thread(target=node.set_parameters, args=([Parameter(name, value=value)],))
    thread.start()
    thread.join()


@pytest.mark.parametrize('executor_of', [
    pytest.param(new_executor, id='events'),
    pytest.param(lambda context: SingleThreadedExecutor(context=context), id='wait set')])
def test_a_request_to_a_service_that_is_being_made_is_answered(
        context: Context, executor_of: Callable[[Context], Any]) -> None:
    node, executor, answers = WatchedNode(context), executor_of(context), []
    client = node.create_client(Trigger, 'act')
    executor.add_node(node)

    def request(name: str) -> None:
        end, future = time.monotonic() + TIMEOUT, None
        while (future is None or not future.done()) and time.monotonic() < end:
            executor.spin_once(timeout_sec=0.1)
            if future is None and client.service_is_ready():
                future = client.call_async(Trigger.Request())
        answers.append(future and future.result())

    node.then = request
    offer(node, Trigger, 'act', lambda _: 'done', call)
    executor.shutdown()
    node.destroy_node()
    assert [(each.success, each.message) for each in answers] == [(True, 'done')]


def test_all_features_are_known_to_the_first_service(
        node: WatchedNode, loop: SimulationLoop, queue: MainThreadQueue,
        patch: pytest.MonkeyPatch) -> None:
    provide('simulation_interfaces', patch)
    services = StandardServices(loop, Settings(), lambda name: False)
    known: list[list[int]] = []
    node.then = lambda name: name.startswith('get_') and known.append(list(services.features))
    assert services.offer(node, queue)
    assert known and all(each == services.features for each in known)

    before = services._state
    loop.start()
    assert (before, services._state) == (LOADING, PLAYING)


def test_a_world_that_is_loaded_is_not_said_to_run(
        loop: SimulationLoop, tmp_path: Path, patch: pytest.MonkeyPatch) -> None:
    provide('simulation_interfaces', patch)
    services = StandardServices(loop, Settings(allow_shell=True), lambda name: False)
    kind = importlib.import_module('simulation_interfaces.srv')
    loop.start()
    pipe, states = tmp_path / 'step', []
    os.mkfifo(pipe)

    def look() -> None:
        with pipe.open('w') as step:  # once the loader reads it
            states.append(services._state)
            step.write('0.25')

    thread = Thread(target=look, daemon=True)
    thread.start()
    request = kind.LoadWorld.Request()
    resource(request).resource_string = (
        f'<mvsim_world><simul_timestep>$(cat {pipe})</simul_timestep></mvsim_world>')
    services._worlds.load_world(request, kind.LoadWorld.Response())
    thread.join()
    assert [*states, services._state] == [LOADING, STOPPED] and loop.simulation.dt == 0.25


def test_a_rate_that_is_set_at_once_holds(
        node: WatchedNode, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    things = WorldParameters(node, loop, queue, 0.0)
    node.then = lambda name: name == RATE and set_elsewhere(node, RATE, 5.0)
    things.update()
    queue.run_pending()
    assert node.get_parameter(RATE).value == 5.0
    simulation = loop.simulation
    simulation.set_enabled('scan', True)
    assert len(simulation.step(round(1.95 / simulation.dt))) == 9


def test_a_lamp_and_its_parameter_agree_whatever_comes_between(
        node: WatchedNode, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    LightServices(node, loop, queue)
    post = loop.simulation.blocks['post']
    assert node.get_parameter(LAMP).value is post.lights['lamp'] is True
    set_elsewhere(node, LAMP, False)
    loop.update()  # before the loop has switched it
    queue.run_pending()
    assert node.get_parameter(LAMP).value is post.lights['lamp'] is False
