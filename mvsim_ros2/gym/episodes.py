# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Episodes of any controller as a data set to learn from, and back.

The format is LeRobot's, version 3.0 (Hugging Face: LeRobotDataset v3.0): tables in Parquet files,
what they mean in JSON. Pyarrow writes and reads the tables, since they are its own format; neither
LeRobot nor torch is needed. A replay also needs the seeds and arguments of the environment, which
are in `meta/replay.json`, which LeRobot passes over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
import hashlib
from importlib.util import find_spec
from io import BytesIO
import json
from os import PathLike
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.spaces import Box, Dict
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.env import VehicleEnv

Values = NDArray[Any]

VERSION = 'v3.0'
_FILE = 'chunk-000/file-000.parquet'
_ROWS, _IMAGES = 'observation.', 'observation.images.'
_SAME = 1e-3  # how much the first observation of a replay may differ
_REMEDY = 'replay it in an environment that is made with the same arguments'


@dataclass(frozen=True, eq=False)
class Episode:
    """An episode that was recorded."""

    seed: int  # that the environment was reset with
    observations: dict[str, Values]  # before each step, shape (steps, ...)
    actions: Values  # (steps, width), float32, from -1 to 1
    rewards: Values  # (steps,), float32
    made_with: Mapping[str, Any]  # what the environment has to have in common with a replay


class EpisodeRecorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """
    An environment that writes its episodes when it is closed.

    An episode that a `reset` or the end cuts off is kept as it is; one without steps is not. The
    entries of the observation become `observation.NAME`, images `observation.images.NAME`. What
    is driven is what is written: actions as float32, cut to -1 to 1.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], folder: str | PathLike[str],
                 task: str) -> None:
        """
        Begin a data set.

        :param env: a `VehicleEnv`, as it is or as `gymnasium.make` wraps it.
        :param folder: for it, which must not be there yet.
        :param task: what is done in the episodes, in words, as a language model would be told.
        :raises LearningError: without pyarrow, if the folder exists or cannot be made, or the
            control rate is no whole number. Also for an observation of several dimensions that is
            no image.
        """
        super().__init__(env)
        _pyarrow()
        arena = _unwrapped(env).arena
        spaces = env.observation_space
        if not isinstance(spaces, Dict) or not isinstance(env.action_space, Box):
            raise LearningError('the observations of a data set have names, its actions are '
                                f'numbers: record {env.unwrapped} before the wrapper {env}')
        self._actions = env.action_space
        self._names = {name: _column(name, space) for name, space in spaces.spaces.items()}
        self._fps = round(1.0 / arena.period)
        if abs(self._fps * arena.period - 1.0) > 1e-6:
            raise LearningError(f'control_rate is {arena.settings.control_rate}: the data set '
                                'counts whole steps a second, give a whole number')
        if not isinstance(task, str):
            raise refused('task', task, 'say in words what is done')
        self.folder, self.task = Path(folder), task
        try:
            self.folder.mkdir(parents=True)
        except FileExistsError:
            raise LearningError(
                f'{self.folder} is there already: choose another folder') from None
        except OSError as error:
            raise LearningError(
                f'the folder cannot be made: {error}: choose another one') from None
        self._robot, self._made_with = arena.agents[0].vehicle, _made_with(env)
        self._episodes: list[tuple[int, list[tuple[dict[str, Values], Values, float, bool]]]] = []
        self._seeds = np.random.default_rng(0)
        self._seen: dict[str, Values] = {}
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Any, dict[str, Any]]:
        """
        Begin an episode.

        :param seed: None draws one, so that the episode can be replayed.
        """
        seed = int(self._seeds.integers(2 ** 31) if seed is None else seed)
        self._seen, info = self.env.reset(seed=seed, options=options)
        self._episodes.append((seed, []))
        self._over = False
        return self._seen, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """
        Make a step, and take note of it.

        :param action: shape (width,), from -1 to 1.
        :raises LearningError: where it is something else, or the episode is over.
        """
        if self._over:
            raise LearningError('the episode has not begun, or is over: call reset() first')
        space = self._actions
        try:
            driven = np.clip(
                np.asarray(action, np.float32).reshape(space.shape), space.low, space.high)
        except (TypeError, ValueError):
            raise refused('action', action, 'give numbers from -1 to 1, shape '
                                            f'{space.shape}') from None
        after, reward, terminated, truncated, info = self.env.step(driven)
        self._over = bool(terminated or truncated)
        self._episodes[-1][1].append((self._seen, driven, float(reward), self._over))
        self._seen = after
        return after, reward, terminated, truncated, info

    def close(self) -> None:
        """Write all episodes, and close the environment."""
        super().close()
        made, self._episodes = [each for each in self._episodes if each[1]], []
        if made:
            _write(self.folder, made, self._names, self.task, self._fps, self._robot,
                   self._made_with)


def read_episodes(folder: str | PathLike[str]) -> list[Episode]:
    """
    Return the episodes that an `EpisodeRecorder` wrote.

    :raises LearningError: where there are none, or not of this version, or pyarrow is missing.
    """
    root, (_, parquet) = Path(folder), _pyarrow()
    try:
        info = json.loads((root / 'meta/info.json').read_text())
        about = json.loads((root / 'meta/replay.json').read_text())
        if info['codebase_version'] != VERSION:
            raise LearningError(f'{root} has version {info["codebase_version"]}, not {VERSION}')
        table = parquet.read_table(root / 'data' / _FILE)
        columns = {name: _unpacked(name, table.column(name), feature)
                   for name, feature in info['features'].items()}
        rows = [columns['episode_index'] == number for number in range(len(about['seeds']))]
        return [Episode(seed, {
            _entry(name): values[here] for name, values in columns.items() if _entry(name)},
            columns['action'][here], columns['next.reward'][here], about['made_with'])
            for seed, here in zip(about['seeds'], rows, strict=True)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LearningError(f'{root} holds no episodes of an EpisodeRecorder: {error}') from None


def replay(env: gymnasium.Env[Any, Any], episode: Episode) -> Episode:
    """
    Drive an episode again, by its seed and its actions; return what happened.

    In the environment that it was recorded in it is the same to the last bit.

    :param env: made with the same arguments as the recorded one.
    :raises LearningError: where it is not, as far as can be seen before the first step, or ends
        earlier.
    """
    now = _made_with(env)
    for name, then in episode.made_with.items():
        if now.get(name) != then:
            how = 'in another world, or on another map' if name == 'world' else (
                f'with {name} {then!r}, not {now.get(name)!r}')
            raise LearningError(f'the episode was recorded {how}: {_REMEDY}')
    seen, over = env.reset(seed=episode.seed)[0], False
    for name, values in episode.observations.items():
        if values.dtype != np.uint8 and not np.allclose(seen[name], values[0], atol=_SAME):
            raise LearningError(f'the episode begins otherwise, {name!r} is not what was '
                                f'recorded: {_REMEDY}')
    observations, rewards = [], []
    for number, action in enumerate(episode.actions):
        if over:
            raise LearningError(f'the episode of {len(episode.actions)} steps ends after {number} '
                                f'here: {_REMEDY}')
        observations.append(seen)
        seen, reward, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
        rewards.append(reward)
    return Episode(episode.seed, {name: np.stack([each[name] for each in observations])
                                  for name in observations[0]},
                   episode.actions, np.array(rewards, np.float32), now)


def _unwrapped(env: gymnasium.Env[Any, Any]) -> VehicleEnv:
    """Return the environment in wrappers; raise `LearningError` for none of this package."""
    inner = env.unwrapped
    if not isinstance(inner, VehicleEnv):
        raise LearningError(f'{inner} is no VehicleEnv: give one, or what gymnasium.make returns')
    return inner


def _made_with(env: gymnasium.Env[Any, Any]) -> dict[str, Any]:
    """Return what two environments must have in common to do the same, as JSON gives it back."""
    arena = _unwrapped(env).arena
    simulation, settings = arena.simulations[0], asdict(arena.settings)
    for name in ('threads', 'time_limit'):
        del settings[name]
    content = hashlib.sha256()
    for part in _content(simulation.world):
        content.update(part)
    said = {**settings, 'sensors': arena.sensors, 'task': type(arena.task).__name__,
            'vehicle': arena.agents[0].vehicle, 'physics': simulation.mode,
            'world': content.hexdigest()}
    return dict(json.loads(json.dumps(said, default=float)))


def _content(value: Any) -> Iterator[bytes]:
    """Yield what a spec says, without where it is from."""
    if is_dataclass(value):
        yield type(value).__name__.encode()
        for each in fields(value):
            part = getattr(value, each.name)
            if each.name not in ('source', 'warnings') and not (
                    each.name == 'path' and isinstance(part, str)):
                yield from _content(part)
    elif isinstance(value, Mapping):
        yield from _content(tuple(value.items()))
    elif isinstance(value, tuple):
        yield b'(%d' % len(value)
        for part in value:
            yield from _content(part)
    elif isinstance(value, np.ndarray):
        yield from (str((value.dtype, value.shape)).encode(), value.tobytes())
    else:
        yield repr(value).encode() + b';'


def _pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its part for Parquet; raise `LearningError` where it is not installed."""
    if find_spec('pyarrow') is None:
        raise LearningError('episodes are kept in Parquet files, which pyarrow writes: install it '
                            "with `pip install pyarrow`, or `pip install 'mvsim_ros2[episodes]'`")
    import pyarrow
    from pyarrow import parquet
    return pyarrow, parquet


