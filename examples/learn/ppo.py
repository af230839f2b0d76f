# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Proximal policy optimisation in NumPy: enough to train a small network on a laptop.

J. Schulman, F. Wolski, P. Dhariwal, A. Radford, O. Klimov: Proximal Policy Optimization
Algorithms, arXiv:1707.06347; advantages by J. Schulman, P. Moritz, S. Levine, M. Jordan,
P. Abbeel: High-Dimensional Continuous Control Using Generalized Advantage Estimation,
arXiv:1506.02438; step sizes by D. Kingma, J. Ba: Adam, arXiv:1412.6980; a value that is told more
than the policy by L. Pinto and others: Asymmetric Actor Critic, arXiv:1710.06542; policies that
turn left in a mirror where they turn right by F. Abdolhosseini, H. Ling, Z. Xie, X. Peng, M. van
de Panne: On Learning Symmetric Locomotion, MIG 2019. For larger networks take a library that uses
torch or JAX: the environments are Gymnasium's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym import policy_interface, VehicleVectorEnv
from mvsim_ros2.policies import Mirror, save_policy

Array = NDArray[np.float32]

SIGNS = {'goal': (1, -1), 'trail': (1, -1), 'velocity': (1, -1, -1),
         'way': (1, -1, 1, -1, 1)}  # in a mirror
# of scripts: help of the option --steps
STEPS = ('of all environments; the learning rate falls to a tenth over these, and the random part '
         'of the actions fades')
KNEE = 0.2  # m, m/s, rad/s: above it observations are taken in orders of magnitude


@dataclass(frozen=True)
class Options:
    """What is usually chosen: `horizon` steps of every environment make a batch."""

    horizon: int = 64
    epochs: int = 6  # fewer where the policy has changed by `change` before
    minibatch: int = 1024
    rate: float = 5e-4  # of learning, falls to a tenth
    change: float = 0.03  # mean logarithm of the ratio of densities (Kullback-Leibler divergence)
    unit: float = 5.0  # of rewards that the value is counted in
    discount: float = 0.99
    smoothing: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    hidden: tuple[int, ...] = (64, 64)
    spread: float = 0.6  # standard deviation of the actions at first
    last_spread: float = 0.15  # at the end: what drives then is the mean, without the rest
    updates: int = 40  # before other environments come, see `train`


def mirror_of(envs: VehicleVectorEnv) -> Mirror:
    """Return the mirror of environments with planar LiDARs, whose actions are speed and turn."""
    order, sign, first = np.zeros(0, np.int64), np.zeros(0, np.float32), envs.arena.agents[0]
    for name in sorted(envs.single_observation_space):
        width = int(np.prod(envs.single_observation_space[name].shape))
        places = np.arange(width)
        if name not in SIGNS:
            scan = first.simulation.measure(f'{first.vehicle}/{name}')
            bearings = np.linspace(scan.angle_min, scan.angle_max, width)
            apart = np.exp(1j * (bearings[:, None] + bearings))
            places = np.abs(np.angle(apart)).argmin(axis=1)
        order = np.append(order, len(order) + places)
        sign = np.append(sign, np.resize(SIGNS.get(name, (1,)), width).astype(np.float32))
    return Mirror(order, sign, np.array([1, -1], np.float32))


class Network:
    """A perceptron with tanh, and its gradient."""

    def __init__(self, sizes: tuple[int, ...], last: float, random: np.random.Generator) -> None:
        """
        Draw the weights.

        :param sizes: of input, hidden layers and output.
        :param last: factor of the weights before the output.
        """
        self.sizes, self.parameters = sizes, list[Array]()
        for i, (rows, columns) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            scale = last if i == len(sizes) - 2 else 1.0
            self.parameters += [
                (scale * random.standard_normal((rows, columns)) / rows ** 0.5).astype(np.float32),
                np.zeros(columns, np.float32)]

    def __call__(self, values: Array) -> Array:
        """Return the output for rows of inputs."""
        return self.layers(values)[-1]

    @property
    def weights(self) -> list[tuple[Array, Array]]:
        """Return weights and offsets of each layer."""
        return list(zip(self.parameters[::2], self.parameters[1::2], strict=True))

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


