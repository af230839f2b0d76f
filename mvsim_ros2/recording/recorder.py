# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recording of a run as a bag with ground truth, as fast as the machine allows."""

from collections.abc import Callable, Iterable
from functools import partial
import json
import math
from pathlib import Path
import platform
from types import TracebackType
from typing import Any

from mvsim_ros2 import __version__
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.bag import Bag, BagTopic, Split
from mvsim_ros2.recording.bags.storage import FAILURES
from mvsim_ros2.recording.ground_truth import GroundTruth, HISTORY_NS
from mvsim_ros2.recording.hashes import (
    effective_world, fingerprint, MANIFEST, PIECE_NS, PieceFile, write_manifest)
from mvsim_ros2.recording.incidents import Incidents
from mvsim_ros2.recording.recorded_topics import RecordedTopics
from mvsim_ros2.recording.text_files import CommandFile, Controller
from mvsim_ros2.ros.messages.names import Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.replay import RUN_FILE

# bytes reserved for the growth of `run.json` and for the manifest on a full disk
ROOM, ROOM_OF_TOPIC = 2 ** 14, 2 ** 9
# Simulated time between two flushes of all files. A flush of the bag waits for the one before, so
# that a process that is killed loses two of them at most.
FLUSHED_EVERY_NS = 500_000_000
PERFECT = Settings(publish_map_odom=True)  # localization: ground truth and sensors in one tree


