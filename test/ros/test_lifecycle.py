# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The node with a lifecycle, and what it answers while it compiles."""

from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from nav_msgs.msg import Odometry
import pytest
from rcl_interfaces.srv import GetParameters
from ros_client import Client, running, WALL
from rosgraph_msgs.msg import Clock


def change(client: Client, transition: int) -> bool:
    return bool(client.call(ChangeState, '/mvsim/change_state', ChangeState.Request(
        transition=Transition(id=transition))).success)


def state(client: Client) -> int:
    return int(client.call(
        GetState, '/mvsim/get_state', GetState.Request()).current_state.id)


def stands(client: Client) -> bool:
    first = client.fresh('/clock').clock
    return bool(client.fresh('/clock', 3).clock == first)


def test_a_world_is_loaded_runs_and_goes_by_the_lifecycle(domain: int) -> None:
    with running(domain, WALL, 'managed:=true') as client:
        client.listen(Clock, '/clock')
        assert state(client) == State.PRIMARY_STATE_UNCONFIGURED and stands(client)
        assert not client.trigger('resume').success  # no world
        assert client.node.count_publishers('/odom') == 0
        for _ in range(2):
            assert change(client, Transition.TRANSITION_CONFIGURE)
            client.wait('its topics', lambda: client.node.count_publishers('/odom'))
            assert state(client) == State.PRIMARY_STATE_INACTIVE and stands(client)
            assert change(client, Transition.TRANSITION_ACTIVATE)
            client.listen(Odometry, '/odom')
            client.fresh('/odom', 5)
            assert change(client, Transition.TRANSITION_DEACTIVATE) and stands(client)
            assert change(client, Transition.TRANSITION_CLEANUP)
            client.wait('no topics', lambda: not client.node.count_publishers('/odom'))
        assert change(client, Transition.TRANSITION_UNCONFIGURED_SHUTDOWN)
        assert client.simulator.process.wait(60.0) == 0


def test_a_world_that_is_not_there_is_not_configured(domain: int) -> None:
    with running(domain, 'world:=nowhere', 'managed:=true') as client:
        assert not change(client, Transition.TRANSITION_CONFIGURE)
        assert state(client) == State.PRIMARY_STATE_UNCONFIGURED
        assert "no world 'nowhere'" in client.simulator.errors


def test_clock_and_services_answer_while_kernels_are_compiled(
        domain: int, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip('numba')
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path))  # nothing is there
    with running(domain, WALL) as client:
        client.listen(Clock, '/clock')
        client.listen(Odometry, '/odom')
        client.wait_for_words('compiling')
        assert stands(client) and client.heard['/clock'][-1].clock.nanosec > 0
        answer = client.call(GetParameters, '/mvsim/get_parameters', GetParameters.Request(
            names=['realtime_factor']))
        assert answer.values[0].double_value == 1.0
        client.wait_for_words('kernels are compiled')
        assert not client.heard['/odom']
        assert client.simulator.end() == 0
        assert 'Traceback' not in client.simulator.errors
