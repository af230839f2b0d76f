# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Driving from the browser: which vehicle, how fast, keys and a joystick (`drive.js`)."""

import html
import math
from pathlib import Path
import threading
import time

import viser

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Mailbox
from mvsim_ros2.world.spec import RawController, SteeredSpec, VehicleSpec
from mvsim_ros2.world.spec.solids import vehicle_footprint

_SCRIPT = Path(__file__).with_name('drive.js')
_SILENCE = 0.7  # s after which a vehicle is stopped whose driver is heard no more
_ACCELERATION = 1.5  # m/s^2 that full torque gives a vehicle that takes torques
_NO_VEHICLE = '(none)'
_FULL = 'with a key held, or at the rim of the joystick'
_KEYS = """
| key | |
|---|---|
| W A S D, arrows | drive; Q, E sideways |
| space, N | run or pause, one step |
| backspace | reset |
| F, B, T, V | follow, behind, above, ride along |
| Home | first view |
| Esc, G | select nothing, move what is selected |
| P | screenshot |
| Ctrl-K | all commands |
"""


class Driver:
    """
    Drives `choices.driven` as long as a browser says so.

    A browser that goes away while a key is held stops the vehicle.
    """

    def __init__(self, choices: Choices, mailbox: Mailbox) -> None:
        self._choices = choices
        self._mailbox = mailbox
        self._lock = threading.Lock()
        self._heard = 0.0  # when a browser last requested motion, 0 for none
        self._moving = ''  # vehicle that moves because a browser said so
        self.speed, self.turn = 1.0, 1.0  # at the end of the joystick [m/s, rad/s]

    def attach(self, client: viser.ClientHandle) -> None:
        """Give a browser its keys and its joystick."""
        client.gui.add_html(
            '<img alt="" src="data:," style="display:none" onerror="'
            + html.escape(_SCRIPT.read_text(), quote=True)
            + ';window.mvsimDrive.show(true)">', order=1e6)

    def hear(self, message: str) -> None:
        """Take a message of the script: forward, left, turn, each from -1 to 1; any thread may."""
        try:
            numbers = [max(-1.0, min(1.0, float(word))) for word in message[:100].split()
                       if math.isfinite(float(word))]
            forward, left, turn = numbers
        except ValueError:
            return
        name = self._choices.driven
        if not name:
            return
        with self._lock:
            moving = forward != 0.0 or left != 0.0 or turn != 0.0
            if not moving and not self._moving:
                return
            self._heard = time.monotonic() if moving else 0.0
            before, self._moving = self._moving, name if moving else ''
        if before and before != name:
            self._mailbox.post(lambda simulation: self._command(simulation, before, 0.0, 0.0, 0.0))
        self._mailbox.post(lambda simulation: self._command(simulation, name, forward, left, turn))

    def check(self) -> None:
        """Stop the vehicle whose driver has gone silent."""
        with self._lock:
            if not self._moving or time.monotonic() - self._heard < _SILENCE:
                return
            name, self._moving = self._moving, ''
        self._mailbox.post(lambda simulation: self._command(simulation, name, 0.0, 0.0, 0.0))

    def _command(self, simulation: Simulation, name: str, forward: float, left: float,
                 turn: float) -> None:
        command(simulation.vehicles[name], self.speed * forward, self.speed * left,
                turn * self.turn, turn)


def command(vehicle: VehicleHandle, v: float, left: float, w: float, wheel: float) -> None:
    """
    Tell a vehicle to move, as its controller takes it.

    :param v: forward [m/s].
    :param left: sideways [m/s], for those that can.
    :param w: yaw rate [rad/s].
    :param wheel: of the steering, from -1, right, to 1.
    :raises ControllerError: where the controller takes none of it.
    """
    dynamics = vehicle.spec.dynamics
    angle = wheel * dynamics.max_steer_ang if isinstance(dynamics, SteeredSpec) else 0.0
    if isinstance(dynamics.controller, RawController):
        count = vehicle.torques_taken
        radius = max(each.radius for each in dynamics.wheels)
        torque = _ACCELERATION * dynamics.chassis.mass * radius / max(1, count)
        share = max(-1.0, min(1.0, v))
        turning = 0.0 if angle or count < 2 else max(-1.0, min(1.0, w))
        torques = [torque * (share - turning * (1.0 if i % 2 == 0 else -1.0))
                   for i in range(count)]
        vehicle.set_torques(*torques, steering=angle)
    elif vehicle.accepts_twist:
        vehicle.set_twist(v, w, left)
    else:
        vehicle.set_steering(v, angle)


def usual_speeds(spec: VehicleSpec) -> tuple[float, float]:
    """Return the speed and the yaw rate that suit a vehicle of its length [m/s, rad/s]."""
    corners = vehicle_footprint(spec).polygon
    length = max(x for x, _ in corners) - min(x for x, _ in corners)
    return round(max(0.5, min(5.0, 1.6 * length)), 1), 1.2


class DrivePanel:
    """A folder about driving."""

    def __init__(self, server: viser.ViserServer, choices: Choices, driver: Driver) -> None:
        self._choices, self._driver = choices, driver
        self._for = ''
        gui = server.gui
        with gui.add_folder('Drive', expand_by_default=True):
            self._driven = gui.add_dropdown(
                'Vehicle', (_NO_VEHICLE,), hint='keys W A S D or arrows, Q and E sideways; '
                'or the joystick in the corner')
            self._speed = gui.add_slider('Speed [m/s]', 0.1, 15.0, 0.1, driver.speed, hint=_FULL)
            self._turn = gui.add_slider('Turn [rad/s]', 0.1, 4.0, 0.1, driver.turn, hint=_FULL)
        with gui.add_folder('Keys', expand_by_default=False):
            gui.add_markdown(_KEYS)
        self._driven.on_update(lambda _: self._choose(self._driven.value))
        self._speed.on_update(lambda _: setattr(driver, 'speed', self._speed.value))
        self._turn.on_update(lambda _: setattr(driver, 'turn', self._turn.value))

    def _choose(self, name: str) -> None:
        self._choices.driven = '' if name == _NO_VEHICLE else name

    def draw(self, frame: Frame) -> None:
        """Follow the vehicles that there are, and clicks on them."""
        change(self._driven, options=(_NO_VEHICLE, *frame.vehicles))
        driven = self._choices.driven
        if driven not in frame.vehicles:
            driven = self._choices.driven = next(iter(frame.vehicles), '')
        change(self._driven, value=driven or _NO_VEHICLE)
        if driven and driven != self._for:
            self._for = driven
            speed, turn = usual_speeds(frame.vehicles[driven].spec)
            self._speed.value = self._driver.speed = speed
            self._turn.value = self._driver.turn = turn
