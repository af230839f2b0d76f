# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lenses: pixels to rays and back, and images through them."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, place, scene_of, view_from

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.sensors.camera.lens import fold_of, Lens, rays_of
from mvsim_ros2.sensors.camera.resampling import resampling_of
from mvsim_ros2.sensors.camera.wide_lenses import WIDE
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.image_view import fits_pinhole
from mvsim_ros2.world.spec import BlockSpec, CameraSpec, WorldSpec

PIXELS = (320, 240, 250.0, 248.0, 161.3, 118.2)
LENSES = {
    'ideal': Lens(*PIXELS),
    'barrel': Lens(*PIXELS, 'plumb_bob', (-0.28, 0.09, 0.001, -0.0005, -0.01)),
    'pincushion': Lens(*PIXELS, 'plumb_bob', (0.15, 0.02)),
    'rational': Lens(*PIXELS, 'rational_polynomial',
                     (0.4, 0.1, 0.0005, -0.0003, 0.02, 0.7, 0.2, 0.03)),
    'fisheye': Lens(320, 240, 90.0, 90.0, 159.5, 119.5, 'equidistant',
                    (-0.02, 0.005, -0.001, 0.0)),
    'narrow_fisheye': Lens(*PIXELS, 'equidistant', (0.05, -0.01)),
    'double_sphere': Lens(320, 240, 100.0, 98.0, 159.5, 119.5, 'double_sphere', (-0.2, 0.6)),
    'eucm': Lens(320, 240, 120.0, 118.0, 158.5, 120.5, 'eucm', (0.6, 1.1)),
    'equirectangular': Lens(320, 160, 160 / np.pi, 160 / np.pi, 159.5, 79.5, 'equirectangular'),
}


@pytest.mark.parametrize('lens', LENSES.values(), ids=LENSES)
def test_rays_come_back_to_their_pixels(lens: Lens) -> None:
    """
    Lens models convert pixels to rays and back, within 0.0001 pixel.

    :reference: each other's inverse
    """
    rays = rays_of(lens)
    seen = rays.any(axis=-1)
    assert seen.mean() > 0.95
    u, v = np.meshgrid(np.arange(lens.width), np.arange(lens.height))
    pixels = lens.project(rays[seen])
    np.testing.assert_allclose(pixels, np.stack([u[seen], v[seen]], axis=-1), atol=1e-4)
    depth_or_length = (np.linalg.norm(rays[seen], axis=-1)
                       if lens.model in ('equidistant', *WIDE) else rays[seen][:, 2])
    np.testing.assert_allclose(depth_or_length, 1.0, rtol=1e-12)


def test_a_fisheye_without_coefficients_has_equal_angles() -> None:
    rays = rays_of(Lens(401, 3, 60.0, 60.0, 200.0, 1.0, 'equidistant'))[1]
    angles = np.arctan2(rays[:, 0], rays[:, 2])
    inside = np.abs(np.arange(401) - 200) / 60.0 < np.pi
    np.testing.assert_allclose(angles[inside], (np.arange(401) - 200)[inside] / 60.0, atol=1e-9)
    assert not rays[~inside].any(), 'nothing lies behind the back'


def test_where_a_model_folds_the_lens_is_blind() -> None:
    rays = rays_of(Lens(200, 200, 40.0, 40.0, 99.5, 99.5, 'plumb_bob', (-0.3,)))
    assert rays[100, 100].any() and not rays[0, 0].any()


@pytest.mark.parametrize('lens', [
    pytest.param(Lens(401, 3, 80.0, 80.0, 0.0, 1.0, 'plumb_bob', (-0.3,)), id='plumb_bob'),
    pytest.param(Lens(401, 3, 80.0, 80.0, 0.0, 1.0, 'plumb_bob', (0.2, -0.02, 0, 0, -0.001)),
                 id='third'),
    pytest.param(Lens(401, 3, 80.0, 80.0, 0.0, 1.0, 'rational_polynomial',
                      (0.1, 0, 0, 0, 0, 0.6, 0.3)), id='rational'),
    pytest.param(Lens(401, 3, 80.0, 80.0, 0.0, 1.0, 'equidistant', (-0.06, 0.0, 0.0, 0.0)),
                 id='fisheye'),
])
def test_where_a_lens_folds_its_pixels_go_blind(lens: Lens) -> None:
    seen = rays_of(lens)[1].any(axis=-1)
    assert 30 < seen.sum() < 300
    assert fold_of(lens) * lens.fx == pytest.approx(np.argmin(seen) - 0.5, abs=1.0)


