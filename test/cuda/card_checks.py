# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sensors on the card measure what they measure on the processor.

`test_card.py` runs these on numba's simulator of a card, or on a card where there is one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numba import cuda
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import CardError
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.jit.prepared_call import Batch
from mvsim_ros2.sensors.cuda.card import upload
from mvsim_ros2.sensors.cuda.carried_sensors import (
    Carried, DepthCameras, Lidars3D)
from mvsim_ros2.sensors.cuda.mesh_worlds import MeshWorlds
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import (
    BlockSpec, HorizontalPlaneSpec, Lidar3dSpec, RgbdCameraSpec, WorldSpec)
from mvsim_ros2.world.spec.common import GeometrySpec

LIDAR = Lidar3dSpec(
    name='seen', pose=Pose(0.1, z=0.5, yaw=0.2, pitch=0.05), sensor_period=0.1, vert_nrays=4,
    horz_nrays=24, rolling=False, organised=True, range_std_noise=0.02, max_range=12.0,
    beam_origin_radius=0.02, azimuth_offsets=(0.05, -0.05))
DEPTH = RgbdCameraSpec(
    name='seen', pose=Pose(0.4, z=0.9, pitch=0.2), sensor_period=0.1, sense_rgb=False,
    publish_ros_colored_pointcloud=False, renderer='cpu', depth_ncols=16, depth_nrows=12,
    depth_fx=10.0, depth_fy=10.0, depth_cx=7.5, depth_cy=5.5, depth_hole_jump=0.3,
    depth_noise_sigma=0.01, depth_noise_growth=0.002)
BOX = ((-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4))


def world_of(sensor: Any, number: int = 0, **block: Any) -> WorldSpec:
    """Return a world with two robots among things that rest and one that moves."""
    world = load_world('two_robots')
    return replace(
        world, physics=replace(world.physics, mode='physical'),
        elements=(HorizontalPlaneSpec(x_min=-20, x_max=20, y_min=-20, y_max=20),),
        vehicles=tuple(replace(each, sensors=(sensor,)) for each in world.vehicles),
        blocks=(
            BlockSpec(name='crate', shape=BOX, zmax=1.0, init_pose=Pose(0.5, -0.9, yaw=0.4),
                      init_twist=(0.3, 0.1, 0.5), **block),
            BlockSpec(name='post', static=True, init_pose=Pose(-0.6, -3.0 - number),
                      geometry=GeometrySpec('cylinder', radius=0.3, length=2.0)),
            BlockSpec(name='ball', static=True, init_pose=Pose(0.3 * number, -2.0),
                      geometry=GeometrySpec('sphere', radius=0.5))))


def carried(simulations: Sequence[Simulation], which: str) -> list[Carried]:
    """Return a sensor of each simulation."""
    return [Carried(number, each._physics, each._physics.vehicles.index(which),
                    each._suite.sensors[f'{which}/seen'])
            for number, each in enumerate(simulations)]


def on_card(simulations: Sequence[Simulation], which: str, kind: Any) -> NDArray[np.float32]:
    """Return what sensors measure on the card."""
    use_machine_code()
    given = carried(simulations, which)
    worlds = MeshWorlds([each._suite.shapes(each.time_ns) for each in simulations],
                        [each._physics for each in simulations])
    sensors = kind(worlds, given) if kind is Lidars3D else kind(worlds, given, 1000.0)
    count = len(given)
    Batch([call for k in range(count) for call in sensors.looks(k)])()
    worlds.update()
    measured = cuda.device_array((count, *sensors.shape), np.float32)
    rows = np.arange(count)
    sensors.measure(rows, upload(rows), measured)
    found: NDArray[np.float32] = measured.copy_to_host()
    return found


def simulations_of(sensor: Any) -> list[Simulation]:
    """Return three simulations in motion, two of worlds that are alike."""
    made = [Simulation(world_of(sensor, number), seed) for seed, number in enumerate((0, 0, 1))]
    for each in made:
        for number, vehicle in enumerate(each.vehicles.values()):
            vehicle.set_twist(0.5, 0.4 - number)
        each.step(60)
    return made


