# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lines of edges say what samples look like, and leave to rays what they cannot."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import box, place, rays_of_edges, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Lighting, Mesh, Scene
from mvsim_ros2.scene.shapes.solids import unit_cylinder, unit_sphere
from mvsim_ros2.sensors.opengl import smoothing
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image import bands, ray_renderer
from mvsim_ros2.sensors.raycast.image.edge_lines import (
    BORDER, CREASE, EdgeLines, OUTLINE, outlines_of)
from mvsim_ros2.sensors.raycast.image.edges import (
    DARK_BESIDE, EACH, Edges, HALF_LIT, LEFT, LIT_BESIDE, LOOK, OWN, RAY, RIGHT, SAMPLES, SUN,
    TO_LEFT, TO_RIGHT)
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.image.sample_looks import tell_samples
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]

SMOOTH = replace(view_from((0, 0, 0)), antialiasing=True)
SUNNY = Lighting(shadows=False)
EVEN = Lighting(shadows=False, light_colour=(0.0, 0.0, 0.0))
NO_LINES = np.zeros((0, 2, 2), np.int32), np.zeros((0, 3))


def with_and_without_lines(scene: Scene) -> tuple[Pixels, Pixels, int, int]:
    """Return an image smoothed with lines, one by rays alone, and the numbers of their rays."""
    rays = RayScene(scene)
    by_rays, lines = RayRenderer(rays), EdgeLines(outlines_of(scene))
    images: list[Pixels] = []
    counts: list[int] = []

    def smooth(view: CameraView, edges: Edges, colour: Pixels) -> None:
        lines.project(view, rays.target, rays.datum, np.ones(len(things), bool),
                      np.zeros(len(things), np.uint8))
        counts.append(rays_of_edges(lines, view, edges))
        counts.append(tell_samples(
            edges.sides, edges.pixels, 0, 0, *NO_LINES, SAMPLES,
            np.empty(len(edges.pixels), np.uint16)))
        for depth in edges.depth, np.zeros((0, 0), np.float32):
            images.append(colour.copy())
            by_rays.smooth(view, edges._replace(depth=depth), images[-1])

    things = scene.thing
    GlRenderer(scene, smoother=smooth).render(SMOOTH, ('colour',))
    return images[0], images[1], counts[0], counts[1]


@pytest.mark.parametrize('things, light, share', [
    pytest.param([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                  (sheet(9.0), place((0, 0, -1)))], SUNNY, 0.02, id='a box'),
    pytest.param([(box(), place((4, 0, 0), 1.0, 0.4, 0.3)), (box(), place((5, 0.5, 0.2))),
                  (box(), place((4.5, -0.8, -0.2), 0.5, 1.0)), (sheet(9.0), place((0, 0, -1)))],
                 SUNNY, 0.04, id='boxes, one in front of another'),
    pytest.param([(unit_cylinder(24), place((4, 0, -1), yaw=0.4, roll=0.3)),
                  (sheet(9.0), place((0, 0, -1)))], EVEN, 0.1, id='a round thing'),
    pytest.param([(box(), place((4, 0, -0.7), yaw=0.4, roll=0.3)),
                  (sheet(9.0), place((0, 0, -1)))], SUNNY, 0.3, id='a box sunk into the ground')])
def test_lines_find_what_rays_find(
        gl_with_rays: None, things: list[tuple[Mesh, Array]], light: Lighting,
        share: float) -> None:
    lined, alone, few, many = with_and_without_lines(scene_of(things, lighting=light))
    error = np.abs(lined.astype(int) - alone).max(axis=-1)
    print(f'{few} rays of {many}, {(error > 8).sum()} pixels differ')
    assert few < share * many and many > 1000
    assert (error > 8).sum() < 0.003 * many


def test_lines_part_pixels_on_borders_of_shadows() -> None:
    """Beyond the line samples look like the neighbour, before it rays to the sun tell."""
    sides = np.zeros((3, 6), np.uint8)
    sides[1, 2:4] = RIGHT, LEFT
    pixels = np.array([8, 9], np.int32)
    found = []
    for border in (0, HALF_LIT, LIT_BESIDE, DARK_BESIDE, EACH):
        crossings, looks = np.zeros((2, 2, 2), np.int32), np.zeros(2, np.uint16)
        crossings[0, 1] = 1, 1
        rays = tell_samples(sides | np.where(np.arange(6) == 3, border, 0).astype(np.uint8),
                            pixels, 0, 0, crossings, np.array([[1.0, 0.0, -2.75]]), SAMPLES, looks)
        found.append((rays, *(
            [look >> 4 * k & LOOK for k in range(4)] for look in looks.tolist())))
    assert found == [
        (0, [OWN] * 4, [OWN, OWN, TO_LEFT, OWN]),
        *[(0, [OWN] * 4, [SUN, SUN, TO_LEFT, SUN])] * 3,
        (4, [OWN] * 4, [RAY] * 4)]


