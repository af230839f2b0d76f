# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of both renderers against what geometry says."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import (
    Array, box, Drawer, in_camera, looks_of, pixels_of, place, scene_of, sheet, view_from)

from mvsim_ros2.scene.camera_view import CameraView, DEPTH, empty_frame
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Texture
from mvsim_ros2.sensors.opengl.renderer import GlRenderer

BOXES = {
    'ahead': place((4, 0, 0)),
    'turned': place((5, 0.7, 0.4), (1, 2, 0.5), 0.7, 0.3, -0.4),
    'near': place((1.3, -0.1, 0.1), 0.4, 1.1, 0.2),
    'far': place((60, 9, -7), (3, 8, 5), 2.0),
    'thin': place((3, 0, 0.2), (0.02, 1.5, 0.1), 0.5),
}
POSES = {
    'level': view_from((0, 0, 0)),
    'rolled': view_from((0.2, 0.1, -0.1), 0.05, -0.04, 0.6),
    'upside_down': view_from((0, 0, 0), 0.02, 0.03, np.pi),
}


def boxes_by_slabs(view: CameraView, places: list[Array]) -> tuple[Array, Array]:
    """Return depth and number of the box that each pixel sees, by the method of slabs."""
    looks = looks_of(view)
    depth, number = np.full(looks.shape[:2], np.inf), np.zeros(looks.shape[:2])
    for i, matrix in enumerate(places, 1):
        back = np.linalg.inv(matrix)
        start, along = back[:3, :3] @ view.pose[:3, 3] + back[:3, 3], looks @ back[:3, :3].T
        with np.errstate(divide='ignore'):
            one, other = (-0.5 - start) / along, (0.5 - start) / along
        near = np.minimum(one, other).max(axis=-1)
        far = np.maximum(one, other).min(axis=-1)
        hit = (near <= far) & (near > 0) & (near < depth)
        depth[hit], number[hit] = near[hit], i
    return depth, number


def depth_in_outline(points: Array, view: CameraView) -> Array:
    """Return how far inside the convex hull of some points each pixel lies [px]."""
    u, v = np.meshgrid(np.arange(view.width), np.arange(view.height))
    inside = np.full(u.shape, np.inf)
    for start in points:
        for end in points:
            along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
            side = along[0] * (points[:, 1] - start[1]) - along[1] * (points[:, 0] - start[0])
            if np.any(start != end) and side.min() > -1e-9:  # an edge of the hull
                inside = np.minimum(
                    inside, along[0] * (v - start[1]) - along[1] * (u - start[0]))
    return inside


@pytest.mark.parametrize('view', POSES.values(), ids=POSES)
@pytest.mark.parametrize('matrix', BOXES.values(), ids=BOXES)
def test_the_edges_of_a_box_lie_within_half_a_pixel(
        drawer: Drawer, view: CameraView, matrix: Array) -> None:
    """
    Edges in images are where a pinhole camera projects them, within half a pixel.

    :reference: projection of the corners
    :figure: images/sensors_camera.webp
    """
    thing = drawer(scene_of([(box(), matrix)]))(view).thing
    corners = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, 8).T
    inside = depth_in_outline(
        pixels_of(view, corners @ matrix[:3, :3].T + matrix[:3, 3]), view)
    # centres of pixels are covered or not: in fact to a fiftieth of a pixel
    assert (thing[inside > 0.02] == 1).all()
    assert (thing[inside < -0.02] == 0).all()


@pytest.mark.parametrize('view', POSES.values(), ids=POSES)
def test_pixels_show_what_the_method_of_slabs_says(drawer: Drawer, view: CameraView) -> None:
    places = list(BOXES.values())
    frame = drawer(scene_of([(box(), matrix) for matrix in places]))(view)
    depth, number = boxes_by_slabs(view, places)
    same = frame.thing == number
    assert same.mean() > 0.999
    seen = same & (number > 0)
    np.testing.assert_array_equal(frame.label, np.where(frame.thing > 0, 3, 0))
    np.testing.assert_array_equal(np.isinf(frame.depth), frame.thing == 0)
    error = np.abs(frame.depth[seen] - depth[seen])
    assert np.median(error) < 1e-5
    assert np.quantile(error, 0.99) < 1e-3


