# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Proximal policy optimisation in NumPy: enough to train a small network on a laptop.

J. Schulman, F. Wolski, P. Dhariwal, A. Radford, O. Klimov: Proximal Policy Optimization
Algorithms, arXiv:1707.06347; advantages by J. Schulman, P. Moritz, S. Levine, M. Jordan,
P. Abbeel: High-Dimensional Continuous Control Using Generalized Advantage Estimation,
arXiv:1506.02438; step sizes by D. Kingma, J. Ba: Adam, arXiv:1412.6980. For larger networks take
a library that uses torch or JAX: the environments are Gymnasium's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field
from pathlib import Path
from typing import Any

from gymnasium.vector import VectorEnv
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym import policy_interface
from mvsim_ros2.gym import VehicleVectorEnv
from mvsim_ros2.policies import save_policy

Array = NDArray[np.float32]

KNEE = 0.2  # m, m/s, rad/s: above it observations are taken in orders of magnitude


@dataclass(frozen=True)
class Options:
    """What is usually chosen: `horizon` steps of every environment make a batch."""

    horizon: int = 64
    epochs: int = 6
    minibatch: int = 1024
    rate: float = 5e-4  # of learning, falls to a tenth
    discount: float = 0.99
    smoothing: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    entropy: float = 0.0005
    hidden: tuple[int, ...] = (64, 64)
    spread: float = 0.6  # standard deviation of the actions at first


class Network:
    """A perceptron with tanh, and its gradient."""

    def __init__(self, sizes: tuple[int, ...], last: float, random: np.random.Generator) -> None:
        """
        Draw the weights.

        :param sizes: of input, hidden layers and output.
        :param last: factor of the weights before the output.
        """
        self.parameters: list[Array] = []
        for i, (rows, columns) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            scale = last if i == len(sizes) - 2 else 1.0
            self.parameters += [
                (scale * random.standard_normal((rows, columns)) / rows ** 0.5).astype(np.float32),
                np.zeros(columns, np.float32)]

    def __call__(self, values: Array) -> Array:
        """Return the output for rows of inputs."""
        return self.layers(values)[-1]

    def layers(self, values: Array) -> list[Array]:
        """Return the input, what each hidden layer makes of it, and the output."""
        made = [values]
        for i in range(0, len(self.parameters), 2):
            values = values @ self.parameters[i] + self.parameters[i + 1]
            if i + 2 < len(self.parameters):
                values = np.tanh(values)
            made.append(values)
        return made

    def gradient(self, made: list[Array], slope: Array) -> list[Array]:
        """Return the gradient of a sum, by the parameters, from that by the output."""
        found: list[Array] = []
        for i in range(len(made) - 2, -1, -1):
            found[:0] = [made[i].T @ slope, slope.sum(axis=0)]
            if i:
                slope = slope @ self.parameters[2 * i].T * (1.0 - made[i] ** 2)
        return found


class Adam:
    """Steps along a gradient, of a size of their own for each parameter."""

    def __init__(self, parameters: list[Array]) -> None:
        """Begin; the parameters are changed in place."""
        self._parameters = parameters
        self._mean = [np.zeros_like(each) for each in parameters]
        self._square = [np.zeros_like(each) for each in parameters]
        self._steps = 0

    def step(self, gradient: list[Array], rate: float, longest: float = 0.5) -> None:
        """Make a step against a gradient, which is cut to a length."""
        length = float(np.sqrt(sum(float((each ** 2).sum()) for each in gradient)))
        cut = min(1.0, longest / (length + 1e-8))
        self._steps += 1
        bias = (1.0 - 0.999 ** self._steps) ** 0.5 / (1.0 - 0.9 ** self._steps)
        for parameter, mean, square, slope in zip(
                self._parameters, self._mean, self._square, gradient, strict=True):
            mean += 0.1 * (cut * slope - mean)
            square += 0.001 * ((cut * slope) ** 2 - square)
            parameter -= rate * bias * mean / (np.sqrt(square) + 1e-5)


