# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From where each browser looks: first view, from above, with a thing, from a robot."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import viser

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.pictures.viewpoint import automatic_view, FIELD_OF_VIEW
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.world.spec.view import GuiSpec

FREE, FOLLOW, CHASE, ABOVE, RIDE = 'free', 'follow', 'behind', 'above', 'ride along'
MODES = (FREE, FOLLOW, CHASE, ABOVE, RIDE)
_SIZE = (1280, 720)  # px; of a usual window
_ASIDE, _DOWN = 0.117, -0.06  # of the distance: the panel is on the right, on phones below
_FIELD = 2.0 * np.arctan(np.tan(0.5 * FIELD_OF_VIEW) * 9 / 16)  # upright [rad]
_MIDDLE = 0.4  # m above the reference point of what is followed
_BEHIND, _OVER = 4.0, 2.0  # m, of a camera behind a vehicle
_HIGH = 14.0  # m, of a camera above a vehicle
_SMALL = 1e-3  # m; smaller motions of a camera are not sent
_NEAREST = 8.0  # m, of the first view: robots soon drive out of nearer ones
_PANEL, _PHONE = 320, 576  # px, width of the panel, and of pages that have it below instead
_WIDE = 1.33  # width over height of a picture that the first view suits
_ONE = 1.4  # times, the room around one robot that narrower pictures can do without
_LAG = 0.15  # share of the turn of a vehicle that the camera behind takes on in a frame


@dataclass(frozen=True, eq=False)
class View:
    """A place to look from."""

    eye: Array  # [m]
    at: Array  # [m]
    field: float = _FIELD  # upright [rad]
    near: float = 0.0  # what is nearer is not drawn [m], 0 for what the browser takes
    far: float = 0.0  # what is farther is not drawn [m], 0 for the same
    room: float = 1.0  # times, how much farther it is than it must be

    def moved(self, right: float, up: float) -> 'View':
        """Return it moved aside and upwards in its picture, in shares of its distance."""
        forward = self.at - self.eye
        distance = float(np.linalg.norm(forward))
        aside = np.cross(forward / distance, (0.0, 0.0, 1.0))
        aside /= max(1e-9, float(np.linalg.norm(aside)))
        step = distance * (right * aside + up * np.cross(aside, forward / distance))
        return replace(self, eye=self.eye + step, at=self.at + step)

    def farther(self, times: float) -> 'View':
        """Return it from farther away."""
        return replace(self, eye=self.at + times * (self.eye - self.at))


def view_of(gui: GuiSpec) -> View:
    """Return the view that a world file asks for."""
    level = np.cos(gui.cam_elevation)
    away = gui.cam_distance * np.array([
        level * np.cos(gui.cam_azimuth), level * np.sin(gui.cam_azimuth),
        np.sin(gui.cam_elevation)])
    at = np.array(gui.cam_point_to)
    return View(at + away, at, gui.fov, gui.clip_plane_min, gui.clip_plane_max)


def first_view(simulation: Simulation) -> View:
    """Return the view of `<gui>`, else one of the world in which the robots are seen."""
    if simulation.world.gui.given:
        return view_of(simulation.world.gui)
    view = automatic_view(simulation, *_SIZE)
    eye, forward = view.pose[:3, 3], view.pose[:3, 2]
    vehicles = [vehicle.pose.z for vehicle in simulation.vehicles.values()]
    ground = float(np.median(vehicles or [0.0]))
    distance = max(1.0, (ground - eye[2]) / min(forward[2], -1e-3))
    away = max(1.0, _NEAREST / distance)
    return View(eye, eye + distance * forward,
                room=away * _ONE if len(vehicles) == 1 else away).farther(away)


def set_first_view(server: viser.ViserServer, view: View) -> None:
    """Set from where browsers look that come from now on."""
    first = server.initial_camera
    first.position, first.look_at, first.up = view.eye, view.at, (0.0, 0.0, 1.0)
    first.fov = view.field
    if view.far:
        first.near, first.far = view.near, view.far


