# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What people see of an environment: pictures, and a window in the browser."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import time
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym.checks import one_of
from mvsim_ros2.pictures import automatic_view
from mvsim_ros2.pictures.overlays import OccludedDrawing
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from mvsim_ros2.window.window import Window

PICTURES = ('rgb_array',)
MODES = ('human', *PICTURES)
WIDTH, HEIGHT = 640, 480  # px
MARK = (230, 30, 140)  # red, green, blue of goals
SPACING, ABOVE, MOST = 0.03, 0.03, 4000  # m; m; points of a line

Array = NDArray[np.floating[Any]]


def check_mode(mode: object, known: Sequence[str] = MODES) -> None:
    """Check how an environment is to be shown; raise `LearningError` where it cannot be."""
    if mode is not None:
        one_of('render_mode', mode, known)


class Renderer:
    """Shows a simulation that an agent steps; the agent sets the pace, at most real time."""

    def __init__(self, simulation: Simulation, period: float,
                 lines: Callable[[], Iterable[Array]]) -> None:
        """Show nothing yet; `lines` returns those on the ground, (n, 2) each [m]."""
        self._simulation, self._period, self._lines = simulation, period, lines
        self._view: CameraView | None = None
        self._window: Window | None = None
        self._shown = 0.0
        self.running, self.speed, self.recorders = True, 1.0, None

    def follow(self, simulation: Simulation) -> None:
        """Show another simulation from now on."""
        if simulation is not self._simulation:
            self.close()
            self._simulation, self._view = simulation, None

    def picture(self) -> NDArray[np.uint8]:
        """Return the present state from a viewpoint that stays, shape (height, width, 3)."""
        if self._view is None:
            self._view = automatic_view(self._simulation, WIDTH, HEIGHT)
        drawing = OccludedDrawing(
            self._view, self._simulation.render(self._view, ('colour', 'depth')))
        for line in self._lines():
            drawing.dots(self._on_ground(line), MARK, 1)
        return drawing.pixels

    def _on_ground(self, line: Array) -> Array:
        """Return points along a line, a bit above the ground, shape (n, 3) [m]."""
        along = np.concatenate([[0.0], np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum()])
        at = np.linspace(0.0, along[-1], min(MOST, 2 + int(along[-1] / SPACING)))
        x, y = (np.interp(at, along, axis) for axis in line.T)
        z = [ABOVE + self._simulation.ground_at(*each) for each in zip(x, y, strict=True)]
        return np.column_stack([x, y, z])

    def show(self) -> None:
        """Show the present state in the window; wait where that is ahead of the wall clock."""
        if self._window is None:
            from mvsim_ros2.window.view import need_viser, open_browser
            need_viser()
            from mvsim_ros2.window.page import Page
            from mvsim_ros2.window.window import Window
            page = Page(self._simulation.world.path)
            self._window = Window(self._simulation, self, page)
            print(f'open {page.link} in a browser', flush=True)
            open_browser(page.link)
        self._window.update()
        while not self.running:
            self._window.update()
            time.sleep(0.02)
        left = self._shown + self._period / self.speed - time.monotonic()
        if 0.0 < left:
            time.sleep(min(left, self._period / self.speed))
        self._shown = time.monotonic()

    def set_running(self, running: bool) -> None:
        """Let the agent go on, or wait."""
        self.running = running

    def set_speed(self, speed: float) -> None:
        """Set the simulated seconds a second."""
        self.speed = speed

    def step(self, count: int = 1) -> None:
        """Do nothing: the agent makes the steps."""

    def reset(self, seed: int | None = None) -> None:
        """Do nothing: the agent begins the episodes."""

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Do nothing: the agent would not know of it."""

    def switch_sensor(self, name: str, on: bool) -> None:
        """Do nothing: the agent chooses what it observes."""

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None