class Agent:
    """
    A policy with normal distributions of actions, and the value of observations.

    :ivar mean: of the entries of the observation so far.
    :ivar deviation: their standard deviations.
    """

    def __init__(self, inputs: int, outputs: int, options: Options, seed: int) -> None:
        """Draw the weights."""
        random = np.random.default_rng(seed)
        self.options = options
        self.policy = Network((inputs, *options.hidden, outputs), 0.01, random)
        self.value = Network((inputs, *options.hidden, 1), 1.0, random)
        self.log_spread = np.full(outputs, np.log(options.spread), np.float32)
        self.mean, self.deviation = np.zeros(inputs), np.ones(inputs)
        self._seen = 1e-4
        self._adam = Adam([*self.policy.parameters, *self.value.parameters, self.log_spread])

    def features(self, observation: Array) -> Array:
        """Return observations as the networks take them."""
        return ((observation - self.mean) / self.scale).clip(-5.0, 5.0).astype(np.float32)

    @property
    def scale(self) -> NDArray[np.float64]:
        """Return by what entries of an observation are divided."""
        return self.deviation + 0.01

    def act(self, observation: Array) -> Array:
        """Return the best actions that are known."""
        return self.policy(self.features(observation)).clip(-1.0, 1.0)

    def observe(self, observations: Array) -> None:
        """Take observations into mean and deviation."""
        rows, before = observations.reshape(-1, observations.shape[-1]), self._seen
        self._seen += len(rows)
        share, off = len(rows) / self._seen, rows.mean(axis=0) - self.mean
        variance = ((1.0 - share) * self.deviation ** 2 + share * rows.var(axis=0)
                    + share * before / self._seen * off ** 2)
        self.mean, self.deviation = self.mean + share * off, np.sqrt(variance)

    def chance(self, features: Array, action: Array) -> Array:
        """Return the logarithms of the densities of actions."""
        return self._density(self.policy(features), action)

    def _density(self, middle: Array, action: Array) -> Array:
        off = (action - middle) / np.exp(self.log_spread)
        return -(0.5 * off ** 2 + self.log_spread).sum(axis=1)

    def improve(self, features: Array, action: Array, chance: Array, advantage: Array,
                gain: Array, rate: float) -> float:
        """
        Make a step with a minibatch.

        :param gain: what the observation turned out to be worth.
        :returns: mean squared error of the value.
        """
        options, count = self.options, len(features)
        made, worth = self.policy.layers(features), self.value.layers(features)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        ratio = np.exp(self._density(made[-1], action) - chance)
        free = np.where(advantage > 0, ratio < 1 + options.clip, ratio > 1 - options.clip)
        weight = -(advantage * ratio * free / count).astype(np.float32)[:, None]
        variance = np.exp(2.0 * self.log_spread)
        off = action - made[-1]
        wrong = worth[-1][:, 0] - gain
        spread = (weight * (off ** 2 / variance - 1.0)).sum(axis=0) - options.entropy
        self._adam.step(
            [*self.policy.gradient(made, weight * off / variance),
             *self.value.gradient(worth, (wrong / count)[:, None]),
             spread.astype(np.float32)], rate)
        return float((wrong ** 2).mean())


def save(agent: Agent, envs: VehicleVectorEnv, file: Path) -> None:
    """Write the policy of an agent as an ONNX model, for a robot like those of `envs`."""
    single, network = envs.single_observation_space, agent.policy.parameters
    save_policy(file, policy_interface(envs),
                {name: int(np.prod(single[name].shape)) for name in sorted(single)}, agent.mean,
                agent.scale, list(zip(network[::2], network[1::2], strict=True)), KNEE)


