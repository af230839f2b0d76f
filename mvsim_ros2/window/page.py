# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a window: it is there before the simulation is, and says what that waits for."""

from contextlib import ExitStack
from math import isinf
from pathlib import Path
from threading import Lock

import viser

from mvsim_ros2.base.progress import watched
from mvsim_ros2.window.access import Drive
from mvsim_ros2.window.drawing.sky import add_sky
from mvsim_ros2.window.server import close_server, link_of, listen, LOCAL, warn_of

LOADING = 'loading the world'


class Page:
    """
    A page that browsers can open.

    It shows a note until `go_on` is called, and again whenever kernels are compiled.

    :ivar dark: whether it has dark colours.
    :ivar status: the first line of the panel.
    :ivar drive: called with what keys and joystick send, None where nothing can be driven yet.
    """

    def __init__(self, title: str, port: int | None = None, host: str = LOCAL,
                 dark: bool = False) -> None:
        """
        Open the page.

        :param title: name of the world, or its path.
        :param port: where it listens, 0 for any, None for the first free one from 8080 on.
        :param host: address that it listens on; others than 127.0.0.1 let other machines in.
        :raises WindowError: where the port is taken.
        """
        self._title, self.dark = Path(title).name, dark
        self.drive: Drive | None = None
        self.server = listen(host, port, self._hear)
        self.port = self.server.get_port()
        self.link = link_of(host, self.port)
        warn_of(host)
        set_theme(self.server, dark)
        self.status = self.server.gui.add_markdown('**please wait**')
        add_sky(self.server, dark)
        self._waits_for = LOADING
        self._notes: dict[int, viser.NotificationHandle] = {}  # by client
        self._lock = Lock()  # of both
        self.server.on_client_connect(self._show_note)
        self._closing = ExitStack()
        self._closing.callback(close_server, self.server)
        self._closing.enter_context(watched(self._count))

    def go_on(self) -> None:
        """Take the note away: the simulation runs."""
        if self._waits_for:
            with self._lock:
                self._waits_for = ''
                while self._notes:
                    self._notes.popitem()[1].remove()

    def close(self) -> None:
        """Close the page."""
        self._closing.close()

    def _hear(self, message: str) -> None:
        if self.drive is not None:
            self.drive(message)

    def _count(self, done: float, total: float, what: str) -> None:
        """Show how far something is whose end is not known, such as compilation."""
        if isinf(total):
            self._waits_for = f'{done:.0f} {what}'
            for client in self.server.get_clients().values():
                self._show_note(client)

    def _show_note(self, client: viser.ClientHandle) -> None:
        """Show a browser what the simulation waits for."""
        with self._lock:
            note = self._notes.get(client.client_id)
            if note is not None:
                note.body = self._waits_for
            elif self._waits_for:
                self._notes[client.client_id] = client.add_notification(
                    self._title, self._waits_for, loading=True, with_close_button=False)


def set_theme(server: viser.ViserServer, dark: bool) -> None:
    """Set the colours of the panel and of the page."""
    server.gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False,
                               brand_color=(29, 95, 209), control_width='medium')
