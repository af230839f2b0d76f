# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of a simulation and of a window, without a notebook."""

import io

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Pose, Simulation


def test_simulation_is_shown_from_above_where_it_is_now(project):
    simulation = Simulation.from_file(project / 'worlds' / 'two_robots.world.xml', sensors=False)
    before = picture(simulation)
    (name, *_) = simulation.vehicles
    pose = simulation.vehicles[name].pose
    simulation.set_pose(name, Pose(pose.x + 1.0, pose.y, pose.z, pose.yaw))
    after = picture(simulation)
    assert before.shape == after.shape and before.shape[2] == 3
    changed = np.flatnonzero((before != after).any(axis=(1, 2)))
    assert 0 < len(changed) < 0.4 * len(before)  # rows around the robot, and the title not


def picture(simulation):
    """Return what a notebook shows, shape (height, width, 3)."""
    return np.array(Image.open(io.BytesIO(simulation._repr_png_())))


@pytest.mark.slow
def test_window_is_shown_inline(live, visit, tmp_path):
    run = live('empty', sensors=False, running=False)
    cell = tmp_path / 'cell.html'
    cell.write_text(f'<html><body>{run._repr_html_()}</body></html>')
    page = visit(cell.as_uri(), ready='iframe')
    frame = page.page.frame_locator('iframe')
    frame.locator('canvas').first.wait_for()
    page.wait(lambda: run.window.clients == 1, 'a client')
    page.wait(lambda: page.pixels()[40:300, 40:300].std(axis=(0, 1)).min() > 3, 'a picture')
    frame.get_by_role('button', name='Run').click()
    page.wait(lambda: run.running, 'time to go on')
    assert not page.errors