@pytest.mark.parametrize('name', ['ideal', 'barrel', 'pincushion', 'rational'])
def test_lenses_of_the_usual_kind_do_not_fold_in_their_images(name: str) -> None:
    lens = LENSES[name]
    corner = np.hypot(lens.cx / lens.fx, lens.cy / lens.fy)
    assert fold_of(lens) > corner and rays_of(lens).any(axis=-1).all()


@pytest.mark.parametrize('name', ['barrel', 'pincushion', 'rational', 'narrow_fisheye'])
def test_edges_of_labels_are_where_the_lens_has_them(name: str, gl: None) -> None:
    """
    With a lens, labels and depths are sampled at pixel centres, also at the border.

    :reference: projection of the edge of an object
    """
    lens = LENSES[name]
    assert fits_pinhole(lens)
    boxes = tuple(BlockSpec(name=f'b{number}', static=True, init_pose=Pose(4.0, side), zmax=6.0,
                            shape=((0.0, -3.0), (0.01, -3.0), (0.01, 0.0), (0.0, 0.0)))
                  for number, side in enumerate((1.4, 0.3, -1.2)))
    for box_ in boxes:
        spec = CameraSpec(
            name='c', pose=Pose(z=3.0).compose(Pose(yaw=-np.pi / 2, roll=-np.pi / 2)),
            renderer='gl', labels=True, ncols=lens.width, nrows=lens.height, fx=lens.fx,
            fy=lens.fy, cx=lens.cx, cy=lens.cy, distortion_model=lens.model,
            distortion=lens.coefficients)
        labels = Simulation(WorldSpec(blocks=(box_,), sensors=(spec,))).measure('c').labels
        z = np.linspace(-2.9, 2.9, 4000)
        rows = np.arange(lens.height)
        edges = []
        for ahead in (4.0, 4.01):
            edge = lens.project(np.stack([
                np.full(4000, -box_.init_pose.y), z, np.full(4000, ahead)], axis=-1))
            order = np.argsort(edge[:, 1])
            edges.append(np.interp(rows, edge[order, 1], edge[order, 0]))
        expected = np.minimum(*edges)  # where it begins on the left
        found = np.argmax(labels.thing > 0, axis=1) - 0.5  # the thing is on the right
        within = (expected > 1) & (expected < lens.width - 2)
        assert within.sum() > 100
        assert np.abs(found - expected)[within].max() <= 0.52


@pytest.mark.parametrize('name', ['barrel', 'rational', 'narrow_fisheye'])
def test_colours_are_those_between_the_pixels_of_an_ideal_lens(name: str) -> None:
    """
    A lens with distortion changes a smooth image by at most one level.

    :reference: directions of the pixels
    """
    lens = LENSES[name]
    resampling, = resampling_of(lens)

    def picture(rays: np.ndarray) -> np.ndarray:
        x, y = rays[..., 0], rays[..., 1]
        return np.stack([128 + 100 * np.sin(9 * x), 128 + 100 * np.cos(7 * y), 99 + 60 * x], -1)

    ideal = np.rint(picture(rays_of(resampling.ideal))).astype(np.uint8)
    rays = rays_of(lens)
    exact = picture(rays / np.maximum(rays[..., 2:], 1e-9))
    colour, blind = np.zeros((240, 320, 3), np.uint8), ~rays.any(axis=-1)
    resampling.take(ideal, colour)
    assert np.abs(colour - exact)[~blind].max() < 1.1, 'with the nearest pixels it is 2'
    assert (colour[blind] == 0).all()


@pytest.mark.parametrize('name', ['barrel', 'rational'])
def test_edges_are_where_the_lens_has_them(name: str, gl: None) -> None:
    """
    Antialiased edges stay smooth and in place through a lens, within 0.15 pixels.

    :reference: projection of the corners
    """
    lens = LENSES[name]
    scene = scene_of([(box(), place((4, 0.0, 0.0), 1.0, 0.0))])
    resampling, = resampling_of(lens)
    wide = resampling.ideal
    view = replace(view_from((0, 0, 0), fx=lens.fx, fy=lens.fy), width=wide.width,
                   height=wide.height, cx=wide.cx, cy=wide.cy, antialiasing=True)
    colour = np.zeros((lens.height, lens.width, 3), np.uint8)
    resampling.take(GlRenderer(scene).render(view, ('colour',)).colour, colour)
    green = colour[..., 1].astype(float)  # of which the box and the sky differ by 57 levels
    y = np.linspace(-0.4, 0.4, 200) / 3.5
    left = lens.project(np.stack([np.full(200, -0.5 / 3.5), y, np.ones(200)], axis=-1))
    rows = np.arange(int(left[0, 1]) + 2, int(left[-1, 1]) - 1)
    expected = np.interp(rows, left[:, 1], left[:, 0])
    found = []
    for row, edge in zip(rows, expected):
        u = int(edge)
        window = green[row, u - 6:u + 7]
        share = (window - window[-1]) / (window[0] - window[-1])
        found.append(u - 6 - 0.5 + share.sum())
    assert len(found) > 40
    off = np.array(found) - expected
    assert abs(off.mean()) < 0.05 and off.std() < 0.15


