# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The server of the page."""

import contextlib
import io

import viser


def open_server(host: str, port: int) -> viser.ViserServer:
    """
    Return a server that prints nothing and never hands its page to a relay on the internet.

    Any browser that is connected could ask for that, and whoever has the link could drive.
    """
    with contextlib.redirect_stdout(io.StringIO()):  # viser prints a box with its address
        server = viser.ViserServer(host=host, port=port, label='mvsim_ros2', verbose=False)
    server.request_share_url = _refuse
    return server


def close_server(server: viser.ViserServer) -> None:
    """End a server, without a word."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _refuse(verbose: bool = True) -> None:
    """Stand in for the method of viser that asks a relay for an address."""
