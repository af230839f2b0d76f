# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The moving part of a world: everything that has a body, step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.bodies import load, save
from mvsim_ros2.physics.engine.engine_step import impulses, set_impulses
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.physics.stepper import Stepper
from mvsim_ros2.physics.vehicle.odometry import Odometry
from mvsim_ros2.physics.world_bodies import check_put, WorldBodies
from mvsim_ros2.world.spec.element import ElementSpec


class PhysicsWorld(WorldBodies):
    """
    All bodies of a world and their motion.

    The same world, streams and commands give the same numbers to the last bit, however the
    steps are grouped into calls.
    """

    def _make_stepper(self) -> Stepper:
        """Return what moves the bodies, which is first needed after a change."""
        self.stepper = Stepper(
            self.spec, self._space, self.vehicles, self.blocks, self._around,
            self.mode == PHYSICAL, self._regions, self.clock, self._noise.rows())
        return self.stepper

    def step(self, n: int = 1) -> None:
        """
        Move everything on by `n` steps.

        :raises PhysicsError: where a vehicle or block has left the numbers; names it.
        """
        around = self._around if self._around.moves else None
        stepper = self.stepper or self._make_stepper()
        while n > 0:
            if around is not None:
                around.before_step(self.steps)
            made, wrong = stepper.advance(n if around is None else 1)
            n -= made
            if around is not None:
                around.after_step()
            if wrong >= 0:
                raise PhysicsError(self._gone('vehicle', self.vehicles.names[wrong]))
        self._observe_blocks()

    def _observe_blocks(self) -> None:
        self.blocks.observe()
        self.check_blocks()

    def check_blocks(self) -> None:
        """
        Check what was last observed of the blocks.

        :raises PhysicsError: where one has left the numbers; names it.
        """
        if self.blocks.lost:
            raise PhysicsError(self._gone('block', self.blocks.lost))

    def steps_ready(self, n: int) -> PreparedCall | None:
        """
        Return a call that makes `n` steps, again and again while `stepper` is the same.

        After it `went`.

        :returns: None where Python has to do something in each step: use `step`.
        """
        stepper = self.stepper or self._make_stepper()
        return None if stepper.needs_python else stepper.prepared(n)

    def went(self) -> None:
        """
        Take in what the call of `steps_ready` made.

        :raises PhysicsError: as `step`.
        """
        assert self.stepper is not None
        wrong = int(self.stepper.done[1])
        if wrong >= 0:
            raise PhysicsError(self._gone('vehicle', self.vehicles.names[wrong]))
        if self.blocks.moving:
            self._observe_blocks()

    def _gone(self, what: str, name: str) -> str:
        return (f'{what} {name!r} has no finite position after step {self.steps} '
                f'({self.steps * self.dt:g} s): check its masses, sizes and commands, or use a '
                'smaller simul_timestep')

    def contacts(self, vehicle: int) -> list[tuple[str, float, float]]:
        """
        Return what touches a vehicle, and where in the world [m], as of the last step.

        :returns: name, x and y; the name is '' for walls and maps.
        """
        return self._space.contacts(self.vehicles.bodies[vehicle])

    def contact_points(self, vehicle: int) -> NDArray[np.float64]:
        """Return contacts and impulses of a vehicle: see `Box2dWorld.contact_points`."""
        return self._space.contact_points(self.vehicles.bodies[vehicle])

    @property
    def is_flat(self) -> bool:
        """Return whether the ground is level, but for tops of what forces move."""
        return self._around.is_flat

    def odometry(self, i: int) -> Odometry:
        """Return pose and twist as vehicle `i` believes them, with covariance."""
        return self.vehicles.odometry(i)

    def set_elements(self, elements: Sequence[ElementSpec]) -> None:
        """
        Replace the elements of the world; everything else continues as after `restore`.

        :raises PhysicsError: where an element follows keyframes that was not there before.
        """
        for each in elements:
            if getattr(each, 'animation', None) and each not in self.spec.elements:
                raise PhysicsError(f'element {each.name!r} has an <animation> ({each.source}): '
                                   'only elements of the world file follow keyframes')
        self.restore({**self.snapshot(), 'elements': tuple(elements)})

    def reset(self) -> bool:
        """
        Start anew as the world says; reset the random streams first for the same noise.

        :returns: whether all vehicles and blocks are others now.
        """
        if self._begin_again():
            return False
        self._take_elements(self._first)
        self._build(self.spec.vehicles, self.spec.blocks, self.spec.joints)
        return True

    def snapshot(self) -> dict[str, Any]:
        """
        Return the state of all bodies, wheels, controllers and odometers.

        The random streams are not in it: snapshot them too.
        """
        state: dict[str, Any] = {
            'steps': self.steps, 'vehicle_specs': tuple(self.vehicles.specs),
            'block_specs': tuple(self.blocks.specs), 'around': self._around.snapshot(),
            'elements': self.spec.elements, 'switched': dict(self.switched),
            'vehicles': self.vehicles.snapshot(),
            'blocks': self.blocks.snapshot(), 'friction': impulses(self._frictions())}
        for name, group in self._groups():
            state[name] = save(group.addresses)
        return state

    def _groups(self) -> tuple[tuple[str, Vehicles | Blocks], ...]:
        return ('vehicle_bodies', self.vehicles), ('block_bodies', self.blocks)

    def _frictions(self) -> list[int]:
        return [known.joint for body in self.blocks.moving
                if (known := self._space.frictions.get(body.address)) is not None]

    def restore(self, state: Mapping[str, Any]) -> None:
        """
        Continue from a `snapshot` of this world, objects that came and went included.

        The engine does not give away the impulses it remembers of contacts and joints. So a run
        continues bit for bit if no bodies touch, otherwise with small differences. From one
        snapshot it always continues in the same way.
        """
        self._take_elements(state['elements'])
        self._build(state['vehicle_specs'], state['block_specs'], state['around']['joints'])
        self._first_state = None  # another one is restored
        self.clock[0], self.switched = state['steps'], dict(state['switched'])
        self.vehicles.restore(state['vehicles'])
        self.blocks.restore(state['blocks'])
        for group in (self.vehicles, self.blocks):
            for i, body in enumerate(group.bodies):
                if body is not None:
                    pose = Pose(*group.pose[i].tolist())
                    self._space.place(body, pose, group.twist_body[i].tolist())
        self._around.restore(state['around'])
        self.blocks.restore(state['blocks'])
        for name, moved in self._groups():
            load(moved.addresses, state[name])
        set_impulses(self._frictions(), state['friction'])
        self.vehicles.read_motion()

    def restart_person(self, figure: int, pose: Pose, speed: float | None) -> None:
        """
        Put an actor somewhere, from where its path begins anew, see `People.restart`.

        :raises PhysicsError: where it follows keyframes.
        """
        spec = self.figures.specs[figure]
        check_put(spec.name, spec, pose)
        self._around.people.restart(figure, pose, speed)

    def ground_at(self, x: float, y: float, limit: float) -> float:
        """Return the height of the ground at a place, see `Environment.ground_at`."""
        return self._around.ground_at(x, y, limit)
