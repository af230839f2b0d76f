# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a task is: starts and goals, what is observed of them, and what is rewarded."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
import inspect
from typing import Any, ClassVar
import weakref

from gymnasium.spaces import Box
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.free_space import FreeSpace
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.report import instead_of

Array = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
Checks = Mapping[str, Callable[[str, Any], Any]]


@dataclass(eq=False)
class Agent:
    """A vehicle that learns."""

    simulation: Simulation
    vehicle: str
    space: FreeSpace
    home: Pose  # where the world file puts it
    # makes the same agent in another world of that kind, drawn at random; None: it cannot be
    redrawn: 'Callable[[np.random.Generator], Agent] | None' = None

    @property
    def inner_radius(self) -> float:
        """Return how far its outline is from the reference point at least [m]."""
        a = np.array(self.simulation.vehicles[self.vehicle].footprint.polygon)
        side = np.roll(a, -1, axis=0) - a
        part = np.clip(-(a * side).sum(axis=1) / (side * side).sum(axis=1), 0.0, 1.0)
        return float(np.linalg.norm(a + part[:, None] * side, axis=1).min())

    def check_place(self, name: str, x: float, y: float, reach: float) -> None:
        """Check that nothing solid is within a reach of a named place [m], or raise."""
        if self.space.touches(x, y, reach):
            raise LearningError(
                f'{name} ({x:g}, {y:g}) is in something solid, or too near to it, in '
                f'{self.simulation.world.path}')


@dataclass(eq=False)
class Situation:
    """State of all agents at the end of a step of the environment; a row for each."""

    pose: Array  # (n, 3): x, y [m], yaw [rad], world frame
    twist: Array  # (n, 3): vx, vy [m/s], wz [rad/s], body frame
    action: Array  # (n, actions), from -1 to 1
    collided: Flags  # (n,): whether it touched something during the step
    period: float  # s; length of a step


@dataclass(eq=False)
class Verdict:
    """What a step was worth."""

    terms: dict[str, Array]  # (n,) each: the reward is their sum
    success: Flags  # (n,): the goal is reached, which ends the episode
    failure: Flags  # (n,): the goal can no longer be reached, which ends it too


class UnknownAttributeError(LearningError, AttributeError):
    """Raised where a task is given an attribute that it has not got."""


class _Sealing(ABCMeta):
    """Makes tasks, which from then on take no attributes that are not there."""

    def __call__(cls, *given: Any, **named: Any) -> Any:
        task = super().__call__(*given, **named)
        task.sealed = True
        return task

    @property
    def __signature__(cls) -> inspect.Signature:
        """Return the signature of its `__init__`, which is called with what it is called with."""
        _, *parameters = inspect.signature(
            inspect.getattr_static(cls, '__init__')).parameters.values()
        return inspect.Signature(parameters)


