# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things that come and go, snapshots, noise."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import viser

from mvsim_ros2.frames import Pose
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.pace import Control, Mailbox

_AHEAD = 1.5  # m before what is selected, where new things are put
_KEPT = 20  # snapshots


class WorldPanel:
    """A tab that changes the world."""

    def __init__(self, server: viser.ViserServer, choices: Choices, mailbox: Mailbox,
                 control: Control, simulation: Simulation) -> None:
        self._choices, self._mailbox, self._control = choices, mailbox, control
        self._snapshots: dict[str, Mapping[str, Any]] = {}
        world = simulation.world
        gui = server.gui
        with gui.add_folder('Add'):
            self._adder(gui, 'Vehicle', tuple(world.vehicle_classes), 'spawn_vehicle')
            self._adder(gui, 'Block', tuple(world.block_classes), 'spawn_block')
            if not world.vehicle_classes and not world.block_classes:
                gui.add_markdown('This world has no classes of vehicles or blocks.')
        with gui.add_folder('Snapshots'):
            gui.add_button('Keep this state', icon=viser.Icon.BOOKMARK,
                           hint='of all vehicles, blocks, people and sensors').on_click(
                lambda _: mailbox.post(self._keep))
            self._chosen = gui.add_dropdown('Kept', ('(none)',))
            gui.add_button('Back to it', icon=viser.Icon.HISTORY).on_click(
                lambda _: self._restore())
        noise = gui.add_checkbox(
            'Noise of sensors', True, hint='off: sensors measure exactly')
        noise.on_update(lambda _: mailbox.post(
            lambda simulation: simulation.set_noise(noise.value)))

    def _adder(self, gui: Any, what: str, classes: tuple[str, ...], method: str) -> None:
        """Add a choice of classes and a button that puts one of them into the world."""
        if not classes:
            return
        choice = gui.add_dropdown(what, classes)

        def add(simulation: Simulation) -> None:
            taken = {*simulation.vehicles, *simulation.blocks}
            number = 1
            while (name := f'{choice.value}_{number}') in taken:
                number += 1
            getattr(simulation, method)(name, choice.value, self._place(simulation))
            self._choices.selected = name

        gui.add_button(f'Add {what.lower()}', icon=viser.Icon.PLUS).on_click(
            lambda _: self._mailbox.post(add))

    def _place(self, simulation: Simulation) -> Pose:
        """Return a pose before what is selected or driven, or the origin."""
        for name in (self._choices.selected, self._choices.driven):
            for things in (simulation.vehicles, simulation.blocks, simulation.actors):
                if name in things:
                    pose = things[name].pose
                    return Pose(pose.x + _AHEAD * float(np.cos(pose.yaw)),
                                pose.y + _AHEAD * float(np.sin(pose.yaw)), pose.z, pose.yaw)
        return Pose()

    def _keep(self, simulation: Simulation) -> None:
        name = f'{simulation.time:.3f} s'
        while name in self._snapshots:
            name += "'"
        self._snapshots[name] = simulation.snapshot()
        while len(self._snapshots) > _KEPT:
            del self._snapshots[next(iter(self._snapshots))]
        self._chosen.options = tuple(self._snapshots)
        self._chosen.value = name

    def _restore(self) -> None:
        snapshot = self._snapshots.get(self._chosen.value)
        if snapshot is not None:
            self._control.restore(snapshot)
