# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things that come, go or are put elsewhere: what they change, and how much work that is."""

from collections.abc import Callable
from dataclasses import replace
import gc
import sys
import tracemalloc
from types import FrameType

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.modes import MODES, MVSIM
from mvsim_ros2.world.spec import (
    AckermannSpec, ActorSpec, BlockSpec, DifferentialSpec, GeometrySpec, LaserSpec, VehicleSpec,
    WorldSpec)
from mvsim_ros2.world.spec.vehicle.controller import (
    TwistFrontSteerPidController, TwistPidController)

DRIVEN = DifferentialSpec(controller=TwistPidController())
STEERED = AckermannSpec(controller=TwistFrontSteerPidController())
ROBOT = VehicleSpec(name='robot', dynamics=DRIVEN, init_pose=Pose(-3.0, 0.0),
                    sensors=(LaserSpec(name='scan', nrays=90, range_std_noise=0.0),))
BALL = BlockSpec(
    geometry=GeometrySpec(kind='sphere', radius=0.4), shape_from_visual=True, mass=2.0)
ROOF = BlockSpec(static=True, zmin=2.5, zmax=2.7)
NEW = (
    ('wall', BlockSpec(static=True), Pose(3.0, 4.0, yaw=0.3)),
    ('crate', BlockSpec(), Pose(0.0, 5.0)),
    ('car', VehicleSpec(dynamics=STEERED), Pose(-6.0, -5.0)),
    ('ball', BALL, Pose(4.0, -4.0)),
    ('roof', ROOF, Pose(-4.5, -5.0)),
    ('ghost', BlockSpec(intangible=True), Pose(1.0, 1.0)),
    ('cart', VehicleSpec(dynamics=DRIVEN), Pose(5.0, 0.0)),
    ('kerb', BlockSpec(static=True, zmax=0.02), Pose(-2.0, 0.0)))