class Cameras:
    """Moves the cameras of all browsers as `choices.follow` says."""

    def __init__(self, server: viser.ViserServer, choices: Choices) -> None:
        self._server = server
        self._choices = choices
        self._heading: float | None = None  # of the camera behind a vehicle [rad]
        self._mode = FREE
        self._target = ''
        self._home: View | None = None
        server.on_client_connect(self._attach)

    def start_at(self, view: View) -> None:
        """Set where browsers look from at first, and when they ask for that view."""
        self._home = view
        set_first_view(self._server, view.moved(_ASIDE, 0.0))
        for client in self._server.get_clients().values():  # that came before
            self._show_home(client)

    async def _attach(self, client: viser.ClientHandle) -> None:
        """Hear where a browser looks; async, so that no move of it is missed."""
        client.camera.on_update(self._welcome)

    def _welcome(self, camera: viser.CameraHandle) -> None:
        """Let a browser that is not wide, as of a phone, look from farther away at first."""
        first = self._home.moved(_ASIDE, 0.0) if self._home else None
        # the page goes there some time after it has connected, and when its view is reset
        if (first and np.allclose(camera.position, first.eye, atol=0.05)
                and np.allclose(camera.look_at, first.at, atol=0.05)):
            self._show_home(camera.client)

    def _show_home(self, client: viser.ClientHandle) -> None:
        """Let a browser look from where it began."""
        width, height = client.camera.image_width, client.camera.image_height
        if self._home is None or not width:  # a page that is hidden comes here again
            return
        free = width - _PANEL if width > _PHONE else width
        view = self._home.farther(max(1.0, _WIDE / self._home.room * height / free))
        aside = _ASIDE * _SIZE[1] / height
        _look(client, view.moved(aside, 0.0) if width > _PHONE else view.moved(0.0, _DOWN))

    def home(self) -> None:
        """Let all browsers look from where they began."""
        self._choices.follow = FREE
        for client in self._server.get_clients().values():
            self._show_home(client)

    def draw(self, frame: Frame) -> None:
        """Follow what is followed."""
        mode = self._choices.follow
        name = self._choices.selected or self._choices.driven
        pose = frame.pose(name)
        if mode == FREE or pose is None:
            self._mode = FREE
            return
        begins = (mode, name) != (self._mode, self._target)
        self._mode, self._target = mode, name
        if begins:
            self._heading = pose.yaw
        for client in self._server.get_clients().values():
            _look(client, self._view(client, mode, pose, begins))

    def _view(self, client: viser.ClientHandle, mode: str, pose: Pose, begins: bool) -> View:
        at = pose.position + (0.0, 0.0, _MIDDLE)
        if mode == RIDE:
            eye = pose.transform(np.array([0.1, 0.0, 1.0]))
            return View(eye, eye + pose.rotation @ np.array([1.0, 0.0, -0.12]))
        away = client.camera.position - client.camera.look_at
        if mode == ABOVE:
            if begins:
                away = np.array([0.0, -0.01, _HIGH])
        elif mode == CHASE:
            assert self._heading is not None
            turn = (pose.yaw - self._heading + np.pi) % (2 * np.pi) - np.pi
            self._heading += _LAG * turn
            if begins:
                away = np.array([-_BEHIND, 0.0, _OVER])
            reach = float(np.hypot(away[0], away[1]))
            away = np.array([-reach * np.cos(self._heading), -reach * np.sin(self._heading),
                             away[2]])
        elif begins and np.linalg.norm(away) > 12.0:
            away = 8.0 * away / np.linalg.norm(away)
        return View(at + away, at)


def _look(client: viser.ClientHandle, view: View) -> None:
    """Set the camera of a browser, where it is another one."""
    camera = client.camera
    if (np.abs(camera.position - view.eye).max() < _SMALL
            and np.abs(camera.look_at - view.at).max() < _SMALL):
        return
    with client.atomic():
        camera.position = view.eye
        camera.look_at = view.at


def keys_of_views(server: viser.ViserServer, choices: Choices, cameras: Cameras) -> None:
    """Register keys and commands for the views."""
    def take(mode: str, _: object) -> None:
        choices.follow = FREE if choices.follow == mode else mode

    for mode, key in ((FOLLOW, 'F'), (CHASE, 'B'), (ABOVE, 'T'), (RIDE, 'V')):
        server.gui.add_command(f'Camera: {mode}', hotkey=key).on_trigger(partial(take, mode))
    server.gui.add_command('Camera: first view', hotkey='home').on_trigger(
        lambda _: cameras.home())