@pytest.mark.parametrize('pitch', [0.2, 0.7, 1.5], ids=['grazing', 'tilted', 'down'])
def test_depth_of_the_ground_is_that_of_its_plane(drawer: Drawer, pitch: float) -> None:
    """
    Depths of the ground match its plane, within 3 millionths.

    :reference: equation of the plane
    :figure: images/sensors_rgbd.webp
    """
    view = view_from((0.3, -0.2, 1.4), 0.4, pitch, 0.1, far=30.0)
    depth = drawer(scene_of([(sheet(40.0), np.eye(4))]))(view, DEPTH).depth
    with np.errstate(divide='ignore'):
        exact = -1.4 / looks_of(view)[..., 2]
    exact[(exact < 0) | (exact > 30)] = np.inf
    np.testing.assert_array_equal(np.isinf(depth), np.isinf(exact))
    seen = np.isfinite(exact)
    np.testing.assert_allclose(depth[seen], exact[seen], rtol=3e-6)


def test_nearer_and_farther_than_the_limits_nothing_is_seen(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(40.0), place((5, 0, 0), pitch=-np.pi / 2))]))
    view = view_from((0, 0, 0))
    assert np.isfinite(draw(view).depth[100:140, 100:200]).all()
    assert np.isinf(draw(replace(view, far=4.99)).depth).all()
    assert np.isinf(draw(replace(view, near=5.01)).depth).all()


def test_far_from_the_origin_images_are_the_same(drawer: Drawer) -> None:
    away = np.array([503_000.25, 4_512_000.5, 812.125])
    here = drawer(scene_of([(box(), m) for m in BOXES.values()]))(POSES['level'])
    there = drawer(scene_of([(box(), m + np.pad(away[:, None], ((0, 1), (3, 0))))
                             for m in BOXES.values()]))(view_from(away))
    assert (here.ids == there.ids).all(axis=-1).mean() > 0.9998
    seen = (here.thing == there.thing) & (here.thing > 0)
    assert np.abs(here.depth[seen] - there.depth[seen]).max() < 1e-4


def test_what_is_seen_from_behind_is_seen(drawer: Drawer) -> None:
    front, back = (drawer(scene_of([(sheet(1.0), place((3, 0, 0), pitch=side * np.pi / 2))]))(
        view_from((0, 0, 0))).thing for side in (1, -1))
    assert (front == back).all() and front.any()


@pytest.mark.parametrize('things', [[], [(box(), place((-5, 0, 0)))]], ids=['empty', 'behind'])
def test_the_sky_is_the_sky(drawer: Drawer, things: list[tuple[Mesh, Array]]) -> None:
    sky = (0.1, 0.5, 0.9)
    frame = drawer(scene_of(things, lighting=Lighting(sky_colour=sky)))(view_from((0, 0, 0)))
    assert np.isinf(frame.depth).all() and not frame.ids.any()
    np.testing.assert_allclose(frame.colour / 255, np.broadcast_to(sky, (240, 320, 3)), atol=0.004)


@pytest.mark.parametrize('face, yaw, pitch', [
    pytest.param(0, 0.0, 0.0, id='front'), pytest.param(1, np.pi, 0.0, id='back'),
    pytest.param(2, 0.0, np.pi / 2, id='down'), pytest.param(3, 0.0, -np.pi / 2, id='up'),
    pytest.param(4, np.pi / 2, 0.0, id='left'), pytest.param(5, -np.pi / 2, 0.0, id='right')])
def test_each_face_of_the_sky_box_is_where_it_belongs(
        drawer: Drawer, face: int, yaw: float, pitch: float) -> None:
    size = 64
    sky = np.random.default_rng(2).integers(0, 255, (6, size, size, 3)).astype(np.uint8)
    draw = drawer(scene_of([(box(), place((30, 30, 30)))], lighting=Lighting(sky=sky)))
    square = {'width': size, 'height': size, 'fx': size / 2, 'fy': size / 2,
              'cx': (size - 1) / 2, 'cy': (size - 1) / 2}
    frame = draw(view_from((1, 2, 3), yaw, pitch, **square))
    away = frame.thing == 0
    assert away.mean() > 0.99
    # a pixel of the image is one of the face
    error = np.abs(frame.colour.astype(int) - sky[face])[away]
    assert error.max() <= 8 and error.mean() < 1
    assert np.isinf(frame.depth[away]).all()


