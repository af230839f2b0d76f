# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Video of a run as MP4."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.pictures.perspective import PosedObservation, with_pose
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