class Mirrored(Network):
    """A perceptron whose output for what a mirror shows is the mirrored output."""

    def __init__(self, sizes: tuple[int, ...], last: float, random: np.random.Generator,
                 mirror: Mirror) -> None:
        """Draw the weights, see `Network`."""
        super().__init__(sizes, last, random)
        self._mirror = mirror

    def layers(self, values: Array) -> list[Array]:
        """See `Network`; of the hidden layers the mirrored rows come last."""
        made = super().layers(self._mirror.doubled(values))
        here, there = np.split(made[-1], 2)
        return [*made[:-1], np.float32(0.5) * (here + self._mirror.action * there)]

    def gradient(self, made: list[Array], slope: Array) -> list[Array]:
        """See `Network`."""
        half = np.float32(0.5) * slope
        return super().gradient(made, np.concatenate([half, self._mirror.action * half]))


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

    def __init__(self, inputs: int, outputs: int, options: Options, seed: int, mirror: Mirror,
                 hints: int = 0) -> None:
        """
        Draw the weights.

        :param mirror: in which the policy is the same.
        :param hints: numbers that the value is told beside the observation.
        """
        random = np.random.default_rng(seed)
        self.options, self.mirror = options, mirror
        self.policy = Mirrored((inputs, *options.hidden, outputs), 0.01, random, mirror)
        self.value = Network((inputs + hints, *options.hidden, 1), 1.0, random)
        self.spread = options.spread
        self.mean, self.deviation = np.zeros(inputs), np.ones(inputs)
        self._seen = 1e-4
        self._adam = Adam(self.policy.parameters)
        self._of_value = Adam(self.value.parameters)

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
        rows = self.mirror.doubled(observations.reshape(-1, observations.shape[-1]))
        before = self._seen
        self._seen += len(rows)
        share, off = len(rows) / self._seen, rows.mean(axis=0) - self.mean
        variance = ((1.0 - share) * self.deviation ** 2 + share * rows.var(axis=0)
                    + share * before / self._seen * off ** 2)
        self.mean, self.deviation = self.mean + share * off, np.sqrt(variance)

    def chance(self, features: Array, action: Array) -> Array:
        """Return the logarithms of the densities of actions."""
        return self._density(self.policy(features), action)

    def _density(self, middle: Array, action: Array) -> Array:
        """Return them but for a summand, which stays the same in an update."""
        return -0.5 * (((action - middle) / np.float32(self.spread)) ** 2).sum(axis=1)

    def improve(self, told: Array, action: Array, chance: Array, advantage: Array,
                gain: Array, rate: float) -> tuple[float, float]:
        """
        Make a step with a minibatch.

        :param told: features, and the hints behind them.
        :param gain: what the observation turned out to be worth.
        :returns: mean squared error of the value, and how far the policy has changed.
        """
        options, count = self.options, len(told)
        made = self.policy.layers(told[:, :len(self.mean)])
        worth = self.value.layers(told)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        change = self._density(made[-1], action) - chance
        ratio = np.exp(change)
        free = np.where(advantage > 0, ratio < 1 + options.clip, ratio > 1 - options.clip)
        weight = -(advantage * ratio * free / count).astype(np.float32)[:, None]
        slope = weight * (action - made[-1]) / np.float32(self.spread ** 2)
        wrong = worth[-1][:, 0] - gain
        self._adam.step(self.policy.gradient(made, slope), rate)
        self._of_value.step(self.value.gradient(worth, (wrong / count)[:, None]), rate)
        return float((wrong ** 2).mean()), float((ratio - 1.0 - change).mean())


def save(agent: Agent, envs: VehicleVectorEnv, file: Path) -> None:
    """Write the policy of an agent as an ONNX model, for a robot like those of `envs`."""
    single = envs.single_observation_space
    save_policy(file, policy_interface(envs),
                {name: int(np.prod(single[name].shape)) for name in sorted(single)}, agent.mean,
                agent.scale, agent.policy.weights, KNEE, agent.mirror)


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


