# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Screenshots, films and bags."""

import io
from typing import Any

from PIL import Image
import viser

from mvsim_ros2.pictures.viewpoint import camera
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Mailbox
from mvsim_ros2.window.recorders import LONGEST_FILM, Recorders

_FILM_SIZE = (1280, 720)  # px
_SHARPEST = 1920  # px of a side of a screenshot
_PATIENCE = 30.0  # s for a browser to send what it shows


class RecordPanel:
    """A folder that keeps what happens."""

    def __init__(self, server: viser.ViserServer, recorders: Recorders | None,
                 mailbox: Mailbox) -> None:
        self._recorders, self._mailbox = recorders, mailbox
        with server.gui.add_folder('Record'):
            self._add(server.gui)

    def _add(self, gui: viser.GuiApi) -> None:
        recorders, mailbox = self._recorders, self._mailbox
        gui.add_button('Screenshot', icon=viser.Icon.CAMERA, hint='of the picture, without the '
                       'panel, as a download (P)').on_click(lambda event: _shoot(event.client))
        gui.add_command('Screenshot', hotkey='P').on_trigger(
            lambda event: _shoot(event.client))
        if recorders is None:
            return
        self._seconds = gui.add_number(
            'Film [s]', 10.0, min=0.1, max=LONGEST_FILM, step=0.1, hint='simulated seconds')
        self._film = gui.add_button('Film the next seconds', icon=viser.Icon.MOVIE,
                                    hint='from here, on the machine that simulates')
        self._film.on_click(self._start_film)
        self._progress = gui.add_markdown('', visible=False)
        self._bag = gui.add_button('Start a bag', icon=viser.Icon.PLAYER_RECORD,
                                   hint='of all measurements, with the true motion')
        self._bag.on_click(lambda _: mailbox.post(self._toggle_bag))
        gui.add_markdown(f'Films and bags go to `{recorders.folder.resolve()}`; a bag ends at '
                         f'{1e-9 * recorders.largest_bag:g} GB.')

    def draw(self, _: Frame) -> None:
        """Follow what is being recorded."""
        if self._recorders is None:
            return
        bag = self._recorders.bag
        if bag is None:
            change(self._bag, label='Start a bag', icon=viser.Icon.PLAYER_RECORD, color=None)
        else:
            change(self._bag, label=f'Stop {bag.name}', icon=viser.Icon.PLAYER_STOP, color='red')
        change(self._film, disabled=self._recorders.filming)
        progress = self._recorders.progress
        change(self._progress, content=progress, visible=bool(progress))

    def _toggle_bag(self, simulation: Simulation) -> None:
        recorders = self._recorders
        assert recorders is not None
        if recorders.bag is None:
            recorders.start_bag(simulation)
        else:
            recorders.say(f'{recorders.stop_bag()} is complete')

    def _start_film(self, event: Any) -> None:
        """Film what the browser sees that requests it, and follows it."""
        recorders, client, seconds = self._recorders, event.client, float(self._seconds.value)
        assert recorders is not None

        def view() -> CameraView:
            eye, at = client.camera.position.tolist(), client.camera.look_at.tolist()
            return camera(tuple(eye), tuple(at), *_FILM_SIZE)

        def start(simulation: Simulation) -> None:
            recorders.start_film(simulation, seconds, view)

        self._mailbox.post(start)


def _shoot(client: viser.ClientHandle | None) -> None:
    """Hand a browser what it shows as a file."""
    if client is None:
        return
    width, height = client.camera.image_width, client.camera.image_height
    if min(width, height) < 1:
        client.add_notification('Not possible', 'The picture has no size: make it larger')
        return
    share = min(1.0, _SHARPEST / max(width, height))
    pixels = client.get_render(round(share * height), round(share * width), timeout=_PATIENCE)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, 'PNG')
    client.send_file_download('mvsim_ros2.png', file.getvalue(), save_immediately=True)
