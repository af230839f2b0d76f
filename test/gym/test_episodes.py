# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Episodes as data sets of LeRobot, and back."""

from importlib.util import find_spec
from pathlib import Path
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

from mvsim_ros2.gym import LearningError, maps, Navigate, varied, VehicleEnv
from mvsim_ros2.gym.episodes import EpisodeRecorder, read_episodes, replay

pytest.importorskip('pyarrow', reason='pyarrow, of the extra episodes, is not installed')


def environment(**settings: object) -> VehicleEnv:
    return VehicleEnv(Navigate(0.5, 2.0), **{
        'world': 'empty', 'rays': 12, 'time_limit': 3.0, **settings})


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


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """A folder that is there or cannot be, parts of steps a second, what has no names."""
    (tmp_path / 'file').touch()
    for env, folder, task, said in (
            (environment(), tmp_path, 'none', 'already'),
            (environment(), tmp_path / 'file' / 'data', 'none', 'cannot be made'),
            (environment(), tmp_path / 'data', None, 'task is None'),
            (environment(control_rate=2.5), tmp_path / 'data', 'none', 'control_rate is 2.5'),
            (environment(control_rate=0.4), tmp_path / 'data', 'none', 'control_rate is 0.4'),
            (gymnasium.wrappers.FlattenObservation(environment()), tmp_path / 'data', 'none',
             'before the wrapper <FlattenObservation'),
            (gymnasium.make('CartPole-v1'), tmp_path / 'data', 'none', 'is no VehicleEnv')):
        with pytest.raises(LearningError, match=said):
            EpisodeRecorder(env, folder, task)
    assert not (tmp_path / 'data').exists()


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """A folder without episodes, or with a damaged part."""
    with pytest.raises(LearningError, match='no episodes'):
        read_episodes(tmp_path)
    recorded(environment(), tmp_path / 'data', 1)
    for damaged, text in (('meta/replay.json', '[]'), ('meta/info.json', '{}'),
                          ('data/chunk-000/file-000.parquet', 'none')):
        file = tmp_path / 'data' / damaged
        content = file.read_bytes()
        file.write_text(text)
        with pytest.raises(LearningError, match='no episodes'):
            read_episodes(tmp_path / 'data')
        file.write_bytes(content)
    assert len(read_episodes(tmp_path / 'data')) == 1


def test_what_gymnasium_makes_is_recorded(tmp_path: Path) -> None:
    """In its wrappers; a seed of numpy, actions of other kinds as float32, from -1 to 1."""
    def made() -> gymnasium.Env:
        return gymnasium.make('mvsim_ros2/Navigate-v0', world='empty', rays=12)

    recorder = EpisodeRecorder(made(), tmp_path / 'data', 'go')
    recorder.reset(seed=np.int64(4))
    given = [[0.1, 0.2], np.array([1 / 3, -2.0]), (1, 0), np.array([[0.7, 0.3]])]
    rewards = [recorder.step(action)[1] for action in given]
    recorder.close()
    (episode,) = read_episodes(tmp_path / 'data')
    assert episode.seed == 4 and np.array_equal(episode.actions, np.clip(
        np.array([np.ravel(each) for each in given], np.float32), -1.0, 1.0))
    again = replay(made(), episode)
    assert again.rewards.tolist() == episode.rewards.tolist() == np.float32(rewards).tolist()
    for name, values in episode.observations.items():
        assert again.observations[name].tobytes() == values.tobytes()


def test_nothing_is_driven_but_episodes(tmp_path: Path) -> None:
    """No step before a reset, none past the end, none by what are no actions."""
    recorder = EpisodeRecorder(environment(time_limit=0.3), tmp_path / 'data', 'go')
    with pytest.raises(LearningError, match='call reset'):
        recorder.step([0.0, 0.0])
    for _ in range(2):
        recorder.reset()
        for action in ('ahead', [0.0], None, [0.0, np.nan]):
            with pytest.raises(LearningError):
                recorder.step(action)
        while not recorder.step([0.0, 0.0])[3]:
            pass
        with pytest.raises(LearningError, match='over: call reset'):
            recorder.step([0.0, 0.0])
    recorder.close()
    assert [len(each.rewards) for each in read_episodes(tmp_path / 'data')] == [3, 3]


BUMPER = """
<mvsim_world version="1.0">
  <vehicle name="robot"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential"> <controller class="twist_pid"/> </dynamics>
    <sensor class="bumper" name="left.front"/>
  </vehicle>
</mvsim_world>
"""


def test_entries_of_one_number(tmp_path: Path) -> None:
    """They come back as rows of one, under their whole name."""
    (tmp_path / 'bumper.world.xml').write_text(BUMPER)
    given = {'world': tmp_path / 'bumper.world.xml', 'rays': None, 'sensors': ('left.front',)}
    seen = recorded(environment(**given), tmp_path / 'data', 1)
    (episode,) = read_episodes(tmp_path / 'data')
    assert set(episode.observations) == {'left.front', 'velocity', 'goal'}
    assert episode.observations['left.front'].shape == (len(seen), 1)
    replay(environment(**given), episode)


@pytest.mark.parametrize('other, said', [
    ({'control_rate': 5.0}, 'with control_rate 10.0, not 5.0'),
    ({'world': 'demo'}, 'in another world'),
    ({'world': varied('empty', mass=(2.0, 2.0))}, 'in another world'),
    ({'world': maps.field()}, 'in another world'), ({'rays': 13}, 'in another world'),
    ({'physics': 'mvsim'}, "with physics 'physical', not 'mvsim'"),
    ({'latency': (1, 1)}, 'with latency'), ({'time_limit': 0.2}, 'ends after 2 here')])
def test_a_replay_elsewhere_is_refused(tmp_path: Path, other: dict, said: str) -> None:
    """By what is stored of the environment."""
    recorded(environment(), tmp_path / 'data', 1)
    (episode,) = read_episodes(tmp_path / 'data')
    with pytest.raises(LearningError, match=said):
        replay(environment(**other), episode)


def test_a_replay_of_another_task_is_refused(tmp_path: Path) -> None:
    """By its name, or by where the goal is; a map is known by its cells."""
    recorded(environment(world=maps.field(), seed=3), tmp_path / 'data', 1)
    (episode,) = read_episodes(tmp_path / 'data')
    replay(environment(world=maps.field(), seed=3, threads=2, control_rate=10), episode)
    with pytest.raises(LearningError, match='another map'):
        replay(environment(world=maps.field(), seed=4), episode)
    env = environment(world=maps.field(), seed=3)
    env.arena.task.nearest, env.arena.task.farthest = 3.0, 3.5
    with pytest.raises(LearningError, match="begins otherwise, 'goal'"):
        replay(env, episode)


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
