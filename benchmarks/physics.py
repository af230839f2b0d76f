# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time of the physics for each vehicle and step.

Robots of the class `small_robot` stand on a 4 m grid and drive arcs under `twist_pid` with
steps of 5 ms. Prints the median over several runs of CPU time per vehicle and step, and what a
robot beside another one costs that has not touched it. Then lines for an occupancy grid and for
robots in contact; for each class of vehicles one alone and many, the least of several runs of
both modes in turn; and one for each tyre, a wheel and step, in the modes that have the tyre, with
their ratio (of mode `mvsim` with the tyre `default`, where that mode has not got it); and what
parts that some vehicles ask for cost over the same without them: air, engine, springs,
suspension, ground that is not level, free bodies, blocks on slopes. Run it as `python
benchmarks/physics.py`, or with `parts` for the last lines alone.

:claim: Cost of a step of a vehicle, in each mode, with each tyre and each part
:reference: both modes, with and without each part, in one run
"""

from collections.abc import Sequence
from dataclasses import replace
import math
import statistics
import sys
import time
from typing import Any

import numpy as np

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.modes import MODES, MVSIM, PHYSICAL
from mvsim_ros2.physics.tyres.law import LAWS
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, AckermannSpec, AerodynamicsSpec, BakkerTyre, BlockSpec, ChassisSpec,
    ClayTyre, DefaultTyre, Differential3Spec, Differential4Spec, DifferentialSpec, DraughtSpec,
    ElevationMapSpec, EllipseTyre, EngineSpec, HeightMap, JointSpec, LinearTyre, MagicFormulaTyre,
    OccupancyGridSpec, OccupancyMap, SandTyre, TwistFrontSteerPidController, TwistPidController,
    VehicleSpec, WardIagnemmaTyre, WheelSpec, WorldSpec)

COUNTS = 1, 10, 50, 100, 200  # vehicles
SPACING = 4.0  # m
STEPS_A_CALL = 20  # one scan of a 10 Hz LiDAR
VEHICLE_STEPS = 40_000  # in one run
RUNS = 9
FLEET = 50  # vehicles of one kind
KINDS = {
    kind.XML_CLASS: VehicleSpec(dynamics=kind(controller=controller))
    for kinds, controller in (
        ((DifferentialSpec, Differential3Spec, Differential4Spec), TwistPidController()),
        ((AckermannSpec, AckermannDrivetrainSpec), TwistFrontSteerPidController()))
    for kind in kinds
}
TYRES = (DefaultTyre(), WardIagnemmaTyre(), EllipseTyre(), LinearTyre(), MagicFormulaTyre(),
         BakkerTyre(), ClayTyre(), SandTyre())


def small_robot(name: str, x: float, y: float) -> VehicleSpec:
    """Return a small differential robot with the gains of the original's definition."""
    return VehicleSpec(
        name=name, init_pose=Pose(x, y),
        dynamics=DifferentialSpec(
            chassis=ChassisSpec(mass=15.0, zmin=0.05, zmax=0.6),
            l_wheel=WheelSpec(pos=(0.0, 0.5, 0.0), mass=4.0, width=0.2, diameter=0.4),
            r_wheel=WheelSpec(pos=(0.0, -0.5, 0.0), mass=4.0, width=0.2, diameter=0.4),
            controller=TwistPidController(KP=4.1543, KI=1.9118, max_torque=14.44)),
        friction=DefaultTyre(mu=0.7, C_damping=0.1, C_rr=0.01))


