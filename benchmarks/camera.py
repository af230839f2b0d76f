# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Frames a second of cameras of 640 x 480 pixels.

The scenes are a hall of 125 boxes, 20 of which move, and 30 models of 2000 triangles on a
floor; both with shadows. Everything is timed as a sensor would do it: with the reading of the
image into memory. Prints, for each renderer that is there and each set of layers, wall and CPU
time of a frame (median, and the best, which is meaningful on a busy machine), and the
frames a second of both. A camera adds its noise and makes an observation: `benchmarks/sensors.py`
measures that.

Run it as `python benchmarks/camera.py [gl] [cpu]`.

:claim: Images per second of cameras, with OpenGL and with rays
:reference: each other, in one run
"""

import statistics
import sys
import time

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.camera_view import (
    ALL_LAYERS, CameraView, COLOUR, DEPTH, empty_frame, Renderer)
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene
from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

Array = NDArray[np.float64]

FRAMES, WARM = 200, 10
GROUND, BLOCK = Scene.LABELS.index('ground'), Scene.LABELS.index('block')


def mesh_of(vertices: Array, faces: NDArray[np.int64], smooth: bool = False) -> Mesh:
    """Return a mesh with a normal for each face, or for each vertex."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    normals = np.cross(b - a, c - a)
    if smooth:
        sums = np.zeros(vertices.shape)
        np.add.at(sums, faces, normals[:, np.newaxis])
        normals = sums
    else:
        vertices, normals = vertices[faces].reshape(-1, 3), np.repeat(normals, 3, axis=0)
        faces = np.arange(len(vertices)).reshape(-1, 3)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return Mesh(vertices, faces.astype(np.int32), normals,
                np.zeros((len(vertices), 2), np.float32), np.zeros(len(faces), np.int32),
                (Material((0.8, 0.8, 0.8, 1.0)),))


def box() -> Mesh:
    """Return a box of 1 m."""
    vertices = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5)
                         for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return mesh_of(vertices, np.array([(a, b, c, a, c, d) for a, b, c, d in quads])
                   .reshape(-1, 3))


def model(random: np.random.Generator, rings: int = 33, sides: int = 32) -> Mesh:
    """Return a knobbly ball of about 2000 triangles, 1 m wide."""
    up, round_ = np.meshgrid(np.linspace(0, np.pi, rings),
                             np.linspace(0, 2 * np.pi, sides, endpoint=False), indexing='ij')
    size = 0.5 + np.sin(up) * (0.08 * np.sin(5 * up) * np.cos(3 * round_)
                               + random.normal(0, 0.004, up.shape))
    vertices = np.stack([size * np.sin(up) * np.cos(round_), size * np.sin(up) * np.sin(round_),
                         size * np.cos(up)], axis=-1).reshape(-1, 3)
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing='ij')
    a, b = ring * sides + side, ring * sides + (side + 1) % sides
    faces = np.concatenate([np.stack([a, a + sides, b + sides], -1)[:-1],
                            np.stack([a, b + sides, b], -1)[1:]])
    faces[faces < sides], faces[faces >= (rings - 1) * sides] = 0, (rings - 1) * sides
    return mesh_of(vertices, faces.reshape(-1, 3), smooth=True)


def floor(half: float) -> Mesh:
    """Return a square on the ground."""
    corners = half * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]])
    return mesh_of(corners, np.array([[0, 1, 2], [0, 2, 3]]))


def scene_of(kind: str) -> Scene:
    """Return one of the two scenes."""
    random = np.random.default_rng(1)
    count, moving = (125, 20) if kind == 'boxes' else (30, 5)
    shapes = [box()] if kind == 'boxes' else [model(random) for _ in range(5)]
    transform = np.tile(np.eye(4), (count + 1, 1, 1))
    for row in range(1, count + 1):
        size = random.uniform(0.4, 1.6, 3) if kind == 'boxes' else np.full(
            3, random.uniform(0.8, 2.0))
        transform[row, :3, :3] = rotation_matrix(random.uniform(0, 6.28)) * size
        transform[row, :3, 3] = *random.uniform(-14, 14, 2), 0.5 * size[2]
    colour = np.ones((count + 1, 4), np.float32)
    colour[1:, :3] = random.uniform(0.3, 1.0, (count, 3))
    rows = np.arange(count + 1)
    return Scene(
        (floor(40.0), *shapes), np.where(rows, 1 + rows % len(shapes), 0).astype(np.int32),
        transform, colour, np.where(rows, BLOCK, GROUND).astype(np.uint16),
        (rows + 1).astype(np.uint16), ('', *map(str, rows)), np.full(count + 1, -1, np.int32),
        ('',) * (count + 1), rows > count - moving, Lighting())


