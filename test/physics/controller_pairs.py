# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every controller on every vehicle class: vehicles of both, and commands for them.

As a process of its own it drives all that go together, in each mode, and prints a hash of the
states; `plain` leaves out numba.
"""

from dataclasses import replace
import hashlib
import math
import sys

if 'plain' in sys.argv:
    sys.modules['numba'] = None  # type: ignore[assignment]

import numpy as np  # noqa: E402

from mvsim_ros2.base.random_streams import RandomStreams  # noqa: E402
from mvsim_ros2.physics import PhysicsWorld  # noqa: E402
from mvsim_ros2.physics.controllers.record import Command  # noqa: E402
from mvsim_ros2.physics.modes import MODES  # noqa: E402
from mvsim_ros2.physics.vehicle.commands import torques_taken  # noqa: E402
from mvsim_ros2.physics.vehicle.vehicle_kinds import (  # noqa: E402
    controller_of, CONTROLLERS, VEHICLE_CLASSES)
from mvsim_ros2.world.spec import (  # noqa: E402
    JointController, OmniSpec, RollerWheelSpec, SkidSteerSpec, TrackedSpec, VehicleSpec, WheelSpec,
    WorldSpec)


def _three(side):
    return tuple(WheelSpec((x, side, 0.0)) for x in (0.4, 0.0, -0.4))


# classes that their defaults alone do not make a vehicle of
COMPLETED = {
    SkidSteerSpec: SkidSteerSpec(l_wheels=_three(0.4), r_wheels=_three(-0.4)),
    OmniSpec: OmniSpec(roller_wheels=tuple(
        RollerWheelSpec(
            (0.3 * math.cos(angle), 0.3 * math.sin(angle), angle + 0.5 * math.pi),
            diameter=0.15, width=0.06)
        for angle in (0.0, 2.0 * math.pi / 3.0, -2.0 * math.pi / 3.0)))}


def vehicle_of(kind, controller):
    """Return a vehicle of a class with a controller, both with their defaults."""
    dynamics = COMPLETED.get(kind.spec) or kind.spec()
    return VehicleSpec(name='r1', dynamics=replace(dynamics, controller=controller.spec()))


# what the controller itself refuses: wheels that do not turn on their own, or too many
REFUSED = {(SkidSteerSpec, JointController), (TrackedSpec, JointController)}
PAIRS = [(kind, controller) for kind in VEHICLE_CLASSES for controller in CONTROLLERS]
GOOD = [(kind, controller) for kind, controller in PAIRS
        if kind.form in controller.torques and controller.command is not None
        and (kind.spec, controller.spec) not in REFUSED]
BAD = [(kind, controller) for kind, controller in PAIRS if kind.form not in controller.torques]


def give(world, speed, turn=0.0):
    """
    Command the vehicle by what its controller takes.

    :param speed: m/s; with torques what would accelerate it so in a second without losses.
    :param turn: yaw rate [rad/s], steering angle [rad], or share of the torques.
    """
    vehicle = world.vehicles.specs[0]
    command = controller_of(vehicle.dynamics).command
    if command == Command.TWIST:
        world.vehicles.set_twist(0, speed, turn)
    elif command == Command.STEERING:
        world.vehicles.set_steering(0, speed, turn)
    elif command == Command.JOINTS:
        wheels, kind = world.vehicles.wheels, vehicle.dynamics
        along = np.cos(wheels['toe'] + wheels['roller'])
        speeds = (speed - turn * wheels['y']) * along / wheels['radius']
        world.vehicles.set_joints(
            0, speeds[list(kind.driven_wheels)], [turn] * len(kind.steered_wheels))
    elif command == Command.TORQUES:
        world.vehicles.set_torques(0, torques(world, speed, turn))
    else:
        raise AssertionError(f'no test gives the command {command}')


def torques(world, speed, turn):
    """Return the torques of motors that together accelerate the vehicle to a speed in 1 s."""
    count, wheels = torques_taken(world.vehicles.specs[0]), world.vehicles.wheels
    driven = max(float(wheels['drive'].sum()), 1.0)
    # with rollers the rim goes with the cosine to the direction of the motion
    along = np.cos(wheels['toe'] + wheels['roller'])[:count]
    force = world.vehicles.bodies[0].mass * speed / (count if count > 2 else driven)
    radius = float(wheels['radius'][-1])
    share = along / np.mean(along ** 2) if count > 2 else np.ones(count)
    return [float(part) * force * radius * (1.0 + (-1) ** k * turn)
            for k, part in enumerate(share)]


def state(world):
    """Return all numbers that a step changes."""
    v = world.vehicles
    return b''.join(value.tobytes() for value in (
        v.wheels, v.arrays.records, v.arrays.pids, v.pose, v.twist_body, v.arrays.odometers))


def main():
    """Drive all pairs, and print a hash of each."""
    for kind, controller in GOOD:
        for mode in MODES:
            world = PhysicsWorld(WorldSpec(
                simul_timestep=0.005, vehicles=(vehicle_of(kind, controller),)),
                RandomStreams(0), mode)
            give(world, 0.5, 0.2)
            world.step(40)
            print(controller.spec.XML_CLASS, kind.spec.XML_CLASS, mode,
                  hashlib.sha256(state(world)).hexdigest())


if __name__ == '__main__':
    main()