def _column(name: str, space: Any) -> str:
    """Return the name of an entry of the observation in the data set."""
    if isinstance(space, Box) and space.dtype == np.uint8 and len(space.shape) in (2, 3):
        return f'{_IMAGES}{name}'
    if not isinstance(space, Box) or len(space.shape) != 1:
        raise LearningError(f'{name} of shape {space.shape} is neither an image of 8 bits nor a '
                            'row of numbers: leave it out by sensors=(...)')
    return f'{_ROWS}{name}'


def _entry(column: str) -> str:
    """Return the name of the entry of the observation in a column, '' where it has none."""
    for prefix in (_IMAGES, _ROWS):
        if column.startswith(prefix):
            return column.removeprefix(prefix)
    return ''


def _write(root: Path, episodes: list[Any], names: dict[str, str], task: str, fps: int,
           robot: str, made_with: dict[str, Any]) -> None:
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
            'data_files_size_in_mb': 100, 'video_files_size_in_mb': 200, 'fps': fps,
            'splits': {'train': f'0:{len(lengths)}'},
            'data_path': 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
            'video_path': None, 'features': features},
        'stats': {name: _statistics(values) for name, values in columns.items()},
        'replay': {'seeds': [seed for seed, _ in episodes], 'made_with': made_with}}
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
    """Return the description of a column for LeRobot."""
    if name.startswith(_IMAGES):
        height, width, *rest = values.shape[1:]
        return {'dtype': 'image', 'shape': [height, width, *(rest or [1])],
                'names': ['height', 'width', 'channels']}
    return {'dtype': str(values.dtype), 'shape': list(values.shape[1:] or (1,)), 'names': None}


def _packed(name: str, values: Values) -> Any:
    """Return a column as pyarrow takes it; images as PNG files."""
    pyarrow, _ = _pyarrow()
    if name.startswith(_IMAGES):
        return [{'bytes': _png(image), 'path': None} for image in values]
    if values.ndim == 1:
        return values
    if values.shape[1] == 1:  # a single number is no row to LeRobot
        return values[:, 0]
    return pyarrow.FixedSizeListArray.from_arrays(
        pyarrow.array(values.reshape(-1)), values.shape[1])


def _png(image: Values) -> bytes:
    file = BytesIO()
    Image.fromarray(image).save(file, 'PNG')
    return file.getvalue()


def _unpacked(name: str, column: Any, feature: dict[str, Any]) -> Values:
    """Return a column as `_packed` took it."""
    if feature['dtype'] == 'image':
        return np.stack([np.asarray(Image.open(BytesIO(each['bytes'])))
                         for each in column.to_pylist()])
    values = np.array(column.to_pylist(), feature['dtype'])
    return values.reshape(len(column), -1) if name == 'action' or _entry(name) else values


def _statistics(values: Values) -> dict[str, list[Any]]:
    """Return what LeRobot normalises by; of images for each channel, from 0 to 1."""
    if values.dtype == np.uint8:
        rows = values.reshape(-1, values.shape[3] if values.ndim == 4 else 1) / 255.0
        shape: tuple[int, ...] = (-1, 1, 1)
    else:
        rows, shape = values.reshape(len(values), -1).astype(float), (-1,)
    return {**{name: getattr(rows, name)(axis=0).reshape(shape).tolist()
               for name in ('min', 'max', 'mean', 'std')}, 'count': [len(values)]}
