# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Agents that learn together, with equal actions and kinds of observations."""

from collections.abc import Sequence
from typing import Any

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.actions import Actuation, actuation, Limits
from mvsim_ros2.gym.channels import Channel, channel_of
from mvsim_ros2.gym.task import Agent
from mvsim_ros2.gym.worlds import title


def common_actuation(agents: Sequence[Agent], kind: str, limits: Limits) -> Actuation:
    """Return how actions command agents; raise `LearningError` by name for unlike ones."""
    made = []
    for agent in agents:
        try:
            made.append(actuation(kind, agent.simulation.vehicles[agent.vehicle], limits))
        except LearningError as error:
            raise LearningError(f'{title(agent.simulation)}: {error}') from None
        first, width = made[0].space.shape[0], made[-1].space.shape[0]
        if width != first:
            raise _unlike(agents[0], agent, 'the number of actions', first, width,
                          'take vehicles with as many motors')
        here, there = agents[0].simulation.dt, agent.simulation.dt
        if here != there:
            raise _unlike(agents[0], agent, 'the physics step', f'{here:g} s', f'{there:g} s',
                          'give both the same <simul_timestep>')
    return made[0]


def channels_of(agents: Sequence[Agent], sensor: str) -> tuple[Box, list[Channel]]:
    """Return the space of a sensor, as far as the farthest, and channels; refuse unlike."""
    found: list[Channel] = []
    known: dict[int, Channel] = {}  # by the identity of what the world file says of the sensor
    for agent in agents:
        name = f'{agent.vehicle}/{sensor}'
        if name not in agent.simulation.sensors:
            raise _unlike(agents[0], agent, f'the sensor {sensor!r}', 'there', 'missing',
                          'choose what all have by sensors=(...)')
        spec = agent.simulation.sensors[name].spec
        if id(spec) not in known:
            known[id(spec)] = channel_of(agent.simulation.measure(name), spec)
        found.append(known[id(spec)])
        here, there = found[0].space, found[-1].space
        if (here.shape, here.dtype) != (there.shape, there.dtype):
            raise _unlike(agents[0], agent, f'what {sensor!r} measures',
                          f'{here.dtype} {here.shape}', f'{there.dtype} {there.shape}',
                          'make them alike, planar LiDARs by rays=...')
        if found[0].view != found[-1].view:
            raise _unlike(agents[0], agent, f'what {sensor!r} looks at', found[0].view,
                          found[-1].view, 'give both the same field of view')
    spaces = [each.space for each in known.values()]
    return Box(np.min([each.low for each in spaces], axis=0),
               np.max([each.high for each in spaces], axis=0), dtype=spaces[0].dtype.type), found


def _unlike(first: Agent, other: Agent, what: str, here: Any, there: Any,
            remedy: str) -> LearningError:
    one, two = (f'{agent.vehicle} of {title(agent.simulation)}' for agent in (first, other))
    return LearningError(f'{one} and {two} cannot learn together: {what} is {here} with the first '
                         f'and {there} with the second: {remedy}')