def test_own_bodies_are_hidden_where_asked(drawer: Drawer) -> None:
    draw = drawer(scene_of(
        [(box(), place((3, -1.2, 0))), (box(), place((3, 0, 0))), (box(), place((3, 1.2, 0)))],
        owner=(0, 0, 1), sensor=('', 'r0/cam', '')))

    def seen(**changes: object) -> set[int]:
        things = draw(view_from((0, 0, 0), **changes)).thing
        return set(np.unique(things).tolist()) - {0}

    assert seen() == {1, 2, 3}
    assert seen(vehicle=0, sensor='r0/cam') == {1, 3}
    assert seen(vehicle=0, sensor='r0/cam', hide_vehicle=True) == {3}
    assert seen(vehicle=1, hide_vehicle=True) == {1, 2}


def test_what_moves_is_drawn_where_it_is_with_its_shadow(drawer: Drawer) -> None:
    scene = scene_of([(sheet(20.0), np.eye(4)), (box(), place((6, 1, 0.5))),
                      (box(), place((5, -1, 0.5), yaw=0.3)), (box(), place((9, 0, 0.5)))],
                     labels=(1, 3, 3, 3), moving=(1, 2))
    view, draw, start = view_from((0, 0, 2), pitch=0.2), drawer(scene), scene.transform.copy()
    first = draw(view)
    for step in range(1, 6):
        scene.transform[1] = place((6 + 0.3 * step, 1 - 0.4 * step, 0.5), yaw=0.2 * step)
        scene.transform[2, 2, 3] = 0.5 + 0.1 * step
        moved = draw(view)
    anew = drawer(scene)(view)
    np.testing.assert_array_equal(moved.ids, anew.ids)
    np.testing.assert_array_equal(moved.depth, anew.depth)
    # shadow maps of two scenes do not have the same grid: borders of shadows may differ
    assert (np.abs(moved.colour.astype(int) - anew.colour) > 5).mean() < 0.01
    assert (np.abs(moved.colour.astype(int) - first.colour) > 5).mean() > 0.03
    scene.transform[:] = start
    back = draw(view)
    for layer in ('colour', 'depth', 'ids'):
        np.testing.assert_array_equal(getattr(back, layer), getattr(first, layer), layer)


def test_shadows_fall_away_from_the_light(drawer: Drawer) -> None:
    things = [(sheet(20.0), np.eye(4)), (box(), place((6, 0, 2.0)))]
    light = Lighting(towards_light=(0.0, 1.0, 1.0))
    view = view_from((0, 0, 6), pitch=0.6)
    lit = drawer(scene_of(things, (1, 3), lighting=replace(light, shadows=False)))(view).colour
    dark = drawer(scene_of(things, (1, 3), lighting=light))(view).colour
    # the middle of the box throws its shadow two metres to the right
    (u, v), = np.rint(pixels_of(view, [(6.0, -2.0, 0.0)])).astype(int)
    assert dark[v, u, 0] < 0.8 * lit[v, u, 0]
    (u, v), = np.rint(pixels_of(view, [(6.0, 1.0, 0.0)])).astype(int)
    assert dark[v, u, 0] == lit[v, u, 0]
    expected = 0.6 * np.sqrt(np.array(light.ambient_colour)
                             + np.array(light.light_colour) * np.sqrt(0.5))
    np.testing.assert_allclose(dark[v, u] / 255, expected, atol=0.005)


def textured(pixels: Array, half: float = 1.0) -> Mesh:
    """Return a square with an image."""
    return sheet(half, Material((1.0, 1.0, 1.0, 1.0), Texture(
        np.ascontiguousarray(pixels, np.uint8))))


def test_textures_stand_upright(drawer: Drawer) -> None:
    pixels = np.full((2, 2, 4), 255)
    pixels[..., :3] = [[[250, 20, 20], [20, 250, 20]], [[20, 20, 250], [250, 250, 20]]]
    light = Lighting(ambient_colour=(1.0, 1.0, 1.0), light_colour=(0.0, 0.0, 0.0))
    # the square lies on the ground, seen from above: u to the right, v upwards in the image
    view = view_from((0, 0, 2), yaw=np.pi / 2, pitch=np.pi / 2)
    colour = drawer(scene_of([(textured(pixels), np.eye(4))], lighting=light))(view).colour
    for row, y in enumerate((0.5, -0.5)):
        for column, x in enumerate((-0.5, 0.5)):
            (u, v), = np.rint(pixels_of(view, [(x, y, 0.0)])).astype(int)
            np.testing.assert_allclose(colour[v, u], pixels[row, column, :3], atol=3)