def cloud_of(simulation: Simulation, which: str) -> NDArray[Any]:
    """Return the distances of points."""
    points = simulation.measure(f'{which}/seen').points
    square = sum(points[axis].astype(float) ** 2 for axis in 'xyz')
    return np.nan_to_num(np.sqrt(square), nan=LIDAR.max_range)


def depth_of(simulation: Simulation, which: str) -> NDArray[Any]:
    """Return depths."""
    return np.nan_to_num(simulation.measure(f'{which}/seen').depth.depth, nan=1000.0)


@pytest.mark.parametrize(('sensor', 'kind', 'reference'), [
    pytest.param(LIDAR, Lidars3D, cloud_of, id='lidar3d'),
    pytest.param(DEPTH, DepthCameras, depth_of, id='depth'),
])
@pytest.mark.parametrize('which', ['r1', 'r2'])
def test_the_card_measures_what_the_processor_does(
        sensor: Any, kind: Any, reference: Any, which: str) -> None:
    found = on_card(simulations_of(sensor), which, kind)
    expected = np.stack([reference(each, which) for each in simulations_of(sensor)])
    assert np.ptp(expected) > 1.0
    assert np.abs(expected[0] - expected[2]).max() > 0.05  # worlds that are not alike
    assert np.abs(found - expected).max() < 1e-4


@pytest.mark.parametrize(('sensor', 'change', 'kind', 'reference'), [
    pytest.param(LIDAR, {'range_std_noise': 0.0, 'min_range': 3.0}, Lidars3D, cloud_of,
                 id='lidar3d'),
    pytest.param(DEPTH, {'depth_noise_sigma': 0.2, 'depth_clip_min': 2.0}, DepthCameras, depth_of,
                 id='depth'),
])
def test_each_sensor_keeps_its_own_noise_and_limits(
        sensor: Any, change: dict[str, float], kind: Any, reference: Any) -> None:
    both = [[Simulation(world_of(each), 5) for each in (sensor, replace(sensor, **change))]
            for _ in range(2)]
    found = on_card(both[0], 'r1', kind)
    expected = np.stack([reference(each, 'r1') for each in both[1]])
    assert np.abs(expected[0] - expected[1]).max() > 0.1
    assert np.abs(found - expected).max() < 1e-4


def test_what_rests_is_kept_once_where_worlds_are_alike() -> None:
    simulations = simulations_of(LIDAR)
    physics = [each._physics for each in simulations]
    scenes = [each._suite.shapes(each.time_ns) for each in simulations]
    worlds = MeshWorlds(scenes, physics)
    roots = worlds.roots.copy_to_host()[:, 0]
    assert roots[0] == roots[1] != roots[2]


@pytest.mark.parametrize(('sensor', 'kind', 'words'), [
    (replace(LIDAR, rolling=True), Lidars3D, 'measures while it turns.*<rolling>false'),
    (replace(LIDAR, returns=2), Lidars3D, 'several returns.*<returns>1'),
    (replace(LIDAR, dropout=0.1), Lidars3D, 'has <dropout>.*set it to 0'),
    (replace(DEPTH, sense_rgb=True), DepthCameras, 'measures colours.*sense_rgb'),
])
def test_what_is_not_done_there_is_told_with_the_remedy(
        sensor: Any, kind: Any, words: str) -> None:
    with pytest.raises(CardError, match=f"r1/seen.*{words}.*device='cpu'"):
        on_card([Simulation(world_of(sensor))], 'r1', kind)


def test_surfaces_that_let_light_through_are_refused() -> None:
    simulation = Simulation(world_of(LIDAR, color=(1.0, 0.0, 0.0, 0.4)))
    with pytest.raises(CardError, match="crate lets light through.*device='cpu'"):
        on_card([simulation], 'r1', Lidars3D)


def test_eyes_that_are_not_alike_are_refused() -> None:
    simulations = [Simulation(world_of(each)) for each in (LIDAR, replace(
        LIDAR, azimuth_offsets=(0.01, 0.02)))]
    with pytest.raises(CardError, match='r1/seen and r1/seen differ'):
        on_card(simulations, 'r1', Lidars3D)
