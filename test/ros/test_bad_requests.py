# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bad requests and messages are answered or refused; the node lives on."""

from collections.abc import Iterator
import importlib
import re
from typing import Any

from drawn_examples import examples
from generated_types import provide
from geometry_msgs.msg import PoseWithCovarianceStamped, TransformStamped, TwistStamped
from hypothesis import given, HealthCheck, settings, strategies as st
import pytest
from ros_client import Client, running, WALL
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String

SERVICES = (
    'DeleteEntity', 'GetAvailableWorlds', 'GetCurrentWorld', 'GetEntities', 'GetEntitiesStates',
    'GetEntityBounds', 'GetEntityInfo', 'GetEntityState', 'GetSimulationState',
    'GetSimulatorFeatures', 'GetSpawnables', 'LoadWorld', 'ResetSimulation', 'SetEntityState',
    'SetSimulationState', 'SpawnEntities', 'SpawnEntity', 'StepSimulation')
CODES = {0, 1, 2, 3, 4, *range(101, 110), 150}
NAMES = st.sampled_from(['robot 1', 'wall', 'crate', 'cart', 'box', 'map', 'world', 'r__2', '/a'])
TEXT = NAMES | st.text(st.characters(exclude_categories=['Cs'], exclude_characters='\0'),
                       max_size=12)
NUMBERS = st.sampled_from([0.0, 1.0, -1.0]) | st.floats()
FEW = settings(max_examples=examples(12), suppress_health_check=list(HealthCheck))


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a node that takes all there is, and still ends as it should."""
    provide('simulation_interfaces', patch)
    with running(domain, WALL, 'initialpose_teleports:=true', 'realtime_factor:=20.0') as each:
        each.listen(Clock, '/clock')
        each.fresh('/clock')
        yield each
        assert each.simulator.end() == 0
        assert 'Traceback' not in each.simulator.errors


def fill(message: Any, data: st.DataObject) -> Any:
    """Fill a message with anything that its fields can hold, and return it."""
    for name, kind in message.get_fields_and_field_types().items():
        setattr(message, name, value(kind, getattr(message, name), data))
    return message


def value(kind: str, default: Any, data: st.DataObject) -> Any:
    inner = re.fullmatch(r'sequence<(.+?)(, \d+)?>', kind)
    if inner:
        count = data.draw(st.integers(0, 2))
        return [value(inner[1], None, data) for _ in range(count)]
    if re.search(r'\[\d+\]$', kind):
        return default
    if kind == 'boolean':
        return data.draw(st.booleans())
    if kind in ('double', 'float'):
        return data.draw(NUMBERS)
    if kind == 'string':
        return data.draw(TEXT)
    bits = re.fullmatch(r'(u?)int(\d+)', kind)
    if bits:
        least = 0 if bits[1] else -2 ** (int(bits[2]) - 1)
        most = 2 ** (int(bits[2]) - (not bits[1])) - 1
        return data.draw(st.sampled_from([0, 1, 2]) | st.integers(least, most))
    package, name = kind.split('/')
    return fill(getattr(importlib.import_module(f'{package}.msg'), name)(), data)


@pytest.mark.parametrize('service', [pytest.param(name, id=name) for name in SERVICES])
def test_any_request_is_answered(client: Client, service: str) -> None:
    """
    The node answers any request to a service of simulation_interfaces and keeps running.

    :reference: 12 random requests to each
    """
    types = importlib.import_module('simulation_interfaces.srv')
    kind = getattr(types, service)
    snake = ''.join(f'_{c.lower()}' if c.isupper() else c for c in service)[1:]

    @FEW
    @given(st.data())
    def ask(data: st.DataObject) -> None:
        request = fill(kind.Request(), data)
        if service == 'StepSimulation':
            request.steps %= 50  # all of them would be made
        if service == 'SetSimulationState' and request.state.state == 3:
            request.state.state = 4  # 3 ends the node, as it should
        answer = client.call(kind, f'/{snake}', request)
        if hasattr(answer, 'result'):
            assert answer.result.result in CODES
            if answer.result.result != 1:
                assert answer.result.error_message

    ask()
    assert client.trigger('reset').success


@pytest.mark.parametrize('topic, kind', [
    pytest.param('/mvsim/set_pose', TransformStamped, id='set_pose'),
    pytest.param('/initialpose', PoseWithCovarianceStamped, id='initialpose')])
def test_any_message_is_survived(client: Client, topic: str, kind: type[Any]) -> None:
    publisher = client.publisher(kind, topic)

    @FEW
    @given(st.data())
    def send(data: st.DataObject) -> None:
        publisher.publish(fill(kind(), data))

    send()
    assert client.trigger('resume').success
    client.fresh('/clock', 3)


def test_a_type_that_is_no_command_is_said(client: Client, domain: int) -> None:
    """While both types that are taken are served, too."""
    stamped, other = Client(domain), Client(domain)
    stamped.publisher(TwistStamped, '/cmd_vel')
    client.wait_for_words('both types are accepted')
    other.node.create_publisher(String, '/cmd_vel', 10)
    words = '/cmd_vel: std_msgs/msg/String is published, which is not taken, but geometry_msgs/'
    client.wait_for_words(words)
    other.close()
    stamped.close()
    assert client.simulator.errors.count(words) == 1


def test_any_command_is_survived(client: Client, domain: int) -> None:
    other = Client(domain)
    publisher = other.publisher(TwistStamped, '/cmd_vel')

    @FEW
    @given(st.data())
    def send(data: st.DataObject) -> None:
        publisher.publish(fill(TwistStamped(), data))
        client.fresh('/clock')

    try:
        send()
    finally:
        other.close()
    client.fresh('/clock', 3)


@pytest.mark.parametrize('name, new', [
    pytest.param('realtime_factor', -1.0, id='out of range'),
    pytest.param('realtime_factor', float('nan'), id='NaN'),
    pytest.param('realtime_factor', 'fast', id='other type'),
    pytest.param('lockstep_timeout', 0.0, id='too short'),
    pytest.param('odom_rate', 3.0, id='fixed'),
    pytest.param('use_sim_time', True, id='time that it makes itself'),
    pytest.param('nothing', 1, id='unknown')])
def test_values_that_cannot_be_are_refused_with_a_reason(
        client: Client, name: str, new: Any) -> None:
    (reason,) = client.put(**{name: new})
    assert reason


@pytest.mark.parametrize('name, new', [
    pytest.param('realtime_factor', 15.0, id='realtime_factor'),
    pytest.param('max_simul_catchup_time', 0.0, id='max_simul_catchup_time'),
    pytest.param('cmd_vel_timeout', 2.0, id='cmd_vel_timeout'),
    pytest.param('steps_per_request', 7, id='steps_per_request'),
    pytest.param('measure_unsubscribed', True, id='measure_unsubscribed'),
    pytest.param('lockstep_timeout', 1.0, id='lockstep_timeout')])
def test_what_can_change_does(client: Client, name: str, new: Any) -> None:
    assert not client.put(**{name: new})
    client.fresh('/clock', 3)


def test_time_goes_on_after_it_stood_still(client: Client) -> None:
    for factor in (1e-300, 15.0):
        assert not client.put(realtime_factor=factor)
    client.fresh('/clock', 3)


def test_lock_step_can_be_switched_at_run_time(client: Client) -> None:
    assert not client.put(lockstep=0.1)
    client.wait('time to stand still', lambda: client.clock_ns() == client.clock_ns())
    assert not client.put(lockstep=0.0)
    client.wait('time to run', lambda: client.clock_ns() != client.clock_ns())