def test_fine_textures_do_not_flicker(drawer: Drawer) -> None:
    board = 255 * (np.indices((512, 512)).sum(axis=0) % 2)
    pixels = np.dstack([board, board, board, np.full(board.shape, 255)])
    light = Lighting(ambient_colour=(1.0, 1.0, 1.0), light_colour=(0.0, 0.0, 0.0))
    frame = drawer(scene_of([(textured(pixels), place((6, 0, 0), pitch=-np.pi / 2))],
                            lighting=light))(view_from((0, 0, 0)))
    middle = frame.colour[frame.thing == 1].astype(float)
    assert abs(middle.mean() - 127.5) < 3 and middle.std() < 6


def test_holes_of_textures_show_what_is_behind(drawer: Drawer) -> None:
    pixels = np.full((4, 4, 4), 255)
    pixels[:, :2, 3] = 0
    draw = drawer(scene_of([(textured(pixels), place((0, 0, 1))), (sheet(9.0), np.eye(4))]))
    view = view_from((0, 0, 3), yaw=np.pi / 2, pitch=np.pi / 2)
    frame = draw(view)
    for x, thing, depth in ((-0.5, 2, 3.0), (0.5, 1, 2.0)):
        (u, v), = np.rint(pixels_of(view, [(x, 0.3, 1.0)])).astype(int)
        assert frame.thing[v, u] == thing
        assert frame.depth[v, u] == pytest.approx(depth, abs=1e-5)


def test_large_meshes_are_whole(drawer: Drawer) -> None:
    side = 120
    x, y = np.meshgrid(np.linspace(-3, 3, side), np.linspace(-3, 3, side), indexing='ij')
    vertices = np.stack([x, y, 0.2 * np.sin(2 * x) * np.cos(3 * y)], axis=-1).reshape(-1, 3)
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([first, first + side, first + side + 1], axis=1),
                            np.stack([first, first + side + 1, first + 1], axis=1)])
    hills = Mesh(vertices, faces.astype(np.int32), np.tile([0.0, 0.0, 1.0], (len(vertices), 1)),
                 np.zeros((len(vertices), 2), np.float32), np.zeros(len(faces), np.int32),
                 (Material(),))
    frame = drawer(scene_of([(hills, np.eye(4))]))(view_from((0, 0, 4), pitch=np.pi / 2))
    assert (frame.thing == 1).all()
    assert abs(frame.depth.mean() - 4) < 0.05 and 0.19 < np.ptp(frame.depth) / 2 < 0.21


def test_arrays_are_filled_where_given(drawer: Drawer) -> None:
    scene = scene_of([(box(), place((4, 0, 0)))])
    draw, view = drawer(scene), view_from((0, 0, 0))
    wanted = draw(view, DEPTH).depth
    out = empty_frame(320, 240, DEPTH)
    given = draw.render(view, DEPTH, out)  # type: ignore[attr-defined]
    assert given.depth is out.depth and given.colour is None and given.ids is None
    np.testing.assert_array_equal(out.depth, wanted)
    assert in_camera(view, (4, 0, 0))[2] - 0.5 == pytest.approx(wanted.min())


def test_images_do_not_depend_on_the_lenses_of_those_before(gl: None) -> None:
    scene = scene_of([(box(), BOXES['ahead']), (box(), BOXES['turned']),
                      (sheet(9.0), place((0, 0, -1)))])
    view, renderer = POSES['rolled'], GlRenderer(scene)
    for other in (view, replace(view, fx=2 * view.fx), replace(view, cx=view.cx + 40), view,
                  replace(view, near=4.2), replace(view, height=100), replace(view, far=4.5)):
        frame, alone = renderer.render(other), GlRenderer(scene).render(other)
        np.testing.assert_array_equal(frame.colour, alone.colour)
        np.testing.assert_array_equal(frame.depth, alone.depth)
