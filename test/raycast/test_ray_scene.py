# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rays in scenes whose distances are known in closed form, by both ray casters."""

from collections.abc import Callable
from dataclasses import replace
import gc
from typing import Any
import weakref

from making import at, CUBE, mesh_scene
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Material, Mesh, Scene
from mvsim_ros2.sensors.raycast.embree.embree import library_path
from mvsim_ros2.sensors.raycast.query import find
from mvsim_ros2.sensors.raycast.ray_block import BLOCK, Block, new_block
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import EVERYTHING, Target

Array = NDArray[np.float64]

SIZE = np.array([20.0, 16.0, 5.0])
WORLDS = [pytest.param((0.0, 0.0, 0.0), id='at the origin'),
          pytest.param((500_000.0, 4_100_000.0, 800.0), id='UTM')]


@pytest.fixture(params=['embree', 'bvh'])
def backend(request: pytest.FixtureRequest) -> str:
    """Return the name of either ray caster; skip where it is not installed."""
    if request.param == 'embree' and library_path() is None:
        pytest.skip('embreex is not installed')
    return str(request.param)


def directions(count: int, seed: int = 0) -> Array:
    """Return unit vectors in all directions."""
    vectors = np.random.default_rng(seed).normal(size=(count, 3))
    unit: Array = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def sphere(rings: int) -> Mesh:
    """Return a unit sphere; its corners lie on it, its faces within 1 - cos(pi / 2 rings)."""
    down, around = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(
        0, 2 * np.pi, 2 * rings, endpoint=False), indexing='ij')
    corners = np.stack([np.sin(down) * np.cos(around), np.sin(down) * np.sin(around),
                        np.cos(down)], axis=-1).reshape(-1, 3)
    number = np.arange(len(corners)).reshape(rings + 1, -1)
    a, b = number[:-1], number[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return Mesh(corners, faces.astype(np.int32), corners, np.zeros((len(corners), 2), np.float32),
                np.zeros(len(faces), np.int32), (Material(),))


@pytest.mark.parametrize('origin', WORLDS)
@pytest.mark.parametrize('angles', [
    pytest.param((0.0, 0.0, 0.0), id='upright'), pytest.param((0.7, 0.2, -0.4), id='tilted')])
def test_ranges_in_a_room_are_exact(backend: str, origin: Any, angles: Any) -> None:
    size = np.array([40.0, 30.0, 6.0])
    x, y, z = origin
    rays = RayScene(mesh_scene((CUBE, at(x, y, z, size, angles))), backend)
    turn = rotation_matrix(*angles)
    inside = np.random.default_rng(1).uniform(-0.45, 0.45, (5000, 3)) * size
    heading = directions(5000)
    hits = rays.cast(np.array(origin) + inside @ turn.T, heading @ turn.T)
    walls = np.where(heading > 0, size / 2, -size / 2)
    expected = ((walls - inside) / heading).min(axis=1)
    assert np.abs(hits.distance - expected).max() < 1e-5
    side = ((walls - inside) / heading).argmin(axis=1)
    normal = -np.sign(heading[np.arange(5000), side])[:, None] * turn.T[side]
    assert np.abs(hits.normal - normal).max() < 1e-9


def test_ranges_to_a_sphere_are_within_the_error_of_its_mesh(backend: str) -> None:
    rings, radius = 64, 2.0
    rays = RayScene(mesh_scene((sphere(rings), at(10.0, 0.0, 0.0, radius))), backend)
    aim = np.array([10.0, 0.0, 0.0]) + 0.9 * radius * directions(3000)
    heading = aim / np.linalg.norm(aim, axis=1, keepdims=True)
    along = heading[:, 0] * 10.0
    passing = 100.0 - along ** 2
    inside = passing < (0.95 * radius) ** 2
    expected = along - np.sqrt(np.maximum(radius ** 2 - passing, 0.0))
    excess = (rays.cast(np.zeros(3), heading).distance - expected)[inside]
    sagitta = radius * (1.0 - np.cos(np.pi / (2 * rings)) ** 2)
    incidence = np.sqrt(1.0 - 0.95 ** 2)
    assert excess.min() > -1e-5
    assert excess.max() < sagitta / incidence


def test_ranges_to_a_cylinder_are_those_of_its_prism(backend: str) -> None:
    sides = 24
    turn = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    corners = np.concatenate([np.column_stack([ring, np.full(sides, z)]) for z in (-1.0, 1.0)])
    low = np.arange(sides)
    following = (low + 1) % sides
    faces = np.concatenate([np.stack([low, following, following + sides], -1),
                            np.stack([low, following + sides, low + sides], -1)])
    prism = Mesh(corners, faces.astype(np.int32), corners,
                 np.zeros((len(corners), 2), np.float32), np.zeros(len(faces), np.int32),
                 (Material(),))
    rays = RayScene(mesh_scene((prism, at())), backend)
    angle = np.random.default_rng(3).uniform(-np.pi, np.pi, 2000)
    heading = np.stack([np.cos(angle), np.sin(angle), np.zeros(2000)], axis=1)
    middle = (np.floor(angle / (2 * np.pi / sides)) + 0.5) * (2 * np.pi / sides)
    expected = np.cos(np.pi / sides) / np.cos(angle - middle)
    assert np.abs(rays.cast([0.0, 0.0, 0.2], heading).distance - expected).max() < 1e-6


def test_no_ray_slips_through_an_edge(backend: str) -> None:
    ball = sphere(12)
    rays = RayScene(mesh_scene((ball, at(size=5.0, angles=(0.3, 0.2, 0.1)))), backend)
    rng = np.random.default_rng(2)
    place = rays.scene.transform[0, :3, :3]
    corners = ball.vertices[ball.faces[rng.integers(0, len(ball.faces), 20000)]] @ place.T
    share = rng.random((20000, 1))
    aim = corners[:, 0] * share + corners[:, 1] * (1 - share)
    start = rng.uniform(-1, 1, (20000, 3))
    assert rays.cast(start, aim - start).distance == pytest.approx(1.0, abs=1e-5)


def test_a_moving_thing_is_where_it_is_at_the_time_of_the_ray(backend: str) -> None:
    scene = mesh_scene((CUBE, at(5.0)), (CUBE, at(-5.0)))
    rays = RayScene(scene, backend)
    path = np.stack([scene.transform] * 3)
    path[:, 0, 0, 3] = [3.0, 4.0, 5.0]
    rays.update(path, 0.1)
    times = np.linspace(0.0, 1.0, 11)
    assert rays.cast(np.zeros(3), [1.0, 0.0, 0.0], times=times).distance == pytest.approx(
        2.5 + 2.0 * times, abs=1e-6)
    assert rays.cast(np.zeros(3), [-1.0, 0.0, 0.0], times=times).distance == pytest.approx(
        np.full(11, 4.5), abs=1e-6)
    rays.update()
    assert rays.cast(np.zeros(3), [1.0, 0.0, 0.0], times=[0.0]).distance == pytest.approx([4.5])


def test_things_that_set_off_stop_and_jump_are_where_a_new_scene_has_them(backend: str) -> None:
    random = np.random.default_rng(0)
    scene = mesh_scene(*((CUBE, at(*place)) for place in random.uniform(-9.0, 9.0, (16, 3))))
    rays, partly, heads = RayScene(scene, backend), RayScene(scene, backend), directions(6000)
    movers = np.arange(12)  # the others stay
    times = random.uniform(0.0, 1.0, 6000)
    for moving in (0, 3, 3, 7, 0, 5, 12, 2, 0, 0, 4):
        jumps = random.integers(0, 12, 2)
        scene.transform[jumps, :3, 3] = random.uniform(-9.0, 9.0, (2, 3))
        path = np.stack([scene.transform] * 3)
        path[:2, random.permutation(12)[:moving], 0, 3] -= [[1.0], [0.4]]
        fresh = RayScene(scene, backend)
        for each in rays, fresh:
            each.update(path, 0.1) if moving else each.update()
        partly.update(path[:, movers] if moving else path[-1:, movers], 0.1, movers)
        anew = fresh.cast(np.zeros(3), heads, times=times)
        assert (anew.instance >= 0).any()
        for each in rays, partly:
            ours = each.cast(np.zeros(3), heads, times=times)
            for name, values in vars(ours).items():
                assert np.array_equal(values[ours.instance >= 0],
                                      getattr(anew, name)[anew.instance >= 0]), name


def test_the_bodies_of_any_vehicle_or_sensor_can_be_hidden(backend: str) -> None:
    vehicles = 100
    scene = mesh_scene(
        *((CUBE, at(2.0 * i + 2.0)) for i in range(vehicles)),
        *((CUBE, at(0.0, 2.0 * i + 2.0)) for i in range(2)),
        owner=[*range(vehicles), 3, 3], sensor=[''] * vehicles + ['v3/a', 'v3/b'])
    rays = RayScene(scene, backend)
    for row in (0, 1, 37, 99):
        start = [2.0 * row + 1.0, 0.0, 0.0]
        seen = [rays.cast(start, [1.0, 0.0, 0.0], mask=rays.mask(who, '', True)).instance[0]
                for who in (row, (row + 1) % vehicles)]
        assert seen == [row + 1 if row + 1 < vehicles else -1, row]
    up = [0.0, 0.9, 0.0]
    assert [rays.cast(up, [0.0, 1.0, 0.0], mask=mask).instance[0] for mask in (
        rays.mask(3, 'v3/a'), rays.mask(3, 'v3/b'), rays.mask(3, 'v3/c'),
        rays.mask(3, 'v3/a', True), rays.mask(-1, 'x'))] == [
            vehicles + 1, vehicles, vehicles, -1, vehicles]


def test_occlusion_is_any_hit_between(backend: str) -> None:
    rays = RayScene(mesh_scene((CUBE, at(3.0))), backend)
    heading = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert rays.occluded(np.zeros(3), heading).tolist() == [True, False]
    assert rays.occluded(np.zeros(3), heading, farthest=2.0).tolist() == [False, False]


@compiled
def coherent_distances(target: Target, block: Block, mask: int) -> None:
    """Cast a whole block of rays that are said to be alike."""
    find(target, block, BLOCK, 0.0, 100.0, mask, True)


@pytest.mark.parametrize('power', [
    pytest.param(power, id=f'1e-{power}') for power in (0, 6, 12, 15, 16, 17, 18, 19, 20, 50)])
def test_rays_almost_along_an_axis_are_not_lost(backend: str, power: int) -> None:
    rays = RayScene(mesh_scene((CUBE, at(size=SIZE)), (CUBE, at(4.0, 0.0, -2.0))), backend)
    rng = np.random.default_rng(power)
    block = new_block()
    packets = BLOCK // 16
    block.rays[:, :3] = np.repeat(rng.uniform(-1, 1, (packets, 3)) * [1, 1, 0.3], 16, axis=0)
    heading = np.repeat(rng.normal(size=(packets, 3)), 16, axis=0)
    heading += 0.02 * rng.normal(size=(BLOCK, 3))
    axis = np.repeat(rng.integers(0, 3, packets), 16)
    heading[np.arange(BLOCK), axis] = 10.0 ** -power * rng.normal(size=BLOCK)
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    block.rays[:, 3:6], block.rays[:, 6] = heading, 1.0
    coherent_distances(rays.target, block, EVERYTHING)
    alone = rays.cast(block.rays[:, :3] + rays.datum, heading)
    assert np.abs(block.hits[:, 0] - alone.distance).max() < 1e-6


def test_an_empty_scene_is_the_sky(backend: str) -> None:
    hits = RayScene(mesh_scene(), backend).cast(np.zeros(3), [1.0, 0.0, 0.0])
    assert hits.distance.tolist() == [np.inf]
    assert hits.instance.tolist() == [-1]


def test_a_mesh_without_triangles_is_not_seen(backend: str) -> None:
    nothing = replace(CUBE, faces=CUBE.faces[:0], face_material=CUBE.face_material[:0])
    rays = RayScene(mesh_scene((nothing, at()), (CUBE, at(5.0))), backend)
    hits = rays.cast([[-3.0, 0.1, 0.2], [-3.0, 0.1, 0.2]], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert hits.instance.tolist() == [1, -1]


def test_a_scene_is_released(backend: str) -> None:
    rays = RayScene(mesh_scene((CUBE, at())), backend)
    gone = weakref.ref(rays)
    del rays
    gc.collect()
    assert gone() is None


@pytest.mark.skipif(library_path() is None, reason='embreex is not installed')
def test_both_ray_casters_agree() -> None:
    rng = np.random.default_rng(4)
    shapes = CUBE, sphere(20)
    things = [(CUBE, at(size=(40.0, 40.0, 8.0)))] + [
        (shapes[i % 2], at(*rng.uniform(-15, 15, 2), rng.uniform(-3, 3), rng.uniform(0.5, 2, 3),
                           rng.uniform(-3, 3, 3))) for i in range(60)]
    scene = mesh_scene(*things)
    start = rng.uniform((-15, -15, -3), (15, 15, 3), (20000, 3))
    one, other = (RayScene(scene, backend).cast(start, directions(20000, 5))
                  for backend in ('embree', 'bvh'))
    assert np.abs(one.distance - other.distance).max() < 1e-5
    assert np.mean(one.instance != other.instance) < 1e-4


@pytest.mark.parametrize('spoil, message', [
    pytest.param(lambda s: s.transform.__setitem__((0, 0, 3), np.nan), 'not finite', id='NaN'),
    pytest.param(lambda s: s.transform.__setitem__((0, slice(3), slice(3)), 0.0), 'flattens',
                 id='flat'),
    pytest.param(lambda s: s.meshes[0].faces.__setitem__((0, 0), 99), 'indices of vertices',
                 id='face without vertex')])
def test_what_cannot_be_is_refused(spoil: Callable[[Scene], None], message: str) -> None:
    mesh = Mesh(CUBE.vertices, CUBE.faces.copy(), CUBE.normals, CUBE.uv, CUBE.face_material,
                CUBE.materials)
    scene = mesh_scene((mesh, at()))
    spoil(scene)
    with pytest.raises(SceneError, match=message):
        RayScene(scene, 'bvh')


def test_an_unknown_ray_caster_is_named() -> None:
    with pytest.raises(SceneError, match="no ray caster 'magic'"):
        RayScene(mesh_scene(), 'magic')
