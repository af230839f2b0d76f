# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where OpenGL is not there, is old, or is used from several places; what it draws in a pass."""

import os
from pathlib import Path
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.draw_list import DrawList
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec
from mvsim_ros2.world.spec.world import WorldSpec

ASK = """
from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.opengl.context import gl_thread
for attempt in range(2):
    try:
        gl_thread()
        print('context')
    except RenderContextError as error:
        print('error:', error)
"""

DRAW = """
import hashlib, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from small_scenes import box, place, scene_of, sheet, view_from
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
scene = scene_of([(sheet(20.0), place((0, 0, -1))), (box(), place((4, 0.5, 0), 1.0, 0.4)),
                  (box(), place((6, -1, 0)))], labels=(1, 3, 3), moving=(2,))
scene.colour[1] = 0.9, 0.3, 0.2, 1.0
view = view_from((0, 0, 0.5))
frame = GlRenderer(scene).render(view)
rows = np.arange(view.height)[:, None] - view.cy
error = np.abs(frame.depth * rows / (1.5 * view.fy) - 1)[frame.label == 1].max()
print(gl_thread().version, gl_thread().reversed_depth, error < 3e-6)
print(*(hashlib.md5(layer.tobytes()).hexdigest()
        for layer in (frame.colour, frame.depth, frame.ids)))
"""

SENSE = """
import sys
from mvsim_ros2 import Simulation
from mvsim_ros2.errors import RenderContextError
simulation = Simulation.from_file(sys.argv[2])
for name in ('camera', 'lidar'):
    try:
        observation = simulation.sensors[name].measure()
        pixels = getattr(observation, 'pixels', None)
        print(name, len(observation.points) if pixels is None else int(pixels.max()))
    except RenderContextError as error:
        print(name, 'error:', error)
"""

WORLD = """<mvsim_world version="1.0">
  <block name="box"><init_pose>2 -1 0</init_pose><mass>5</mass>
    <geometry type="box" lx="1" ly="2" lz="2"/></block>
  <sensor class="camera" name="camera"><renderer>{0}</renderer></sensor>
  <sensor class="lidar3d" name="lidar"><pose_3d>0 0 1 0 0 0</pose_3d></sensor>
</mvsim_world>"""

MODULE = """
import sys
sys.modules['moderngl'] = None
"""


