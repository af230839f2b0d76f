# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of a browser that show a window, and questions to its simulation."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
import io
import threading
from typing import Any, TypeVar

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Simulation

viser = pytest.importorskip('viser', reason='no viser: pip install viser')
msgspec = pytest.importorskip('msgspec')
connect = pytest.importorskip('websockets.asyncio.client').connect

T = TypeVar('T')
SIZE = (760, 420)  # px; software draws it
PATIENCE = 600.0  # s after which what does not come counts as missing, on a busy machine too


class Visit:
    """A page that shows a window."""

    def __init__(self, browser: Any, link: str, size: tuple[int, int] = SIZE,
                 ready: str = 'canvas') -> None:
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={'width': size[0], 'height': size[1]})
        self.page.set_default_timeout(1e3 * PATIENCE)
        self.page.on('pageerror', lambda error: self.errors.append(str(error)))
        self.page.on('console', lambda line: line.type == 'error'
                     and self.errors.append(line.text))
        self.page.goto(link)
        self.page.wait_for_selector(ready)

    def wait_for_picture(self, run: Any) -> None:
        """Let the page go on until it is a client of a run and shows something."""
        self.wait(lambda: run.window.clients == 1, 'a client')
        self.wait(lambda: self.pixels()[:, :300].std(axis=(0, 1)).min() > 3, 'a picture')

    def pixels(self) -> np.ndarray:
        """Return a screenshot, shape (height, width, 3)."""
        return np.array(Image.open(io.BytesIO(
            self.page.screenshot(timeout=1e3 * PATIENCE))).convert('RGB'))

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Let the page go on until something holds; fail where it never does."""
        for _ in range(int(seconds / 0.1)):
            if condition():
                return
            self.page.wait_for_timeout(100)
        pytest.fail(f'after {seconds:g} s not yet: {what}')

    def close(self) -> None:
        """Leave the window."""
        if not self.page.is_closed():
            self.page.close()


def joined(link: str, **options: Any) -> Any:
    """
    Return a connection to a window as a browser makes it, which waits as long as it takes.

    It takes in what it is sent, read or not: else it would not see the answer to its close.
    """
    return connect(link.replace('http', 'ws', 1), **{
        'max_size': None, 'max_queue': None, 'open_timeout': None, 'ping_interval': None,
        'subprotocols': [f'viser-v{viser.__version__}'], **options})


def camera_message(x: float = 0.0, **others: Any) -> bytes:
    """Return what a browser sends first, and as its view moves."""
    return bytes(msgspec.msgpack.encode({
        'type': 'ViewerCameraMessage', 'wxyz': (1.0, 0.0, 0.0, 0.0), 'position': (x, 0.0, 5.0),
        'fov': 1.0, 'near': 0.01, 'far': 100.0, 'image_height': 480, 'image_width': 640,
        'look_at': (0.0, 0.0, 0.0), 'up_direction': (0.0, 0.0, 1.0)}
        | others))


def talk(conversation: Coroutine[Any, Any, T]) -> T:
    """
    Return what a conversation with a window ends with.

    It runs in a thread of its own, since in this one a browser's loop may be running.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, conversation).result()


def pixel_of(run: Any, point: Any) -> tuple[float, float]:
    """Return where a place of the world is in the page of the only client [px]."""
    (client,) = run.window._server.get_clients().values()
    camera = client.camera
    forward = camera.look_at - camera.position
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    away = np.asarray(point, float) - camera.position
    scale = 0.5 * camera.image_height / np.tan(0.5 * camera.fov) / (away @ forward)
    return (0.5 * camera.image_width + scale * float(away @ right),
            0.5 * camera.image_height - scale * float(away @ np.cross(right, forward)))


def answer_of(run: Any, request: Callable[[Simulation], Any]) -> Any:
    """Return what a function of the simulation returns between two steps."""
    answers: list[Any] = []
    done = threading.Event()

    def answer(simulation: Simulation) -> None:
        answers.append(request(simulation))
        done.set()

    run.do(answer)
    assert done.wait(PATIENCE), 'the simulation does not answer'
    return answers[0]
