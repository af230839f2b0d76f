# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Images a second of whole cameras, through the public interface.

A camera of 640 x 480 pixels stands beside 105 boxes on a plane, among which 20 robots drive;
between two images they make a step, which is not counted. Once there are 30 meshes in place of
the boxes: the racks, furniture, trees and rocks of the shipped worlds. Prints the CPU time of an
image of all threads (median, and the least, which is meaningful on a busy machine), its least
wall time and the images a second of that, with noise where the defaults have some.

Run it as `python benchmarks/images.py`. With the path of another checkout the two run in turn,
three times, and the least CPU time of an image in each is printed, with the ratio.
"""

from collections.abc import Iterator
from dataclasses import replace
import json
import os
from pathlib import Path
import statistics
import subprocess
import sys
import time

import numpy as np

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.world.spec import (
    BlockSpec, CameraSpec, DifferentialSpec, HorizontalPlaneSpec, Resource, RgbdCameraSpec,
    TwistIdealController, VehicleSpec, VisualSpec, WorldSpec)

IMAGES, WARM, PAIRS = 60, 10, 3
_JSON = '--json'
EYE = Pose(-16.0, -15.0, 2.2, yaw=0.75, pitch=0.1)
OPTICAL = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)
DEPTH = RgbdCameraSpec(
    name='camera', pose=EYE, sense_rgb=False, publish_ros_colored_pointcloud=False,
    antialiasing=False)
COLOUR = CameraSpec(name='camera', pose=EYE.compose(OPTICAL), antialiasing=False)
CAMERAS = {
    'depth': DEPTH, 'depth without noise': replace(DEPTH, depth_noise_sigma=0.0),
    'colour and depth': replace(DEPTH, sense_rgb=True),
    'colour, depth, points': replace(DEPTH, sense_rgb=True, publish_ros_colored_pointcloud=True),
    'colour': COLOUR, 'colour, antialiased': replace(COLOUR, antialiasing=True),
    '30 meshes, antialiased': replace(COLOUR, antialiasing=True),
}
MODELS = sorted((Path(__file__).resolve().parents[1] / 'worlds' / 'models').glob('*.obj'))


def world_of(camera: CameraSpec | RgbdCameraSpec, shadows: bool, meshes: int = 0) -> Simulation:
    """Return the scene with a camera, in motion; with a number of meshes or with boxes."""
    random = np.random.default_rng(1)
    blocks = tuple(BlockSpec(
        name=f'box{i}', static=True, zmax=float(random.uniform(0.4, 1.6)),
        color=tuple(random.uniform(0.3, 1.0, 3)) + (1.0,), visuals=(VisualSpec(
            model_uri=Resource(MODELS[i % len(MODELS)].name, str(MODELS[i % len(MODELS)]))),
        ) if meshes else (),
        init_pose=Pose(*random.uniform(-14, 14, 2), yaw=random.uniform(0, 6.28)))
        for i in range(meshes or 105))
    robots = tuple(VehicleSpec(
        name=f'robot{i}', dynamics=DifferentialSpec(controller=TwistIdealController()),
        init_pose=Pose(*random.uniform(-14, 14, 2), yaw=random.uniform(0, 6.28)))
        for i in range(20))
    world = WorldSpec(
        blocks=blocks, vehicles=robots, sensors=(camera,),
        elements=(HorizontalPlaneSpec(x_min=-40, x_max=40, y_min=-40, y_max=40),))
    simulation = Simulation(replace(world, lights=replace(world.lights, enable_shadows=shadows)))
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.3, 0.3)
    return simulation


def times() -> Iterator[tuple[str, list[float], float]]:
    """Yield each camera, the CPU times of its images and the least wall time [ms]."""
    for name, camera in CAMERAS.items():
        for shadows in (True,) if 'meshes' in name else (False, True)[:1 + ('colour' in name)]:
            simulation = world_of(camera, shadows, 30 if 'meshes' in name else 0)
            simulation.set_enabled('camera', False)
            cpus, walls = [], []
            for _ in range(IMAGES + WARM):
                simulation.step()
                begin, start = time.process_time(), time.perf_counter()
                simulation.measure('camera')
                walls.append(1e3 * (time.perf_counter() - start))
                cpus.append(1e3 * (time.process_time() - begin))
            yield f'{name}, shadows' if shadows else name, cpus[WARM:], min(walls[WARM:])


def least_of(tree: Path) -> dict[str, float]:
    """Return the least CPU time of each camera in a process with another checkout [ms]."""
    path = os.pathsep.join([str(tree), *filter(None, [os.environ.get('PYTHONPATH')])])
    done = subprocess.run([sys.executable, __file__, _JSON], env=os.environ | {'PYTHONPATH': path},
                          stdout=subprocess.PIPE, text=True, check=True)
    least: dict[str, float] = json.loads(done.stdout)
    return least


def main() -> None:
    """Print the table."""
    if sys.argv[1:] == [_JSON]:
        use_machine_code()
        print(json.dumps({name: min(cpus) for name, cpus, _ in times()}))
    elif sys.argv[1:]:
        trees = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parents[1]
        runs = [[least_of(tree) for tree in trees] for _ in range(PAIRS)]
        print(f'{"camera":32}{"other ms":>10}{"here ms":>9}{"other / here":>14}')
        for name in runs[0][1]:
            other, here = (min(pair[k][name] for pair in runs) for k in (0, 1))
            print(f'{name:32}{other:10.2f}{here:9.2f}{other / here:14.2f}')
    else:
        use_machine_code()
        print(f'{"camera":32}{"CPU ms":>8}{"least":>7}{"wall, least":>13}{"images/s":>10}')
        for name, cpus, wall in times():
            print(f'{name:32}{statistics.median(cpus):8.2f}{min(cpus):7.2f}{wall:13.2f}'
                  f'{1e3 / wall:10.0f}', flush=True)


if __name__ == '__main__':
    main()
