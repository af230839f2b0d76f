# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Train with RLlib on all nodes of a Ray cluster: `pip install 'ray[rllib]' torch`, then run this.

With the address of a cluster as its argument (`ray start --head` prints it) it trains there, where
this package has to be installed; without one it starts Ray on this machine. Env runners of a node
that goes down are started anew elsewhere, and the training goes on.
"""

import argparse

import gymnasium
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env

ENV = 'navigate'


def make(settings: dict) -> gymnasium.Env:
    """Return an environment whose observation is a row of numbers."""
    import mvsim_ros2.gym  # noqa: F401, registers the environments
    env = gymnasium.make('mvsim_ros2/Navigate-v0', world='empty', rays=16, time_limit=20.0)
    return gymnasium.wrappers.FlattenObservation(env)


def config(runners: int, batch: int = 4000) -> PPOConfig:
    """Return how to train, with env runners as processes of their own."""
    register_env(ENV, make)
    return (PPOConfig().environment(ENV)
            .env_runners(num_env_runners=runners)
            .fault_tolerance(restart_failed_env_runners=True)
            .training(train_batch_size=batch, minibatch_size=min(batch, 128), num_epochs=4))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('address', nargs='?', help='of a Ray cluster')
    parser.add_argument('--runners', type=int, default=2, help='processes that simulate')
    parser.add_argument('--rounds', type=int, default=50)
    chosen = parser.parse_args()
    ray.init(address=chosen.address)
    algorithm = config(chosen.runners).build_algo()
    for number in range(chosen.rounds):
        result = algorithm.train()['env_runners']
        print(number, 'mean reward of an episode:', result.get('episode_return_mean'))
    print('saved as', algorithm.save('navigate_rllib').checkpoint.path)
