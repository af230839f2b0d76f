# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation: the loop, the clock, and the public way to everything in a world."""

from collections.abc import Callable, Mapping
from math import inf
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from mvsim_ros2.base.arguments import check_type, real
from mvsim_ros2.base.bulk import without_collection
from mvsim_ros2.base.progress import warnings_collected
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import ArgumentError, PhysicsError
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.people.people import with_people
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.scheduler import SensorScheduler
from mvsim_ros2.simulation.memory import check_memory, check_room
from mvsim_ros2.simulation.population import Population
from mvsim_ros2.simulation.scene_queries import SceneQueries
from mvsim_ros2.world.file.at_start import warn_of_mode
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.world import WorldSpec

LONGEST_NS = 2 ** 62  # of simulated time: 146 years
_COUNTED = 1000  # observations of one call between two looks at the memory
_WARM = 0.2  # s of simulated time after which few kernels are missing


class Simulation(Population, SceneQueries):
    """
    A world in motion.

    Time is integer nanoseconds of simulated time; nothing here looks at the wall clock. The same
    world, seed and commands give equal results bit for bit in every process, however the steps are
    grouped into calls.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('demo'), seed=1)
    >>> simulation.vehicles['robot'].set_twist(0.5, 0.2)
    >>> for observation in simulation.step(20):  # ten IMU samples and a scan
    ...     if observation.sensor == 'robot/scan':
    ...         print(observation.stamp_ns, observation.ranges.shape)
    100000000 (720,)
    >>> simulation  # doctest: +NORMALIZE_WHITESPACE
    <Simulation of demo.world.xml at 0.1 s: mode physical, step 5 ms, seed 1;
     1 vehicle, 55 blocks, 0 actors, 2 sensors>
    """

    __slots__ = ()

    def __init__(self, world: WorldSpec, seed: int = 0, physics: str | None = None,
                 sensors: bool = True) -> None:
        """
        Build the bodies and sensors of `world`.

        :param world: what `load_world` returned.
        :param seed: seed of all random streams of this run.
        :param physics: physics mode, None for what the world says.
        :param sensors: False leaves all sensors out.
        :raises PhysicsError: where a body is impossible or a model is not known.
        :raises SensorError: where two sensors of a vehicle have the same name.
        :raises MemoryLimitError: where the machine has less memory than this needs.
        :raises ArgumentError: where `world` is no `WorldSpec`, or the seed is none.
        """
        check_type('world', world, WorldSpec, f'write Simulation.from_file({world!r})'
                   if isinstance(world, str) else 'give what load_world returned')
        check_memory(world)
        self._ran = 0, 0.0
        self._streams = RandomStreams(seed)
        with without_collection():
            self._footprints = dict(world_footprints(world))
            if world.crowds:
                world = with_people(world, self._footprints, self._streams.get('crowds'))
            self._world = world
            warn_of_mode(world, physics or world.physics.mode)
            self._physics = PhysicsWorld(
                world, self._streams, physics or world.physics.mode, self._footprints)
            self._step_ns = round(self._physics.dt * 1e9)
            self._suite = SensorScheduler(
                world, self._physics, self._streams, self._footprints, sensors)
            self._make_handles()

    @classmethod
    def from_file(cls, path: str | PathLike[str], seed: int = 0, physics: str | None = None,
                  sensors: bool = True, variables: Mapping[str, str] | None = None,
                  strict: bool = False, allow_xacro: bool = False,
                  allow_shell: bool = False) -> 'Simulation':
        """
        Load a world and build it.

        :param path: world file, or the name of a world of this package, such as 'demo'.
        :param seed: of all random streams, and of the random numbers in the file's formulas.
        :param physics: physics mode, None for what the world says.
        :param sensors: False leaves all sensors out.
        :param variables: values for `${NAME}`, see `load_world`.
        :param strict: warnings, of the file and of building the world, are errors.
        :param allow_xacro: evaluate robot descriptions in xacro, see `load_world`.
        :param allow_shell: run the commands in `$(...)`, see `load_world`.
        :raises MvsimError: says what is wrong, where, and what to do.

        >>> from mvsim_ros2 import Simulation
        >>> Simulation.from_file('many_robots', variables={'ROWS': '1', 'COLUMNS': '2'}).vehicles
        <2 vehicles: 'robot_0_0', 'robot_1_0'>
        """
        world = load_world(path, variables, strict, seed=seed, allow_shell=allow_shell,
                           allow_xacro=allow_xacro)
        with warnings_collected() as warnings:
            simulation = cls(world, seed, physics, sensors)
        if strict and warnings:
            raise PhysicsError(warnings[0])
        return simulation

    def __repr__(self) -> str:
        """Return the world, the time, how it is simulated, and how much there is of what."""
        counts = ', '.join(
            f'{len(handles)} {what}{"s" * (len(handles) != 1)}' for what, handles in (
                ('vehicle', self.vehicles), ('block', self.blocks), ('actor', self.actors),
                ('sensor', self.sensors)))
        return (f'<Simulation of {Path(self.world.path).name or "a script"} at {self.time:g} s: '
                f'mode {self.mode}, step {1e3 * self.dt:g} ms, seed {self.seed}; {counts}>')

    def __reduce__(self) -> NoReturn:
        """
        Refuse to be copied or pickled.

        :raises TypeError: says what to do instead.
        """
        raise TypeError('a simulation cannot be copied or pickled, since its engine cannot: keep '
                        'a snapshot() for restore(), or make another one of the same world')

    def _repr_png_(self) -> bytes | None:
        """Return the present state from above, which notebooks show."""
        from mvsim_ros2 import top_view
        return top_view(self)._repr_png_()

    def step(self, n: int = 1) -> list[Observation]:
        """
        Move the world on by `n` physics steps.

        :returns: what the enabled sensors measured on the way, in time order; those due at
            the same time in the order of the world file.
        :raises PhysicsError: where a body has left the numbers.
        :raises ArgumentError: where `n` is not a whole number, or negative.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> [(o.sensor, o.stamp_ns) for o in simulation.step(4)]
        [('robot/imu', 10000000), ('robot/imu', 20000000)]
        """
        try:
            n = index(n)
        except TypeError:
            raise ArgumentError(f'n is {n!r}: give an integer, the number of steps') from None
        if n < 0:
            raise ArgumentError(f'cannot go {n} steps: time only runs forward')
        self._check_end(n)
        if (self._physics.steps + n) * self._step_ns < self._suite.begins_ns:
            self._physics.step(n)
            return []
        observations: list[Observation] = []
        counted = 0
        while n > 0:
            count = self._suite.steps_until_due(self.time_ns, self._step_ns, n)
            span_ns = self._suite.schedule.sweep_within(self.time_ns + self._step_ns)
            if span_ns:
                self._suite.views.past.step(count, span_ns)
            else:
                self._physics.step(count)
            observations += self._suite.measure_due(self.time_ns)
            if len(observations) // _COUNTED > counted:
                counted = len(observations) // _COUNTED
                check_room(len(observations))
            n -= count
        return observations

    def run(self, duration_s: float,
            on_observation: Callable[[Observation], None] | None = None) -> None:
        """
        Run for `duration_s` simulated seconds as fast as possible.

        It ends with the step that is nearest to that time. The remaining time is not lost: the
        next run begins where this one should have ended, unless other steps are made before.

        :param on_observation: called with every observation, in time order, while the world
            stands at the end of the step in which it was measured.
        :raises ArgumentError: where the duration is negative or no finite number.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> seen = []
        >>> simulation.run(1.0, on_observation=seen.append)
        >>> simulation.time, len(seen)
        (1.0, 110)
        """
        if not 0.0 <= real('duration_s', duration_s) < inf:
            raise ArgumentError(f'cannot run for {duration_s} s: give a finite time, 0 or more')
        self._check_end(duration_s / self.dt)
        steps, end = self._ran
        end = (end if steps == self.steps else self.time) + duration_s
        remaining = round(end / self.dt) - self.steps
        self._ran = self.steps + remaining, end
        while remaining > 0:
            count = self._suite.steps_until_due(self.time_ns, self._step_ns, remaining)
            for observation in self.step(count):
                if on_observation is not None:
                    on_observation(observation)
            remaining -= count

    def _check_end(self, steps: float) -> None:
        """Check that the clock can count `steps` more."""
        if self.time_ns + steps * self._step_ns > LONGEST_NS:
            years = steps * self.dt / (365.25 * 24 * 3600)
            raise ArgumentError(f'{steps:g} steps are {years:.3g} years of simulated time: the '
                                f'clock ends after {LONGEST_NS * 1e-9:.3g} s, give less')

    def reset(self, seed: int | None = None) -> None:
        """
        Go back to the start: time zero, first poses, nothing spawned, random streams anew.

        :param seed: new seed, None for the one in use. Random numbers that the world file's
            formulas drew stay as they were loaded.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.run(1.0)
        >>> simulation.reset(seed=2)
        >>> simulation.time, simulation.seed
        (0.0, 2)
        """
        self._streams.reset(seed)
        self._ran = 0, 0.0
        others = self._physics.reset()
        self._suite.reset()
        if others:
            self._others_now()

    def warm_up(self) -> None:
        """
        Compile what this world will run, and start anew.

        A process begins with plain Python, with the same numbers, and imports numba once there is
        enough work. The first run after an installation compiles.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.warm_up()
        >>> simulation.steps
        0
        """
        use_machine_code()
        for vehicle in self._vehicles.values():
            if vehicle.accepts_twist:
                vehicle.set_twist(0.5, 0.2)  # motion and its changes need other kernels than rest
        self.run(_WARM)
        for sensor in self._sensors.values():
            sensor.measure()
        self.reset()

    def snapshot(self) -> dict[str, Any]:
        """
        Return the whole state, for `restore` of this simulation.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> state = simulation.snapshot()
        >>> simulation.run(1.0)
        >>> simulation.restore(state)
        >>> simulation.time
        0.0
        """
        return {'world': self.world.path, 'mode': self.mode, 'physics': self._physics.snapshot(),
                'streams': self._streams.snapshot(), 'sensors': self._suite.snapshot(),
                'footprints': dict(self._footprints)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """
        Continue from a `snapshot`.

        The run continues bit for bit if no bodies touch. Otherwise it continues with small
        differences, because the impulses of contacts are lost, but always in the same way.

        :raises PhysicsError: where it is no snapshot, or one of another world or physics mode.
        """
        check_type('state', state, Mapping, 'give what snapshot returned')
        if state.get('world') != self.world.path:
            raise PhysicsError(f'this is no snapshot of {self.world.path}, but of '
                               f'{state.get("world", "nothing known")}: restore it where it '
                               'was taken')
        if state['mode'] != self.mode:
            raise PhysicsError(f'this snapshot was taken in physics mode {state["mode"]!r}, this '
                               f'simulation runs in {self.mode!r}: give it physics='
                               f'{state["mode"]!r} to continue')
        self._footprints = dict(state['footprints'])
        self._ran = 0, 0.0
        self._physics.restore(state['physics'])
        self._others_now()
        self._suite.restore(state['sensors'])
        self._streams.restore(state['streams'])  # sensors that are made anew have drawn numbers
