# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Browsers that come, go, or stop listening, and a simulation that does not care."""

import asyncio
from collections.abc import Callable
import hashlib
import time

from live_pages import camera_message, joined, talk
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.window.pace import FRAMES
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.window import Window

PATIENCE = 120.0  # s of the wall clock


class Still:
    """Who lets a simulation run: the test, step by step."""

    running, speed, recorders = True, 1.0, None


@pytest.fixture
def window(project):
    """Return a window of a world with two robots that the test steps."""
    simulation = Simulation.from_file(project / 'worlds' / 'two_robots.world.xml')
    window = Window(simulation, Still(), Page('', 0))
    yield window
    window.close()


def converse(window: Window, clients: int, listen: bool,
             then: Callable[[], object]) -> tuple[object, int]:
    """Return what `then` returns while clients are there, and the bytes that they received."""
    async def client(ready: asyncio.Semaphore, end: asyncio.Event) -> int:
        received = 0
        async with joined(window.page.link, max_queue=1) as socket:
            await socket.send(camera_message())
            ready.release()
            while not end.is_set():
                if not listen:
                    await end.wait()
                    break
                try:
                    received += len(await asyncio.wait_for(socket.recv(), 0.2))
                except TimeoutError:
                    continue
            if not listen:
                socket.transport.abort()  # gone without a word
        return received

    async def conversation() -> tuple[object, int]:
        ready, end = asyncio.Semaphore(0), asyncio.Event()
        tasks = [asyncio.create_task(client(ready, end)) for _ in range(clients)]
        for _ in tasks:
            await asyncio.wait_for(ready.acquire(), PATIENCE)
        result = await asyncio.to_thread(then)
        end.set()
        return result, sum(await asyncio.gather(*tasks))

    return talk(conversation())


def drive(window: Window, seconds: float) -> str:
    """Drive for some simulated seconds; return a fingerprint of all states and observations."""
    simulation, window_sees = window.simulation, hashlib.sha256()
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.4, 0.3)
    for _ in range(round(seconds * FRAMES)):
        for observation in simulation.step(round(1.0 / FRAMES / simulation.dt)):
            window.observe(observation)
            ranges = getattr(observation, 'ranges', None)
            window_sees.update(b'' if ranges is None else ranges.tobytes())
            window_sees.update(observation.stamp_ns.to_bytes(8, 'little'))
        window.update()
        for vehicle in simulation.vehicles.values():
            window_sees.update(np.array([*vehicle.pose.position, vehicle.pose.yaw]).tobytes()
                               + vehicle.wheels.tobytes())
    return window_sees.hexdigest()


class Unseen:
    """In place of a window: nothing."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def observe(self, observation: object) -> None:
        """Take no note."""

    def update(self) -> None:
        """Show nothing."""


def test_simulation_is_the_same_bit_by_bit_with_browsers_and_without(window):
    """
    The window does not change a simulation by a single bit.

    :reference: the run without it
    :figure: images/viewer_demo.webp
    """
    window.choices.forces = window.choices.contacts = window.choices.believed_paths = True
    seen, received = converse(window, 2, True, lambda: drive(window, 4.0))
    assert received > 50_000
    alone = Simulation(window.simulation.world)
    assert drive(Unseen(alone), 4.0) == seen


def test_a_hidden_page_has_no_size(window):
    """Its browser says 0 px: it is sent to the first view as soon as it has a size."""
    async def look():
        async with joined(window.page.link) as socket:
            for size in (0, 640):
                await socket.send(camera_message(image_width=size, image_height=size))
                while not (clients := window._server.get_clients()) or max(
                        client.camera.image_width for client in clients.values()) < size:
                    await asyncio.sleep(0.01)
                yield await asyncio.to_thread(sent_home)

    async def both():
        return [at async for at in look()]

    def sent_home():
        (client,) = window._server.get_clients().values()
        window.cameras.home()
        return client.camera.look_at

    hidden, seen = talk(both())
    assert hidden.tolist() == [0.0, 0.0, 0.0]
    home = window.cameras._home
    assert np.linalg.norm(seen - home.at) < 0.5 * np.linalg.norm(home.eye - home.at)


def test_ten_clients_come_and_go(window):
    for listen in (True, False):
        steps = window.simulation.steps
        converse(window, 10, listen, lambda: drive(window, 0.5))
        assert window.simulation.steps > steps
    waited = talk(_left(window))
    assert waited, 'clients that are gone are still counted'


async def _left(window: Window) -> bool:
    """Return whether all clients are taken off the list, after minutes at most."""
    for _ in range(1200):
        if window.clients == 0:
            return True
        await asyncio.sleep(0.1)
    return False


def test_without_a_client_nothing_is_drawn(window):
    drawn = []
    window._draw_parts = drawn.append
    drive(window, 0.5)
    assert not drawn


def test_impossible_requests_are_told_and_do_no_harm(window):
    said = []
    window.say = said.append
    window.mailbox._on_error = said.append
    window.mailbox.post(lambda simulation: simulation.remove('nobody'))
    window.update()
    assert len(said) == 1 and 'nobody' in said[0]


def test_vehicles_that_came_are_shown_and_that_went_are_not(window):
    simulation = window.simulation
    carriers = window._parts[0].carriers
    name = next(iter(simulation.vehicles))
    spec = simulation.vehicles[name].spec
    window.mailbox.post(lambda s: s.spawn_vehicle('new', spec, spec.init_pose))

    def driven_until(there: bool) -> bool:
        end = time.monotonic() + PATIENCE
        while ('new' in carriers._carriers) is not there and time.monotonic() < end:
            drive(window, 0.1)
        return ('new' in carriers._carriers) is there

    assert converse(window, 1, True, lambda: driven_until(True))[0]
    simulation.remove('new')
    assert converse(window, 1, True, lambda: driven_until(False))[0]
