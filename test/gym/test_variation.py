# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that are drawn at random change what happens, each of them, by its seed."""

from dataclasses import replace
import inspect
import itertools
import math
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.gym import LearningError, Navigate, varied, VehicleEnv, VehicleVectorEnv
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import CameraSpec, Lidar3dSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

TEXT = """
<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <element class="vertical_plane"> <x0>4</x0> <y0>4</y0> <x1>4</x1> <y1>-4</y1> </element>
  <element class="vertical_plane"> <x0>-4</x0> <y0>-4</y0> <x1>-4</x1> <y1>4</y1> </element>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <controller class="raw"/>
    </dynamics>
    <friction class="linear"> <mu>0.6</mu> <C_s>900</C_s> <C_alpha>900</C_alpha> </friction>
    <sensor class="laser" name="scan"> <sensor_period>0.1</sensor_period> <nrays>36</nrays>
      <range_std_noise>0.01</range_std_noise> </sensor>
  </vehicle>
</mvsim_world>
"""


@pytest.fixture(scope='module')
def world(tmp_path_factory: pytest.TempPathFactory):  # noqa: ANN201
    """Return a robot before a wall that drives by torques."""
    path = tmp_path_factory.mktemp('varied') / 'wall.world.xml'
    path.write_text(TEXT)
    return load_world(path)


def driven(world: object, torque: float, count: int = 1, **settings: object) -> list[np.ndarray]:
    """Return velocities and ranges of the first of some environments after 0.6 s."""
    envs = VehicleVectorEnv(count, Navigate(0.5, 1.0), world, action='torques', seed=3,
                            time_limit=100.0, **settings)
    envs.reset(seed=3)
    for _ in range(6):
        seen = envs.step(np.full((count, 2), torque))[0]
    envs.close()
    return [seen['velocity'][0], seen['scan'][0]]


def one(vehicles: tuple[VehicleSpec, ...]) -> VehicleSpec:
    (vehicle,) = vehicles
    return vehicle


@pytest.mark.parametrize(('parameter', 'torque'), [
    ('mass', 0.2), ('friction', 1.0), ('tyre', 0.2), ('noise', 0.2)])
def test_each_changes_what_happens(world, parameter: str, torque: float) -> None:  # noqa: ANN001
    """And row 0 is the same, bit by bit, alone and among others."""
    plain = driven(world, torque)
    for factor, same in ((1.0, True), (0.4, False)):
        made = varied(world, **{parameter: (factor, factor)})
        found = driven(made, torque)
        assert all(np.array_equal(*pair) for pair in zip(plain, found)) == same
        among = driven(made, torque, 3)
        assert all(np.array_equal(*pair) for pair in zip(found, among))


def test_lighter_is_faster_and_slippery_slower(world) -> None:  # noqa: ANN001
    """As Newton and Coulomb say."""
    fast, slow = (driven(varied(world, mass=(factor, factor)), 0.2)[0][0] for factor in (0.5, 2.0))
    assert fast > 1.5 * slow > 0.0
    grip, ice = (driven(varied(world, friction=(f, f)), 1.0)[0][0] for f in (1.0, 0.05))
    assert ice == pytest.approx(0.05 * 0.6 * 9.81 * 0.6, rel=0.25) and grip > 2.0 * ice