class Recorder:
    """
    Runs a simulation and records it; a context manager that closes all files.

    ::

        with Recorder(simulation, 'run1', controller=hold_twist(0.5, 0.1)) as recorder:
            recorder.run(60.0)

    The folder is a bag of ROS 2 with the topics of the node in simulated time. Log time is the
    time at which the node would publish. It also contains `ground_truth/`, `commands.csv` and
    `run.json`. The bag can be read after an error as well.
    """

    def __init__(self, simulation: Simulation, folder: str | Path,
                 controller: Controller | None = None, topics: Iterable[str] = (),
                 settings: Settings | None = None, storage: str = 'mcap', compress: bool = False,
                 control_rate: float = 50.0, split: Split | None = None) -> None:
        """
        Start at the present state; a simulation at time 0 makes a first step.

        :param folder: must not exist yet.
        :param controller: commands the vehicles; called with the simulation at the start, and
            then `control_rate` times a simulated second.
        :param topics: names of topics, with * and ?; empty: all.
        :param settings: of the node: rates, names of frames and others; None: the defaults, with
            `publish_map_odom`.
        :param storage: 'mcap' or 'sqlite3'.
        :param compress: with zstd.
        :param split: when the bag begins a new file; None: it has one.
        :raises RecordingError: where it cannot be written, or a topic does not exist.
        :raises MvsimError: where two topics would have the same name.
        """
        self._simulation = simulation
        self._controller = controller
        self._settings = settings or PERFECT
        names = Namespaces(self._settings, list(simulation.vehicles))
        names.sensors(simulation.sensors.values())
        self.bag = Bag(folder, storage, compress, split)
        self.complete = False  # whether the run came to its end
        self._broken: Exception | None = None  # the write that failed
        self._arguments: dict[str, Any] = {}
        self.incidents = Incidents(simulation)
        self._described = 0  # files of ground truth that `run.json` has
        self._manifest = self.bag.folder / f'{MANIFEST}.tmp'
        try:
            # no stamp is zero, which means "not set"
            first = [] if simulation.time_ns else simulation.step()
            self._topics = RecordedTopics(
                self.bag, simulation, self._settings, names, topics)
            self._truth = GroundTruth(self.bag.folder / 'ground_truth', simulation, names)
            self._commands = CommandFile(self.bag.folder, simulation)
            self._pieces = PieceFile(self.bag.folder)
            self._world = effective_world(simulation.world)
            self._begin(first, control_rate)
        except FAILURES as error:
            self.bag.discard()
            raise self.bag.failure(error) from error
        except BaseException:
            self.bag.discard()
            raise

    def _begin(self, first: list[Observation], control_rate: float) -> None:
        """Write the first messages."""
        self._start_ns = self._now_ns = now = self._simulation.time_ns
        self._tick_ns, self._clock_ns, self._control_ns = (round(1e9 / rate) for rate in (
            self._settings.odom_rate, self._settings.clock_rate, control_rate))
        self._step_ns = round(self._simulation.dt * 1e9)
        self._topics.write_clock(now)
        self._topics.write_latched(now)
        # a scan that ends soon has begun before the recording
        self._topics.write_transforms(now, max(1, now - HISTORY_NS))
        self._topics.write_transforms(now)
        self._write(now, [each for each in first if self._topics.wants(each.sensor)])
        self._control(now)
        self._write_run_file()

    @property
    def size(self) -> int:
        """Return the size of messages, ground truth and commands so far [byte]."""
        return self.bag.written + self._commands.size + sum(
            file.size for file in self._truth.files)

    def describe(self, **arguments: Any) -> None:
        """Describe the commands of the run in `run.json`."""
        self._arguments |= arguments

    def run(self, duration_s: float, on_step: Callable[[], bool] | None = None) -> bool:
        """
        Run until the simulated time `duration_s`, or until the controller has finished.

        :param on_step: called after each physics step; the run ends early where it returns
            False.
        :returns: False where `on_step` ended it.
        :raises RecordingError: where a file cannot be written.
        :raises ValueError: where the duration is negative or no finite number.
        :raises PhysicsError: where the state diverges.
        """
        if not 0.0 <= duration_s < math.inf:
            raise ValueError(f'cannot run for {duration_s} s: give a finite time, 0 or more')
        end_ns = round(duration_s * 1e9)
        while self._simulation.time_ns < end_ns and not self._finished:
            self.record(self._simulation.step())
            if on_step is not None and not on_step():
                return False
        self.complete = True
        return True

    def record(self, observations: list[Observation]) -> None:
        """
        Write the results of a physics step that has just been made, in the order of the node.

        `run` calls it. A caller that makes the steps itself calls it after each of them, and
        sets `complete` at the end.

        :param observations: observations of this step.
        :raises RecordingError: where a file cannot be written.
        """
        try:
            self._record(observations)
        except FAILURES as error:
            self._broken = error
            raise self.bag.failure(error) from error

    @property
    def _finished(self) -> bool:
        """Return whether the controller has finished; some never do."""
        return bool(getattr(self._controller, 'finished', False))

    def _record(self, observations: list[Observation]) -> None:
        before = self._now_ns
        now = self._now_ns = self._simulation.time_ns
        self.incidents.watch()
        if now // self._clock_ns > before // self._clock_ns:
            self._topics.write_clock(now)
        if now // self._tick_ns > before // self._tick_ns:
            self._topics.write_states(now)
        self._write(now, observations)
        if now // self._control_ns > before // self._control_ns:
            self._control(now)
        if now // FLUSHED_EVERY_NS > before // FLUSHED_EVERY_NS:
            self._flush()
        if now // PIECE_NS > before // PIECE_NS:
            self._pieces.add(now, (*self._truth.files, self._commands))

    def _write(self, now: int, observations: list[Observation]) -> None:
        for observation in observations:
            self._topics.write_observation(now, observation)
        self._truth.write(now, observations)

    def _control(self, now: int) -> None:
        """Call the controller, and write the commands."""
        if self._controller is not None:
            self._controller(self._simulation)
        self._commands.add_changes()
        self._topics.write_commands(now)

    def _flush(self) -> None:
        for file in (*self._truth.files, self._commands):
            file.flush()
        self.bag.flush()
        if len(self._truth.files) != self._described:  # a sensor has measured for the first time
            self._write_run_file()

    def close(self) -> None:
        """Close all files, also twice; raise `RecordingError` where one cannot be written."""
        if self.bag.closed:
            return
        failures: list[Exception] = []
        if self._broken is not None:
            failures.append(self._broken)
            self.bag.truncate()
        else:
            try:  # the last stamps are between two transforms, too
                self._topics.write_transforms(self._now_ns)
            except FAILURES as error:
                failures.append(error)
        while True:
            try:
                self._flush()
                break
            except FAILURES as error:
                failures.append(error)
                if not self.bag.truncate():  # frees space
                    break
        texts = (*self._truth.files, self._commands)
        ends: list[Callable[[], None]] = [
            self.bag.close, *(file.close for file in texts), self._write_run_file,
            partial(write_manifest, self.bag.folder, self._manifest), self._pieces.remove]
        for end in ends:
            try:
                end()
            except (RecordingError, *FAILURES) as error:
                failures.append(error)
        if failures and self._broken is None:
            raise self.bag.failure(failures[0]) from failures[0]

    def _write_run_file(self) -> None:
        """Write `run.json` and reserve room for its end, or replace it by its end."""
        simulation = self._simulation
        run: dict[str, Any] = {
            'mvsim_ros2': __version__, 'machine': platform.machine(),
            'seed': simulation.seed, 'physics': simulation.mode, 'step_ns': self._step_ns,
            'start_ns': self._start_ns, 'end_ns': simulation.time_ns, 'complete': self.complete,
            'messages_given_up': self.bag.cut_back,
            **({'manifest': MANIFEST} if self.bag.closed else {}),
            'incidents': [each.as_json() for each in self.incidents.found],
            'commands': {**self._arguments, 'file': self._commands.path.name,
                         'sha256': self._commands.digest.hexdigest()},
            'topics': {topic.name: self._about(topic) for topic in sorted(
                self.bag.topics.values(), key=lambda each: each.name)},
            'world': {'name': Path(simulation.world.path).name,
                      'sha256': fingerprint(self._world), 'spec': self._world}}
        text = json.dumps(run, indent=1) + '\n'
        path = self.bag.folder / RUN_FILE
        new, reserved = path.with_suffix('.new.tmp'), path.with_suffix('.tmp')
        if not self.bag.closed:
            new.write_text(text, encoding='utf-8')
            new.replace(path)
            if not reserved.exists():
                room = b' ' * (ROOM + ROOM_OF_TOPIC * len(run['topics']))
                self._manifest.write_bytes(room)
                reserved.write_bytes(text.encode() + room)
            self._described = len(self._truth.files)
            return
        with reserved.open('r+', encoding='utf-8') as file:
            file.write(text)
            file.truncate()
        reserved.replace(path)

    def _about(self, topic: BagTopic) -> dict[str, Any]:
        """Return the entry of a topic in `run.json`."""
        about = {'type': topic.full_type, 'messages': topic.count,
                 'sha256': None if self.bag.cut_back else topic.digest.hexdigest()}
        if not topic.sensor:
            return about
        return {**about, 'sensor': topic.sensor, 'truth': [
            path.relative_to(self.bag.folder).as_posix()
            for path in self._truth.of_sensors[topic.sensor]]}

    def __enter__(self) -> 'Recorder':
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Close all files; an error that is raised already is not replaced."""
        try:
            self.close()
        except RecordingError:
            if error is None:
                raise
