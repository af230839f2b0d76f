# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Take the pictures of the window in a browser: `python docs/figures/window.py [NAME ...]`.

It needs Playwright and a Chromium; where that draws in software, the film takes some minutes. The
simulation stands still for each picture, so that a slow browser shows what a fast one does.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
import io
import shutil
import sys
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from PIL import Image
from places import IMAGES
from playwright.sync_api import Page, sync_playwright

from mvsim_ros2 import Pose, Simulation, view, world_path
from mvsim_ros2.recording import Recorder
from mvsim_ros2.window.cameras import View
from mvsim_ros2.window.page import LOADING, Page as WindowPage
from mvsim_ros2.window.view import replay

BROWSERS = 'chromium', 'chromium-browser', 'google-chrome', 'chrome'
ARGUMENTS = ('--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
             '--disable-dev-shm-usage')
WAIT = 120_000  # ms
QUALITY = 82  # of WebP
SETTLE = 300  # ms in which the browser draws what has come
Point = tuple[float, float, float]


class Scene(NamedTuple):
    """A run of a world, and how the window shows it."""

    world: str
    speed: float  # m/s
    turn: float  # rad/s
    seconds: float  # before the picture
    eye: Point | None = None  # from where, None for the first view of the world
    at: Point = (0.0, 0.0, 0.0)
    start: Pose | None = None  # of the first vehicle, None for that of the world
    tab: str = ''  # of the panel
    dark: bool = False
    size: tuple[int, int] = (1280, 720)  # px of the page
    scale: float = 1.0  # px of the picture for each


SCENES = {  # docs/images/viewer_NAME.webp
    'demo': Scene('demo', 0.8, 0.1, 3.6),
    'outdoor': Scene('outdoor', 1.2, 0.12, 2.8, (-8.0, -14.0, 5.0), (3.0, -7.0, 0.5)),
    'dark': Scene('office', 0.8, 0.0, 1.4, dark=True),
    'phone': Scene('demo', 0.8, 0.1, 3.6, size=(390, 844)),
    'loading': Scene('outdoor', 0.0, 0.0, 0.0, size=(800, 450)),
    'replay': Scene('demo', 0.8, 0.1, 3.6, size=(800, 640)),
    'phone_dark': Scene('office', 0.8, 0.0, 1.4, dark=True, size=(390, 844)),
    'show': Scene('two_robots', 0.8, 0.1, 3.0, tab='Show', size=(800, 640)),
    'sensors': Scene('camera', 0.3, 0.1, 3.0, tab='Sensors', size=(800, 640)),
    'plots': Scene('demo', 0.6, 0.05, 3.4, tab='Plots', size=(800, 640)),
    'world': Scene('two_robots', 0.8, 0.1, 3.0, tab='World', size=(800, 640)),
}
FILM = Scene('outdoor', 1.3, 0.1, 0.2, (-6.6, -13.0, 3.6), (1.6, -8.2, 0.6), tab='Sensors',
             size=(1120, 630), scale=5.0 / 7.0)
FRAMES, STEP = 20, 0.25  # of the film, and simulated seconds between two
PLAYED = 12  # frames of the replay at its end
# What Chromium says of its drawing in software
STYLE = '.mantine-Notification-root { display: none }'