def train(envs: VehicleVectorEnv, steps: int, options: Options, seed: int,
          report: Callable[[Progress, Agent], bool | None] = lambda *_: None,
          hints: Callable[[VehicleVectorEnv], Array] | None = None,
          others: Callable[[int], VehicleVectorEnv] | None = None) -> Agent:
    """
    Train an agent.

    :param envs: with `autoreset_mode='SameStep'`, planar LiDARs, and speed and turn as actions.
    :param steps: of all environments together.
    :param report: is called after each update; what returns True ends the training.
    :param hints: returns what only the value is told of the present state, and only here, shape
        (envs, n), about 1; the time left has to be in it, since running out of time ends an
        episode then as everything else does.
    :param others: makes environments like these, with worlds of their own, which take their place
        after `options.updates`: a policy that sees the same worlds again and again learns them by
        heart. It is told how many were made before. All are closed at the end.
    """
    random = np.random.default_rng(seed)
    seen = flat(envs.reset(seed=seed)[0])
    hint = hints or (lambda envs: np.zeros((envs.num_envs, 0), np.float32))
    agent = Agent(seen.shape[1], envs.single_action_space.shape[0], options, seed,
                  mirror_of(envs), hint(envs).shape[1])
    shape = options.horizon, envs.num_envs
    observations = np.zeros((*shape, seen.shape[1]), np.float32)
    told = np.zeros((options.horizon + 1, envs.num_envs, agent.value.sizes[0]), np.float32)
    actions = np.zeros((*shape, *envs.single_action_space.shape), np.float32)
    rewards, ended = np.zeros(shape, np.float32), np.zeros(shape, bool)
    total, made, updates = np.zeros(envs.num_envs), 0, 0
    while made < steps:
        if others is not None and updates and updates % options.updates == 0:
            envs.close()
            envs = others(updates // options.updates - 1)
            seen = flat(envs.reset(seed=int(random.integers(2 ** 31)))[0])
            total[:] = 0.0
        episodes: list[tuple[float, bool]] = []
        agent.spread = options.spread * (options.last_spread / options.spread) ** (made / steps)
        for t in range(options.horizon):
            observations[t] = seen
            told[t] = np.hstack([agent.features(seen), hint(envs)])
            middle = agent.policy(told[t, :, :seen.shape[1]])
            actions[t] = middle + agent.spread * random.standard_normal(middle.shape)
            after, reward, terminated, truncated, info = envs.step(actions[t])
            rewards[t], ended[t] = reward / options.unit, terminated | truncated
            total += reward
            if hints is None and truncated.any():  # goes on unseen
                final = info['final_obs'][truncated]
                last = flat({name: np.stack([each[name] for each in final]) for name in after})
                rewards[t, truncated] += options.discount * agent.value(
                    agent.features(last))[:, 0]
            for row in np.flatnonzero(ended[t]).tolist():
                episodes.append((float(total[row]), bool(info['final_info']['success'][row])))
                total[row] = 0.0
            seen = flat(after)
        made += ended.size
        told[-1] = np.hstack([agent.features(seen), hint(envs)])
        worth = agent.value(told.reshape(-1, told.shape[2])).reshape(len(told), -1)
        advantage = advantages(rewards, worth, ended, options).reshape(-1)
        gain, flown = advantage + worth[:-1].reshape(-1), actions.reshape(-1, actions.shape[-1])
        batch = told[:-1].reshape(-1, told.shape[2])
        chance = agent.chance(batch[:, :seen.shape[1]], flown)
        rate = options.rate * (1.0 - 0.9 * min(1.0, made / steps))
        losses = []
        for _ in range(options.epochs):
            order, changes = random.permutation(len(batch)), []
            for rows in np.array_split(order, max(1, len(order) // options.minibatch)):
                loss, change = agent.improve(
                    batch[rows], flown[rows], chance[rows], advantage[rows], gain[rows], rate)
                losses.append(loss)
                changes.append(change)
            if np.mean(changes) > options.change:
                break
        agent.observe(observations)
        done = Progress(made, float(np.mean([r for r, _ in episodes] or [np.nan])),
                        float(np.mean([s for _, s in episodes] or [np.nan])),
                        float(np.mean(losses)), episodes)
        updates += 1
        if report(done, agent):
            break
    if others is not None:
        envs.close()
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
