# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What cameras make of light and depths, in bands for threads, against array operations."""

from dataclasses import replace
import platform
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from small_scenes import box, place, scene_of, view_from

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.sensors import Mount
from mvsim_ros2.sensors.camera import image_noise
from mvsim_ros2.sensors.camera.image_noise import ImageNoise, measured_depth, normal_numbers
from mvsim_ros2.sensors.camera.lens import rays_of
from mvsim_ros2.sensors.camera.rgbd import RgbdCamera
from mvsim_ros2.sensors.observations import DepthImage, Image
from mvsim_ros2.sensors.opengl import image_reader
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image import bands
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands
from mvsim_ros2.world.spec import CameraSpec, RgbdCameraSpec, WorldSpec


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile kernels, and let three threads have a share of each image."""
    pytest.importorskip('numba')
    assert use_machine_code()
    monkeypatch.setattr(bands, 'band_count', lambda: 3)
    monkeypatch.setattr(image_noise, '_LEAST', 1)


def depths() -> Any:
    """Return depths with steps, and nothing in places."""
    depth = np.random.default_rng(1).uniform(0.05, 9.0, (48, 64)).astype(np.float32)
    depth[10:30] = np.linspace(2.0, 2.4, 64, dtype=np.float32)
    depth[5:9, 3:40] = np.inf
    return depth


@pytest.mark.parametrize('changes', [
    {}, {'depth_hole_jump': 0.05}, {'depth_noise_growth': 0.002, 'depth_clip_max': 6.0},
    {'depth_noise_sigma': 0.0}], ids=repr)
def test_depths_have_noise_holes_and_limits(threads: None, changes: dict[str, float]) -> None:
    spec, true = RgbdCameraSpec(**changes), depths()
    found = measured_depth(true, spec, np.random.default_rng(7))
    wanted = true.copy()
    sigma, growth = np.float32(spec.depth_noise_sigma), np.float32(spec.depth_noise_growth)
    if sigma > 0.0:
        parts = np.random.default_rng(7).bit_generator.random_raw(true.size // 4).view('<u2')
        with np.errstate(invalid='ignore'):
            wanted += (sigma + growth * true * true) * normal_numbers()[parts.reshape(true.shape)]
    if spec.depth_hole_jump > 0.0:
        around = np.pad(true, 1, 'edge')
        for other in (around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]):
            with np.errstate(invalid='ignore'):
                step = np.abs(true - other) > spec.depth_hole_jump * np.minimum(true, other)
            wanted[step] = np.nan
    wanted[~((wanted >= spec.depth_clip_min) & (wanted <= spec.depth_clip_max))] = np.nan
    np.testing.assert_array_equal(found, wanted)
    assert np.isnan(found[5:9, 3:40]).all() and np.isfinite(found[12:28, 5:60]).any()


def test_the_noise_of_depths_has_the_spread_that_is_asked_for() -> None:
    spec = RgbdCameraSpec(depth_noise_sigma=0.004, depth_noise_growth=0.001)
    true = np.full((480, 640), 3.0, np.float32)
    error = measured_depth(true, spec, np.random.default_rng(3)) - true
    count, sigma = error.size, 0.004 + 0.001 * 9.0
    assert abs(error.mean()) < 5 * sigma / np.sqrt(count)
    assert error.std() == pytest.approx(sigma, rel=5 / np.sqrt(2 * count))
    assert np.abs(error).max() < 4.4 * sigma


@pytest.mark.parametrize('changes', [
    {'image_noise': 3.0}, {'exposure': 0.7, 'vignetting': 0.3},
    {'image_noise': 40.0, 'exposure': 1.3}], ids=repr)
def test_colours_have_exposure_vignetting_and_noise(
        threads: None, changes: dict[str, float]) -> None:
    spec = CameraSpec(**changes)
    colour = np.random.default_rng(2).integers(0, 256, (48, 64, 3), np.uint8)
    found = ImageNoise(spec, 64, 48, np.random.default_rng(7)).expose(colour)
    x, y = (2 * np.arange(64) + 1) / 64 - 1, ((2 * np.arange(48) + 1) / 48 - 1)[:, np.newaxis]
    light = spec.exposure * (1 - spec.vignetting * 0.5 * (x * x + y * y))
    wanted = colour * np.sqrt(light).astype(np.float32)[..., np.newaxis]
    if spec.image_noise > 0.0:
        parts = np.frombuffer(np.random.default_rng(7).bytes(2 * colour.size), '<u2')
        wanted += np.float32(spec.image_noise) * normal_numbers()[parts.reshape(colour.shape)]
    np.testing.assert_array_equal(found, np.clip(np.rint(wanted), 0, 255))
    assert (found != colour).any()


@pytest.mark.parametrize('pose', [Pose(yaw=-np.pi / 2, roll=-np.pi / 2),
                                  Pose(y=0.05, yaw=-np.pi / 2, roll=-1.5)], ids=repr)
@pytest.mark.parametrize('distortion', [
    {}, {'k1': -0.3, 'k2': 0.1, 'p1': 0.002, 'p2': -0.001, 'k3': 0.02}], ids=['ideal', 'bent'])
def test_points_have_the_colours_of_the_pixels_that_see_them(
        pose: Pose, distortion: dict[str, float]) -> None:
    """
    Point colours come from the pixels that see them, also with distortion and an offset camera.

    :reference: depths along rays, projected through the lens of the colour camera
    """
    size = {'depth_ncols': 64, 'depth_nrows': 48, 'depth_fx': 50.0, 'depth_fy': 50.0,
            'depth_cx': 32.0, 'depth_cy': 24.0, 'rgb_ncols': 64, 'rgb_nrows': 48, 'rgb_fx': 50.0,
            'rgb_fy': 50.0, 'rgb_cx': 32.0, 'rgb_cy': 24.0}
    spec = RgbdCameraSpec(name='c', relative_pose=pose, **size, **{  # type: ignore[arg-type]
        f'rgb_{name}': value for name, value in distortion.items()})
    random: Any = np.random.default_rng(5)
    views: Any = None
    camera = RgbdCamera(Mount(spec, 'r', random, views, WorldSpec(), RandomStreams(0)))
    depth = depths()
    depth[5:9, 3:40] = np.nan
    info = camera.info(camera.depth_lens, 'f', 0)
    measured = DepthImage('c', 'f', 0, depth, info, 0.0)
    pixels = random.integers(0, 256, (48, 64, 3), np.uint8)
    places = rays_of(camera.depth_lens) * depth[..., np.newaxis]
    shift = np.linalg.inv(pose.matrix) @ Pose(yaw=-np.pi / 2, roll=-np.pi / 2).matrix
    seen = places.astype(np.float32).astype(float) @ shift[:3, :3].T + shift[:3, 3]
    with np.errstate(invalid='ignore', divide='ignore'):
        u, v = np.rint(camera.colour_lens.project(seen)).transpose(2, 0, 1)
        inside = (seen[..., 2] > 0) & (u >= 0) & (v >= 0) & (u < 64) & (v < 48)
    colours = np.zeros((48, 64), np.uint32)
    red, green, blue = pixels[v[inside].astype(int), u[inside].astype(int)].astype(np.uint32).T
    colours[inside] = red << 16 | green << 8 | blue
    if camera._together:  # also where there is no depth
        colours = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    for image, expected in (
            (Image('c', 'f', 0, pixels, info, None), colours), (None, 0 * colours)):
        points = camera._cloud(measured, image).points
        for axis, name in enumerate('xyz'):
            np.testing.assert_array_equal(points[name], places[..., axis].astype(np.float32))
        np.testing.assert_array_equal(points['rgb'], expected)


@pytest.mark.parametrize('total, least, most', [(20, 1, 20), (20, 21, 1), (20, 10, 2), (0, 5, 1)])
def test_bands_are_not_smaller_than_pays(total: int, least: int, most: int) -> None:
    bands: list[tuple[int, int, int]] = []
    in_bands(total, lambda number, first, last: bands.append((number, first, last)), least)
    bands.sort()
    assert [number for number, _, _ in bands] == list(range(min(most, band_count())))
    assert len(bands) == 1 or min(last - first for _, first, last in bands) >= least
    assert [row for _, first, last in bands for row in range(first, last)] == list(range(total))


def test_images_do_not_depend_on_the_threads_that_read_them(
        gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an odd size, so that bands differ."""
    renderer = GlRenderer(scene_of([(box(), place((4, 0.6, 0), yaw=0.4))]))
    view = replace(
        view_from((0, 0, 0)), width=101, height=75, fx=60.0, fy=60.0, cx=50.0, cy=37.0)
    monkeypatch.setattr(image_reader, '_LEAST', 1)
    found = []
    for count in (1, 2, 3, 7):
        monkeypatch.setattr(bands, 'band_count', lambda: count)
        frame = renderer.render(view, ('colour', 'depth'))
        assert frame.colour is not None and frame.depth is not None
        found.append((frame.colour.tobytes(), frame.depth.tobytes()))
    assert len(set(found)) == 1
    assert len(np.unique(frame.colour)) > 3 and np.isfinite(frame.depth).any()


PROGRAM = """
import resource
import numpy as np
from mvsim_ros2 import Simulation
from mvsim_ros2.world.spec import CameraSpec, WorldSpec

simulation = Simulation(WorldSpec(sensors=(CameraSpec(name='eye', renderer='cpu'),)))


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for number in range(30):
    if number == 10:
        before = faults()
    images = [np.ones((480, 640), np.float32) for _ in range(3)]
    del images
print((faults() - before) / 20)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != 'glibc', reason='other C libraries differ')
def test_worlds_with_cameras_keep_freed_memory() -> None:
    done = subprocess.run([sys.executable, '-c', PROGRAM], stdout=subprocess.PIPE, text=True,
                          check=True)
    assert float(done.stdout) < 50  # 900 pages
