# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What cameras make of light and depths is the same compiled and by array operations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.sensors import Mount
from mvsim_ros2.sensors.camera import image_noise, rgbd
from mvsim_ros2.sensors.camera.image_noise import ImageNoise, measured_depth
from mvsim_ros2.sensors.camera.rgbd import RgbdCamera
from mvsim_ros2.sensors.observations import DepthImage, Image
from mvsim_ros2.sensors.raycast.image import bands
from mvsim_ros2.world.spec import CameraSpec, RgbdCameraSpec, WorldSpec

pytest.importorskip('numba')


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], tuple[Any, Any]]:
    """Return what calls a function compiled, with three threads, then by array operations."""
    assert use_machine_code()

    def call(function: Callable[[], Any]) -> tuple[Any, Any]:
        monkeypatch.setattr(bands, 'band_count', lambda: 3)
        monkeypatch.setattr(image_noise, '_LEAST', 1)
        compiled = function()
        for module in (image_noise, rgbd):
            monkeypatch.setattr(module, 'runs_machine_code', lambda: False)
        plain = function()
        monkeypatch.undo()
        return compiled, plain
    return call


def depths() -> Any:
    """Return depths with steps, and nothing in places."""
    depth = np.random.default_rng(1).uniform(0.05, 9.0, (48, 64)).astype(np.float32)
    depth[10:30] = np.linspace(2.0, 2.4, 64, dtype=np.float32)
    depth[5:9, 3:40] = np.inf
    return depth


@pytest.mark.parametrize('changes', [
    {}, {'depth_hole_jump': 0.05}, {'depth_noise_growth': 0.002, 'depth_clip_max': 6.0},
    {'depth_noise_sigma': 0.0}], ids=repr)
def test_depths_are_the_same_compiled(both: Any, changes: dict[str, float]) -> None:
    spec, true = RgbdCameraSpec(**changes), depths()
    compiled, plain = both(lambda: measured_depth(true, spec, np.random.default_rng(7)))
    assert compiled.tobytes() == plain.tobytes()
    assert np.isnan(compiled[5:9, 3:40]).all() and np.isfinite(compiled[12:28, 5:60]).any()


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
def test_colours_are_the_same_compiled(both: Any, changes: dict[str, float]) -> None:
    colour = np.random.default_rng(2).integers(0, 256, (48, 64, 3), np.uint8)
    compiled, plain = both(lambda: ImageNoise(
        CameraSpec(**changes), 64, 48, np.random.default_rng(7)).expose(colour))
    assert compiled.tobytes() == plain.tobytes() != colour.tobytes()


@pytest.mark.parametrize('pose', [Pose(yaw=-np.pi / 2, roll=-np.pi / 2),
                                  Pose(y=0.05, yaw=-np.pi / 2, roll=-1.5)], ids=repr)
def test_points_are_the_same_compiled(both: Any, pose: Pose) -> None:
    """For a colour camera at the same place and beside; and without one."""
    size = {'depth_ncols': 64, 'depth_nrows': 48, 'depth_fx': 50.0, 'depth_fy': 50.0,
            'depth_cx': 32.0, 'depth_cy': 24.0, 'rgb_ncols': 64, 'rgb_nrows': 48, 'rgb_fx': 50.0,
            'rgb_fy': 50.0, 'rgb_cx': 32.0, 'rgb_cy': 24.0}
    spec = RgbdCameraSpec(name='c', relative_pose=pose, **size)  # type: ignore[arg-type]
    random: Any = np.random.default_rng(5)
    views: Any = None
    camera = RgbdCamera(Mount(spec, 'r', random, views, WorldSpec(), RandomStreams(0)))
    depth = depths()
    depth[5:9, 3:40] = np.nan
    info = camera.info(camera.depth_lens, 'f', 0)
    measured = DepthImage('c', 'f', 0, depth, info, 0.0)
    pixels = random.integers(0, 256, (48, 64, 3), np.uint8)
    for image in (Image('c', 'f', 0, pixels, info, None), None):
        compiled, plain = both(lambda image=image: camera._cloud(measured, image).points)
        assert compiled.tobytes() == plain.tobytes()
        assert (image is not None) == bool(compiled['rgb'].any())
