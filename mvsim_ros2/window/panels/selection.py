# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The thing that is selected: its state, a gizmo to move it, its sensors."""

from functools import partial
import time
from typing import Any

import numpy as np
import viser

from mvsim_ros2.frames import Pose
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.picking import picked
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.panels.thing_text import text_of
from mvsim_ros2.window.requests import Mailbox

_NOTHING = '(nothing)'
_PERIOD = 0.25  # s between two updates of the text


class Selection:
    """A tab about one thing; a click on it in the picture selects it too."""

    def __init__(self, server: viser.ViserServer, choices: Choices, mailbox: Mailbox,
                 simulation: Simulation) -> None:
        self._server, self._choices, self._mailbox = server, choices, mailbox
        self._simulation = simulation
        self._time = 0.0
        self._names: tuple[str, ...] = ()
        self._gizmo: Any = None
        self._held = False
        gui = server.gui
        self._choice = gui.add_dropdown('Selected', (_NOTHING,))
        self._choice.on_update(lambda _: self.select(self._choice.value))
        self._text = gui.add_markdown('Click on a thing in the picture to select it.')
        self._move = gui.add_checkbox(
            'Move it', False, hint='shows arrows to drag it and an arc to turn it')
        self._move.on_update(lambda _: self._show_gizmo())
        self._remove = gui.add_button('Remove it', icon=viser.Icon.TRASH, color='red')
        self._remove.on_click(lambda _: self._take_away())
        server.scene.on_click()(self._click)
        gui.add_command('Move the selected thing', hotkey='G').on_trigger(
            lambda _: setattr(self._move, 'value', not self._move.value))
        gui.add_command('Select nothing', hotkey='escape').on_trigger(
            lambda _: self.select(_NOTHING))

    def select(self, name: str) -> None:
        """Select a thing by its name."""
        name = '' if name == _NOTHING else name
        if name == self._choices.selected:
            return
        self._choices.selected = name
        self._time = 0.0
        self._show_gizmo()

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        names = (_NOTHING, *frame.vehicles, *frame.blocks, *frame.actors)
        chosen = self._choices.selected
        if chosen and chosen not in names:
            chosen = self._choices.selected = ''
            self._show_gizmo()
        if names != self._names:
            self._names = names
            self._choice.options = names
        if self._choice.value != (chosen or _NOTHING):
            self._choice.value = chosen or _NOTHING
        for part in (self._move, self._remove):
            if part.visible != bool(chosen):
                part.visible = bool(chosen)
        pose = frame.pose(chosen)
        if pose is not None and self._gizmo is not None and not self._held:
            _place(self._gizmo, pose)
        now = time.monotonic()
        if now - self._time >= _PERIOD:
            self._time = now
            text = text_of(chosen, frame) if chosen else (
                'Click on a thing in the picture to select it.')
            if self._text.content != text:
                self._text.content = text

    def _click(self, event: Any) -> None:
        """Select what a browser has clicked on."""
        origin, direction = np.array(event.ray_origin), np.array(event.ray_direction)

        def find(simulation: Simulation) -> None:
            found = picked(simulation.scene(), origin, direction)
            name = found[0] if found else ''
            if name in simulation.vehicles:
                self._choices.driven = name
            self.select(name if name in simulation.vehicles or name in simulation.blocks
                        or name in simulation.actors else _NOTHING)

        self._mailbox.post(find)

    def _show_gizmo(self) -> None:
        """Put a gizmo on the selected thing, where it is switched on."""
        name = self._choices.selected
        wanted = self._move.value and (name in self._simulation.vehicles
                                       or name in self._simulation.blocks)
        if self._gizmo is not None:
            self._gizmo.remove()
            self._gizmo, self._held = None, False
        if not wanted:
            return
        gizmo = self._server.scene.add_transform_controls(
            '/gizmo', scale=0.9, active_axes=(True, True, False), depth_test=False)
        gizmo.on_update(partial(self._drag, name))
        self._gizmo = gizmo

    async def _drag(self, name: str, event: Any) -> None:
        """Put a thing where its gizmo has been dragged; viser awaits the phases in their order."""
        self._held = event.phase != 'end'
        if event.phase == 'start':
            return
        x, y, _ = event.target.position.tolist()
        w, _, _, z = event.target.wxyz.tolist()
        yaw = 2.0 * float(np.arctan2(z, w))

        def put(simulation: Simulation) -> None:
            thing = (simulation.vehicles if name in simulation.vehicles
                     else simulation.blocks)[name]
            now = thing.pose
            simulation.set_pose(name, Pose(x, y, now.z, yaw, now.pitch, now.roll))

        self._mailbox.post(put)

    def _take_away(self) -> None:
        name = self._choices.selected
        if name:
            self._mailbox.post(lambda simulation: simulation.remove(name))


def _place(node: Any, pose: Pose) -> None:
    w, z = np.cos(0.5 * pose.yaw), np.sin(0.5 * pose.yaw)
    place, turn = pose.position, np.array([w, 0.0, 0.0, z])
    if np.abs(node.position - place).max() > 1e-3:
        node.position = place
    if np.abs(node.wxyz - turn).max() > 1e-3:
        node.wxyz = turn