def world(count: int = 3) -> WorldSpec:
    """Return robots, blocks of both kinds, and somebody who walks."""
    blocks = tuple(
        BlockSpec(name=f'b{i}', static=i % 2 == 0, init_pose=Pose(10.0 + 2.0 * (i % 20), 2.0 * (
            i // 20))) for i in range(count))
    others = tuple(
        replace(ROBOT, name=f'r{i}', sensors=(), init_pose=Pose(
            -20.0 + 3.0 * (i % 8), 9.0 + 3.0 * (i // 8))) for i in range(count // 10))
    return WorldSpec(vehicles=(ROBOT, *others), blocks=blocks,
                     actors=(ActorSpec(name='anna', init_pose=Pose(0.0, -6.0)),))


def add(simulation: Simulation, name: str, spec: VehicleSpec | BlockSpec, pose: Pose) -> None:
    """Add one thing."""
    if isinstance(spec, VehicleSpec):
        simulation.spawn_vehicle(name, spec, pose)
    else:
        simulation.spawn_block(name, spec, pose)


def check_same(changed: Simulation, anew: Simulation, what: str) -> None:
    """Let a simulation be equal to one where all was made anew."""
    bearings = np.linspace(0.0, 6.2, 720)
    assert list(changed.blocks) == list(anew.blocks)
    for origin in ((-3.0, 3.0), (1.0, -2.0)):
        assert (changed.cast_rays(origin, bearings, 30.0).tobytes()
                == anew.cast_rays(origin, bearings, 30.0).tobytes()), what
    assert (changed.measure('robot/scan').ranges.tobytes()
            == anew.measure('robot/scan').ranges.tobytes())
    for each in changed.vehicles:
        assert changed.vehicles[each].pose == anew.vehicles[each].pose, each
    for each in changed.blocks:
        assert changed.blocks[each].pose == anew.blocks[each].pose, each
    assert changed.scene().thing_names == anew.scene().thing_names


@pytest.mark.parametrize('mode', MODES)
def test_what_comes_and_goes_is_as_where_all_is_made_anew(mode: str) -> None:
    """A snapshot that is restored makes bodies, views and tables of heights from nothing."""
    changed, anew = (Simulation(world(), physics=mode) for _ in range(2))
    for simulation in (changed, anew):
        simulation.step(3)
        simulation.measure('robot/scan')

    def go_on(what: str) -> None:
        anew.restore(anew.snapshot())
        for simulation in (changed, anew):
            for vehicle in simulation.vehicles.values():
                vehicle.set_twist(0.4, 0.2)
            simulation.step(20)
        check_same(changed, anew, what)

    for name, spec, pose in NEW:
        if name in ('roof', 'kerb') and mode == MVSIM:
            continue  # there they touch a vehicle
        for simulation in (changed, anew):
            add(simulation, name, spec, pose)
        go_on(name)
    for name in ('b0', 'crate', 'cart', 'ghost', 'wall', 'b2'):
        for simulation in (changed, anew):
            simulation.remove(name)
        go_on(f'without {name}')


@pytest.mark.parametrize('mode', MODES)
def test_what_is_put_elsewhere_is_as_where_all_is_made_anew(mode: str) -> None:
    changed, anew = (Simulation(world(), physics=mode) for _ in range(2))
    for simulation in (changed, anew):
        add(simulation, 'roof', ROOF, Pose(-4.5, 5.0))
        add(simulation, 'ball', BALL, Pose(4.0, -4.0))
        simulation.step(3)
        simulation.measure('robot/scan')
    for name, pose in (('b0', Pose(-2.0, 0.9, yaw=0.4)), ('b1', Pose(-1.0, 0.0)),
                       ('roof', Pose(-2.2, 0.0)), ('roof', Pose(-2.0, 0.0, 0.3)),
                       ('ball', Pose(-2.2, -1.4)), ('b0', Pose(-2.0, 0.9, 2.0))):
        if name == 'roof' and mode == MVSIM:
            continue  # there it touches the vehicle
        for simulation in (changed, anew):
            simulation.set_pose(name, pose)
        anew.restore(anew.snapshot())
        for simulation in (changed, anew):
            for vehicle in simulation.vehicles.values():
                vehicle.set_twist(0.4, 0.2)
            simulation.step(20)
        check_same(changed, anew, f'{name} at {pose}')


@pytest.mark.parametrize('begun', [False, True])
def test_what_comes_passes_below_what_is_high_up(begun: bool) -> None:
    """Heights count from when the first thing is apart from another one."""
    simulation = Simulation(WorldSpec(vehicles=(ROBOT,)))
    simulation.step(5 * begun)
    simulation.spawn_block('roof', ROOF, Pose(-1.5, 0.0))
    simulation.step(5 * begun)
    simulation.spawn_block('stop', BlockSpec(static=True), Pose(1.5, 0.0))
    simulation.spawn_vehicle('second', VehicleSpec(dynamics=DRIVEN), Pose(-3.0, 4.0))
    simulation.spawn_block('high', ROOF, Pose(-1.5, 4.0))
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(1.0, 0.0)
    simulation.run(8.0)
    assert -0.5 < simulation.vehicles['robot'].pose.x < 1.0
    assert simulation.vehicles['second'].pose.x > 3.0


def calls_of(task: Callable[[], object]) -> int:
    """Return how many functions of this package a task calls."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == 'call' and 'mvsim_ros2' in frame.f_code.co_filename

    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['static', 'pushed', 'vehicle'])
def test_one_thing_more_is_as_much_work_among_many(mode: str, kind: str) -> None:
    use_machine_code()
    spec: VehicleSpec | BlockSpec = VehicleSpec(dynamics=DRIVEN) if (
        kind == 'vehicle') else BlockSpec(static=kind == 'static')
    calls = []
    for count in (20, 400):
        simulation = Simulation(world(count), physics=mode)
        for name in ('first', 'second', 'third'):  # arrays have grown, and all is imported
            add(simulation, name, spec, Pose(-5.0, 3.0 * len(name)))
            simulation.step(1)
            simulation.measure('robot/scan')
        calls.append(calls_of(lambda s=simulation: (
            add(s, 'new', spec, Pose(-5.0, -9.0)), s.step(1), s.measure('robot/scan'))))
    assert 100 < calls[0] and calls[1] <= calls[0] + 10


def memory_of(task: Callable[[], object]) -> int:
    """Return how much memory a task had at most, of that which it asked for itself [bytes]."""
    gc.collect()
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def standing(count: int) -> WorldSpec:
    """Return a world of which all blocks stand but one, which can be put elsewhere."""
    few = world(count)
    return replace(few, vehicles=few.vehicles[:1], actors=(), blocks=tuple(
        replace(block, static=i > 0) for i, block in enumerate(few.blocks)))


def put(simulation: Simulation, spec: VehicleSpec | BlockSpec | None, number: int) -> None:
    """Add a thing, or put two elsewhere, and measure after a step."""
    pose = Pose(-5.0, -9.0 - 3.0 * number)
    if spec is None:
        simulation.set_pose('b0', pose)
        simulation.set_poses({'robot': Pose(-3.0, 0.1 * number), 'b0': replace(pose, x=-7.0)})
    else:
        add(simulation, f'new{number}', spec, pose)
    simulation.step(1)
    simulation.measure('robot/scan')


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('spec', [
    BlockSpec(static=True), BlockSpec(), VehicleSpec(dynamics=DRIVEN), None],
    ids=['static', 'pushed', 'vehicle', 'put'])
def test_one_thing_more_copies_no_arrays_of_many(
        mode: str, spec: VehicleSpec | BlockSpec | None) -> None:
    """Arrays have room for more: of those that are needed meanwhile none grows with the world."""
    use_machine_code()
    most = []
    for count in (400, 4000):
        simulation = Simulation(standing(count), physics=mode)
        for number in range(3):  # arrays have grown, and all is imported
            put(simulation, spec, number)
        most.append(min(memory_of(lambda s=simulation, number=number: put(s, spec, number))
                        for number in range(3, 8)))
    assert 1000 < most[0] and most[1] <= most[0] + 20_000  # one number for each were 28,800


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('name', ['b2', 'b3'], ids=['static', 'pushed'])
@pytest.mark.parametrize('before, change', [
    pytest.param(('b4', 'b5'), lambda p, name: p.remove(name), id='less'),
    pytest.param(('b2', 'b3'), lambda p, name: p.set_pose(name, Pose(30.0, -5.0)), id='put')])
def test_a_block_less_or_elsewhere_is_as_much_work_for_bodies_among_many(
        mode: str, name: str, before: tuple[str, ...],
        change: Callable[[PhysicsWorld, str], None]) -> None:
    calls = []
    for count in (20, 400):
        physics = PhysicsWorld(world(count), RandomStreams(0), mode)
        physics.step(1)
        for other in before:  # all is imported
            change(physics, other)
            physics.step(1)
        calls.append(calls_of(lambda p=physics: (change(p, name), p.step(1))))
    assert 50 < calls[0] and calls[1] <= calls[0] + 10
