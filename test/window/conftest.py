# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A browser that looks at the window."""

from collections.abc import Callable, Iterator
import shutil
from typing import Any

from live_pages import SIZE, Visit
import pytest

from mvsim_ros2 import Simulation

pytest.importorskip('viser', reason='no viser: pip install viser')

_NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'chrome')
_ARGUMENTS = ('--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
              '--disable-dev-shm-usage')


@pytest.fixture(scope='session')
def browser() -> Iterator[Any]:
    """Return a Chromium without a screen; skip where there is none."""
    sync_api = pytest.importorskip(
        'playwright.sync_api', reason='no Playwright: pip install playwright')
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip('no Chromium: apt-get install chromium')
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=found, headless=True, args=list(_ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope='module')
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """Return what opens a window in a page."""
    visits: list[Visit] = []

    def open_page(link: str, size: tuple[int, int] = SIZE, ready: str = 'canvas') -> Visit:
        visits.append(Visit(browser, link, size, ready))
        return visits[-1]

    yield open_page
    for each in visits:
        each.close()


@pytest.fixture(scope='module')
def server() -> Iterator[Any]:
    """Return a server without visitors."""
    from mvsim_ros2.window.server import close_server, free_port, LOCAL, open_server
    server = open_server(LOCAL, free_port(LOCAL, 0))
    yield server
    close_server(server)


@pytest.fixture(scope='module')
def live() -> Iterator[Callable[..., Any]]:
    """Return what runs a world of this package with a window."""
    from mvsim_ros2.window.view import view
    runs: list[Any] = []

    def start(world: str, **options: Any) -> Any:
        simulation = Simulation.from_file(world, sensors=options.pop('sensors', True))
        runs.append(view(simulation, port=0, **options))
        return runs[-1]

    yield start
    for run in runs:
        run.close()
