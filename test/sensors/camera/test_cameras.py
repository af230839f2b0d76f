# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cameras of a world: calibration, depth, clouds, stereo, labels, noise."""

import hashlib
import resource

from making import simulate
from memory_growth import steady_growth
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors import Sensor
from mvsim_ros2.sensors.observations import Image, Observation, RgbdImages, StereoImages

WORLD = """
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min>
    <y_max>30</y_max></element>
  <block name="front"><init_pose>4 -0.5 0</init_pose><mass>10</mass>
    <geometry type="box" lx="1" ly="1" lz="1.6"/><color>#40c040</color></block>
  <block name="side"><init_pose>7 -2 30</init_pose><mass>10</mass>
    <geometry type="box" lx="1" ly="1" lz="2"/><color>#c04040</color></block>
"""
SMALL = '<ncols>160</ncols><nrows>120</nrows><fx>125</fx><fy>120</fy><cx>80</cx><cy>60</cy>'
RGBD_SIZE = ''.join(
    f'<{kind}_ncols>160</{kind}_ncols><{kind}_nrows>120</{kind}_nrows><{kind}_fx>125</{kind}_fx>'
    f'<{kind}_fy>125</{kind}_fy><{kind}_cx>80</{kind}_cx><{kind}_cy>60</{kind}_cy>'
    for kind in ('rgb', 'depth'))


def world_of(kind: str, content: str = '', renderer: str = 'cpu') -> str:
    """Return a world with one sensor at 1 m height."""
    pose, size = ('-90 0 -90', SMALL) if kind == 'camera' else ('0 0 0', RGBD_SIZE)
    return (f'{WORLD}<sensor class="{kind}" name="eye"><pose_3d>0 0 1 {pose}</pose_3d>'
            f'<renderer>{renderer}</renderer>{size}{content}</sensor>')


def sensor_of(kind: str, content: str = '') -> Sensor:
    """Return the sensor of such a world."""
    return simulate(world_of(kind, content)).sensors['eye']


def measure(kind: str, content: str = '', renderer: str = 'cpu') -> Observation:
    """Return one measurement of such a sensor."""
    return simulate(world_of(kind, content, renderer)).measure('eye')


