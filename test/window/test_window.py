# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The window in a real browser: it shows the world, and keys and buttons drive it."""

from contextlib import closing
import math
import threading

from live_pages import answer_of, PATIENCE
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.base.progress import tell
from mvsim_ros2.jit.kernel import COMPILED
from mvsim_ros2.window.live_run import LiveRun
from mvsim_ros2.window.page import LOADING, Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def run(live):
    """Return a run of a world with one robot."""
    return live('empty', sensors=False)


@pytest.fixture(scope='module')
def page(run, visit):
    """Return a page that looks at it."""
    page = visit(run.link)
    page.wait(lambda: run.window.clients == 1, 'a client')
    page.wait(lambda: page.page.evaluate('Boolean(window.mvsimDrive)'), 'the script')
    return page


def test_page_shows_a_picture_and_no_errors(page):
    page.wait(lambda: page.pixels()[:, :300].std(axis=(0, 1)).min() > 3, 'a picture')
    assert not page.errors


def test_buttons_pause_step_and_reset(run, page):
    page.page.get_by_role('button', name='Pause').click()
    page.wait(lambda: not run.running, 'a pause')
    before = answer_of(run, lambda simulation: simulation.steps)
    page.page.get_by_text('10 steps').click()
    page.wait(lambda: answer_of(run, lambda simulation: simulation.steps) >= before + 10, 'steps')
    assert answer_of(run, lambda simulation: simulation.steps) == before + 10
    page.page.get_by_text('Reset', exact=True).click()
    page.wait(lambda: answer_of(run, lambda simulation: simulation.steps) == 0, 'the start')
    page.page.keyboard.press('Space')
    page.wait(lambda: answer_of(run, lambda simulation: simulation.steps) > 5, 'to go on')


def test_the_page_says_what_the_simulation_waits_for(run, page):
    goes_on = threading.Event()
    run.do(lambda _: (tell(3, math.inf, COMPILED), goes_on.wait(PATIENCE)))
    line = page.page.get_by_text(f'3 {COMPILED}')
    page.wait(lambda: line.count() == 1, 'a line')
    goes_on.set()
    page.wait(lambda: line.count() == 0, 'the time instead')


def test_joystick_drives(run, page):
    (vehicle,) = run.window.simulation.vehicles.values()
    box = page.page.locator('#mvsim-joystick').bounding_box()
    x, y = box['x'] + box['width'] / 2, box['y'] + box['height'] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x, y - 30)
    page.wait(lambda: vehicle.twist_body[0] > 0.3, 'motion')
    page.page.mouse.up()
    page.wait(lambda: vehicle.commanded_twist[0] == 0.0, 'a halt')


def test_keys_drive(run, page):
    (vehicle,) = run.window.simulation.vehicles.values()
    page.page.keyboard.down('w')
    page.wait(lambda: vehicle.twist_body[0] > 0.3, 'motion')
    page.page.keyboard.up('w')
    page.wait(lambda: vehicle.commanded_twist[0] == 0.0, 'a halt')


def test_vehicle_stops_where_the_browser_of_its_driver_is_gone(run, page):
    (vehicle,) = run.window.simulation.vehicles.values()
    page.page.keyboard.down('a')
    page.wait(lambda: vehicle.twist_body[2] > 0.3, 'a turn')
    assert not page.errors
    page.page.context.close()  # the key is still held; no test below needs this page
    begin = answer_of(run, lambda simulation: simulation.time)
    while answer_of(run, lambda simulation: simulation.time) < begin + 5.0:
        if vehicle.commanded_twist[2] == 0.0:
            return
    pytest.fail('it still turns')


def test_a_page_is_there_before_its_world_is_loaded(project, visit):
    with closing(Page('worlds/empty.world.xml', 0)) as page:
        visitor = visit(page.link)
        line = visitor.page.get_by_text(LOADING)
        visitor.wait(lambda: line.count() == 1, 'a line')
        assert visitor.page.get_by_text('empty.world.xml').count() == 1
        simulation = Simulation.from_file(project / 'worlds' / 'empty.world.xml', sensors=False)
        with LiveRun(simulation, page):
            joystick = visitor.page.locator('#mvsim-joystick')
            visitor.wait(lambda: joystick.count() == 1, 'a joystick')
            assert line.count() == 1  # nothing runs yet
            page.go_on()
            visitor.wait(lambda: line.count() == 0, 'no line')
        assert not visitor.errors
