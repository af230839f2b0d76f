# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which vehicle the keys drive, and how fast."""

import viser

from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.panels.keys import Driver, usual_speeds

_NOBODY = '(none)'


class DrivePanel:
    """A folder about driving."""

    def __init__(self, server: viser.ViserServer, choices: Choices, driver: Driver) -> None:
        self._choices, self._driver = choices, driver
        self._names: tuple[str, ...] = ()
        self._for = ''
        gui = server.gui
        with gui.add_folder('Drive', expand_by_default=True):
            self._driven = gui.add_dropdown(
                'Vehicle', (_NOBODY,), hint='keys W A S D or arrows, Q and E sideways; '
                'or the joystick in the corner')
            self._speed = gui.add_slider('Speed [m/s]', 0.1, 15.0, 0.1, driver.speed)
            self._turn = gui.add_slider('Turn [rad/s]', 0.1, 4.0, 0.1, driver.turn)
        self._driven.on_update(lambda _: self._choose(self._driven.value))
        self._speed.on_update(lambda _: setattr(driver, 'speed', self._speed.value))
        self._turn.on_update(lambda _: setattr(driver, 'turn', self._turn.value))

    def _choose(self, name: str) -> None:
        self._choices.driven = '' if name == _NOBODY else name

    def draw(self, frame: Frame) -> None:
        """Follow the vehicles that there are, and clicks on them."""
        names = (_NOBODY, *frame.vehicles)
        if names != self._names:
            self._names = names
            self._driven.options = names
        driven = self._choices.driven
        if driven not in frame.vehicles:
            driven = self._choices.driven = next(iter(frame.vehicles), '')
        if self._driven.value != (driven or _NOBODY):
            self._driven.value = driven or _NOBODY
        if driven and driven != self._for:
            self._for = driven
            speed, turn = usual_speeds(frame.vehicles[driven].spec)
            self._speed.value = self._driver.speed = speed
            self._turn.value = self._driver.turn = turn
