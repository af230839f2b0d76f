# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2.view`: a window for a simulation, from Python."""

from importlib.util import find_spec
import os
from pathlib import Path
import sys
import threading
import time
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen
import webbrowser

from mvsim_ros2.errors import WindowError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvsim_ros2.simulation import Simulation
    from mvsim_ros2.window.live_run import LiveRun
    from mvsim_ros2.window.replay.playback import Playback
    from mvsim_ros2.window.replay.recorded import Recording
    from mvsim_ros2.window.replay.window import Replay

METADATA = 'metadata.yaml'  # that every bag has
RUN_FILE = 'run.json'  # that recordings of this package have
ESTIMATES = ('.tum', '.txt')  # endings of trajectories in the format of TUM
_PATIENCE = 60.0  # s until the page must be there


def view(simulation: 'Simulation', port: int | None = None, host: str = '127.0.0.1',
         running: bool = True, speed: float = 1.0, dark: bool = False,
         browser: bool = False, folder: 'str | Path' = '.') -> 'LiveRun':
    """
    Open a window for a simulation and run it in a thread of its own.

    From then on the simulation belongs to that thread; ``do`` of what is returned lets it do
    something between two steps. In a notebook the window shows inline::

        run = mvsim_ros2.view(simulation)
        run.do(lambda simulation: simulation.vehicles['r1'].set_twist(0.5, 0.2))
        run.close()

    :param port: where the window listens, 0 for any, None for the first free one from 8080 on.
    :param host: address that it listens on; others than 127.0.0.1 let other machines in.
    :param running: False stands still until someone presses Run.
    :param speed: simulated seconds a second, inf for as fast as possible.
    :param dark: dark colours.
    :param browser: True opens the window in the browser of this machine.
    :param folder: where bags and films go that are recorded in the window.
    :raises WindowError: where the port is taken, or viser is missing.
    """
    need_viser()
    from mvsim_ros2.window.live_run import LiveRun
    from mvsim_ros2.window.page import Page
    page = Page(simulation.world.path, port, host, dark)
    live = LiveRun(simulation, page, running, speed, folder)
    live.start()
    if browser:
        open_browser(live.link)
    return live


def replay(paths: 'Sequence[str]', world: str | None = None,
           variables: 'Mapping[str, str] | None' = None, port: int | None = None,
           host: str = '127.0.0.1', dark: bool = False) -> 'Replay':
    """
    Open a window that plays recordings; `run` or `start` of what is returned plays.

    :param paths: bags, folders of CSV logs, folders `WORLD/seed_N` of `benchmark slam`, and
        estimated trajectories (TUM): the first as it was, the others as ghosts.
    :param world: file or name of the world of all of them, None for what they say.
    :param variables: values of variables of that world.
    :raises MvsimError: where one cannot be read, the port is taken, or viser is missing.
    """
    playback = recordings(paths, world, variables or {})
    from mvsim_ros2.window.page import Page
    from mvsim_ros2.window.replay.window import Replay
    return Replay(playback, Page(playback.world.path, port, host, dark))


def recordings(paths: 'Sequence[str]', world: str | None,
               variables: 'Mapping[str, str]') -> 'Playback':
    """
    Return recordings as one playback.

    :raises MvsimError: where one cannot be read, or viser is missing.
    """
    need_viser()
    from mvsim_ros2.window.replay.playback import Playback
    found: list[Recording] = []
    for path in paths:
        found += _read(path, found, world, variables)
    return Playback(found)


def _read(path: str, before: 'Sequence[Recording]', world: str | None,
          variables: 'Mapping[str, str]') -> 'list[Recording]':
    """Return what a path holds; `before`: what the paths before it hold."""
    from mvsim_ros2.window.replay.estimates import is_slam_result, read_estimate, read_slam_result
    if path.endswith(ESTIMATES):
        if not before:
            raise WindowError(f'{path} is an estimated trajectory: give the recording that it '
                              'belongs to first')
        return [read_estimate(Path(path), before[0])]
    if is_slam_result(Path(path)):
        return read_slam_result(path, world, variables)
    if (Path(path) / METADATA).is_file():
        if world is None and not (Path(path) / RUN_FILE).is_file():
            from mvsim_ros2.window.replay.foreign import read_foreign
            return [read_foreign(path)]
        from mvsim_ros2.window.replay.bag import read_bag
        return [read_bag(path, world, variables)]
    from mvsim_ros2.window.replay.logs import read_logs
    return [read_logs(path, world, variables)]


def need_viser() -> None:
    """Make sure that viser is there; raise `WindowError` where it is missing."""
    if find_spec('viser') is None:
        raise WindowError('the window needs viser: pip install "mvsim_ros2[viewer]"')


def open_browser(link: str) -> None:
    """Open a page as soon as it is there; do nothing where there is no display."""
    if has_display():
        threading.Thread(target=_open_when_there, args=(link,), daemon=True).start()


def has_display() -> bool:
    """Return whether a browser that is opened here would be seen."""
    return sys.platform in ('darwin', 'win32') or any(
        os.environ.get(name) for name in ('DISPLAY', 'WAYLAND_DISPLAY'))


def _open_when_there(link: str) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            with urlopen(link, timeout=2.0):
                break
        except (URLError, OSError):
            time.sleep(0.3)
    webbrowser.open(link)