@contextmanager
def browser() -> Iterator[Any]:
    """Start a browser."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        sys.exit('there is no Chromium: apt-get install chromium')
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield started
        started.close()


def opened(started: Any, scene: Scene, link: str) -> Page:
    """Return a page of a browser that shows a window."""
    page = started.new_page(device_scale_factor=scene.scale, viewport=dict(
        zip(('width', 'height'), scene.size, strict=True)))
    page.set_default_timeout(WAIT)
    page.goto(link)
    page.wait_for_selector('canvas')
    return page


def loading(scene: Scene) -> Image.Image:
    """Return the page of a world that is being loaded."""
    with browser() as started, closing(WindowPage(world_path(scene.world), 0)) as shown:
        page = opened(started, scene, shown.link)
        page.add_style_tag(content='#webgl-software-rendering { display: none }')
        page.get_by_text(LOADING).wait_for()
        page.wait_for_timeout(6000)  # until the page is faded in
        return seen(page)


def recorded(scene: Scene, turn: float, seconds: float, folder: str) -> str:
    """Record a run of a scene in a folder, and return that."""
    simulation = Simulation.from_file(world_path(scene.world), seed=1)
    next(iter(simulation.vehicles.values())).set_twist(scene.speed, turn)
    with Recorder(simulation, folder) as recorder:
        recorder.run(seconds)
    return folder


@contextmanager
def played(scene: Scene, runs: list[str], time: float) -> Iterator[tuple[Any, Page]]:
    """Show recorded runs at a time in a browser, the second as a ghost."""
    with browser() as started, replay(runs, port=0) as shown:
        shown.running, shown.time = False, shown.playback.start + time
        if scene.eye is not None:
            shown._cameras.start_at(View(np.array(scene.eye), np.array(scene.at)))
        shown.start()
        page = opened(started, scene, shown.link)
        page.add_style_tag(content=STYLE)
        page.get_by_text('Play', exact=True).wait_for()
        page.wait_for_timeout(6000)
        settle(page)
        yield shown, page


def replayed(scene: Scene) -> Image.Image:
    """Return the page of a recorded run, with a second run as a ghost."""
    with TemporaryDirectory() as place:
        runs = [recorded(scene, turn, scene.seconds + 1.0, f'{place}/{turn}')
                for turn in (scene.turn, -scene.turn)]
        with played(scene, runs, scene.seconds) as (_, page):
            return seen(page)


@contextmanager
def window(scene: Scene) -> Iterator[tuple[Any, Page]]:
    """Run a world in the window, and show it in a browser."""
    simulation = Simulation.from_file(world_path(scene.world), seed=1)
    vehicle = next(iter(simulation.vehicles.values()))
    if scene.start is not None:
        simulation.set_pose(vehicle.name, scene.start)
    vehicle.set_twist(scene.speed, scene.turn)
    with browser() as started, view(
            simulation, port=0, running=False, dark=scene.dark) as run:
        if scene.eye is not None:
            run.window.cameras.start_at(View(np.array(scene.eye), np.array(scene.at)))
        page = opened(started, scene, run.link)
        page.add_style_tag(content=STYLE)
        page.get_by_text('paused').wait_for(state='attached')  # in a panel that may be folded
        if scene.tab:
            page.get_by_role('tab', name=scene.tab).click()
        ready = Event()  # once what the run needs is compiled, by steps that it takes back
        run.do(lambda _: ready.set())
        ready.wait()
        go(run, page, scene.seconds)
        page.wait_for_timeout(6000)  # textures and shadows come last
        settle(page)
        yield run, page


def go(run: Any, page: Page, seconds: float) -> None:
    """Let simulated time pass, and wait until the window shows the end of it."""
    simulation = run.window.simulation
    steps = round(seconds / simulation.dt)
    until = simulation.time + steps * simulation.dt
    run.step(steps)
    page.get_by_text(f'{until:.2f} s').wait_for(state='attached')
    page.wait_for_timeout(SETTLE)


def settle(page: Page) -> None:
    """Wait until the window fades in no more: on a busy machine that takes long."""
    before, now = None, seen(page)
    while now != before:
        page.wait_for_timeout(SETTLE)
        before, now = now, seen(page)


def seen(page: Page) -> Image.Image:
    """Return what the browser shows."""
    return Image.open(io.BytesIO(page.screenshot(timeout=WAIT))).convert('RGB')


ALONE = {'loading': loading, 'replay': replayed}  # without a running simulation


def draw(name: str) -> None:
    """Take a picture."""
    scene, path = SCENES[name], IMAGES / f'viewer_{name}.webp'
    if name in ALONE:
        ALONE[name](scene).save(path, quality=QUALITY, method=6)
        return
    with window(scene) as (_, page):
        seen(page).save(path, quality=QUALITY, method=6)


def film() -> None:
    """Film a rover on a meadow, with the points of its LiDAR and depth camera; replay the run."""
    frames = []
    with window(FILM) as (run, page):
        for _ in range(FRAMES):
            go(run, page, STEP)
            frames.append(seen(page))
    length = FILM.seconds + FRAMES * STEP
    with TemporaryDirectory() as place, played(FILM, [
            recorded(FILM, FILM.turn, length, f'{place}/run')], 0.0) as (shown, page):
        for time in np.linspace(FILM.seconds, length, PLAYED):
            shown.time = shown.playback.start + float(time)
            page.get_by_text(f'{shown.time:.2f} s').wait_for(state='attached')
            page.wait_for_timeout(SETTLE)
            frames.append(seen(page))
    frames[0].save(IMAGES / 'window.webp', save_all=True, append_images=frames[1:], loop=0,
                   duration=round(1000 * STEP), quality=QUALITY, method=6)


if __name__ == '__main__':
    for wanted in sys.argv[1:] or [*SCENES, 'film']:
        film() if wanted == 'film' else draw(wanted)