def test_a_fisheye_sees_what_is_beside_it() -> None:
    lens = LENSES['fisheye']
    assert not fits_pinhole(lens)
    scene = scene_of([(box(), place((0, 4, 0))), (box(), place((0, -4, 0)))])
    view = view_from((0, 0, 0), fx=lens.fx, fy=lens.fy, cx=lens.cx, cy=lens.cy)
    frame = RayRenderer(RayScene(scene)).render(view, directions=rays_of(lens))
    for thing, side in ((1, (0.0, 3.5, 0.0)), (2, (0.0, -3.5, 0.0))):
        u, v = np.rint(lens.project(np.array([-side[1], 0.0, 0.0]))).astype(int)
        assert frame.thing[v, u] == thing
        assert abs(frame.depth[v, u]) < 0.05, 'it lies at a right angle to the axis'


@pytest.mark.parametrize('model, coefficients, radius', [
    ('eucm', (0.5, 1.0), lambda angle: 2.0 * np.tan(0.5 * angle)),  # stereographic
    ('double_sphere', (0.0, 0.5), lambda angle: 2.0 * np.tan(0.5 * angle)),
    ('double_sphere', (0.0, 0.0), np.tan), ('eucm', (0.0, 1.0), np.tan),
    ('eucm', (1.0, 1.0), np.sin), ('equirectangular', (), lambda angle: angle)])
def test_wide_lenses_have_the_usual_projections_as_limits(
        model: str, coefficients: tuple[float, ...], radius) -> None:
    """
    Double sphere and EUCM are the perspective, stereographic and orthographic projections.

    :reference: closed forms
    """
    angle = np.linspace(0.01, 1.4, 50)
    lens = Lens(100, 100, 80.0, 80.0, 50.0, 50.0, model, coefficients)
    points = 3.0 * np.stack([np.sin(angle), np.zeros(50), np.cos(angle)], axis=-1)
    np.testing.assert_allclose(lens.project(points)[:, 0], 50.0 + 80.0 * radius(angle))


@pytest.mark.parametrize('name', ['double_sphere', 'eucm', 'equirectangular'])
def test_both_renderers_draw_wide_lenses(name: str, gl: None) -> None:
    """
    Both renderers draw objects around a camera at the pixels of its lens model.

    :reference: each other, and the projection of the middles of boxes
    """
    lens = LENSES[name]
    places = [(4, 0), (0, 4), (0, -4), (3, 3)]
    boxes = tuple(BlockSpec(name=f'b{number}', static=True, init_pose=Pose(x, y, yaw=0.3 * number),
                            color=(1.0, 0.2 * number, 0.0, 1.0), zmax=2.0,
                            shape=((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))
                  for number, (x, y) in enumerate(places))
    images = []
    for renderer in ('cpu', 'gl'):
        spec = CameraSpec(
            name='c', pose=Pose(z=1.0, yaw=-np.pi / 2, roll=-np.pi / 2), renderer=renderer,
            labels=True, ncols=lens.width, nrows=lens.height, fx=lens.fx, fy=lens.fy, cx=lens.cx,
            cy=lens.cy, distortion_model=lens.model, distortion=lens.coefficients)
        images.append(Simulation(WorldSpec(blocks=boxes, sensors=(spec,))).measure('c'))
    rays, opengl = images
    assert rays.info.distortion_model == lens.model
    assert rays.info.distortion.tolist() == list(lens.coefficients)
    for number, (x, y) in enumerate(places):
        u, v = np.rint(lens.project(np.array([-y, 0.0, x], float))).astype(int)
        if 0 <= u < lens.width:
            assert rays.labels.thing_names[rays.labels.thing[v, u]] == f'b{number}'
    assert (np.abs(rays.pixels.astype(int) - opengl.pixels).max(axis=2) > 12).mean() < 0.03
    assert np.array_equal(rays.labels.thing, opengl.labels.thing)