def test_between_the_first_line_and_the_last_rays_are_cast() -> None:
    """The pixel on the left has two samples beside the edge, at 2.125 and 2.375."""
    sides = np.zeros((3, 6), np.uint8)
    sides[1, 2:4] = RIGHT, LEFT
    upright, second, tilted = [1.0, 0.0, -2.05], [-1.0, 0.0, 2.3], [0.6, 0.8, -2.2]
    found = []
    for lines, way in (([upright], (1, 1)), ([upright, second], (1, 2)),
                       ([upright, second], (-1, 2)), ([upright, second], (-1, -2)),
                       ([upright], (-1, -1)), ([upright, tilted], (1, 2))):
        crossings, looks = np.zeros((2, 2, 2), np.int32), np.zeros(2, np.uint16)
        crossings[0, 1] = way
        tell_samples(sides, np.array([8, 9], np.int32), 0, 0, crossings, np.array(lines), SAMPLES,
                     looks)
        found.append([[look >> 4 * k & LOOK for k in range(4)] for look in looks.tolist()])
    one, stripe, all_rays = (
        [[OWN, TO_RIGHT, OWN, TO_RIGHT], [OWN] * 4], [[OWN, TO_RIGHT, OWN, RAY], [OWN] * 4],
        [[OWN, RAY, OWN, RAY], [RAY, OWN, RAY, OWN]])
    assert found == [one, stripe, stripe, all_rays, all_rays, all_rays]


def test_beside_faces_less_than_a_pixel_wide_few_rays_are_cast(gl_with_rays: None) -> None:
    """Both lines of a side of a box, half a pixel wide, mostly run between two pixels."""
    scene = scene_of([(box(), place((4, -0.53, 0), roll=0.03))], lighting=SUNNY)
    by_lines, by_rays, few, many = with_and_without_lines(scene)
    error = np.abs(by_lines.astype(int) - by_rays).max(axis=-1)
    print(f'{few} rays of {many}, {(error > 8).sum()} pixels differ')
    assert few < 0.12 * many and (error > 8).sum() < 0.01 * many


def test_edges_of_meshes_are_those_that_can_show() -> None:
    flat, solid = sheet(1.0), box()
    found = outlines_of(scene_of([
        (solid, place((0, 0, 0))), (flat, place((3, 0, 0))), (solid, place((9, 0, 0))),
        (unit_cylinder(24), place((6, 0, 0)))]))
    kinds = [np.bincount(found.kinds[first:last], minlength=3).tolist()
             for first, last in found.ends[:, 0]]
    assert (OUTLINE, CREASE, BORDER) == (0, 1, 2)
    assert kinds == [[0, 12, 0], [0, 0, 4], [0, 12, 0], [24, 48, 0]]
    assert found.radius[0] == pytest.approx(np.sqrt(0.75))


def test_faces_that_are_shaded_smoothly_have_no_edges_between_them(gl_with_rays: None) -> None:
    scene = scene_of([(unit_sphere(24), place((3, 0, 0)))], lighting=SUNNY)
    found: list[Edges] = []
    GlRenderer(scene, smoother=lambda view, edges, colour: found.append(edges)).render(SMOOTH)
    ball = found[0].depth > 0.0
    inner = ball & np.roll(ball, 3, 0) & np.roll(ball, -3, 0) & np.roll(ball, 3, 1) & (
        np.roll(ball, -3, 1))
    print(f'{(found[0].sides[inner] != 0).mean():.4f} of the pixels')
    assert (found[0].sides[ball] != 0).sum() > 200
    assert (found[0].sides[inner] != 0).mean() < 0.005


def test_bands_look_at_no_row_that_is_not_yet_read(
        gl_with_rays: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second image is read into the memory of the first, band by band."""
    ball = (unit_sphere(3), place((3, 0.2, 0)))
    scene = scene_of([*((box(), place((5 + i, 0.9 * i - 2, 0.2), 0.3 * i, 0.2, 0.5))
                        for i in range(5)), ball, (sheet(9.0), place((0, 0, -1)))],
                     lighting=Lighting(towards_light=(0.1, 0.5, 0.8)))

    def in_turn(count: int, work: Callable[[int], None], prepare: Callable[[int], None]) -> None:
        for number in range(count):
            prepare(number)
            work(number)

    monkeypatch.setattr(smoothing, 'beside', in_turn)
    found: list[Edges] = []
    for count in (1, 7, 30):
        monkeypatch.setattr(smoothing, 'band_count', lambda: count)
        renderer = GlRenderer(scene, smoother=lambda view, edges, colour: found.append(edges))
        for view in (replace(SMOOTH, pose=view_from((0.4, 0, 0.6)).pose), SMOOTH):
            renderer.render(view, ('colour',))
    assert len(found[1].pixels) > 1000 and found[0].pixels.tolist() != found[1].pixels.tolist()
    for other in (found[3], found[5]):
        np.testing.assert_array_equal(other.sides, found[1].sides)
        np.testing.assert_array_equal(other.pixels, found[1].pixels)


def test_images_do_not_depend_on_the_number_of_threads_nor_on_those_before(
        gl_with_rays: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second image is drawn where the first one has left its lines, in as many bands."""
    scene = scene_of([
        (box(), place((4, 0.6, 0), yaw=0.4, roll=0.3)), (box(), place((5, -0.7, 0.2))),
        (unit_cylinder(24), place((3, 0, -1), 0.5, 0.4, 0.3)), (sheet(9.0), place((0, 0, -1)))],
        lighting=Lighting(towards_light=(0.1, 0.5, 0.8)))
    near = replace(SMOOTH, pose=view_from((0.4, 0, 0.1)).pose)
    images: list[list[Pixels]] = []
    for count in (1, 2, 3, 7):
        for module in (bands, ray_renderer, smoothing):
            monkeypatch.setattr(module, 'band_count', lambda: count)
        by_rays = RayRenderer(RayScene(scene))
        draw = GlRenderer(scene, smoother=by_rays.smooth).render
        images.append([np.asarray(draw(view, ('colour',)).colour)
                       for view in (SMOOTH, near, SMOOTH)])
    assert (images[0][0] != images[0][1]).any() and len(np.unique(images[0][0])) > 50
    assert all((one == images[0][k % 2]).all() for some in images for k, one in enumerate(some))
