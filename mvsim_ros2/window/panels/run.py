# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Run, pause, step, reset, speed: the part of the panel that is always there."""

from functools import partial
import math
import time

import viser

from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Control
from mvsim_ros2.window.page import Page

SPEEDS = {'0.1x': 0.1, '0.25x': 0.25, '0.5x': 0.5, '1x': 1.0, '2x': 2.0, '5x': 5.0,
          '10x': 10.0, 'max': math.inf}
_PERIOD = 0.25  # s between two updates of the numbers


class RunPanel:
    """Shows the time and lets it go, in the panel of the browser."""

    def __init__(self, page: Page, control: Control, seed: int) -> None:
        self._control, self._status = control, page.status
        self._time = 0.0
        gui = page.server.gui
        self._run = gui.add_button('Pause', icon=viser.Icon.PLAYER_PAUSE, hint='key: space')
        self._step = gui.add_button_group(' ', ('Step', '10 steps', 'Reset'),
                                          hint='keys: N one step, backspace reset')
        self._speed = gui.add_dropdown(
            'Speed', tuple(SPEEDS), initial_value=_nearest(control.speed),
            hint='simulated seconds per second')
        self._seed = gui.add_number(
            'Seed', seed, min=0, step=1, hint='of the random numbers, from the next reset on')
        self._run.on_click(lambda _: self.toggle())
        self._step.on_click(lambda event: self._press(event.target.value))
        self._speed.on_update(lambda _: control.set_speed(SPEEDS[self._speed.value]))
        for label, key, what in (('Run or pause', 'space', self.toggle),
                                 ('Single step', 'N', partial(self._press, 'Step')),
                                 ('Reset', 'backspace', partial(self._press, 'Reset'))):
            gui.add_command(label, hotkey=key).on_trigger(lambda _, what=what: what())

    def toggle(self) -> None:
        """Go on, or stand still."""
        self._control.set_running(not self._control.running)

    def _press(self, button: str) -> None:
        if button == 'Reset':
            self._control.reset(int(self._seed.value))
        else:
            self._control.step(10 if button.startswith('10') else 1)

    def draw(self, frame: Frame) -> None:
        """Show the numbers of a frame."""
        change(self._run, label='Pause' if frame.running else 'Run',
               icon=viser.Icon.PLAYER_PAUSE if frame.running else viser.Icon.PLAYER_PLAY)
        now = time.monotonic()
        if now - self._time < _PERIOD:
            return
        self._time = now
        change(self._speed, value=_nearest(self._control.speed))
        change(self._status, content=f'**{frame.time:.2f} s** &nbsp; ' + (
            f'{frame.speed:.2f} x real time' if frame.running else 'paused'))


def _nearest(speed: float) -> str:
    """Return the name of the speed nearest to a number."""
    if math.isinf(speed):
        return 'max'
    finite = {name: value for name, value in SPEEDS.items() if not math.isinf(value)}
    return min(finite, key=lambda name: abs(math.log(finite[name] / max(speed, 1e-6))))
