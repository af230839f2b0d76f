# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A window that plays recordings."""

import math
import time

import viser

from mvsim_ros2.sensors.observations import Image
from mvsim_ros2.window.background import Background
from mvsim_ros2.window.cameras import Cameras, first_view, keys_of_views
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.layers import Layers
from mvsim_ros2.window.drawing.marks import path_colour
from mvsim_ros2.window.drawing.measured import Budget
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.pace import FRAMES
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.panels.run import SPEEDS
from mvsim_ros2.window.panels.sensors import PicturesPanel
from mvsim_ros2.window.panels.show import ShowPanel
from mvsim_ros2.window.replay.playback import Playback
from mvsim_ros2.window.replay.recorded import seen_where

_AHEAD = 0.1  # s before a collision, where a jump to it ends
_SPEEDS = tuple(name for name, speed in SPEEDS.items() if not math.isinf(speed))


class Replay(Background):
    """Plays recordings in browsers: the first as it was, the others as ghosts."""

    def __init__(self, playback: Playback, page: Page) -> None:
        """Draw the first moment in a page; `close` closes that."""
        super().__init__()
        self.playback = playback
        self._page, self._server = page, page.server
        self.link = page.link
        self.time, self.running = self.playback.start, True
        self._speed = 1.0
        budget = Budget()
        choices = Choices(driven=next(iter(playback.recordings[0].tracks)))
        self._layers = Layers(
            self._server, self.playback.world, choices, seen_where, budget)
        self._cameras = Cameras(self._server, choices)
        self._cameras.start_at(first_view(playback.at_start()))
        for number, recording in enumerate(playback.recordings):
            if number == 0 and playback.estimated or recording.label:
                for name, track in recording.tracks.items():
                    self._layers.curves.put(f'{name} {number}', track.poses[:, :3],
                                            path_colour(number))
        self._add_controls()
        images = [each.observation for recording in playback.recordings
                  for seen in recording.seen.values() for _, each in seen[:1]
                  if isinstance(each.observation, Image)]
        self._pictures = PicturesPanel(
            self._server, self._server.gui.add_folder('Cameras', visible=bool(images)),
            self._layers.measured, choices, budget)
        with self._server.gui.add_folder('Show', expand_by_default=False):
            self._show = ShowPanel(self._server, choices, page.dark)
        keys_of_views(self._server, choices, self._cameras)
        self._layers.draw(self.playback.frame(self.time, True))
        page.go_on()

    def _add_controls(self) -> None:
        gui, playback = self._server.gui, self.playback
        self._status = self._page.status
        self._button = gui.add_button('Pause')
        self._button.on_click(lambda _: self.toggle())
        span = max(playback.end - playback.start, 0.01)
        self._slider = gui.add_slider(
            'Time [s]', playback.start, playback.start + span, min(0.01, span), playback.start)
        self._slider.on_update(self._seek)
        rate = gui.add_dropdown('Speed', _SPEEDS, initial_value='1x')
        rate.on_update(lambda _: setattr(self, '_speed', SPEEDS[rate.value]))
        gui.add_command('Play or pause', hotkey='space').on_trigger(lambda _: self.toggle())
        self._add_collisions()

    def _add_collisions(self) -> None:
        """Add buttons that go from one collision to the next, where there are any."""
        gui, collisions = self._server.gui, self.playback.recordings[0].collisions
        if not collisions:
            return
        count = f'{len(collisions)} collision' + 's' * (len(collisions) != 1)
        jump = gui.add_button_group(count, ('Before', 'Next'), hint='keys , and .')
        jump.on_click(lambda event: self.jump(event.target.value == 'Next'))
        for key, onward in ((',', False), ('.', True)):
            gui.add_command(f'{"Next" if onward else "Last"} collision', hotkey=key).on_trigger(
                lambda _, onward=onward: self.jump(onward))

    def jump(self, onward: bool) -> None:
        """Go to a moment before the next collision, or before the one before; stand there."""
        moments = [time - _AHEAD for time in self.playback.recordings[0].collisions]
        there = [time for time in moments
                 if (time > self.time + 0.01 if onward else time < self.time - 0.01)]
        if there:
            self.time = max(self.playback.start, there[0] if onward else there[-1])
            self.running = False

    def toggle(self) -> None:
        """Go on, or stand still; at the end begin again."""
        if not self.running and self.time >= self.playback.end:
            self.time = self.playback.start
        self.running = not self.running

    def _seek(self, event: 'viser.GuiEvent[viser.GuiSliderHandle]') -> None:
        """Go to a time that a browser requests."""
        if event.client is not None:  # what this process sets asks for nothing
            self.time = float(event.target.value)

    def run(self, duration: float = math.inf, speed: float = 1.0) -> None:
        """
        Play until `close`, or for some seconds of what is played, or to its end if that is sooner.

        :param duration: s; inf to go on until `close` even after its end.
        :param speed: seconds that are played a second, until a browser asks for others.
        """
        last, self._speed, played = time.monotonic(), speed, 0.0
        while not self._ended.wait(1.0 / FRAMES):
            now = time.monotonic()
            passed, last = now - last, now
            if self.running:
                played += passed * self._speed
                self.time = min(self.time + passed * self._speed, self.playback.end)
                self.running = self.time < self.playback.end
            if self._server.get_clients():
                self._draw()
            if played >= duration or duration < math.inf and self.time >= self.playback.end:
                return

    def _draw(self) -> None:
        with self._server.atomic():
            frame = self.playback.frame(self.time, running=self.running, speed=self._speed)
            self._layers.draw(frame)
            self._show.draw(frame)
            self._pictures.draw(frame)
            self._cameras.draw(frame)
            change(self._button, label='Pause' if self.running else 'Play')
            text = f'**{self.time:.2f} s** of {self.playback.end:.2f} s'
            if self._status.content != text:
                self._status.content = text
                self._slider.value = round(self.time, 2)

    def close(self) -> None:
        """Close the window, once nothing draws in it."""
        super().close()
        self._page.close()
