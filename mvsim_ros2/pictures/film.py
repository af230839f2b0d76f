# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Films of a simulation that goes on meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
import threading
from typing import Any

import numpy as np

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.pictures.perspective import draw_view, PosedObservation, with_pose
from mvsim_ros2.pictures.video import FRAMES_A_SECOND, VideoFile
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation


@dataclass(frozen=True, eq=False)
class _Instant:
    """What a frame of a film shows."""

    state: Mapping[str, Any]  # a snapshot
    view: CameraView
    seen: list[PosedObservation]


class Film:
    """
    Films the next simulated seconds of a simulation.

    `take` is called after each step, in the thread of the simulation, and only keeps a snapshot
    where a frame is due. A thread of the film draws these with a second simulation of the same
    world, so that it may end later than the run that it shows, and changes nothing in it. Frames
    are written as they are drawn: a film that is cut has those until then.
    """

    def __init__(self, simulation: Simulation, path: Path, seconds: float,
                 view: Callable[[], CameraView], on_end: Callable[[str], None]) -> None:
        """
        Begin at the present state.

        :param path: of the file, MP4.
        :param seconds: simulated time; at least one frame is taken.
        :param view: returns the camera of a frame, called for each of them.
        :param on_end: called by the thread of the film with a sentence on what became of it.
        :raises RecordingError: where PyAV is missing or the file cannot be written.
        """
        self.path = path
        self._view, self._on_end = view, on_end
        self._video = VideoFile(path)
        self._world, self._mode = simulation.world, simulation.mode
        self._with_sensors = bool(simulation.sensors)
        self._left = max(1, round(seconds * FRAMES_A_SECOND))
        self._taken, self._start_ns = 0, simulation.time_ns
        self._latest: dict[str, PosedObservation] = {}
        self._instants: SimpleQueue[_Instant | None] = SimpleQueue()
        self._why = ''  # it ended before its time
        self._cut = False  # whether what is not drawn yet is left out
        self._settled = threading.Lock()  # taken once, by who says what became of the file
        self._thread = threading.Thread(target=self._draw, name='mvsim film', daemon=True)
        self._thread.start()

    @property
    def complete(self) -> bool:
        """Return whether all of its frames are taken, drawn or not."""
        return self._left == 0

    def take(self, simulation: Simulation, observations: list[Observation]) -> None:
        """
        Look at a simulation after a step.

        :param observations: those of this step.
        """
        for observation in observations:
            self._latest[observation.sensor] = with_pose(simulation, observation)
        due_ns = self._start_ns + round(self._taken / FRAMES_A_SECOND * 1e9)
        if self.complete or simulation.time_ns < due_ns:
            return
        self._taken += 1
        self._left -= 1
        self._instants.put(_Instant(simulation.snapshot(), self._view(),
                                    list(self._latest.values())))
        if self.complete:
            self._instants.put(None)

    @property
    def drawn(self) -> bool:
        """Return whether its file is complete, or never will be."""
        return not self._thread.is_alive()

    @property
    def progress(self) -> str:
        """Return how many frames are drawn, in words."""
        return f'{self._video.frames} of {self._taken + self._left} frames'

    def end(self, why: str) -> None:
        """Take no more frames, and say why where some are missing."""
        if not self.complete:
            self._left, self._why = 0, why
            self._instants.put(None)

    def cut(self, why: str) -> None:
        """Draw no more frames either, but the one that is being drawn."""
        self._cut, self._why = True, why

    def wait(self, timeout: float | None = None) -> bool:
        """
        Wait until all that was taken is drawn and written.

        :param timeout: longest time to wait [s of the wall clock], None for any.
        :returns: whether it is.
        """
        self._thread.join(timeout)
        return self.drawn

    def give_up(self, why: str) -> None:
        """Say what the file has where frames are still drawn for it; a player shows these."""
        self._why = self._why or why
        self._settle(self._outcome())

    def _settle(self, said: str) -> None:
        """Say what became of the file, once."""
        if self._settled.acquire(blocking=False):
            self._on_end(said)

    def _draw(self) -> None:
        try:
            with self._video:
                self._draw_instants()
            said = self._outcome()
        except MvsimError as error:
            self._left, said = 0, str(error)
        if not self._video.frames:
            self.path.unlink(missing_ok=True)
        self._settle(said)

    def _draw_instants(self) -> None:
        double = Simulation(self._world, physics=self._mode, sensors=self._with_sensors)
        while (instant := self._instants.get()) is not None and not self._cut:
            double.restore(instant.state)
            picture = draw_view(double, instant.view, instant.seen, supersampling=1)
            self._video.add(np.asarray(picture))

    def _outcome(self) -> str:
        count = self._video.frames
        frames = f'{count} of {self._taken} frames' if count < self._taken else f'{count} frames'
        return (f'{self.path}: {frames if count else "there is no film"}'
                + (f', {self._why}' if self._why else ''))
