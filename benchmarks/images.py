# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Images a second of whole cameras, through the public interface.

A camera of 640 x 480 pixels stands beside 105 boxes on a plane, among which 20 robots drive;
between two images they make a step, which is not counted. Prints CPU time of an image (median,
and the best, which is meaningful on a busy machine) and the images a second of both, with noise
where the defaults have some. Run it as `python benchmarks/images.py`.
"""

from dataclasses import replace
import statistics
import time

import numpy as np

from mvsim_ros2 import Pose
from mvsim_ros2 import Simulation
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.spec import BlockSpec
from mvsim_ros2.spec import CameraSpec
from mvsim_ros2.spec import DifferentialSpec
from mvsim_ros2.spec import HorizontalPlaneSpec
from mvsim_ros2.spec import RgbdCameraSpec
from mvsim_ros2.spec import VehicleSpec
from mvsim_ros2.spec import WorldSpec
from mvsim_ros2.spec.vehicle.controllers import TwistIdealController

IMAGES, WARM = 100, 10
EYE = Pose(-16.0, -15.0, 2.2, yaw=0.75, pitch=0.1)
OPTICAL = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)
DEPTH = RgbdCameraSpec(
    name='camera', pose=EYE, sense_rgb=False, publish_ros_colored_pointcloud=False)
COLOUR = CameraSpec(name='camera', pose=EYE.compose(OPTICAL))
CAMERAS = {
    'depth': DEPTH, 'depth without noise': replace(DEPTH, depth_noise_sigma=0.0),
    'colour and depth': replace(DEPTH, sense_rgb=True),
    'colour, depth, points': replace(DEPTH, sense_rgb=True, publish_ros_colored_pointcloud=True),
    'colour': COLOUR, 'colour, antialiased': replace(COLOUR, antialiasing=True),
}


def world_of(camera: CameraSpec | RgbdCameraSpec, shadows: bool) -> Simulation:
    """Return the scene with a camera, in motion."""
    random = np.random.default_rng(1)
    blocks = tuple(BlockSpec(
        name=f'box{i}', static=True, zmax=float(random.uniform(0.4, 1.6)),
        color=tuple(random.uniform(0.3, 1.0, 3)) + (1.0,),
        init_pose=Pose(*random.uniform(-14, 14, 2), yaw=random.uniform(0, 6.28)))
        for i in range(105))
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


def main() -> None:
    """Print the table."""
    use_machine_code()
    print(f'{"camera":24}{"shadows":>8}{"CPU ms":>9}{"best":>7}{"images/s":>10}{"best":>7}')
    for name, camera in CAMERAS.items():
        for shadows in (False, True) if 'colour' in name else (False,):
            simulation = world_of(camera, shadows)
            simulation.set_enabled('camera', False)
            times = []
            for _ in range(IMAGES + WARM):
                simulation.step()
                begin = time.process_time()
                simulation.measure('camera')
                times.append(1e3 * (time.process_time() - begin))
            median, least = statistics.median(times[WARM:]), min(times[WARM:])
            print(f'{name:24}{"yes" if shadows else "no":>8}{median:9.2f}{least:7.2f}'
                  f'{1e3 / median:10.0f}{1e3 / least:7.0f}', flush=True)


if __name__ == '__main__':
    main()
