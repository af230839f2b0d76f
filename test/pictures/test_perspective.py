# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures and videos of simulations in three dimensions."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.perspective import draw_view, frame_pose, measure_all, RANGE, SCAN
from mvsim_ros2.pictures.video import write_video
from mvsim_ros2.pictures.viewpoint import automatic_view, camera, projected

VIEW = camera((0, -6, 4), (3, 0, 0), 160, 120)
CRATE = ('<block name="b"><init_pose>3 0 0</init_pose><static>true</static>'
         '<color>#ff0000</color></block>')
ROBOT = ('<vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential"/>'
         '<sensor class="laser" name="scan"><pose_3d>0.5 0 0.5 0 0 0</pose_3d>'
         '<range_std_noise>0</range_std_noise></sensor></vehicle>')


def at(picture, view, point):
    """Return the colour at which a picture shows a point of the world."""
    (column, row), = projected(view, [point])[0]
    return np.array(picture.getpixel((round(column), round(row))), int)


def test_picture_shows_blocks_and_floor_where_they_are_now():
    simulation = simulate(CRATE)
    picture = draw_view(simulation, VIEW)
    assert picture.size == (160, 120)
    top = at(picture, VIEW, (3, 0, 1))
    assert top[0] > 2 * top[1] and top[0] > 2 * top[2]
    floor = at(picture, VIEW, (1, 0, 0))
    assert floor.min() > 60 and np.ptp(floor) < 40
    simulation.set_pose('b', Pose(0.0, 2.0))
    picture = draw_view(simulation, VIEW)
    assert np.ptp(at(picture, VIEW, (3, 0, 1))) < 40
    assert at(picture, VIEW, (0, 2, 1))[0] > 100


def test_rays_draw_the_same_picture(monkeypatch):
    usual = np.asarray(draw_view(simulate(CRATE), VIEW), float)
    monkeypatch.setenv('MVSIM_ROS2_RENDERER', 'cpu')
    other = simulate(CRATE)
    other.step(2)
    assert np.median(abs(np.asarray(draw_view(other, VIEW), float) - usual)) <= 2
    other.set_pose('b', Pose(0.0, 2.0))
    assert np.ptp(at(draw_view(other, VIEW), VIEW, (3, 0, 1))) < 40


@pytest.mark.parametrize('renderer', ['auto', 'cpu'])
def test_corners_are_darker(renderer, monkeypatch):
    monkeypatch.setenv('MVSIM_ROS2_RENDERER', renderer)
    picture = draw_view(
        simulate('<lights><enable_shadows>false</enable_shadows></lights>' + CRATE), VIEW)
    corner, open_floor = (at(picture, VIEW, (3, y, 0)).mean() for y in (-0.62, -2.0))
    assert corner < 0.93 * open_floor


@pytest.mark.parametrize('face, seen', [
    pytest.param('FRONT', False, id='from its culled side'),
    pytest.param('BACK', True, id='from the other'), pytest.param('NONE', True, id='both drawn')])
def test_roof_that_can_be_looked_through(face, seen):
    simulation = simulate(
        '<element class="horizontal_plane"><z>0</z><color>#a0a0a0</color></element>'
        f'<element class="horizontal_plane"><z>3</z><color>#0000ff</color>'
        f'<cull_face>{face}</cull_face></element>')
    view = camera((0, -6, 8), (0, 0, 0), 80, 60)
    middle = at(draw_view(simulation, view), view, (0, 0, 0))
    assert (middle[2] > 2 * middle[0]) == seen


@pytest.mark.parametrize('y, seen', [
    pytest.param(-6, False, id='before it'), pytest.param(6, True, id='behind it')])
def test_wall_that_can_be_looked_through(y, seen):
    # its front is on the right of the way from start to end: towards -y
    simulation = simulate(
        '<element class="vertical_plane"><x0>-5</x0><y0>0</y0><x1>5</x1><y1>0</y1>'
        '<color>#0000ff</color><cull_face>FRONT</cull_face></element>')
    view = camera((0, y, 1), (0, 0, 1), 80, 60)
    middle = at(draw_view(simulation, view), view, (0, 0, 1))
    assert (middle[2] > 3 * middle[0]) == seen


def test_scan_lies_on_what_it_met():
    simulation = simulate(CRATE + ROBOT)
    simulation.run(0.2)
    view = camera((0.5, 0, 8), (2.5, 0, 0), 320, 240)
    picture = draw_view(simulation, view, measure_all(simulation))
    np.testing.assert_allclose(at(picture, view, (2.5, 0.2, 0.5)), SCAN, atol=60)


def test_range_is_drawn_up_to_what_it_met():
    simulation = simulate(CRATE + ROBOT.replace(
        '<sensor class="laser" name="scan">', '<sensor class="sonar" name="scan">'))
    simulation.run(0.2)
    view = camera((1.5, 0, 6), (1.6, 0, 0), 320, 240)
    picture = draw_view(simulation, view, measure_all(simulation))
    np.testing.assert_allclose(at(picture, view, (1.5, 0, 0.5)), RANGE, atol=60)


def test_images_come_into_the_corner():
    simulation = simulate(CRATE + ROBOT.replace(
        '<sensor class="laser" name="scan"><pose_3d>0.5 0 0.5 0 0 0</pose_3d>'
        '<range_std_noise>0</range_std_noise></sensor>',
        '<sensor class="rgbd_camera" name="eye"><pose_3d>0.7 0 0.5 0 0 0</pose_3d></sensor>'))
    simulation.run(0.2)
    view = camera((-3, -3, 3), (0, 0, 0), 640, 480)
    without = np.asarray(draw_view(simulation, view), int)
    picture = np.asarray(draw_view(simulation, view, measure_all(simulation)), int)
    changed = np.argwhere(np.any(picture != without, axis=-1))
    assert changed[:, 1].min() > 0.7 * 640 and len(changed) > 10_000


def test_frames_of_a_sensor():
    simulation = simulate(ROBOT)
    simulation.set_pose('r', Pose(1.0, 2.0, yaw=np.pi / 2))
    (seen,) = measure_all(simulation)
    simulation.set_pose('r', Pose(5.0, 5.0))  # where it was counts
    pose = frame_pose(simulation, seen)
    np.testing.assert_allclose(pose.position, (1, 2.5, 0.5), atol=1e-9)
    assert pose.yaw == pytest.approx(np.pi / 2)


def test_video(tmp_path):
    av = pytest.importorskip('av')
    simulation = simulate(CRATE + ROBOT)
    view = automatic_view(simulation, 64, 48)
    count = write_video(simulation, tmp_path / 'run.mp4', 0.2,
                        lambda seen: draw_view(simulation, view, seen))
    assert count == 5 and simulation.time == pytest.approx(0.2)
    with av.open(str(tmp_path / 'run.mp4')) as container:
        frames = [frame.to_ndarray(format='rgb24') for frame in container.decode(video=0)]
    assert len(frames) == 5 and frames[0].shape == (48, 64, 3)
    assert frames[0].std() > 5


def test_video_that_cannot_be_written(tmp_path):
    pytest.importorskip('av')
    simulation = simulate(CRATE)
    view = automatic_view(simulation, 64, 48)
    with pytest.raises(RecordingError, match='nowhere'):
        write_video(simulation, tmp_path / 'nowhere' / 'run.mp4', 0.1,
                    lambda seen: draw_view(simulation, view, seen))
