# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Episodes of any controller as a data set to learn from, and back.

The format is that of LeRobot, version 3.0 (Hugging Face: LeRobotDataset v3.0): tables in Parquet
files, what they mean in JSON. Pyarrow writes and reads the tables, since they are its own format;
neither LeRobot nor torch is needed. What a replay needs beside that, the seeds, is in
`meta/replay.json`, which LeRobot passes over.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
import json
from os import PathLike
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.env import VehicleEnv

Values = NDArray[Any]

VERSION = 'v3.0'
_FILE = 'chunk-000/file-000.parquet'


@dataclass(frozen=True, eq=False)
class Episode:
    """An episode that was recorded."""

    seed: int  # that the environment was reset with
    observations: dict[str, Values]  # before each step, shape (steps, ...)
    actions: Values  # (steps, width), from -1 to 1
    rewards: Values  # (steps,)


class EpisodeRecorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """
    An environment that writes its episodes when it is closed.

    An episode that a `reset` or the end cuts off is kept as it is; one without steps is not. The
    entries of the observation become `observation.NAME`, images `observation.images.NAME`.
    """

    def __init__(self, env: VehicleEnv, folder: str | PathLike[str], task: str) -> None:
        """
        Begin a data set.

        :param folder: for it, which must not be there yet.
        :param task: what is done in the episodes, in words, as a language model would be told.
        :raises LearningError: where pyarrow is not installed, the folder is there already, or
            an observation has more than one dimension and is no image.
        """
        super().__init__(env)
        _pyarrow()
        self.folder, self.task = Path(folder), task
        if self.folder.exists():
            raise LearningError(f'{self.folder} is there already: choose another folder')
        spaces = env.arena.observation_space.spaces
        self._names = {name: _column(name, space) for name, space in spaces.items()}
        self._period = env.arena.period
        self._robot = env.arena.agents[0].vehicle
        self._episodes: list[tuple[int, list[tuple[dict[str, Values], Values, float, bool]]]] = []
        self._seeds = np.random.default_rng(0)
        self._seen: dict[str, Values] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Any, dict[str, Any]]:
        """
        Begin an episode.

        :param seed: None draws one, so that the episode can be replayed.
        """
        seed = int(self._seeds.integers(2 ** 31)) if seed is None else seed
        self._seen, info = self.env.reset(seed=seed, options=options)
        self._episodes.append((seed, []))
        return self._seen, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Make a step, and take note of it."""
        after, reward, terminated, truncated, info = self.env.step(action)
        self._episodes[-1][1].append(
            (self._seen, np.asarray(action, np.float32), float(reward), terminated | truncated))
        self._seen = after
        return after, reward, terminated, truncated, info

    def close(self) -> None:
        """Write all episodes, and close the environment."""
        super().close()
        made, self._episodes = [each for each in self._episodes if each[1]], []
        if made:
            _write(self.folder, made, self._names, self.task, 1.0 / self._period, self._robot)


def read_episodes(folder: str | PathLike[str]) -> list[Episode]:
    """
    Return the episodes that an `EpisodeRecorder` wrote.

    :raises LearningError: where there are none, or not of this version.
    """
    root = Path(folder)
    try:
        info = json.loads((root / 'meta/info.json').read_text())
        seeds = json.loads((root / 'meta/replay.json').read_text())['seeds']
    except (OSError, ValueError, KeyError) as error:
        raise LearningError(f'{root} holds no episodes of an EpisodeRecorder: {error}') from None
    if info['codebase_version'] != VERSION:
        raise LearningError(f'{root} has version {info["codebase_version"]}, not {VERSION}')
    table = _pyarrow()[1].read_table(root / 'data' / _FILE)
    columns = {name: _unpacked(table.column(name), feature)
               for name, feature in info['features'].items()}
    episodes = []
    for number, seed in enumerate(seeds):
        rows = columns['episode_index'] == number
        episodes.append(Episode(seed, {
            name.rpartition('.')[2]: values[rows] for name, values in columns.items()
            if name.startswith('observation.')}, columns['action'][rows],
            columns['next.reward'][rows]))
    return episodes


def replay(env: VehicleEnv, episode: Episode) -> Episode:
    """
    Drive an episode again, by its seed and its actions; return what happened.

    In the environment that it was recorded in it is the same to the last bit.
    """
    seen, observations, rewards = env.reset(seed=episode.seed)[0], [], []
    for action in episode.actions:
        observations.append(seen)
        seen, reward, *_ = env.step(action)
        rewards.append(reward)
    return Episode(episode.seed, {name: np.stack([each[name] for each in observations])
                                  for name in observations[0]},
                   episode.actions, np.array(rewards, np.float32))


def _pyarrow() -> tuple[Any, Any]:
    """
    Return pyarrow and its part for Parquet.

    :raises LearningError: where it is not installed.
    """
    if find_spec('pyarrow') is None:
        raise LearningError('episodes are kept in Parquet files, which pyarrow writes: install it '
                            "with `pip install pyarrow`, or `pip install 'mvsim_ros2[episodes]'`")
    import pyarrow
    from pyarrow import parquet
    return pyarrow, parquet


def _column(name: str, space: Any) -> str:
    """Return the name of an entry of the observation in the data set."""
    if space.dtype == np.uint8 and len(space.shape) in (2, 3):
        return f'observation.images.{name}'
    if len(space.shape) != 1:
        raise LearningError(f'{name} of shape {space.shape} is neither an image of 8 bits nor a '
                            'row of numbers: leave it out by sensors=(...)')
    return f'observation.{name}'


def _write(root: Path, episodes: list[Any], names: dict[str, str], task: str, fps: float,
           robot: str) -> None:
    """Write a data set."""
    frames = [frame for _, made in episodes for frame in made]
    lengths = [len(made) for _, made in episodes]
    columns = {new: np.stack([frame[0][old] for frame in frames]) for old, new in names.items()}
    columns |= {'action': np.stack([frame[1] for frame in frames]),
                'next.reward': np.array([frame[2] for frame in frames], np.float32),
                'next.done': np.array([frame[3] for frame in frames]),
                'frame_index': np.concatenate([np.arange(length) for length in lengths]),
                'episode_index': np.repeat(np.arange(len(lengths)), lengths),
                'index': np.arange(len(frames)), 'task_index': np.zeros(len(frames), np.int64)}
    columns['timestamp'] = (columns['frame_index'] / fps).astype(np.float32)
    features = {name: _feature(name, values) for name, values in columns.items()}
    ends = np.cumsum(lengths).tolist()
    zeros = [0] * len(lengths)
    tables: dict[str, dict[str, Any]] = {
        f'data/{_FILE}': {name: _packed(name, values) for name, values in columns.items()},
        'meta/tasks.parquet': {'task_index': [0], '__index_level_0__': [task]},
        f'meta/episodes/{_FILE}': {
            'episode_index': list(range(len(lengths))), 'tasks': [[task]] * len(lengths),
            'length': lengths, 'data/chunk_index': zeros, 'data/file_index': zeros,
            'dataset_from_index': [0, *ends[:-1]], 'dataset_to_index': ends,
            'meta/episodes/chunk_index': zeros, 'meta/episodes/file_index': zeros}}
    pyarrow, parquet = _pyarrow()
    for name, parts in tables.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        table = pyarrow.table(parts)
        if name == 'meta/tasks.parquet':  # the index of what pandas reads
            table = table.replace_schema_metadata({'pandas': json.dumps(_PANDAS)})
        parquet.write_table(table, root / name)
    texts = {
        'info': {
            'codebase_version': VERSION, 'robot_type': robot, 'total_episodes': len(lengths),
            'total_frames': len(frames), 'total_tasks': 1, 'chunks_size': 1000,
            'data_files_size_in_mb': 100, 'video_files_size_in_mb': 200, 'fps': round(fps),
            'splits': {'train': f'0:{len(lengths)}'},
            'data_path': 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
            'video_path': None, 'features': features},
        'stats': {name: _statistics(values) for name, values in columns.items()},
        'replay': {'seeds': [seed for seed, _ in episodes]}}
    for name, text in texts.items():
        (root / f'meta/{name}.json').write_text(json.dumps(text, indent=1) + '\n')


_PANDAS = {
    'index_columns': ['__index_level_0__'], 'pandas_version': '2.0.0',
    'column_indexes': [{'name': None, 'field_name': None, 'pandas_type': 'unicode',
                        'numpy_type': 'object', 'metadata': {'encoding': 'UTF-8'}}],
    'columns': [
        {'name': 'task_index', 'field_name': 'task_index', 'pandas_type': 'int64',
         'numpy_type': 'int64', 'metadata': None},
        {'name': None, 'field_name': '__index_level_0__', 'pandas_type': 'unicode',
         'numpy_type': 'object', 'metadata': None}]}


def _feature(name: str, values: Values) -> dict[str, Any]:
    """Return what LeRobot is told of a column."""
    if name.startswith('observation.images.'):
        height, width, *rest = values.shape[1:]
        return {'dtype': 'image', 'shape': [height, width, *(rest or [1])],
                'names': ['height', 'width', 'channels']}
    return {'dtype': str(values.dtype), 'shape': list(values.shape[1:] or (1,)), 'names': None}


def _packed(name: str, values: Values) -> Any:
    """Return a column as pyarrow takes it; images as PNG files."""
    pyarrow, _ = _pyarrow()
    if name.startswith('observation.images.'):
        return [{'bytes': _png(image), 'path': None} for image in values]
    if values.ndim == 1:
        return values
    if values.shape[1] == 1:  # a single number is no row to LeRobot
        return values[:, 0]
    return pyarrow.FixedSizeListArray.from_arrays(
        pyarrow.array(values.astype(np.float32).reshape(-1)), values.shape[1])


def _png(image: Values) -> bytes:
    file = BytesIO()
    Image.fromarray(image).save(file, 'PNG')
    return file.getvalue()


def _unpacked(column: Any, feature: dict[str, Any]) -> Values:
    """Return a column as `_packed` took it."""
    if feature['dtype'] == 'image':
        return np.stack([np.asarray(Image.open(BytesIO(each['bytes'])))
                         for each in column.to_pylist()])
    return np.array(column.to_pylist(), feature['dtype']).reshape(
        len(column), *(feature['shape'] if feature['shape'] != [1] else ()))


def _statistics(values: Values) -> dict[str, list[Any]]:
    """Return what LeRobot normalises by; of images for each channel, from 0 to 1."""
    if values.dtype == np.uint8:
        rows = values.reshape(-1, values.shape[3] if values.ndim == 4 else 1) / 255.0
        shape: tuple[int, ...] = (-1, 1, 1)
    else:
        rows, shape = values.reshape(len(values), -1).astype(float), (-1,)
    return {**{name: getattr(rows, name)(axis=0).reshape(shape).tolist()
               for name in ('min', 'max', 'mean', 'std')}, 'count': [len(values)]}
