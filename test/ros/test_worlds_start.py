# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What `check` passes starts in the node, and each of its sensors is heard on the graph.

One node takes world after world. More damaged worlds: `MVSIM_FUZZ_WORLDS=10000`, of which
`MVSIM_FUZZ_BEGIN=2500` leaves out the first.
"""

from array import array
from collections.abc import Iterator
import logging
import os
from pathlib import Path
from random import Random
import shutil
import sys
import time
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from ros_client import TIMEOUT

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.cli.check import try_out
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.sensor_channels import channels_of
from mvsim_ros2.ros.parameters import declare
from mvsim_ros2.ros.publishers.topics import is_there, TYPES
from mvsim_ros2.ros.run_node import make_loop
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import load_world_context
from mvsim_ros2.world.file.load import load_world

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'test' / 'fuzz'))
from grammar import changed_world  # noqa: E402, I100
from mutations import damaged  # noqa: E402
from parsers import PARSERS  # noqa: E402

SHIPPED = sorted((share_directory() / 'worlds').glob('*.world.xml'))
TUTORIAL = sorted((ROOT.parent / 'shared/worlds/mvsim').rglob('*.world.xml'))
BEGIN = int(os.environ.get('MVSIM_FUZZ_BEGIN', '0'))
DAMAGED = int(os.environ.get('MVSIM_FUZZ_WORLDS', '30'))
LONGEST = 3.0  # s, of periods of sensors that are waited for, twice
INFINITE = {'ranges', 'range', 'max_range'}  # nothing in reach
UNKNOWN = {'/battery.temperature'}  # NaN where it is not measured, as the message says


class Graph:
    """The node, and another that hears it."""

    def __init__(self, domain: int) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        node = Node('mvsim', context=self.context, parameter_overrides=[
            Parameter('world', value=str(SHIPPED[0])), Parameter('offline', value=True),
            Parameter('realtime_factor', value=0.0)])
        self.settings = declare(node)
        self.loop: SimulationLoop
        self.loop, _ = make_loop(node, self.settings, MainThreadQueue())
        self.loop.start()
        self.loop.pause()
        self.node = node
        self.client = Node('client', context=self.context, enable_rosout=False)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.client)

    def close(self) -> None:
        self.executor.shutdown()
        self.client.destroy_node()
        self.node.destroy_node()
        rclpy.try_shutdown(context=self.context)

    def run(self, path: Path) -> dict[str, Any]:
        """
        Run a world until each topic of each sensor was heard, and return the last messages.

        Of those sensors that measure within `LONGEST`, that is.

        :raises MvsimError: where the node does not take it.
        """
        heard: dict[str, Any] = {}
        self.loop.set_context(load_world_context(self.settings, str(path)))
        simulation = self.loop.context.simulation
        topics, due = {}, set()
        for name, prefix in self.loop.context.names.sensors(
                simulation.sensors.values()).items():
            for channel in channels_of(simulation.sensors[name].spec):
                if not channel.optional or is_there(channel):
                    topic = '/' + (prefix + channel.ending).lstrip('/')
                    topics[topic] = channel.message_type
                    spec = simulation.sensors[name].spec
                    if spec.sensor_period + (spec.sensor_phase or 0.0) < 0.5 * LONGEST:
                        due.add(topic)
        subscriptions = [
            self.client.create_subscription(
                TYPES.named(kind), topic,
                lambda message, topic=topic: heard.__setitem__(topic, message),
                qos_profile_sensor_data)
            for topic, kind in topics.items()]
        self.loop.measure_unsubscribed = True
        steps = round(0.05 / simulation.dt) or 1
        end = time.monotonic() + TIMEOUT  # of the wall clock: subscribers have to be found
        while time.monotonic() < end and not due <= set(heard):
            self.loop.step(steps)
            for _ in topics:
                self.executor.spin_once(timeout_sec=0.0)
        for each in subscriptions:
            self.client.destroy_subscription(each)
        assert due <= set(heard), f'{path.read_text()[:5000]}'
        return heard


@pytest.fixture(scope='module')
def graph(domain: int) -> Iterator[Graph]:
    each = Graph(domain)
    yield each
    each.close()


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Leave out the warnings of damaged files."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def not_finite(message: Any, name: str = '') -> Iterator[str]:
    """Yield the fields of a message that hold no numbers."""
    if hasattr(message, 'get_fields_and_field_types'):
        for each in message.get_fields_and_field_types():
            yield from not_finite(getattr(message, each), f'{name}.{each}')
    elif isinstance(message, float | array | np.ndarray):
        values = np.asarray(message)
        infinite = name.rpartition('.')[2] in INFINITE
        if values.dtype.kind == 'f' and not (
                ~np.isnan(values) if infinite else np.isfinite(values)).all() and (
                name not in UNKNOWN):
            yield name
    elif isinstance(message, list):
        for number, each in enumerate(message):
            yield from not_finite(each, f'{name}[{number}]')


def check_content(heard: dict[str, Any]) -> None:
    for topic, message in heard.items():
        assert list(not_finite(message, topic)) == []
        if hasattr(message, 'data') and hasattr(message, 'height'):
            step = message.row_step if hasattr(message, 'row_step') else message.step
            assert len(message.data) == step * message.height, topic


@pytest.mark.parametrize('path', [
    pytest.param(path, id=path.name.removesuffix('.world.xml')) for path in SHIPPED + TUTORIAL])
def test_worlds_start_and_each_sensor_is_heard(path: Path, graph: Graph) -> None:
    """
    Every sensor of every shipped world publishes on the ROS graph.

    :reference: a separate client
    """
    try_out(load_world(path, offline=True))
    check_content(graph.run(path))


def test_a_battery_adds_up_its_current_without_subscribers(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / 'a.world.xml'
    path.write_text('<mvsim_world> <vehicle name="r"> <init_pose>0 0 0</init_pose> <dynamics '
                    'class="differential"/> <sensor class="battery"/> <sensor class="laser"/> '
                    '</vehicle> </mvsim_world>')
    graph.loop.set_context(load_world_context(graph.settings, str(path)))
    simulation = graph.loop.context.simulation
    graph.loop.measure_unsubscribed = False
    before = graph.loop.context.simulation.snapshot()['sensors']['memories']
    for _ in range(5):
        graph.loop.step(round(0.2 / simulation.dt))
    after = simulation.snapshot()['sensors']['memories']
    charge = {name: before[name][1]['charge'] - after[name][1]['charge']
              for name in after if 'charge' in after[name][1]}
    assert len(charge) == 1 and min(charge.values()) > 0.0


def test_damaged_worlds_that_pass_start(graph: Graph, tmp_path: Path) -> None:
    parser = PARSERS['check']
    examples = sorted(parser.corpus.glob(parser.files))
    passed = 0
    for number in range(BEGIN, DAMAGED):
        choice = Random(f'node {number}')
        example = choice.choice(examples)
        folder = tmp_path / 'world'
        shutil.copytree(parser.corpus, folder)
        path = folder / example.name
        change = choice.choice((damaged, changed_world))  # many of the first cannot be read
        path.write_bytes(change(example.read_bytes(), choice))
        try:
            try_out(load_world(path, offline=True))
        except MvsimError:
            continue
        finally:
            text = path.read_bytes()
            shutil.rmtree(folder)
        passed += 1
        shutil.copytree(parser.corpus, folder)
        path.write_bytes(text)
        check_content(graph.run(path))
        shutil.rmtree(folder)
    assert passed
