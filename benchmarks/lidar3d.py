# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Points a second of LiDARs in three dimensions, the cloud in its final layout included.

In a hall of boxes, and among meshes of 100 thousand and a million triangles; noise, intensity,
time and ring of each point as of the models. Before each scan twenty objects move, which is part
of the time; in a rolling scan they, and the vehicle that drives and turns, move during the scan
too. Wall time is the median; CPU time includes all threads and is meaningful on a busy machine.
MVSIM_ROS2_THREADS sets the number of threads.

    python benchmarks/lidar3d.py [--backend embree|bvh] [--repeat N]

:claim: Points per second of LiDARs, on the processor and on a graphics card
:reference: each other, in one run
"""

import argparse
import dataclasses
import statistics
import time

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.base.threads import threads
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene
from mvsim_ros2.sensors import BodyState, Mount
from mvsim_ros2.sensors.lidar.lidar3d import Lidar3D
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec import Lidar3dSpec, WorldSpec

Array = NDArray[np.float64]

VLP16 = Lidar3dSpec(name='vlp16', vert_nrays=16, horz_nrays=1800, vert_fov=np.radians(30),
                    max_range=100.0, range_std_noise=0.005)
OS1 = Lidar3dSpec(name='os1', vert_nrays=64, horz_nrays=1024, vert_fov=np.radians(45),
                  max_range=90.0, range_std_noise=0.005, layout='ouster', organised=True)
SENSORS = {'VLP-16': VLP16, 'OS1-64x1024': OS1,
           'OS1-128x2048': dataclasses.replace(OS1, vert_nrays=128, horz_nrays=2048)}
DRIVING = BodyState(np.array([0.5, 0.3, 1.2, 0.2, 0.0, 0.0]), np.array([2.0, 0.0, 0.8]))


def box() -> Mesh:
    """Return a cube of 1 m."""
    corners = np.array([(x, y, z) for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)])
    sides = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    return mesh(corners, np.array([half for a, b, c, d in sides
                                   for half in ((a, b, c), (a, c, d))]))


def bumpy_sphere(rows: int, rng: np.random.Generator) -> Mesh:
    """Return a sphere of about 1 m diameter with bumps and 4 * rows^2 triangles."""
    columns = 2 * rows
    down, around = np.meshgrid(np.linspace(0, np.pi, rows + 1), np.linspace(
        0, 2 * np.pi, columns, endpoint=False), indexing='ij')
    phases = rng.uniform(0, 6, 4)
    radius = 0.5 + 0.05 * (np.sin(7 * around + phases[0]) * np.sin(5 * down + phases[1])
                           + np.sin(23 * around + phases[2]) * np.sin(19 * down + phases[3]))
    corners = radius[..., None] * np.stack(
        [np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)], axis=-1)
    number = np.arange((rows + 1) * columns).reshape(rows + 1, columns)
    a, b = number[:-1], number[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return mesh(corners.reshape(-1, 3), faces)


def mesh(corners: Array, faces: NDArray[np.int64]) -> Mesh:
    """Return a mesh without texture."""
    count = len(corners)
    return Mesh(corners, faces.astype(np.int32), np.zeros((count, 3)),
                np.zeros((count, 2), np.float32), np.zeros(len(faces), np.int32), (Material(),))


def scene(meshes: tuple[Mesh, ...], kinds: NDArray[np.int64], scales: Array,
          places: Array) -> Scene:
    """Return a hall of 40 m with things in it; `meshes[0]` is the box that the hall is made of."""
    count = len(kinds) + 5
    transform = np.tile(np.eye(4), (count, 1, 1))
    hall = (((44, 44, 1), (0, 0, -.5)), ((44, .5, 6), (0, 20, 3)), ((44, .5, 6), (0, -20, 3)),
            ((.5, 44, 6), (20, 0, 3)), ((.5, 44, 6), (-20, 0, 3)))
    for row, (size, place) in enumerate(hall):
        transform[row, :3, :3] *= size
        transform[row, :3, 3] = place
    yaw = np.random.default_rng(5).uniform(0, 6, len(kinds))
    transform[5:, :3, :3] = rotation_matrix(yaw) * scales[:, None, :]
    transform[5:, :3, 3] = places
    numbers = np.concatenate([np.zeros(5, int), kinds]).astype(np.int32)
    things = np.arange(1, count + 1).astype(np.uint16)
    return Scene(meshes, numbers, transform, np.ones((count, 4), np.float32),
                 np.full(count, 3, np.uint16), things, ('',) * (count + 1),
                 np.full(count, -1, np.int32), ('',) * count, np.arange(count) >= count - 20,
                 Lighting())


def boxes() -> Scene:
    """Return a hall with 120 boxes."""
    rng = np.random.default_rng(1)
    places = rng.uniform((-19, -19, 0), (19, 19, 0), (120, 3))
    places = places[np.hypot(places[:, 0], places[:, 1]) > 2.5]
    scales = rng.uniform(0.5, 2.0, (len(places), 3))
    places[:, 2] = scales[:, 2] / 2
    return scene((box(),), np.zeros(len(places), np.int64), scales, places)


def meshes(triangles: int) -> Scene:
    """Return a hall with 45 things of five meshes that show some number of triangles."""
    rng = np.random.default_rng(2)
    shapes = box(), *(bumpy_sphere(round((triangles / 45 / 4) ** 0.5), rng) for _ in range(5))
    places = rng.uniform((-18, -18, 0.8), (18, 18, 0.8), (45, 3))
    places[np.hypot(places[:, 0], places[:, 1]) < 3] += 4
    return scene(shapes, rng.integers(1, 6, 45), np.full((45, 3), 2.0), places)


def run(lidar: Lidar3D, rays: RayScene, rolling: bool, repeat: int) -> tuple[float, float]:
    """Return median wall and CPU time of a scan, and of the motion before it [s]."""
    scene = rays.scene
    rest = scene.transform.copy()
    walls, works = [], []
    for number in range(repeat):
        scene.transform[-20:, 0, 3] = rest[-20:, 0, 3] + 0.01 * number
        path = np.stack([scene.transform] * 5)
        path[:, -20:, 0, 3] -= np.linspace(0.1, 0.0, 5)[:, None]
        wall, work = time.perf_counter(), time.process_time()
        if rolling:
            rays.update(path, 0.1)
        else:
            rays.update()
        lidar.scan(rays, 10**9, DRIVING)
        works.append(time.process_time() - work)
        walls.append(time.perf_counter() - wall)
    scene.transform[:] = rest
    return statistics.median(walls), statistics.median(works)


def main() -> None:
    """Print a table."""
    use_machine_code()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--backend', default='auto')
    parser.add_argument('--repeat', type=int, default=20)
    arguments = parser.parse_args()
    scenes = {'boxes': boxes(), '100 k triangles': meshes(100_000),
              '1 M triangles': meshes(1_000_000)}
    print(f'{threads()} threads; M points/s of wall time, per core of CPU time; ms of both')
    for place, what in scenes.items():
        start = time.perf_counter()
        rays = RayScene(what, arguments.backend)
        built = time.perf_counter() - start
        print(f'{place}: built in {1e3 * built:.0f} ms')
        for name, spec in SENSORS.items():
            costs = {}
            for rolling in (False, True):
                lidar = Lidar3D(Mount(
                    dataclasses.replace(spec, rolling=rolling), '', np.random.default_rng(3),
                    SceneViews.__new__(SceneViews), WorldSpec(), RandomStreams(3)))
                run(lidar, rays, rolling, 2)  # compiles
                wall, work = run(lidar, rays, rolling, arguments.repeat)
                costs[rolling] = work
                count = beams_of(lidar.scanner.beams)
                print(f'  {name:13s} {"rolling" if rolling else "snapshot":9s}'
                      f'{count / wall / 1e6:6.1f} /s {count / work / 1e6:6.1f} /core s'
                      f'{1e3 * wall:8.2f} {1e3 * work:7.2f} ms')
            print(f'  {name:13s} rolling costs {costs[True] / costs[False]:.2f} times a snapshot')


def beams_of(beams: Beams) -> int:
    """Return the number of beams of a scan."""
    return len(beams.columns) * beams.rings


if __name__ == '__main__':
    main()
