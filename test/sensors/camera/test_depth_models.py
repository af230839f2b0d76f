# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Depth cameras err as stereo pairs and cameras for the time of flight do."""

from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.sensors.camera.image_noise import measured_depth
from mvsim_ros2.world.spec import (
    BlockSpec, GeometrySpec, HorizontalPlaneSpec, RgbdCameraSpec, WorldSpec)

SHAPE = 240, 320
STEREO = RgbdCameraSpec(
    depth_model='stereo', depth_fx=400.0, depth_baseline=0.05, disparity_noise=0.0,
    disparity_step=0.0, depth_noise_sigma=0.0, depth_clip_min=0.1, depth_clip_max=50.0)
FLIGHT = replace(STEREO, depth_model='time_of_flight', tof_mixing=0.0)


def wall(depth: float) -> np.ndarray:
    """Return the depths of a wall that faces the camera."""
    return np.full(SHAPE, depth, np.float32)


def measured(true: np.ndarray, spec: RgbdCameraSpec) -> np.ndarray:
    """Return what a camera makes of depths, where it is not at the left border."""
    return measured_depth(true, spec, np.random.default_rng(2))[:, 60:].astype(float)


@pytest.mark.parametrize('depth', [0.6, 1.5, 4.0])
def test_noise_of_stereo_depths_grows_with_their_square(depth: float) -> None:
    """
    The noise of a depth z is z^2 s / (f b) for a noise s of the disparity, within 2 %.

    :reference: Gallup et al., Variable baseline/resolution stereo, CVPR 2008
    """
    found = measured(wall(depth), replace(STEREO, disparity_noise=0.02))
    wanted = depth ** 2 * 0.02 / (400.0 * 0.05)
    assert found.std() == pytest.approx(wanted, rel=0.02)
    assert found.mean() == pytest.approx(depth, abs=4 * wanted / np.sqrt(found.size) + 1e-4)


def test_steps_of_disparities_make_layers_of_depth() -> None:
    slope = np.broadcast_to(np.linspace(2.0, 4.0, SHAPE[0])[:, None], SHAPE).astype(np.float32)
    levels = np.unique(measured(slope, replace(STEREO, disparity_step=0.125)))
    wanted = 400.0 * 0.05 / (0.125 * np.arange(40, 81))  # of whole steps
    np.testing.assert_allclose(levels, wanted[::-1], rtol=1e-5)
    assert np.diff(levels)[-1] == pytest.approx(levels[-1] ** 2 * 0.125 / 20.0, rel=0.05)


@pytest.mark.parametrize('near, far', [(0.5, 1.0), (1.0, 5.0)])
def test_what_one_camera_sees_alone_has_no_depth(near: float, far: float) -> None:
    """
    Left of a near thing is a shadow as wide as disparities differ, f b (1/near - 1/far).

    :reference: geometry of the two cameras
    """
    true = wall(far)
    true[:, 150:250] = near
    found = measured_depth(true, replace(STEREO, depth_clip_max=100.0), np.random.default_rng(2))
    width = 400.0 * 0.05 * (1.0 / near - 1.0 / far)
    lost = np.isnan(found[100, 100:150])
    assert lost.sum() == pytest.approx(width, abs=1.0) and lost[1 - int(width):].all()
    assert np.isnan(found[100, :60]).sum() == pytest.approx(400.0 * 0.05 / far, abs=1.0)
    assert np.isfinite(found[100, 151:249]).all()


def test_flight_begins_again_where_the_phase_does() -> None:
    """
    Depths are exact up to c / (2 F) and begin again there.

    :reference: c / (2 F)
    """
    spec = replace(FLIGHT, tof_frequency=50e6)
    for depth in (0.5, 2.9, 3.4, 7.0):
        found = measured(wall(depth), spec)
        np.testing.assert_allclose(found, depth % (299_792_458.0 / 100e6), atol=1e-4)


def test_pixels_beside_edges_fly_between_both_depths() -> None:
    """
    Light of both sides adds up by amplitude and phase, in the pixels beside the edge alone.

    :reference: sum of two phasors
    """
    true = wall(2.0)
    true[:, 200:] = 3.0
    found = measured_depth(true, replace(FLIGHT, tof_mixing=0.4), np.random.default_rng(2))[100]
    turns = 4.0 * np.pi * 20e6 / 299_792_458.0
    one, other = (np.exp(1j * turns * z) / z ** 2 for z in (2.0, 3.0))
    wanted = [np.angle(0.9 * a + 0.1 * b) / turns for a, b in ((one, other), (other, one))]
    np.testing.assert_allclose(found[199:201], wanted, rtol=1e-5)
    assert 2.0 < wanted[0] < wanted[1] < 3.0
    np.testing.assert_allclose(found[[100, 198, 201, 300]], true[100, [100, 198, 201, 300]], 1e-5)


def test_black_and_glaring_surfaces_have_no_depth(gl: None) -> None:
    blocks = tuple(BlockSpec(
        name=f'b{i}', static=True, init_pose=Pose(3.0, i - 1.0), color=(shade, shade, shade, 1.0),
        geometry=GeometrySpec(kind='box', lx=0.5, ly=0.9, lz=3.0))
        for i, shade in enumerate((0.02, 0.5, 1.0)))
    camera = RgbdCameraSpec(
        name='c', pose=Pose(z=1.0), depth_ncols=90, depth_nrows=10, depth_fx=60.0, depth_fy=60.0,
        depth_cx=45.0, depth_cy=5.0, sense_rgb=False, publish_ros_colored_pointcloud=False,
        renderer='cpu')
    seen = []
    for each in (camera, replace(camera, depth_light_min=0.01),
                 replace(camera, depth_light_max=0.1)):
        world = WorldSpec(blocks=blocks, sensors=(each,), elements=(HorizontalPlaneSpec(),))
        depth = Simulation(world).measure('c').depth.depth
        seen.append([np.isfinite(depth[2, column]) for column in (56, 36, 16)])
    assert seen[0] == [True, True, True] and seen[1] == [False, True, True]
    assert seen[2][1] and not seen[2][2]
