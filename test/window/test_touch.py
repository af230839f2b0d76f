# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Clicks and drags in the picture: what is seen is where it is, and moves where it is put."""

from live_pages import answer_of, pixel_of
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.window.cameras import View
from mvsim_ros2.window.live_run import LiveRun
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.view import replay

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def run(live):
    """Return a run of a world with robots and blocks, from near above."""
    run = live('two_robots', sensors=False, running=False)
    run.window.choices.labels = False
    (block, *_) = run.window.simulation.blocks.values()
    at = block.pose.position
    run.window.cameras.start_at(View(at + (0.0, -3.0, 4.0), at))
    return run


@pytest.fixture(scope='module')
def page(run, visit):
    """Return a page that looks at it, without its panel."""
    page = visit(run.link)
    page.wait_for_picture(run)
    return page


def test_block_is_where_it_should_be_in_its_colour(run, page):
    (block, *_) = run.window.simulation.blocks.values()
    top = block.pose.position + (0.0, 0.0, block.footprint.zmax)
    expected = np.array(block.spec.color[:3])

    def has_its_colour() -> bool:
        column, row = (round(part) for part in pixel_of(run, top))
        seen = page.pixels()[row - 2:row + 3, column - 2:column + 3].mean(axis=(0, 1)) / 255
        return float(np.abs((seen - seen.mean()) - (expected - expected.mean())).max()) < 0.2

    page.wait(has_its_colour, 'the colour of the block')


def test_click_selects_and_the_gizmo_moves(run, page):
    (block, *_) = run.window.simulation.blocks.values()
    top = block.pose.position + (0.0, 0.0, block.footprint.zmax)
    page.page.mouse.click(*pixel_of(run, top))
    page.wait(lambda: run.window.choices.selected == block.name, 'the block to be selected')
    page.page.keyboard.press('g')
    selection = run.window._parts[1]._parts[2]
    page.wait(lambda: selection._gizmo is not None, 'arrows')
    page.page.wait_for_timeout(3000)
    begin = block.pose
    along = begin.rotation[:, 0]  # the arrows turn with the block
    for reach in (0.45, 0.6, 0.75, 0.9, 0.3):  # somewhere on the arrow
        grip = begin.position + reach * along
        page.page.mouse.move(*pixel_of(run, grip))
        page.page.mouse.down()
        for step in (0.2, 0.4, 0.6):
            page.page.mouse.move(*pixel_of(run, grip + step * along))
            page.page.wait_for_timeout(400)
        page.page.mouse.up()
        page.page.wait_for_timeout(1500)
        moved = answer_of(run, lambda _: block.pose.position) - begin.position
        if moved @ along > 0.2:
            break
    assert moved @ along > 0.2 and abs(moved @ begin.rotation[:, 1]) < 0.05
    assert not page.errors
    page.close()  # software would go on drawing it beside the next ones


def test_slider_of_a_recording_seeks(visit, tmp_path):
    simulation = Simulation.from_file('empty', sensors=False)
    with CsvLog(simulation, tmp_path, list(simulation.vehicles), 20.0) as log:
        log.run(8.0)
    with replay([str(tmp_path)], port=0) as playing:
        playing.running = False
        playing.start()
        page = visit(playing.link)
        page.page.get_by_role('button', name='Play').wait_for()  # before it others are first
        number = page.page.get_by_role('textbox').first
        number.fill('5.5')
        number.press('Enter')
        page.wait(lambda: abs(playing.time - 5.5) < 0.1, 'the time that was asked for')
        page.page.get_by_role('button', name='Play').click()
        page.wait(lambda: playing.time > 5.6, 'to play')
        assert not page.errors


def test_phone_sees_the_robots_before_the_first_step(visit):
    simulation = Simulation.from_file('two_robots', sensors=False)
    with LiveRun(simulation, Page('two_robots', 0)) as run:  # not started, as while it compiles
        page = visit(run.link, (390, 844))
        page.wait(lambda: run.window.clients == 1, 'a client')

        def are_seen() -> bool:
            places = [pixel_of(run, vehicle.pose.position)
                      for vehicle in simulation.vehicles.values()]
            return all(0 < column < 390 and 0 < row < 430  # not the panel
                       for column, row in places)

        page.wait(are_seen, 'the robots above the panel')
        page.close()
