# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The window: what it shows, and how it is kept up to date."""

import logging
import threading
import time

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.perspective import frame_pose, PosedObservation, with_pose
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.cameras import Cameras, first_view, keys_of_views
from mvsim_ros2.window.choices import first_choices
from mvsim_ros2.window.drawing.layers import Layers
from mvsim_ros2.window.drawing.measured import Budget
from mvsim_ros2.window.frame import capture, Closely, Frame
from mvsim_ros2.window.pace import Control, FRAMES, Mailbox, Meter
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.panels.keys import Driver
from mvsim_ros2.window.panels.show import Panel
from mvsim_ros2.world.spec.view import RuntimeObject

_LOG = logging.getLogger(__name__)

_STANDING = 0.1  # s between two pictures of a simulation that stands still


class Window:
    """
    Shows a simulation in browsers.

    The caller that steps the simulation calls `observe` with each observation and `update`
    between steps, from one thread. `update` carries out the requests of browsers and, while a
    browser is connected, hands a copy of the state to a thread that draws it. That thread is
    never waited for: while it is busy, states in between are not drawn.

    :ivar curves: paths that are drawn, such as planned ones.
    """

    def __init__(self, simulation: Simulation, control: Control, page: Page) -> None:
        """Draw the simulation in a page that nothing is drawn in yet; `close` closes it."""
        self.page, self._server = page, page.server
        self.choices = first_choices(simulation.world, simulation.vehicles)
        self.mailbox = Mailbox(self.say)
        self.driver = Driver(self.choices, self.mailbox)
        self.simulation, self.control = simulation, control
        self._closely, self._meter = Closely(), Meter()
        if control.recorders is not None:
            control.recorders.listeners.append(self._announce)
        self._latest: dict[str, PosedObservation] = {}
        self.overlays: tuple[RuntimeObject, ...] = ()  # shown here only, no sensor sees them
        self._things: tuple[tuple[object, ...], ...] = ()
        self._sent, self._served = 0.0, 0
        self._frame: Frame | None = None
        self._new = threading.Condition()
        self._open = True
        self.cameras = Cameras(self._server, self.choices)
        budget = Budget()
        layers = Layers(
            self._server, simulation.world, self.choices, self._pose_of, budget)
        panel = Panel(page, simulation, control, self.choices, self.mailbox, self.driver,
                      layers.measured, budget)
        self._parts = layers, panel, self.cameras
        self.curves = layers.curves
        keys_of_views(self._server, self.choices, self.cameras)
        self._server.on_client_connect(self.driver.attach)
        page.drive = self.driver.hear
        self._draw_parts(self._capture(True))
        self.cameras.start_at(first_view(simulation))
        self._drawing = threading.Thread(target=self._draw, name='mvsim window', daemon=True)
        self._drawing.start()

    @property
    def clients(self) -> int:
        """Return how many browsers are there."""
        return len(self._server.get_clients())

    def observe(self, observation: Observation) -> None:
        """Take a measurement that was just made."""
        if self._served:
            self._latest[observation.sensor] = with_pose(self.simulation, observation)

    def update(self) -> bool:
        """
        Carry out requests of browsers, and show them the present state if it is due.

        :returns: whether things came or went because of it.
        """
        self.page.go_on()
        self.driver.check()
        before = self._names()
        changed = self.mailbox.deliver(self.simulation) > 0
        self._send(changed)
        return changed and self._names() != before

    def _send(self, changed: bool) -> None:
        """Hand the present state to the thread that draws, where that waits and it is time."""
        now = time.monotonic()
        period = 1.0 / FRAMES if self.control.running or changed else _STANDING
        if now - self._sent < period - 2e-3:
            return
        self._served = self.clients
        if not self._served or self._frame is not None:
            return
        self._sent = now
        frame = self._capture(self._things != self._names())
        with self._new:
            self._frame = frame
            self._new.notify()

    def say(self, text: str, title: str = '') -> None:
        """Show a sentence in all browsers for some seconds."""
        for client in self._server.get_clients().values():
            client.add_notification(title or 'Not possible', text, auto_close_seconds=8.0)

    def _announce(self, text: str) -> None:
        """Show what became of a recording."""
        self.say(text, 'Recorded')

    def close(self) -> None:
        """Close the window, and its page."""
        if self.control.recorders is not None:
            self.control.recorders.listeners.remove(self._announce)
        with self._new:
            self._open = False
            self._new.notify()
        self._drawing.join()
        self.page.close()

    def _names(self) -> tuple[tuple[object, ...], ...]:
        return (tuple(self.simulation.vehicles), tuple(self.simulation.blocks),
                self.simulation.runtime_objects, self.overlays)

    def _capture(self, with_scene: bool) -> Frame:
        choices = self.choices
        closely = self._closely
        closely.all_wheels, closely.contacts = choices.forces, choices.contacts
        closely.odometry = choices.believed_paths
        closely.wheels = {choices.selected, choices.driven}
        self._things = self._names()
        seen, self._latest = tuple(self._latest.values()), {}
        return capture(self.simulation, closely, seen, with_scene, self.control.running,
                       self._meter.mark(self.simulation.time), self.overlays)

    def _pose_of(self, seen: PosedObservation) -> Pose | None:
        """Return the pose of the frame of a measurement, None where its sensor is gone."""
        if seen.observation.sensor not in self.simulation.sensors:
            return None
        return frame_pose(self.simulation, seen)

    def _draw_parts(self, frame: Frame) -> None:
        for part in self._parts:
            part.draw(frame)

    def _draw(self) -> None:
        """Draw frames as they come, until the window is closed."""
        said = ''
        while True:
            with self._new:
                self._new.wait_for(lambda: self._frame is not None or not self._open)
                frame = self._frame
                if not self._open or frame is None:
                    return
            try:
                with self._server.atomic():
                    self._draw_parts(frame)
            # Pictures can fail for any reason, in viser and in the drawing of any shape. Whoever
            # drives or records must not lose the simulation by that: it goes on, with a log entry.
            except Exception as error:  # noqa: B902
                if repr(error) != said:  # not again with each picture
                    said = repr(error)
                    _LOG.exception('the window could not draw a picture')
            self._frame = None
