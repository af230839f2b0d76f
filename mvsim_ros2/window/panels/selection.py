# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The thing that is selected: its state, a gizmo to move it, its sensors."""

from functools import partial
import time
from typing import Any

import numpy as np
import viser

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.pictures.sight import boxes_met, triangle_shares
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.window.pace import Mailbox

_NOTHING = '(nothing)'
_HINT = 'Click on a thing in the picture to select it.'
_PERIOD = 0.25  # s between two updates of the text
_AROUND = 0.25  # m; a click as near to a vehicle selects it
_VEHICLE = Scene.LABELS.index('vehicle')


class Selection:
    """A tab about one thing; a click on it in the picture selects it too."""

    def __init__(self, server: viser.ViserServer, choices: Choices, mailbox: Mailbox,
                 simulation: Simulation) -> None:
        self._server, self._choices, self._mailbox = server, choices, mailbox
        self._simulation = simulation
        self._time = 0.0
        self._gizmo: Any = None
        self._held = False
        gui = server.gui
        self._choice = gui.add_dropdown('Selected', (_NOTHING,))
        self._choice.on_update(lambda _: self.select(self._choice.value))
        self._text = gui.add_markdown(_HINT)
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
        change(self._choice, options=names)
        change(self._choice, value=chosen or _NOTHING)
        for part in (self._move, self._remove):
            change(part, visible=bool(chosen))
        pose = frame.pose(chosen)
        if pose is not None and self._gizmo is not None and not self._held:
            _place(self._gizmo, pose)
        now = time.monotonic()
        if now - self._time >= _PERIOD:
            self._time = now
            change(self._text, content=text_of(chosen, frame) if chosen else _HINT)

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


def text_of(name: str, frame: Frame) -> str:
    """Return the state of a thing, as Markdown."""
    pose = frame.pose(name)
    if pose is None:
        return f'**{name}** is gone.'
    yaw, pitch, roll = np.degrees([pose.yaw, pose.pitch, pose.roll])
    lines = [f'**{name}**', '', '| | |', '|---|---|',
             f'| x, y, z | {pose.x:.2f}, {pose.y:.2f}, {pose.z:.2f} m |',
             f'| yaw, pitch, roll | {yaw:.1f}, {pitch:.1f}, {roll:.1f} ° |']
    vehicle = frame.vehicles.get(name)
    return '\n'.join(lines if vehicle is None else lines + _vehicle_rows(vehicle))


def _vehicle_rows(vehicle: VehicleState) -> list[str]:
    vx, vy, wz = vehicle.twist
    command_v, _, command_w = vehicle.command
    rows = [f'| speed | {vx:.2f} m/s, sideways {vy:.2f} m/s |',
            f'| yaw rate | {wz:.2f} rad/s |',
            f'| command | {command_v:.2f} m/s, {command_w:.2f} rad/s |']
    wheels = vehicle.wheels
    if wheels is not None and len(wheels):
        rows += [f'| wheels | {_listed(wheels["omega"], 1)} rad/s |',
                 f'| loads | {_listed(wheels["normal_load"], 0)} N |',
                 f'| torques | {_listed(wheels["torque"], 2)} N m |']
    return rows


def _listed(values: np.ndarray, digits: int) -> str:
    return ', '.join(f'{value:.{digits}f}' for value in values.tolist())


def picked(scene: Scene, origin: Array, direction: Array) -> tuple[str, Array] | None:
    """
    Return the thing that a ray meets first, and where [m]; None where it meets nothing.

    Small things are hard to hit: where the ray passes a vehicle closely before it meets anything
    else, the vehicle is meant.
    """
    best, found = np.inf, -1
    for row in range(len(scene.mesh)):
        distance = _distance(scene, row, origin, direction)
        if distance < best:
            best, found = distance, row
    if found < 0 or scene.label[found] != _VEHICLE:
        for row in np.flatnonzero(scene.label == _VEHICLE).tolist():
            place = scene.transform[row, :3, 3]
            along = float((place - origin) @ direction)
            if (0 < along < best + _AROUND
                    and np.linalg.norm(origin + along * direction - place) < _AROUND):
                best, found = along, row
    if found < 0:
        return None
    return scene.thing_names[scene.thing[found]], origin + best * direction


def _distance(scene: Scene, row: int, origin: Array, direction: Array) -> float:
    """Return how far a ray goes until it meets an instance, inf where it does not."""
    mesh = scene.meshes[scene.mesh[row]]
    inverse = np.linalg.inv(scene.transform[row])
    start, ray = inverse[:3, :3] @ origin + inverse[:3, 3], inverse[:3, :3] @ direction
    box = np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)])
    if not boxes_met(box[None], start, ray[None])[0, 0]:
        return float('inf')
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(triangle_shares(a, b - a, c - a, start, ray[None]).min())