def lines_of(code: str, project: Path, *arguments: str, **environment: str) -> list[str]:
    """Return what a process prints."""
    done = subprocess.run(
        [sys.executable, '-c', code, str(Path(__file__).parent), *arguments], cwd=project,
        env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize('environment', [
    pytest.param({'__EGL_VENDOR_LIBRARY_DIRS': '/nowhere'}, id='no_devices'),
    pytest.param({'LIBGL_DRIVERS_PATH': '/nowhere'}, id='no_driver'),
    pytest.param({'MESA_GL_VERSION_OVERRIDE': '3.1'}, id='too_old'),
])
def test_no_opengl_is_one_error_that_says_what_to_do(
        environment: dict[str, str], project: Path, gl: None) -> None:
    if not gl_thread().software:
        pytest.skip('the variables are those of Mesa')
    first, second = lines_of(ASK, project, **environment)
    assert first == second
    assert first.startswith('error: OpenGL 3.3 cannot be started without a display. Tried: EGL')
    assert 'libegl1 libgl1' in first and 'renderer "cpu"' in first


@pytest.mark.parametrize('renderer, works', [pytest.param('gl', False, id='asked_for'),
                                             pytest.param('auto', True, id='automatic')])
def test_sensors_without_opengl_say_so_or_do_without(
        tmp_path: Path, project: Path, renderer: str, works: bool) -> None:
    path = tmp_path / 'eyes.world.xml'
    path.write_text(WORLD.format(renderer))
    camera, lidar = lines_of(
        SENSE, project, str(path), __EGL_VENDOR_LIBRARY_DIRS='/nowhere',
        __EGL_VENDOR_LIBRARY_FILENAMES='/nowhere', LIBGL_DRIVERS_PATH='/nowhere',
        MVSIM_ROS2_RENDERER='auto')
    if works:
        assert int(camera.split()[1]) > 100 and int(lidar.split()[1]) > 100
        return
    assert camera.startswith('camera error: OpenGL 3.3 cannot be started without a display')
    assert 'libegl1 libgl1' in camera and 'renderer "cpu"' in camera


def test_without_moderngl_the_error_says_what_to_install(project: Path) -> None:
    first, second = lines_of(MODULE + ASK, project)
    assert first == second
    assert first.startswith('error: OpenGL needs the package moderngl')


def test_opengl_3_3_draws_the_same(project: Path, gl: None) -> None:
    if not gl_thread().software:
        pytest.skip('the variables are those of Mesa')
    (new, image), (old, same), (older, alike) = (
        lines_of(DRAW, project, **environment) for environment in (
            {}, {'MESA_GL_VERSION_OVERRIDE': '3.3'},
            {'MESA_GL_VERSION_OVERRIDE': '3.3',
             'MESA_EXTENSION_OVERRIDE': '-GL_ARB_clip_control'}))
    assert new.endswith('True True') and old == '330 True True' and image == same
    assert older == '330 False True' and alike.split()[0] == image.split()[0]


def test_any_thread_may_draw(gl: None) -> None:
    renderer = GlRenderer(scene_of([(box(), place((4, 0, 0)))]))
    view, frames = view_from((0, 0, 0)), list[CameraFrame]()
    threads = [threading.Thread(target=lambda: frames.append(renderer.render(view)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = renderer.render(view)
    assert len(frames) == 4
    for frame in frames:
        np.testing.assert_array_equal(frame.ids, wanted.ids)


AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from mvsim_ros2.sensors.opengl.context import gl_thread
start = Barrier(4)
def ask(number):
    start.wait()
    return gl_thread()
with ThreadPoolExecutor(4) as threads:
    print(len(set(threads.map(ask, range(4)))))
"""


def test_threads_that_ask_at_once_get_the_same(project: Path, gl: None) -> None:
    assert lines_of(AT_ONCE, project) == ['1']


FORK = """
import os
from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.opengl.context import gl_thread
gl_thread()
child = os.fork()
if not child:
    try:
        gl_thread().run(print, 'drawn')
    except RenderContextError as error:
        os.write(1, f'{error}\\n'.encode())
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_forked_process_is_told_to_spawn(project: Path, gl: None) -> None:
    line, = lines_of(FORK, project)
    assert '"spawn"' in line


WALL = BlockSpec('wall', static=True, init_pose=Pose(3.0), color=(1.0, 0.0, 0.0, 1.0))


@pytest.mark.parametrize('renderer', ['gl', 'auto'])
@pytest.mark.parametrize('options', [
    pytest.param({}, id='ideal'), pytest.param({'antialiasing': True}, id='smooth'),
    pytest.param({'stereo_baseline': 0.1, 'labels': True}, id='pair'),
    pytest.param({'k1': -0.1, 'ncols': -400}, id='lens that needs a wider image'),
    pytest.param({'exposure_time': 0.01, 'exposure_samples': 2}, id='blurred')])
def test_an_image_larger_than_the_limit_of_opengl_is_drawn_by_rays(
        options: dict[str, Any], renderer: str, gl: None,
        caplog: pytest.LogCaptureFixture) -> None:
    width = gl_thread().largest_image + 1 + options.get('ncols', 0)
    camera = CameraSpec('wide', renderer=renderer, **{
        **options, 'ncols': width, 'nrows': 1, 'cx': width / 2, 'cy': 0.0,
        'fx': 0.55 * width})  # so that the lens does not fold
    image = Simulation(WorldSpec(sensors=(camera,), blocks=(WALL,))).measure('wide')
    images = (image.left, image.right) if 'stereo_baseline' in options else (image,)
    for each in images:
        assert each.pixels.shape == (1, width, 3)
        assert each.pixels[0, width // 2, 0] > 3 * each.pixels[0, width // 2, 1]
    assert ('too large for this OpenGL' in caplog.text) == (renderer == 'gl')


def test_a_wide_camera_of_colours_and_depths_is_drawn_by_rays(gl: None) -> None:
    width = gl_thread().largest_image + 1
    camera = RgbdCameraSpec(
        'wide', renderer='gl', rgb_ncols=width, rgb_nrows=1, rgb_cx=width / 2, rgb_cy=0.0,
        rgb_fx=9000.0, depth_ncols=width, depth_nrows=1, depth_cx=width / 2, depth_cy=0.0,
        depth_fx=9000.0, depth_noise_sigma=0.0)
    images = Simulation(WorldSpec(sensors=(camera,), blocks=(WALL,))).measure('wide')
    assert images.colour.pixels.shape == (1, width, 3)
    assert images.depth.depth[0, width // 2] == pytest.approx(WALL.init_pose.x - 0.5, abs=0.01)


@pytest.mark.parametrize('count', [0, 1, 5, 23])
def test_parts_come_group_by_group_in_the_order_of_their_first_items(
        count: int, gl: None) -> None:
    random = np.random.default_rng(count)
    meshes = [box(), box(), sheet(1.0), box(), sheet(2.0)]  # closed ones before open ones
    scene = scene_of([(meshes[i], place(random.uniform(-5, 5, 3), 1.0 + i, 0.3 * n))
                      for n, i in enumerate(random.integers(0, 5, 30))])
    context = gl_thread().context
    buffers = gl_thread().run(MeshBuffers, context, scene)
    drawn = gl_thread().run(DrawList, context, buffers)
    turn = random.normal(size=(3, 3))
    for _ in range(2):  # what one pass leaves behind is none of the next one
        items = np.sort(random.choice(30, count, replace=False))
        centre, order = random.normal(size=(count, 3)), random.permutation(count)
        gl_thread().run(drawn.fill, items, turn, centre, order)
        parts = list(dict.fromkeys(buffers.part[items[order]].tolist()))
        parts.sort(key=lambda part: buffers.group[part])
        first = 0
        for row, part in zip(drawn._rows, parts, strict=False):
            of_part = [n for n in order if buffers.part[items[n]] == part]
            assert row.tolist() == [buffers.commands[part, 0], len(of_part),
                                    buffers.commands[part, 2], 0, first]
            for n, words in zip(of_part, drawn._words[first:], strict=False):
                matrix = np.column_stack([turn @ buffers.linear[items[n]], centre[n]])
                np.testing.assert_allclose(words[:12].view(np.float32), matrix.ravel(), 1e-6)
                np.testing.assert_array_equal(words[12:], buffers.words[items[n], 12:])
            first += len(of_part)
        assert first == count and drawn._spans[-1] == len(parts)
        for group in buffers.groups:
            begin, end = drawn._spans[group.number:group.number + 2]
            assert all(buffers.group[part] == group.number for part in parts[begin:end])