def test_noise_and_light_by_their_numbers(world) -> None:  # noqa: ANN001
    """Specs are multiplied by a factor that the seed says; ranges out of order are refused."""
    make = varied(world, noise=(2.0, 3.0), light=(0.2, 0.4))
    first, again, other = (make(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other
    scan = one(first.vehicles).sensors[0]
    assert 0.02 <= scan.range_std_noise <= 0.03  # type: ignore[attr-defined]
    before = world.lights
    for name in ('light_diffuse', 'light_ambient'):
        assert 0.2 <= getattr(first.lights, name) / getattr(before, name) <= 0.4


def test_noise_grows_with_its_factor() -> None:
    """The noise of light, too, which falls with what a pixel holds; shares end at 1."""
    def images(factor: float) -> np.ndarray:
        made = varied(world, noise=(factor, factor))(np.random.default_rng(1))
        simulation = Simulation(made, seed=3)
        assert one(made.vehicles).sensors[1].dropout == min(0.4 * factor, 1.0)
        return np.asarray(simulation.measure('robot/camera').pixels).astype(float)

    world = load_world('camera')
    robot = world.vehicles[0]
    camera = next(each for each in robot.sensors if isinstance(each, CameraSpec))
    camera = replace(camera, image_noise=0.0, full_well=2000.0, read_noise=30.0)
    lidar = Lidar3dSpec(name='lidar', dropout=0.4)
    world = replace(world, vehicles=(replace(robot, sensors=(camera, lidar)),))
    clean = images(0.0)
    least, plain, most = (np.abs(images(factor) - clean).mean() for factor in (0.5, 1.0, 3.0))
    assert least == pytest.approx(0.5 * plain, rel=0.1) and most == pytest.approx(
        3.0 * plain, rel=0.1)


@pytest.mark.parametrize('given, said', [
    ({'mass': (2.0, 1.0)}, r'varied: mass is \(2.0, 1.0\): give the lowest factor first'),
    ({'mass': (0.0, 0.0)}, 'varied: lowest mass is 0.0: give .* at least 0.001'),
    ({'friction': (0, 1)}, 'varied: lowest friction is 0: give'),
    ({'tyre': (1.0, math.nan)}, 'varied: highest tyre is nan: give'),
    ({'noise': (-1, 1)}, 'varied: lowest noise is -1: give'),
    ({'light': (0, 1e9)}, 'varied: highest light is 1000000000.0: give'),
    ({'mass': 3}, 'varied: mass is 3: give the lowest and the highest'),
    ({'mass': (1,)}, r'varied: mass is \(1,\): give the lowest and the highest'),
    ({'mass': 'ab'}, "varied: mass is 'ab': give the lowest and the highest"),
    ({'mass': ('a', 'b')}, "varied: lowest mass is 'a': give")])
def test_what_is_no_range_is_refused(given: dict[str, Any], said: str) -> None:
    """By its name, its value and what to give."""
    with pytest.raises(LearningError, match=said):
        varied('empty', **given)


def test_odd_ranges(world) -> None:  # noqa: ANN001
    """Give a world whose numbers are finite, or an error of one line that names the parameter."""
    odd = [math.nan, math.inf, -math.inf, -1, 0, 0.5, 1, 2.0, 1e300, 10 ** 400, 'a', None, True,
           np.float32(2.0), [1.0], 1j]
    made = 0
    for name in inspect.signature(varied).parameters:
        for value in [*odd, *itertools.product(odd, odd)] if name != 'world' else odd:
            given = {'world': world, name: value}
            try:
                drawn = varied(**given)(np.random.default_rng(1))
            except LearningError as error:
                assert '\n' not in str(error) and name in str(error), given
            except ResourceError:
                assert name == 'world' and isinstance(value, str)
            else:
                made += 1
                assert 0.0 < one(drawn.vehicles).dynamics.chassis.mass < 1e9, given
    assert made > 20


def test_light_darkens_pictures() -> None:
    """As a camera on the robot sees."""
    means = []
    for factor in (1.0, 0.3):
        env = VehicleEnv(Navigate(), varied('camera', light=(factor, factor)), sensors=('camera',))
        means.append(float(env.reset(seed=1)[0]['camera'].mean()))
        env.close()
    assert means[1] < 0.7 * means[0]


def test_latency_delays_what_is_done(world) -> None:  # noqa: ANN001
    """By a number of steps that is drawn for each episode; commands are not lost."""
    speeds = []
    for latency in ((0, 0), (3, 3)):
        envs = VehicleVectorEnv(1, Navigate(0.5, 1.0), world, action='torques', latency=latency)
        envs.reset(seed=3)
        speeds.append([float(envs.step(np.full((1, 2), 0.2))[0]['velocity'][0, 0])
                       for _ in range(8)])
        envs.close()
    assert speeds[1][:3] == [0.0] * 3 and speeds[1][3] > 0.0
    assert speeds[1][3:] == pytest.approx(speeds[0][:5], abs=1e-6)
    envs = VehicleVectorEnv(4, Navigate(0.5, 1.0), world, action='torques', latency=(0, 9))
    drawn = set()
    for seed in range(5):
        envs.reset(seed=100 * seed)
        drawn |= set(envs.arena._delays.tolist())
    assert len(drawn) > 5
    envs.close()
    with pytest.raises(LearningError, match='latency'):
        VehicleVectorEnv(1, Navigate(), world, action='torques', latency=(2, 1))
