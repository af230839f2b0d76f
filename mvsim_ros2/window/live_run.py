# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A simulation that runs at a pace that its window sets."""

from collections.abc import Mapping
import math
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from mvsim_ros2.errors import WindowError
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.background import Background
from mvsim_ros2.window.pace import Pace, Request
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.recorders import Recorders
from mvsim_ros2.window.window import Window

# s of the wall clock for frames of films at the end; Ctrl-C ends a process soon after
_FILM_PATIENCE = 4.0


class LiveRun(Background):
    """
    Runs a simulation with a window, in the calling thread (`run`) or in one of its own (`start`).

    While it runs, the simulation belongs to that thread: others hand it work by `do`.
    """

    def __init__(self, simulation: Simulation, page: Page, running: bool = True,
                 speed: float = 1.0, folder: str | Path = '.') -> None:
        """
        Draw the simulation in a page.

        :param page: see `Window`.
        :param running: False stands still until someone presses Run.
        :param speed: simulated seconds a second, inf for as fast as possible.
        :param folder: where bags and films go that are recorded in the window.
        :raises WindowError: where the speed is not positive.
        """
        super().__init__()
        self._pace = Pace(simulation.dt, 1.0, running)
        self.set_speed(speed)
        self._simulation = simulation
        self.recorders = Recorders(folder)
        self.window = Window(simulation, self, page)

    @property
    def link(self) -> str:
        """Return the address to open in a browser."""
        return self.window.page.link

    @property
    def running(self) -> bool:
        """Return whether time goes on."""
        return self._pace.running

    @property
    def speed(self) -> float:
        """Return the wanted simulated seconds a second, inf for as fast as possible."""
        return self._pace.speed

    def set_running(self, running: bool) -> None:
        """Go on, or stand still."""
        self._pace.running = running

    def set_speed(self, speed: float) -> None:
        """
        Set the wanted simulated seconds a second, inf for as fast as possible.

        :raises WindowError: where it is not positive.
        """
        if not speed > 0.0:
            raise WindowError(f'speed is {speed}: give a number above 0, or inf')
        self._pace.speed = speed

    def step(self, count: int = 1) -> None:
        """Go some steps and stand still after them."""
        self._pace.step(count)

    def reset(self, seed: int | None = None) -> None:
        """Go back to the start, with another seed where one is given."""
        self.do(lambda simulation: simulation.reset(seed))

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go to a state that `Simulation.snapshot` returned."""
        self.do(lambda simulation: simulation.restore(snapshot))

    def switch_sensor(self, name: str, on: bool) -> None:
        """Let a sensor measure, or not."""
        self.do(lambda simulation: simulation.set_enabled(name, on))

    def do(self, request: Request) -> None:
        """Let the thread of the simulation do something between two steps."""
        self.window.mailbox.post(request)

    def show_path(self, name: str, points: ArrayLike) -> None:
        """
        Draw a path, such as a planned one, in place of the one of that name; any thread may.

        :param points: in the world frame, shape (n, 2) or (n, 3) [m]; none takes it away.
        :raises WindowError: where they have another shape, or are not finite.
        """
        self.window.curves.put(name, points)

    def run(self, duration: float = math.inf) -> None:
        """
        Run until `close`, or for some simulated seconds.

        :raises PhysicsError: where a body has left the numbers.
        """
        simulation, window, pace = self._simulation, self.window, self._pace
        self._prepare()
        end = simulation.time + duration
        while not self._ended.is_set() and simulation.time < end:
            count = pace.due()
            self._advance(count)
            pace.done(count)
            window.update()
            self._ended.wait(pace.rest())

    def _prepare(self) -> None:
        """Compile before the first step what the run needs, so that it does not stop later."""
        if not self._simulation.steps:
            start = self._simulation.snapshot()
            self._simulation.warm_up()
            self._simulation.restore(start)

    def _advance(self, count: int) -> None:
        """Go some steps, one by one where each is recorded."""
        simulation, observe = self._simulation, self.window.observe
        if not self.recorders.active:
            simulation.run(count * simulation.dt, observe)
            return
        for _ in range(count):
            observations = simulation.step()
            self.recorders.record(simulation, observations)
            for observation in observations:
                observe(observation)

    def close(self) -> None:
        """End the run and close the window; films get some seconds to be drawn."""
        super().close()
        self.recorders.close(_FILM_PATIENCE)
        self.window.close()

    def __repr__(self) -> str:
        """Return where to look at it, and what runs."""
        return f'<LiveRun at {self.link} of {self._simulation!r}>'

    def _repr_html_(self) -> str:
        """Return the window as a frame in a page, for notebooks."""
        return (f'<iframe src="{self.link}" width="100%" height="520" '
                'style="border:1px solid #ccc"></iframe>')
