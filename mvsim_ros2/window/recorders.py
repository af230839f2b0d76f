# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A bag and a film of a simulation, begun and ended while it runs."""

from collections.abc import Callable
import os
from pathlib import Path
import time
from typing import TYPE_CHECKING

from mvsim_ros2.errors import MvsimError, RecordingError, WindowError
from mvsim_ros2.pictures.video import Film
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from mvsim_ros2.recording.recorder import Recorder

LARGEST_BAG = 4e9  # bytes of messages and ground truth
LONGEST_FILM = 120.0  # s; each second keeps 25 snapshots until they are drawn
ENDED = 'the simulation ended'
LAST_FRAME = 2.0  # s of the wall clock for the frame that is being drawn when a film is cut


class Recorders:
    """
    At most one bag and one film at a time.

    All but `bag` and `filming` is called by the thread of the simulation. While `active`, that
    calls `record` after each physics step. Names of files are chosen here, so that visitors of a
    window cannot write anywhere else.
    """

    def __init__(self, folder: str | Path = '.', settings: Settings | None = None,
                 largest_bag: float = LARGEST_BAG) -> None:
        """
        Record nothing yet.

        :param folder: where bags and films go; made when it is needed.
        :param settings: of the bags: rates, names of frames and others.
        :param largest_bag: size at which a bag ends [byte].
        """
        self.folder, self.settings, self.largest_bag = Path(folder), settings, largest_bag
        self.listeners: list[Callable[[str], None]] = []  # called with what ended, by any thread
        self._bag: Recorder | None = None
        self._film: Film | None = None
        self._drawing: list[Film] = []  # all whose files were not complete when one began
        self._things: tuple[object, ...] = ()
        self._time_ns = 0

    def say(self, text: str) -> None:
        """Call all listeners."""
        for listener in tuple(self.listeners):
            listener(text)

    @property
    def active(self) -> bool:
        """Return whether steps are to be recorded."""
        return self._bag is not None or self._film is not None

    @property
    def bag(self) -> Path | None:
        """Return the folder of the bag that is being written, None for none."""
        return None if self._bag is None else self._bag.bag.folder

    @property
    def filming(self) -> bool:
        """Return whether frames of a film are being taken."""
        return self._film is not None

    @property
    def progress(self) -> str:
        """Return which film is being drawn and how far, in words; '' for none."""
        return ', '.join(f'{film.path.name}: {film.progress}' for film in tuple(self._drawing)
                         if not film.drawn)

    def start_bag(self, simulation: Simulation) -> Path:
        """
        Record a bag from now on; a simulation at time 0 makes a first step.

        :returns: its folder.
        :raises WindowError: where one is being recorded.
        :raises RecordingError: where it cannot be written.
        """
        if self._bag is not None:
            raise WindowError(f'{self.bag} is being recorded: stop that bag first')
        from mvsim_ros2.recording.recorder import Recorder
        folder = self._free('bag', '')
        self._bag = Recorder(simulation, folder, settings=self.settings)
        self._things, self._time_ns = _things(simulation), simulation.time_ns
        return folder

    def stop_bag(self) -> Path:
        """
        Close the bag.

        :returns: its folder.
        :raises WindowError: where none is being recorded.
        :raises RecordingError: where a file cannot be written.
        """
        if self._bag is None:
            raise WindowError('no bag is being recorded: start one first')
        bag, self._bag = self._bag, None
        bag.complete = True
        bag.close()
        return bag.bag.folder

    def start_film(self, simulation: Simulation, seconds: float,
                   view: Callable[[], CameraView]) -> Path:
        """
        Film the next simulated seconds.

        :param view: returns the camera, called for each frame.
        :returns: the file.
        :raises WindowError: where another film is not complete, or this one would be too long.
        :raises RecordingError: where it cannot be written.
        """
        if self._film is not None:
            raise WindowError(f'{self._film.path} is being filmed: wait for its end')
        if not 0.0 < seconds <= LONGEST_FILM:
            raise WindowError(f'a film of {seconds} s is not possible: give more than 0 s and '
                              f'{LONGEST_FILM:g} s at most')
        path = self._free('film', '.mp4')
        self._film = Film(simulation, path, seconds, view, self.say)
        self._drawing = [each for each in self._drawing if not each.drawn] + [self._film]
        self._things, self._time_ns = _things(simulation), simulation.time_ns
        return path

    def record(self, simulation: Simulation, observations: list[Observation]) -> None:
        """Record a step that was just made, with its observations."""
        if simulation.time_ns < self._time_ns:
            self.end('the simulation was reset')
        elif _things(simulation) != self._things:
            self.end('objects were added or removed')
        self._time_ns = simulation.time_ns
        if self._bag is not None:
            try:
                self._bag.record(observations)
                if self._bag.size >= self.largest_bag:
                    self._end_bag(f'it has {1e-9 * self.largest_bag:g} GB, the limit of bags '
                                  'started here')
            except RecordingError as error:
                self._end_bag(str(error))
        if self._film is not None:
            try:
                self._film.take(simulation, observations)
            except RecordingError as error:  # the camera is where it looks at
                self._end_film(str(error))
            else:
                self._film = None if self._film.complete else self._film

    def close(self, patience: float | None = None) -> None:
        """
        End what is recorded; films are drawn by then.

        :param patience: time [s of the wall clock] after which frames that are not drawn yet are
            left out; None: all are drawn.
        """
        self.end(ENDED)
        end = None if patience is None else time.monotonic() + patience
        for film in self._drawing:
            if film.wait(None if end is None else max(0.0, end - time.monotonic())):
                continue
            film.cut(ENDED)
        end = time.monotonic() + LAST_FRAME
        for film in self._drawing:
            if not film.wait(max(0.0, end - time.monotonic())):
                film.give_up(ENDED)
        self._drawing.clear()

    def end(self, why: str) -> None:
        """End the bag and the film, and say why."""
        self._end_film(why)
        self._end_bag(why)

    def _end_film(self, why: str) -> None:
        if self._film is not None:
            self._film.end(why)
            self._film = None

    def _end_bag(self, why: str) -> None:
        if self._bag is not None:
            try:
                self.say(f'{self.stop_bag()} is complete: {why}')
            except MvsimError as error:
                self.say(str(error))

    def _free(self, name: str, ending: str) -> Path:
        """Return the first path of a kind that does not exist: bag_1, bag_2, ..."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordingError(f'{self.folder}: the folder cannot be made: '
                                 f'{error.strerror}') from error
        number = 1
        taken = [film.path for film in self._drawing]  # which may have no file yet
        while (os.path.lexists(path := self.folder / f'{name}_{number}{ending}')  # a link too
               or path in taken):
            number += 1
        return path


def _things(simulation: Simulation) -> tuple[object, ...]:
    """Return the names of all things that may come and go."""
    return tuple(simulation.vehicles), tuple(simulation.blocks)
