# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Episodes as data sets of LeRobot, and back."""

from importlib.util import find_spec
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest

from mvsim_ros2.gym import LearningError
from mvsim_ros2.gym import Navigate
from mvsim_ros2.gym import VehicleEnv
from mvsim_ros2.gym.episodes import EpisodeRecorder
from mvsim_ros2.gym.episodes import read_episodes
from mvsim_ros2.gym.episodes import replay

pytest.importorskip('pyarrow', reason='pyarrow, of the extra episodes, is not installed')


def environment(**settings: object) -> VehicleEnv:
    """Return an environment with a noisy scan."""
    return VehicleEnv(Navigate(0.5, 2.0), 'empty', rays=12, time_limit=3.0, **settings)


def recorded(env: VehicleEnv, folder: Path, episodes: int) -> list[dict[str, np.ndarray]]:
    """Record episodes of a controller that turns to its goal; return what was seen."""
    recorder, seen = EpisodeRecorder(env, folder, 'go to the goal'), []
    for _ in range(episodes):
        observation, over = recorder.reset()[0], False
        while not over:
            seen.append(observation)
            x, y = observation['goal']
            observation, _, terminated, truncated, _ = recorder.step(
                np.array([0.8, np.clip(np.arctan2(y, x), -1.0, 1.0)], np.float32))
            over = terminated or truncated
    recorder.reset()  # without a step: not written
    recorder.close()
    return seen


def test_what_is_read_is_what_was_seen_and_drives_again(tmp_path: Path) -> None:
    """To the last bit, in another environment of the same kind."""
    seen = recorded(environment(), tmp_path / 'data', 3)
    episodes = read_episodes(tmp_path / 'data')
    assert len(episodes) == 3 and len({each.seed for each in episodes}) == 3
    for name, values in seen[0].items():
        read = np.concatenate([each.observations[name] for each in episodes])
        assert read.tobytes() == np.stack([each[name] for each in seen]).tobytes()
        assert read.dtype == values.dtype
    env = environment()
    for episode in episodes:
        again = replay(env, episode)
        assert again.rewards.tobytes() == episode.rewards.tobytes()
        for name, values in episode.observations.items():
            assert again.observations[name].tobytes() == values.tobytes()
    env.close()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """A folder that is there, a folder without episodes."""
    with pytest.raises(LearningError, match='already'):
        EpisodeRecorder(environment(), tmp_path, 'none')
    with pytest.raises(LearningError, match='no episodes'):
        read_episodes(tmp_path)


def test_images(tmp_path: Path) -> None:
    """They come back pixel by pixel."""
    env = VehicleEnv(Navigate(), 'camera', sensors=('camera',), time_limit=0.3)
    seen = recorded(env, tmp_path / 'data', 1)
    (episode,) = read_episodes(tmp_path / 'data')
    assert np.array_equal(episode.observations['camera'], [each['camera'] for each in seen])


LOOK = """
import sys
import numpy as np
from lerobot.datasets.lerobot_dataset import LeRobotDataset
data = LeRobotDataset('mvsim_ros2/test', root=sys.argv[1])
frame = data[data.num_frames - 1]
print(data.num_episodes, data.num_frames, data.fps, frame['task'], len(frame['action']),
      data.meta.stats['observation.scan']['max'].shape, frame['observation.scan'].tolist())
"""


@pytest.mark.skipif(find_spec('lerobot') is None, reason='LeRobot is not installed')
def test_lerobot_opens_it(tmp_path: Path) -> None:
    """The real library, in a process of its own, finds the episodes, the task and the numbers."""
    seen = recorded(environment(), tmp_path / 'data', 2)
    found = subprocess.run([sys.executable, '-c', LOOK, str(tmp_path / 'data')], check=True,
                           capture_output=True, text=True, timeout=300).stdout
    assert found.splitlines()[-1] == (
        f'2 {len(seen)} 10 go to the goal 2 (12,) {seen[-1]["scan"].tolist()}')
