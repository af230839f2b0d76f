# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What trains elsewhere takes the environments; each in a process of its own."""

from importlib.util import find_spec
import os
from pathlib import Path
import subprocess
import sys

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples/learn'
CHECK = """
import gymnasium
from stable_baselines3.common.env_checker import check_env
import mvsim_ros2.gym
check_env(gymnasium.make('mvsim_ros2/Navigate-v0', world='empty', rays=8), warn=False)
"""
ROWS = """
import gymnasium, numpy as np
from stable_baselines3.common.vec_env import VecMonitor
import mvsim_ros2.gym
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.sb3 import Sb3VecEnv

def make(mode='SameStep'):
    return gymnasium.make_vec('mvsim_ros2/Navigate-v0', 3, world='empty', rays=8, time_limit=2.0,
                              autoreset_mode=mode)

envs, same = VecMonitor(Sb3VecEnv(make())), make()
envs.seed(4)
seen, (also, _) = envs.reset(), same.reset(seed=4)
ends, random = 0, np.random.default_rng(1)
for _ in range(45):
    np.testing.assert_equal(seen, also)
    actions = random.uniform(-1.0, 1.0, (3, 2))
    seen, reward, done, infos = envs.step(actions)
    also, rewards, terminated, truncated, info = same.step(actions)
    np.testing.assert_array_equal(done, terminated | truncated)
    np.testing.assert_allclose(reward, rewards, rtol=1e-6)
    for row in np.flatnonzero(done):
        ends += 1
        np.testing.assert_equal(infos[row]['terminal_observation'], info['final_obs'][row])
        assert infos[row]['TimeLimit.truncated'] == truncated[row]
        assert infos[row]['episode']['l'] == 20
assert ends == 6
try:
    Sb3VecEnv(make('NextStep'))
except LearningError as error:
    assert 'SameStep' in str(error)
else:
    raise AssertionError('another mode was taken')
"""


def run(folder: Path, *arguments: str) -> str:
    """Run Python in a folder; return what it prints."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True,
                          timeout=900, env=os.environ | {'CUDA_VISIBLE_DEVICES': ''}, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(find_spec('stable_baselines3') is None,
                    reason='stable-baselines3, of the extra train, is not installed')
def test_stable_baselines3(tmp_path: Path) -> None:
    """Its check passes, a batch has the rows of Gymnasium's, and the example trains."""
    run(tmp_path, '-c', CHECK)
    run(tmp_path, '-c', ROWS)
    assert 'total_timesteps' in run(tmp_path, str(EXAMPLES / 'with_sb3.py'), '256')
    assert (tmp_path / 'navigate_sb3.zip').is_file()


@pytest.mark.skipif(find_spec('ray') is None or find_spec('torch') is None,
                    reason='ray[rllib] and torch, of the extra train, are not installed')
def test_rllib_loses_a_node(tmp_path: Path) -> None:
    """A node with env runners is killed in the midst of a training, which goes on."""
    (tmp_path / 'train.py').write_text(CLUSTER)
    python_path = os.pathsep.join([str(EXAMPLES), *filter(None, [os.environ.get('PYTHONPATH')])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('PYTHONPATH', python_path)
        printed = run(tmp_path, '-W', 'ignore', 'train.py')
    before, after, nodes = (int(word) for word in printed.splitlines()[-1].split())
    assert nodes == 1
    assert after > before > 0


CLUSTER = """
import os
import ray
from ray.cluster_utils import Cluster
from with_rllib import config

small = {'num_cpus': 2, 'object_store_memory': 200_000_000}
cluster = Cluster(initialize_head=True, head_node_args={**small, 'include_dashboard': False})
other = cluster.add_node(**small)
ray.init(address=cluster.address, log_to_driver=False,
         runtime_env={'env_vars': {'PYTHONPATH': os.environ['PYTHONPATH']}})
algorithm = config(3, 200).build_algo()


def steps():
    return int(algorithm.train()['env_runners']['num_env_steps_sampled_lifetime'])


before = steps()
cluster.remove_node(other, allow_graceful=False)
while sum(node['Alive'] for node in ray.nodes()) > 1:  # it takes a while to be noticed
    steps()
text = f"{before} {steps()} {sum(node['Alive'] for node in ray.nodes())}"
algorithm.stop()
ray.shutdown()
cluster.shutdown()
print(text)
"""