def rgbd(observation: Observation) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the arrays of an observation."""
    assert isinstance(observation, RgbdImages)
    assert observation.colour is not None and observation.depth is not None
    return observation.colour.pixels, observation.depth.depth


@pytest.mark.parametrize('model, given, kept', [
    pytest.param('plumb_bob', '', (0, 0, 0, 0, 0), id='ideal'),
    pytest.param('plumb_bob', '-0.2 0.05', (-0.2, 0.05, 0, 0, 0), id='plumb_bob'),
    pytest.param('rational_polynomial', '0.1 0 0 0 0 0.2', (0.1, 0, 0, 0, 0, 0.2, 0, 0),
                 id='rational'),
    pytest.param('equidistant', '0.01', (0.01, 0, 0, 0), id='fisheye'),
])
def test_the_calibration_is_complete(model: str, given: str, kept: tuple[float, ...]) -> None:
    image = measure('camera', f'<distortion_model>{model}</distortion_model>'
                    + (f'<distortion>{given}</distortion>' if given else ''))
    assert isinstance(image, Image)
    info = image.info
    assert (info.width, info.height, info.distortion_model) == (160, 120, model)
    assert tuple(info.distortion) == kept
    matrix = [[125, 0, 80], [0, 120, 60], [0, 0, 1]]
    np.testing.assert_array_equal(info.K, matrix)
    np.testing.assert_array_equal(info.R, np.eye(3))
    np.testing.assert_array_equal(info.P, np.hstack([matrix, np.zeros((3, 1))]))
    assert image.frame_id == info.frame_id == 'eye_optical_frame'
    assert image.pixels.shape == (120, 160, 3) and image.pixels.dtype == np.uint8


def test_each_image_has_a_calibration_of_its_own() -> None:
    """Who writes to that of one changes no other."""
    camera = sensor_of('camera')
    for _ in range(2):
        info = camera.measure().info
        for values, first in ((info.distortion, 0.0), (info.K, 125.0), (info.R, 1.0),
                              (info.P, 125.0)):
            assert values.flat[0] == first
            values[:] = -1.0


def test_too_many_coefficients_are_an_error() -> None:
    with pytest.raises(SensorError, match=(
            'xml:[0-9]+: eye: <distortion> has 6 coefficients, but the lens is plumb_bob, which '
            'has 5: write <distortion>k1 k2 p1 p2 k3</distortion> with the numbers')):
        sensor_of('camera', '<distortion>1 2 3 4 5 6</distortion>')
    with pytest.raises(SensorError, match='eye: <k1>, <p2> are of the model plumb_bob, but the '
                       'lens is equidistant, which has 4: write <distortion>k1 k2 k3 k4<'):
        sensor_of('camera', '<distortion_model>equidistant</distortion_model>'
                  '<k1>0.1</k1><p2>0.1</p2>')


@pytest.mark.parametrize('kind, content, expected', [
    pytest.param('camera', '<distortion>-0.6</distortion>',
                 'eye: <distortion> of the lens plumb_bob folds over 62 px', id='folds'),
    pytest.param('rgbd_camera', '<rgb_k1>-0.6</rgb_k1>',
                 'eye: <rgb_k1> of the lens plumb_bob folds over', id='folds_rgbd'),
    pytest.param('camera', '<distortion>-0.2 0.05</distortion>', '', id='does_not_fold'),
    pytest.param('camera', '<distortion_model>none</distortion_model>'
                 '<distortion>-0.1</distortion>',
                 '<distortion> without effect: <distortion_model> is none', id='none'),
    pytest.param('rgbd_camera', '<rgb_distortion_model>none</rgb_distortion_model>'
                 '<rgb_k1>0.1</rgb_k1><rgb_p2>0.1</rgb_p2>',
                 '<rgb_k1>, <rgb_p2> without effect: <rgb_distortion_model> is none',
                 id='none_rgbd'),
    pytest.param('camera', '<distortion_model>none</distortion_model>', '', id='only_none'),
])
def test_lenses_without_sense_are_told(
        caplog: pytest.LogCaptureFixture, kind: str, content: str, expected: str) -> None:
    sensor_of(kind, content)
    told = [record.getMessage() for record in caplog.records if 'distortion' in record.getMessage()
            or 'lens' in record.getMessage()]
    assert len(told) == bool(expected)
    assert all(expected in each and 'world.xml:' in each for each in told)


def test_depth_and_cloud_lie_on_what_is_there(renderer: str) -> None:
    images = measure('rgbd_camera', '<depth_noise_sigma>0</depth_noise_sigma>'
                     '<publish_ros_colored_pointcloud>true</publish_ros_colored_pointcloud>',
                     renderer)
    assert isinstance(images, RgbdImages) and images.cloud is not None
    colour, depth = rgbd(images)
    assert depth[60, 80] == pytest.approx(4.0, abs=1e-5)
    rows = np.arange(90, 120)  # the floor, 1 m below
    np.testing.assert_allclose(depth[rows, 5], 125 / (rows - 60), rtol=1e-5)
    assert np.isnan(depth[0, 0]), 'there is no depth of the sky'
    points = images.cloud.points
    assert images.cloud.frame_id == 'eye_depth_optical_frame' and points.shape == (120, 160)
    np.testing.assert_allclose(points['y'][rows], 1.0, atol=0.61)
    np.testing.assert_allclose(points['y'][100, 5], 1.0, atol=1e-5)
    red, green, blue = (points['rgb'][60, 80] >> shift & 255 for shift in (16, 8, 0))
    assert (red, green, blue) == tuple(colour[60, 80]) and green > red


def test_two_cameras_see_from_two_places() -> None:
    apart = ('<relativePoseIntensityWRTDepth>0 0.512 0 -90 0 -90</relativePoseIntensityWRTDepth>'
             '<publish_ros_colored_pointcloud>true</publish_ros_colored_pointcloud>'
             '<depth_noise_sigma>0</depth_noise_sigma><labels>true</labels>')
    two = measure('rgbd_camera', apart)
    one = measure('rgbd_camera', apart + '<registered>true</registered>')
    assert isinstance(two, RgbdImages) and isinstance(one, RgbdImages)
    assert two.depth and two.colour and two.cloud and one.depth and one.colour
    assert one.depth.frame_id == one.colour.frame_id == 'eye_color_optical_frame'
    np.testing.assert_array_equal(one.colour.pixels, two.colour.pixels)
    # the box is 4 m away
    shift = round(125 * 0.512 / 4)
    left, right = (np.abs(image.depth - 4.0) < 1e-3 for image in (two.depth, one.depth))
    np.testing.assert_array_equal(left[50:90, 40:110], right[50:90, 40 + shift:110 + shift])
    green = two.cloud.points['rgb'][60, 80] >> 8 & 255
    assert green == two.colour.pixels[60, 80 + shift, 1]
    assert two.colour.labels is not None
    names = [two.colour.labels.thing_names[box['thing']] for box in two.colour.labels.boxes]
    assert {'front', 'side'} <= {name.split()[-1] for name in names}


def test_a_pair_sees_disparity() -> None:
    pair = measure('camera', '<stereo_baseline>0.32</stereo_baseline><labels>true</labels>')
    assert isinstance(pair, StereoImages)
    assert pair.right.info.P[0, 3] == pytest.approx(-125 * 0.32)
    assert pair.left.info.P[0, 3] == 0
    frames = {image.frame_id for image in (pair.left, pair.right)}
    assert frames == {pair.left.info.frame_id} == {pair.right.info.frame_id}
    assert pair.right.info.camera_frame == 'eye_right_optical_frame'
    assert pair.left.labels is not None and pair.right.labels is not None
    boxes = [{box['thing']: box for box in image.labels.boxes}
             for image in (pair.left, pair.right) if image.labels]
    front = pair.left.labels.thing[60, 80]
    shift = int(boxes[0][front]['u_min']) - int(boxes[1][front]['u_min'])
    # as image_geometry::StereoCameraModel: depth = -P[0, 3] / disparity, in the one frame
    assert -pair.right.info.P[0, 3] / shift == 4.0


def test_the_right_camera_may_have_a_frame_of_its_own() -> None:
    pair = measure('camera', '<stereo_baseline>0.32</stereo_baseline>'
                             '<stereo_right_frame>true</stereo_right_frame>')
    assert isinstance(pair, StereoImages)
    assert pair.right.frame_id == pair.right.info.frame_id == 'eye_right_optical_frame'


def test_labels_and_boxes_come_from_the_same_pixels() -> None:
    image = measure('camera', '<labels>true</labels>')
    assert isinstance(image, Image) and image.labels is not None
    labels = image.labels
    seen = set(np.unique(labels.thing).tolist()) - {0}
    assert {box['thing'] for box in labels.boxes} == seen
    for box in labels.boxes:
        v, u = np.nonzero(labels.thing == box['thing'])
        assert (box['u_min'], box['u_max'], box['v_min'], box['v_max']) == (
            u.min(), u.max(), v.min(), v.max())
        assert set(labels.label[v, u].tolist()) == {box['label']}


def test_noise_of_depth_grows_with_its_square() -> None:
    sensor = sensor_of('rgbd_camera', '<depth_noise_sigma>0.002</depth_noise_sigma>'
                       '<depth_noise_growth>0.001</depth_noise_growth>')
    depths = np.stack([rgbd(sensor.measure())[1] for _ in range(60)])
    for row, true in ((100, 125 / 40), (70, 125 / 10)):
        errors = depths[:, row, :8] - true
        assert errors.std() == pytest.approx(0.002 + 0.001 * true ** 2, rel=0.15)
        assert abs(errors.mean()) < 0.25 * errors.std()


def test_depth_has_holes_beside_steps_where_asked() -> None:
    still = '<depth_noise_sigma>0</depth_noise_sigma>'
    _, whole = rgbd(measure('rgbd_camera', still))
    _, holed = rgbd(measure('rgbd_camera', still + '<depth_hole_jump>0.15</depth_hole_jump>'))
    lost = np.isnan(holed) & ~np.isnan(whole)
    edge = np.flatnonzero(np.abs(whole[60] - 4.0) < 1e-3)
    assert lost[60, edge[0]] and lost[60, edge[-1]] and not lost[60, edge[2]:edge[-3]].any()
    assert lost.mean() < 0.1
    np.testing.assert_array_equal(whole[~np.isnan(holed)], holed[~np.isnan(holed)])


def test_exposure_vignetting_and_noise() -> None:
    def pixels(content: str) -> NDArray[np.float64]:
        image = measure('camera', content)
        assert isinstance(image, Image)
        return image.pixels.astype(float)
    plain = pixels('')
    np.testing.assert_allclose(pixels('<exposure>0.25</exposure>'), plain / 2, atol=0.51)
    dark = pixels('<vignetting>0.75</vignetting>')
    np.testing.assert_allclose(dark[60, 80], plain[60, 80], atol=1)
    np.testing.assert_allclose(dark[0, 0] / plain[0, 0], 0.5, atol=0.015)
    noise = pixels('<image_noise>6</image_noise>') - plain
    assert noise[plain < 230].std() == pytest.approx(6, rel=0.05)


@pytest.mark.parametrize('kind, content', [
    pytest.param('camera', '<image_noise>3</image_noise><labels>true</labels>', id='camera'),
    pytest.param('rgbd_camera', '', id='rgbd'),
])
def test_the_same_seed_gives_the_same_bytes(kind: str, content: str) -> None:
    def digest(seed: int) -> str:
        total = hashlib.sha256()
        for observation in simulate(world_of(kind, content), seed).step(50):
            image = observation if isinstance(observation, Image) else None
            colour, depth = (image.pixels, None) if image else rgbd(observation)
            total.update(colour.tobytes() + (b'' if depth is None else depth.tobytes()))
        return total.hexdigest()
    assert digest(3) == digest(3) != digest(4)


def test_memory_does_not_grow(renderer: str) -> None:
    simulation = simulate(world_of('rgbd_camera', '<labels>true</labels>', renderer))
    sensor = simulation.sensors['eye']

    def frames() -> None:
        for _ in range(100):
            simulation.step()
            sensor.measure()

    assert steady_growth(frames, resident) < 1400, 'kB for 100 frames'


def resident() -> int:
    """Return the most memory, kB, that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