def flat(observation: dict[str, NDArray[Any]]) -> Array:
    """
    Return the rows of the entries of an observation side by side, by name.

    What is far away is drawn together, as in a logarithm: a decimetre matters near a wall.
    """
    rows = [np.reshape(observation[name], (len(observation[name]), -1))
            for name in sorted(observation)]
    return np.arcsinh(np.concatenate(rows, axis=1) / KNEE).astype(np.float32)


@dataclass
class Progress:
    """What an update of the policy saw, see `train`."""

    steps: int  # of all environments so far
    reward: float  # mean of the episodes that ended
    success: float  # share of these
    loss: float  # mean squared error of the value
    episodes: list[tuple[float, bool]] = field(repr=False)


def train(envs: VectorEnv[Any, Any, Any], steps: int, options: Options, seed: int,
          report: Callable[[Progress, Agent], bool | None] = lambda *_: None) -> Agent:
    """
    Train an agent.

    :param envs: with `autoreset_mode='SameStep'`, and `success` in their `info`.
    :param steps: of all environments together.
    :param report: is called after each update; what returns True ends the training.
    """
    random = np.random.default_rng(seed)
    seen = flat(envs.reset(seed=seed)[0])
    agent = Agent(seen.shape[1], envs.single_action_space.shape[0], options, seed)
    shape = options.horizon, envs.num_envs
    observations = np.zeros((*shape, seen.shape[1]), np.float32)
    actions = np.zeros((*shape, len(agent.log_spread)), np.float32)
    rewards, ended = np.zeros(shape, np.float32), np.zeros(shape, bool)
    total, made = np.zeros(envs.num_envs), 0
    while made < steps:
        episodes: list[tuple[float, bool]] = []
        for t in range(options.horizon):
            middle = agent.policy(agent.features(seen))
            observations[t] = seen
            actions[t] = middle + np.exp(agent.log_spread) * random.standard_normal(middle.shape)
            after, reward, terminated, truncated, info = envs.step(actions[t])
            rewards[t], ended[t] = reward, terminated | truncated
            total += reward
            if truncated.any():  # goes on unseen
                last = agent.features(flat(info['final_obs'])[truncated])
                rewards[t, truncated] += options.discount * agent.value(last)[:, 0]
            for row in np.flatnonzero(ended[t]).tolist():
                episodes.append((float(total[row]), bool(info['success'][row])))
                total[row] = 0.0
            seen = flat(after)
        made += ended.size
        features = agent.features(observations.reshape(-1, seen.shape[1]))
        worth = np.concatenate([agent.value(features)[:, 0].reshape(shape),
                                agent.value(agent.features(seen)).T])
        advantage = advantages(rewards, worth, ended, options).reshape(-1)
        gain, flown = advantage + worth[:-1].reshape(-1), actions.reshape(-1, actions.shape[-1])
        chance = agent.chance(features, flown)
        rate = options.rate * (1.0 - 0.9 * min(1.0, made / steps))
        losses = []
        for _ in range(options.epochs):
            order = random.permutation(len(features))
            for rows in np.array_split(order, max(1, len(order) // options.minibatch)):
                losses.append(agent.improve(
                    features[rows], flown[rows], chance[rows], advantage[rows], gain[rows], rate))
        agent.observe(observations)
        done = Progress(made, float(np.mean([r for r, _ in episodes] or [np.nan])),
                        float(np.mean([s for _, s in episodes] or [np.nan])),
                        float(np.mean(losses)), episodes)
        if report(done, agent):
            break
    return agent


def advantages(rewards: Array, worth: Array, ended: NDArray[np.bool_], options: Options) -> Array:
    """Return how much better than expected it went, from each step on."""
    found, later = np.zeros_like(rewards), np.zeros(rewards.shape[1], np.float32)
    for t in reversed(range(len(rewards))):
        going_on = (~ended[t]).astype(np.float32)
        surprise = rewards[t] + options.discount * going_on * worth[t + 1] - worth[t]
        later = surprise + options.discount * options.smoothing * going_on * later
        found[t] = later
    return found