def view(smooth: bool, reach: float = 0.0) -> CameraView:
    """Return a view over the scene; `smooth` with antialiasing, `reach` of occlusion [m]."""
    pose = np.eye(4)
    optical = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    pose[:3, :3] = rotation_matrix(0.75, 0.12) @ optical
    pose[:3, 3] = -16, -15, 2.2
    return CameraView(pose, 640, 480, 500.0, 500.0, 320.0, 240.0, antialiasing=smooth,
                      occlusion_reach=reach)


def renderer_of(kind: str, scene: Scene) -> tuple[Renderer, str]:
    """Return a renderer and what it runs on."""
    if kind == 'gl':
        from mvsim_ros2.sensors.opengl.context import gl_thread
        from mvsim_ros2.sensors.opengl.renderer import GlRenderer
        rays = RayScene(scene)
        caster = OpennessCaster(rays)
        return GlRenderer(scene, openness=caster.look), gl_thread().renderer
    return RayRenderer(RayScene(scene)), 'rays'


def measure(renderer: Renderer, layers: tuple[str, ...], scene: Scene,
            moving: bool, smooth: bool, reach: float) -> tuple[float, float, float, float]:
    """Return median and least wall time, and median and least CPU time, of a frame [ms]."""
    camera = view(smooth, reach)
    frame = empty_frame(camera.width, camera.height, layers)  # type: ignore[arg-type]
    walls, cpus = [], []
    for number in range(FRAMES + WARM):
        if moving:
            scene.transform[scene.moving, 0, 3] += 0.01 * np.sin(0.1 * number)
        wall, cpu = time.perf_counter(), time.process_time()
        renderer.render(camera, layers, frame)  # type: ignore[arg-type]
        walls.append(1e3 * (time.perf_counter() - wall))
        cpus.append(1e3 * (time.process_time() - cpu))
    walls, cpus = walls[WARM:], cpus[WARM:]
    return statistics.median(walls), min(walls), statistics.median(cpus), min(cpus)


def main() -> None:
    """Print the table."""
    use_machine_code()
    for kind in sys.argv[1:] or ['gl', 'cpu']:
        for place in ('boxes', 'models'):
            scene = scene_of(place)
            triangles = sum(len(scene.meshes[mesh].faces) for mesh in scene.mesh)
            try:
                renderer, device = renderer_of(kind, scene)
            except RenderContextError as error:
                print(f'{kind}: {error}')
                break
            print(f'{kind} ({device}), {place}: {triangles} triangles')
            print('  layers            wall ms   best    CPU ms   best  frames/s   best')
            first = 0.0
            for name, layers, moving, smooth, reach in (
                    ('colour', COLOUR, False, False, 0.0),
                    ('colour, smooth', COLOUR, False, True, 0.0),
                    ('colour, occluded', COLOUR, False, False, 1.5),
                    ('depth', DEPTH, False, False, 0.0),
                    ('colour+depth+ids', ALL_LAYERS, False, False, 0.0),
                    ('colour, moving', COLOUR, True, False, 0.0)):
                # rays follow what moves only after an update, which is no work of the camera
                wall, least, cpu, least_cpu = measure(
                    renderer, layers, scene, moving and kind == 'gl', smooth, reach)
                first = first or cpu
                print(f'  {name:17} {wall:7.2f} {least:6.2f}   {cpu:7.2f} {least_cpu:6.2f}  '
                      f'{1e3 / wall:8.0f} {1e3 / least:6.0f}  '
                      f'{cpu / first:5.2f} x colour (CPU)')


if __name__ == '__main__':
    main()