def grid_of(vehicles: Sequence[VehicleSpec], mode: str = 'mvsim', **world: Any) -> PhysicsWorld:
    """Return a world with these vehicles on a square grid that drive circles."""
    side = int(len(vehicles) ** 0.5 + 0.999)
    placed = tuple(
        replace(vehicle, name=f'r{i}', init_pose=Pose(SPACING * (i % side), SPACING * (i // side)))
        for i, vehicle in enumerate(vehicles))
    physics = PhysicsWorld(
        WorldSpec(simul_timestep=0.005, vehicles=placed, **world), RandomStreams(0), mode)
    for i in range(len(placed)):
        physics.vehicles.set_twist(i, 0.5, 0.5)
    return physics


def world_of(count: int) -> PhysicsWorld:
    """Return a world with `count` small robots."""
    return grid_of([small_robot('', 0.0, 0.0)] * count)


def row_of(count: int, gap: float) -> PhysicsWorld:
    """Return a world with `count` robots side by side that stand still."""
    robots = tuple(small_robot(f'r{i}', 0.0, (1.2 + gap) * i) for i in range(count))
    return PhysicsWorld(WorldSpec(simul_timestep=0.005, vehicles=robots), RandomStreams(0),
                        'mvsim')


def maze(mode: str) -> PhysicsWorld:
    """Return a robot that circles in one of the rooms of an occupancy grid."""
    cells = np.zeros((200, 200), np.int8)
    cells[::40], cells[:, ::40] = 100, 100
    grid = OccupancyGridSpec(occupancy=OccupancyMap(cells, 0.1, -10.0, -10.0))
    physics = PhysicsWorld(WorldSpec(
        simul_timestep=0.005, vehicles=(small_robot('r', 0.0, 0.0),), elements=(grid,)),
        RandomStreams(0), mode)
    physics.vehicles.set_twist(0, 0.3, 0.6)
    return physics


def crowd(mode: str) -> PhysicsWorld:
    """Return robots side by side and behind each other that all push forward."""
    robots = tuple(
        small_robot(f'r{i}', 0.95 * (i // 5), 1.22 * (i % 5)) for i in range(FLEET))
    physics = PhysicsWorld(
        WorldSpec(simul_timestep=0.005, vehicles=robots), RandomStreams(0), mode)
    for i in range(FLEET):
        physics.vehicles.set_twist(i, 0.3 if i // 5 % 2 == 0 else -0.3, 0.0)
    return physics


def measure(physics: PhysicsWorld, steps_a_call: int, steps: int = VEHICLE_STEPS) -> float:
    """Return the median CPU time of a vehicle and step [us]."""
    count = len(physics.vehicles)
    physics.step(200)
    calls = max(1, steps // count // steps_a_call)
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        for _ in range(calls):
            physics.step(steps_a_call)
        times.append((time.process_time() - start) / (calls * steps_a_call * count) * 1e6)
    return statistics.median(times)


def beside(vehicle: VehicleSpec, count: int) -> str:
    """Return the CPU time of a vehicle and step [us] in both modes, in turn, the least of each."""
    worlds = [grid_of([vehicle] * count, mode) for mode in MODES]
    rounds = [[measure(world, STEPS_A_CALL, VEHICLE_STEPS // RUNS) for world in worlds]
              for _ in range(RUNS)]
    plain, physical = map(min, zip(*rounds, strict=True))
    return f'{plain:.3f}, physical {physical:.3f}, ratio {physical / plain:.2f}'


def hill(slope: float) -> ElevationMapSpec:
    """Return a plane that rises along x, and is below 0."""
    rise = slope * np.arange(-120.0, 1.0)
    return ElevationMapSpec(heights=HeightMap(
        np.repeat(rise[:, None], 121, axis=1), 1.0, -60.0, -60.0))


def car(**parts: Any) -> VehicleSpec:
    """Return a car with one motor, with further parts; those of wheels go to all of them."""
    dynamics, common = AckermannDrivetrainSpec(
        controller=TwistFrontSteerPidController()), parts.pop('wheels', {})
    wheels = {name: replace(value, **common)
              for name, value in vars(dynamics).items() if isinstance(value, WheelSpec)}
    return VehicleSpec(dynamics=replace(dynamics, **wheels, **parts))


def on_side(world: PhysicsWorld) -> PhysicsWorld:
    """Let all vehicles of a world lie on their sides."""
    world.vehicles.pose[:, 5] = 0.5 * math.pi
    world.vehicles.arrays.records['loose'] = 1.0
    return world


def sliding(slope: float) -> float:
    """Return the CPU time of a block and step [us] of a robot among blocks."""
    box = BlockSpec('box', mass=3.0, ground_friction=0.9, zmax=0.4,
                    shape=((-0.25, -0.2), (0.25, -0.2), (0.25, 0.2), (-0.25, 0.2)))
    blocks = tuple(replace(box, name=f'b{i}', init_pose=Pose(2.0 * (i % 7), 5.0 + 2.0 * (i // 7)))
                   for i in range(FLEET))
    world = PhysicsWorld(
        WorldSpec(simul_timestep=0.005, vehicles=(small_robot('r', 0.0, 0.0),), blocks=blocks,
                  elements=(hill(slope),) if slope else ()), RandomStreams(0), PHYSICAL)
    return measure(world, STEPS_A_CALL, 400) / FLEET


def trains(height: float | None) -> float:
    """Return the CPU time of a step [us] of cars with trailers, their hitches at a height."""
    cars, trailers, joints = [], [], []
    for i in range(FLEET):
        x, y = 20.0 * (i % 7), 20.0 * (i // 7)
        cars.append(replace(car(), name=f'c{i}', init_pose=Pose(x, y)))
        trailers.append(VehicleSpec(f't{i}', init_pose=Pose(x - 2.0, y)))
        joints.append(JointSpec('pin', f'c{i}', f't{i}', (-1.0, 0.0), (1.0, 0.0), height=height))
    return measure(PhysicsWorld(
        WorldSpec(simul_timestep=0.005, vehicles=(*cars, *trailers), joints=tuple(joints)),
        RandomStreams(0), PHYSICAL), STEPS_A_CALL)


def print_parts() -> None:
    """Measure what parts of mode physical cost that some vehicles or worlds ask for."""
    springs = {'tyre_stiffness': 1.5e5, 'tyre_damping': 500.0}
    plain = measure(grid_of([car()] * FLEET, PHYSICAL), STEPS_A_CALL)
    print(f'{FLEET} cars in mode physical: {plain:.2f}; over that:')
    for name, vehicle in (
            ('in air', car(aerodynamics=AerodynamicsSpec(drag_area=0.7))),
            ('with engine and gears', car(engine=EngineSpec(
                (800.0, 3000.0, 6000.0), (100.0, 180.0, 150.0), (3.5, 2.0, 1.3), 4.0))),
            ('with an implement in the soil', car(draught=DraughtSpec(500.0))),
            ('on tyres that are springs', car(wheels=springs)),
            ('suspended', car(wheels={
                **springs, 'suspension_stiffness': 1.5e4, 'suspension_damping': 1500.0}))):
        cost = measure(grid_of([vehicle] * FLEET, PHYSICAL), STEPS_A_CALL)
        print(f'  {name}: {cost / plain:.2f}')
    ground = {'elements': (hill(0.1),)}
    print(f'  on a slope: '
          f'{measure(grid_of([car()] * FLEET, PHYSICAL, **ground), STEPS_A_CALL) / plain:.2f}')
    print(f'  lying on their sides, free bodies: '
          f'{measure(on_side(grid_of([car()] * FLEET, PHYSICAL)), STEPS_A_CALL) / plain:.2f}')
    print(f'  and trailers whose weight is on the hitch, over those without: '
          f'{trains(0.4) / trains(None):.2f}')
    level, sloping = sliding(0.0), sliding(0.2)
    print(f'{FLEET} blocks that rest, a block and step: level {level:.2f}, on a slope '
          f'{sloping:.2f}')


def main() -> None:
    """Measure and print a table."""
    use_machine_code()
    if sys.argv[1:] == ['parts']:
        print_parts()
        return
    print('CPU time per vehicle and step, microseconds (median of '
          f'{RUNS} runs; {STEPS_A_CALL} steps a call, and 1)')
    print(f'{"robots":>7}{f"{STEPS_A_CALL} a call":>11}{"1 a call":>10}')
    for count in COUNTS:
        many = measure(world_of(count), STEPS_A_CALL)
        single = measure(world_of(count), 1)
        print(f'{count:7d}{many:11.2f}{single:10.2f}')
    far, near = (measure(row_of(10, gap), STEPS_A_CALL) for gap in (2.0, 0.1))
    print(f'ten robots in a row: 2 m apart {far:.2f}, 10 cm apart {near:.2f}')
    for mode in MODES:
        occupied = measure(maze(mode), STEPS_A_CALL)
        pushing = measure(crowd(mode), STEPS_A_CALL)
        print(f'{mode}: one robot on an occupancy grid {occupied:.2f}; {FLEET} robots in contact '
              f'{pushing:.2f}')
    for kind, vehicle in KINDS.items():
        print(f'one {kind}: {beside(vehicle, 1)}; {FLEET}: {beside(vehicle, FLEET)}')
    print(f'CPU time per wheel and step, {FLEET} differential vehicles')
    default = 0.0
    for tyre in TYRES:
        vehicle = VehicleSpec(
            dynamics=DifferentialSpec(controller=TwistPidController()), friction=tyre)
        wheels = len(vehicle.dynamics.wheels)
        physical = measure(grid_of([vehicle] * FLEET, PHYSICAL), STEPS_A_CALL) / wheels
        line, plain = f'{tyre.XML_CLASS}: physical {physical:.3f}', default
        if MVSIM in LAWS[type(tyre)].modes:
            plain = measure(grid_of([vehicle] * FLEET, MVSIM), STEPS_A_CALL) / wheels
            default = default or plain
            line += f', mvsim {plain:.3f}'
        print(f'{line}, ratio {physical / plain:.2f}')
    print_parts()


if __name__ == '__main__':
    main()