class Task(metaclass=_Sealing):
    """
    A task for any number of agents, which do not know of each other.

    Its arguments are attributes that can be changed while environments run. Other attributes are
    set where it is made or bound, or begin with an underscore.

    :cvar touching_fails: whether an agent that touches something has failed.
    :cvar checks: by argument a function that returns its value or raises an error, from a name for
        messages and the given value.
    :cvar fixed: arguments that environments are made by, and that stay what they are from then on.
    :ivar sealed: whether an attribute that is not there yet is taken for a misspelt one.
    """

    touching_fails = True
    checks: ClassVar[Checks] = {}
    fixed: ClassVar[tuple[str, ...]] = ()
    sealed = False

    def __init__(self) -> None:
        self.agents: list[Agent] = []
        self.arena: Any = None  # weak reference to what has it

    def __str__(self) -> str:
        return type(self).__name__

    def __setattr__(self, name: str, value: Any) -> None:
        """
        Set an argument or something else.

        :raises LearningError: where the value makes no sense, the argument is fixed, or there is
            no such attribute, which is an `AttributeError` too.
        """
        if name in self.checks:
            value = self.checks[name](f'{self}: {name}', value)
        if self.sealed and not name.startswith('_'):
            if not hasattr(self, name):
                raise UnknownAttributeError(f'{self} has no {name}' + instead_of(
                    name, inspect.signature(type(self)).parameters))
            if name in self.fixed and self.taken:
                raise LearningError(f'{self}: environments are made by {name}: make others with '
                                    f'{type(self).__name__}({name}=...)')
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _task_of, (type(self), self.arguments())

    def arguments(self) -> dict[str, Any]:
        """Return the arguments with their present values."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def change(self, arguments: dict[str, Any]) -> None:
        """Set arguments, as far as they may change."""
        for name in arguments.keys() - set(self.fixed):
            setattr(self, name, arguments[name])

    @property
    def taken(self) -> bool:
        """Return whether an environment has it that is not closed."""
        arena = self.arena and self.arena()
        return arena is not None and not arena.closed

    def take(self, arena: Any) -> None:
        """
        Bind the agents of an `Arena` to the task; what that sets may be new.

        :raises LearningError: where another arena has the task, which would lose its goals, or
            the world of an agent does not suit it.
        """
        if self.taken:
            raise LearningError(
                f'this {self} belongs to another environment already: make one for each, such as '
                f'{self}(...), or close the other one first')
        self.arena = weakref.ref(arena)
        self.sealed = False
        try:
            self.bind(arena.agents)
            for row in range(len(arena.agents)):
                self.enter(row)
        finally:
            self.sealed = True

    def bind(self, agents: list[Agent]) -> None:
        """
        Take the agents of an environment; called before everything else, and for one at a time.

        :raises LearningError: where the world of an agent does not suit the task.
        """
        self.agents = agents

    def enter(self, row: int) -> None:
        """
        Take in the world of an agent; called after `bind`, and where it has another world.

        :raises LearningError: where the world does not suit the task.
        """

    @property
    @abstractmethod
    def goal_space(self) -> Box:
        """Return the space of the entry `goal` of the observation."""

    @abstractmethod
    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """
        Begin an episode of an agent: draw its goal and return its start.

        The world is at its start already.
        """

    @abstractmethod
    def goal(self, now: Situation) -> Array:
        """
        Return the entry `goal` of the observations, shape (n, width).

        It is called after `judge`, and again for all agents when an episode of one begins, and
        changes nothing.
        """

    @abstractmethod
    def judge(self, now: Situation) -> Verdict:
        """Return what the step that ends now was worth."""

    def lines(self, row: int) -> list[Array]:
        """Return lines that pictures show of the goal of an agent, shape (n, 2) each [m]."""
        return []

    def measures(self, now: Situation) -> dict[str, Array]:
        """Return further results of the episodes so far, shape (n,) each: `info['measures']`."""
        return {}

    def forget(self, row: int, now: Situation) -> None:
        """Take the present state of an agent, at its start, as the previous state."""


def _task_of(kind: type[Task], arguments: dict[str, Any]) -> Task:
    """Return a task with these arguments."""
    return kind(**arguments)


def ring(x: float, y: float, radius: float) -> Array:
    """Return a circle as a closed line, shape (n, 2) [m]."""
    turn = np.linspace(0.0, 2.0 * np.pi, 49)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])


def in_frame(pose: Array, points: Array) -> Array:
    """Return points (n, 2) or (n, k, 2) [m] in frames (n, 3): x, y [m], yaw [rad]."""
    if points.ndim == 3:
        pose = pose[:, None]
    x, y = points[..., 0] - pose[..., 0], points[..., 1] - pose[..., 1]
    cosine, sine = np.cos(pose[..., 2]), np.sin(pose[..., 2])
    seen = np.empty(points.shape)
    seen[..., 0], seen[..., 1] = cosine * x + sine * y, cosine * y - sine * x
    return seen
