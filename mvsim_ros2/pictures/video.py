# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Video of a run as MP4, and films of a simulation that goes on meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from queue import SimpleQueue
import threading
from types import TracebackType
from typing import Any, Self, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import MvsimError, RecordingError
from mvsim_ros2.pictures.perspective import draw_view, PosedObservation, with_pose
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from PIL.Image import Image

# Of x264: a quality (smaller is better, 18 looks like the original), and no frames kept back.
_ENCODER = {'crf': '20', 'tune': 'zerolatency', 'g': '25'}
# Of MP4: parts that are whole by themselves, so that a file that is cut off can be played.
_PARTS = {'movflags': 'frag_every_frame+empty_moov+default_base_moof', 'flush_packets': '1'}
FRAMES_A_SECOND = 25


class VideoFile:
    """
    Writer of a video, a context manager that completes the file.

    At any time the file can be played with the pictures that it has.
    """

    def __init__(self, path: str | Path, frames_per_second: int = FRAMES_A_SECOND) -> None:
        """
        Create the file.

        :raises RecordingError: where PyAV is missing or the file cannot be written.
        """
        try:
            import av
        except ImportError as error:
            raise RecordingError(
                'videos need PyAV: install it with `pip install av`') from error
        self._path, self._av = path, av
        self.frames = 0  # written so far
        try:
            self._container: Any = av.open(str(path), 'w', format='mp4', options=_PARTS)
            self._stream: Any = self._container.add_stream(
                'libx264', rate=Fraction(frames_per_second), options=_ENCODER)
        except (OSError, ValueError) as error:
            raise self._failure(error) from error
        self._stream.pix_fmt = 'yuv420p'

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """
        Append a picture; all have the size of the first one.

        :param pixels: shape (height, width, 3); an odd last row or column is left out, as the
            format requires even sizes.
        :raises RecordingError: where the file cannot be written.
        """
        height, width = (2 * (size // 2) for size in pixels.shape[:2])
        if self.frames == 0:
            self._stream.height, self._stream.width = height, width
        frame = self._av.VideoFrame.from_ndarray(
            np.ascontiguousarray(pixels[:height, :width]), format='rgb24')
        self._write(frame)
        self.frames += 1

    def _write(self, frame: Any) -> None:
        try:
            self._container.mux(self._stream.encode(frame))
        except (OSError, ValueError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> RecordingError:
        return RecordingError(f'{self._path}: the video cannot be written: {error}')

    def __enter__(self) -> Self:
        """Return this file."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Write what the encoder still holds, and close the file."""
        try:
            if error is None and self.frames:
                self._write(None)
        finally:
            self._container.close()


def write_video(simulation: Simulation, path: str | Path, duration: float,
                draw: Callable[[list[PosedObservation]], 'Image'],
                frames_per_second: int = FRAMES_A_SECOND) -> int:
    """
    Run a simulation and write a video of it; return the number of frames.

    :param duration: simulated time [s].
    :param draw: returns the picture of the present state; called with the latest observation of
        each sensor.
    :raises RecordingError: where PyAV is missing or the file cannot be written.
    """
    latest: dict[str, PosedObservation] = {}
    start = simulation.steps

    def collect(observation: Observation) -> None:
        latest[observation.sensor] = with_pose(simulation, observation)

    with VideoFile(path, frames_per_second) as video:
        total = max(1, round(duration * frames_per_second))
        for number in range(total):
            tell(number, total, 'frames')
            steps = round((number + 1) / frames_per_second / simulation.dt)
            simulation.run((start + steps - simulation.steps) * simulation.dt, collect)
            video.add(np.asarray(draw(list(latest.values()))))
        return video.frames


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
    world. So it does not change the run that it shows, and may end later. Frames are written as
    they are drawn: a film that is cut has those until then.
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
        """Look at a simulation after a step, with what was measured in it."""
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
        """Wait for all frames or some seconds of the wall clock; return whether all are there."""
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
