# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""The simulation: the loop, the clock, and the public way to everything in a world."""

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from operator import index
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.compiled import use_machine_code
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import ActorHandle
from mvsim_ros2.handles import BlockHandle
from mvsim_ros2.handles import Handles
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.scene.floor_plan import floor_plan
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.camera_view import ALL_LAYERS
from mvsim_ros2.sensors.camera_view import CameraFrame
from mvsim_ros2.sensors.camera_view import CameraView
from mvsim_ros2.sensors.camera_view import Layer
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.suite import SensorSuite
from mvsim_ros2.world.load import load_world
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec


class Simulation:
    """
    A world in motion.

    Time is integer nanoseconds of simulated time; nothing here looks at the wall clock. The
    same world, seed and commands give the same bytes in every process, however the steps are
    grouped into calls.
    """

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
        """
        self.world = world
        self._streams = RandomStreams(seed)
        self._footprints = dict(world_footprints(world))
        self._physics = PhysicsWorld(
            world, self._streams, physics or world.physics.mode, self._footprints)
        self._step_ns = round(self._physics.dt * 1e9)
        self._suite = SensorSuite(
            world, self._physics, self._streams, self._footprints, sensors)
        self._make_handles()

    @classmethod
    def from_file(cls, path: str | PathLike[str], seed: int = 0, physics: str | None = None,
                  sensors: bool = True, variables: Mapping[str, str] | None = None,
                  strict: bool = False) -> 'Simulation':
        """
        Load a world and build it; `seed` also feeds the random numbers in the file's formulas.

        :raises MvsimError: says what is wrong, where, and what to do.
        """
        world = load_world(path, variables, strict, seed=seed)
        return cls(world, seed, physics, sensors)

    @property
    def seed(self) -> int:
        """Return the seed of all random streams of this run."""
        return self._streams.seed

    @property
    def mode(self) -> str:
        """Return the physics mode."""
        return self._physics.mode

    @property
    def dt(self) -> float:
        """Return the physics step [s]."""
        return self._physics.dt

    @property
    def steps(self) -> int:
        """Return the physics steps since the start."""
        return self._physics.steps

    @property
    def time_ns(self) -> int:
        """Return the simulated time [ns]."""
        return self._physics.steps * self._step_ns

    @property
    def time(self) -> float:
        """Return the simulated time [s]."""
        return self.time_ns * 1e-9

    @property
    def vehicles(self) -> Handles[VehicleHandle]:
        """Return the vehicles by name."""
        return self._vehicles

    @property
    def blocks(self) -> Handles[BlockHandle]:
        """Return the blocks by name."""
        return self._blocks

    @property
    def actors(self) -> Handles[ActorHandle]:
        """Return the human actors by name."""
        return self._actors

    @property
    def sensors(self) -> Handles[SensorHandle]:
        """Return the sensors by name, ``'vehicle/sensor'``."""
        return self._sensors

    def step(self, n: int = 1) -> list[Observation]:
        """
        Move the world on by `n` physics steps.

        :returns: what the enabled sensors measured on the way, in time order; those due at
            the same time in the order of the world file.
        :raises PhysicsError: where a body has left the numbers.
        :raises TypeError: where `n` is no whole number; ValueError where it is negative.
        """
        n = index(n)
        if n < 0:
            raise ValueError(f'cannot go {n} steps: time only runs forward')
        observations: list[Observation] = []
        while n > 0:
            count = self._suite.steps_until_due(self.time_ns, self._step_ns, n)
            self._suite.remember(self.time_ns, self._step_ns)
            self._physics.step(count)
            observations += self._suite.measure_due(self.time_ns)
            n -= count
        return observations

    def run(self, duration_s: float,
            on_observation: Callable[[Observation], None] | None = None) -> None:
        """
        Run for `duration_s` simulated seconds as fast as possible.

        :param on_observation: called with every observation, in time order, while the world
            stands at the end of the step in which it was measured.
        :raises ValueError: where the duration is negative or no finite number.
        """
        if not 0.0 <= duration_s < inf:
            raise ValueError(f'cannot run for {duration_s} s: give a finite time, 0 or more')
        remaining = round(duration_s / self.dt)
        while remaining > 0:
            count = self._suite.steps_until_due(self.time_ns, self._step_ns, remaining)
            for observation in self.step(count):
                if on_observation is not None:
                    on_observation(observation)
            remaining -= count

    def reset(self, seed: int | None = None) -> None:
        """
        Go back to the start: time zero, first poses, nothing spawned, random streams anew.

        :param seed: new seed, None for the one in use. Random numbers that the world file's
            formulas drew stay as they were loaded.
        """
        self._streams.reset(seed)
        self._physics.reset()
        self._suite.reset()
        self._things_changed()

    def warm_up(self) -> None:
        """
        Compile what this world will run, and start anew.

        A process begins with plain Python, which gives the same numbers, and numba is imported
        once there is enough work. On the first run after an installation it compiles the
        kernels, which takes seconds. After this the first steps are as quick as all others.
        """
        use_machine_code()
        self.step()
        for sensor in self._sensors.values():
            sensor.measure()
        self.reset()

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state, for `restore` of this simulation."""
        return {'world': self.world.path, 'mode': self.mode, 'physics': self._physics.snapshot(),
                'streams': self._streams.snapshot(), 'sensors': self._suite.snapshot(),
                'footprints': dict(self._footprints)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """
        Continue from a `snapshot`.

        To the last bit where nothing touches; where bodies touch, the impulses that the
        engine remembers are lost and the run continues with small differences, but always
        in the same way.

        :raises PhysicsError: where it is no snapshot, or one of another world or physics mode.
        """
        if state.get('world') != self.world.path:
            raise PhysicsError(f'this is no snapshot of {self.world.path}, but of '
                               f'{state.get("world", "nothing known")}: restore it where it '
                               'was taken')
        if state['mode'] != self.mode:
            raise PhysicsError(f'this snapshot was taken in physics mode {state["mode"]!r}, this '
                               f'simulation runs in {self.mode!r}: give it physics='
                               f'{state["mode"]!r} to continue')
        self._footprints = dict(state['footprints'])
        self._physics.restore(state['physics'])
        self._things_changed()
        self._suite.restore(state['sensors'])
        self._streams.restore(state['streams'])  # sensors that are made anew have drawn numbers

    def spawn_vehicle(self, name: str, class_name: str | VehicleSpec,
                      pose: Pose) -> VehicleHandle:
        """
        Add a vehicle.

        :param class_name: a vehicle class of the world file, or a spec of its own.
        :param pose: of its reference point in the world frame.
        :raises PhysicsError: where the class is not known, the name is taken, or the body is
            not possible.
        """
        template = class_name if isinstance(class_name, VehicleSpec) else _class(
            self.world.vehicle_classes, class_name, 'vehicle')
        spec = replace(template, name=name, init_pose=pose)
        self._footprints |= world_footprints(replace(self.world, vehicles=(spec,), blocks=()))
        self._physics.add_vehicle(spec, self._footprints.get(name))
        self._things_changed()
        return self.vehicles[name]

    def spawn_block(self, name: str, class_name: str | BlockSpec, pose: Pose) -> BlockHandle:
        """
        Add a block.

        :param class_name: a block class of the world file, or a spec of its own.
        :param pose: of its origin in the world frame.
        :raises PhysicsError: where the class is not known, the name is taken, or the body is
            not possible.
        """
        template = class_name if isinstance(class_name, BlockSpec) else _class(
            self.world.block_classes, class_name, 'block')
        spec = replace(template, name=name, init_pose=pose)
        self._footprints |= world_footprints(replace(self.world, vehicles=(), blocks=(spec,)))
        self._physics.add_block(spec, self._footprints.get(name))
        self._things_changed()
        return self.blocks[name]

    def remove(self, name: str) -> None:
        """
        Take a vehicle or block out of the world.

        :raises PhysicsError: where there is none of this name.
        """
        self._physics.remove(name)
        self._things_changed()

    def set_pose(self, name: str, pose: Pose,
                 twist: tuple[float, float, float] | None = None) -> None:
        """
        Put a vehicle or block somewhere else.

        :param twist: vx, vy [m/s], wz [rad/s] from then on in its own frame; at rest without.
        :raises PhysicsError: where there is none of this name or a number is not finite.
        """
        self._physics.set_pose(name, pose, twist)
        self._suite.forget()
        if name in self.blocks and not self.blocks[name].spec.moves:
            self._things_changed()

    def set_enabled(self, sensor: str, enabled: bool) -> None:
        """Let `step` measure with a sensor or not; a sensor that is off costs nothing."""
        self._check_sensor(sensor)
        self._suite.enable(sensor, enabled)

    def set_noise(self, on: bool) -> None:
        """Let all sensors measure with their random errors or, from now on, without these."""
        self._suite.set_noise(on, self.time_ns)
        self._make_handles()

    def measure(self, sensor: str) -> Observation:
        """Measure the present state with one sensor, whether it is due or not."""
        self._check_sensor(sensor)
        return self._suite.measure([sensor], self.time_ns)[0]

    def render(self, view: CameraView,
               layers: tuple[Layer, ...] = ALL_LAYERS) -> CameraFrame:
        """
        Return a picture of the present state from anywhere, for the eye of a person.

        Planes are not there for who looks at their face that `<cull_face>` leaves out; where
        the world has no ground there is a plain floor.

        :param view: the camera.
        :param layers: which layers to make.
        :raises RenderContextError: where there is neither OpenGL nor a ray caster.
        """
        return self._suite.render(view, layers, self.time_ns)

    def cast_rays(self, origin: tuple[float, float], bearings: ArrayLike, max_range: float,
                  ignore: str | None = None) -> NDArray[np.float64]:
        """
        Return how far it is to what a planar scanner would meet, without any noise.

        It draws no random numbers, and so changes nothing of what sensors measure.

        :param origin: x, y in the world [m].
        :param bearings: of the rays in the world [rad], shape (n,).
        :param max_range: reach [m].
        :param ignore: name of a vehicle that is not seen, such as the one that asks.
        :returns: distances [m], inf where nothing is in reach, shape (n,).
        :raises SensorError: where a number is not finite.
        :raises PhysicsError: where there is no such vehicle.
        """
        return self._suite.cast(origin, bearings, max_range, ignore, self.time_ns)

    def scene(self) -> Scene:
        """Return the shapes of everything where it is at present."""
        return self._suite.scene(self.time_ns)

    def floor_plan(self, height: float, resolution: float) -> OccupancyMap:
        """
        Return an occupancy map of what stands at a height and cannot move.

        :param height: above z = 0 [m].
        :param resolution: size of a cell [m].
        :raises SceneError: where the map would have too many cells.
        """
        return floor_plan(self.scene(), height, resolution)

    def _check_sensor(self, name: str) -> None:
        if name not in self._suite.sensors:
            raise SensorError(f'there is no sensor {name!r}, only '
                              f'{", ".join(self._suite.sensors) or "none"}')

    def _things_changed(self) -> None:
        """Bring sensors and handles up to date after things came, went or were moved."""
        self._suite.update(self.time_ns, self._footprints)
        self._make_handles()

    def _make_handles(self) -> None:
        physics, suite = self._physics, self._suite
        self._vehicles = Handles('vehicle', {
            name: VehicleHandle(physics, name) for name in physics.vehicles.names})
        self._blocks = Handles('block', {
            name: BlockHandle(physics, name) for name in physics.blocks.names})
        self._actors = Handles('actor', {
            actor.name: ActorHandle(physics, actor.name) for actor in self.world.actors})
        self._sensors = Handles('sensor', {
            name: SensorHandle(self, suite.sensors[name]) for name in suite.sensors})


def _class(classes: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in classes:
        raise PhysicsError(f'there is no {what} class {name!r} in this world, only '
                           f'{", ".join(classes) or "none"}')
    return classes[name]
