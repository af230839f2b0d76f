# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The services of simulation_interfaces, of a node of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import importlib
from typing import Any

from generated_types import provide
import pytest
from ros_client import Client, running, WALL
from rosgraph_msgs.msg import Clock

OK, NOT_FOUND, UNSUPPORTED, FAILED = 1, 2, 0, 4
STOPPED, PLAYING, PAUSED, NO_WORLD, LOADING = 0, 1, 2, 4, 5
THINGS = {'robot 1', 'wall', 'crate', 'occupancy_grid1'}
Ask = Callable[..., Any]


@contextmanager
def standing(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a paused node with one robot, two static blocks and a map."""
    provide('simulation_interfaces', patch)
    with running(domain, WALL, 'start_paused:=true', 'realtime_factor:=0.0') as each:
        each.listen(Clock, '/clock')
        each.fresh('/clock')
        each.wait('the world', lambda: state_of(asking(each)) != LOADING)
        assert state_of(asking(each)) == PAUSED
        yield each


def asking(client: Client) -> Ask:
    """Return what calls a service; it takes the fields of the request."""
    def call(name: str, /, **fields: Any) -> Any:
        kind = getattr(importlib.import_module('simulation_interfaces.srv'), name)
        snake = ''.join(f'_{c.lower()}' if c.isupper() else c for c in name)
        return client.call(kind, f'/{snake[1:]}', kind.Request(**fields))
    return call


def message(name: str, /, **fields: Any) -> Any:
    return getattr(importlib.import_module('simulation_interfaces.msg'), name)(**fields)


def state_of(ask: Ask) -> int:
    answer = ask('GetSimulationState')
    assert answer.result.result == OK
    return int(answer.state.state)


def set_state(ask: Ask, state: int) -> int:
    return int(ask('SetSimulationState',
                   state=message('SimulationState', state=state)).result.result)
