# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many environments at once give what Gymnasium makes of single ones, in each autoreset mode."""

from collections import Counter

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv
import numpy as np
import pytest

from mvsim_ros2.gym import Navigate, VehicleEnv, VehicleVectorEnv

ROWS = 4
OPTIONS = {'world': 'demo', 'rays': 8, 'time_limit': 2.5, 'trail': (0.2, 0.5), 'way': (0.3, 0.45)}


def assert_same_info(ours, theirs, nested=False):
    """
    Compare what is told, and the masks that say of which rows.

    Gymnasium leaves out what no row has, and has masks of single terms of the reward too.
    """
    names = {name for name in {*ours, *theirs} if not name.startswith('_')}
    for name in names:
        if not nested:
            there = theirs.get(f'_{name}', np.zeros(ROWS, bool))
            np.testing.assert_array_equal(ours[f'_{name}'], there, name)
            assert ours[f'_{name}'].dtype == bool
        if name not in theirs:
            continue
        if name == 'final_obs':
            assert ours[name].dtype == theirs[name].dtype == object
            for own, other in zip(ours[name], theirs[name], strict=True):
                assert (own is None) == (other is None)
                for key in own or ():
                    np.testing.assert_array_equal(own[key], other[key])
                    assert own[key].dtype == other[key].dtype
        elif isinstance(theirs[name], dict):
            assert_same_info(ours[name], theirs[name], name == 'reward_terms')
        else:
            np.testing.assert_array_equal(ours[name], theirs[name], name)
            assert ours[name].dtype == theirs[name].dtype


@pytest.mark.parametrize('mode', list(AutoresetMode))
@pytest.mark.parametrize('copy', [True, False])
def test_many_are_what_gymnasium_makes_of_single_ones(mode, copy):
    """
    Vector and single environments return equal results, also when episodes end at different times.

    :reference: Gymnasium's SyncVectorEnv
    """
    ours = VehicleVectorEnv(ROWS, Navigate(), autoreset_mode=mode, copy=copy, threads=1 + copy,
                            **OPTIONS)
    theirs = SyncVectorEnv([lambda: VehicleEnv(Navigate(), **OPTIONS)] * ROWS, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    random, ends = np.random.default_rng(1), Counter()
    own, other = ours.reset(seed=7), theirs.reset(seed=7)
    for _ in range(60):
        assert own[0].keys() == other[0].keys()
        for name, array in own[0].items():
            np.testing.assert_array_equal(array, other[0][name], name)
        for one, another in zip(own[1:-1], other[1:-1], strict=True):
            np.testing.assert_array_equal(one, another)
        assert_same_info(own[-1], other[-1])
        over = np.zeros(ROWS, bool)
        if len(own) == 5:
            over = own[2] | own[3]
            ends[int(over.sum())] += 1
        if mode is AutoresetMode.DISABLED and over.any():
            own, other = (envs.reset(options={'reset_mask': over.copy()})
                          for envs in (ours, theirs))
            continue
        actions = random.uniform(0, 1, (ROWS, 2)).astype(np.float32)
        own, other = ours.step(actions), theirs.step(actions)
    assert ends[1] > 2 and ends[0] > 20


def test_wrappers_of_gymnasium_read_what_is_told():
    envs = gymnasium.wrappers.vector.DictInfoToList(
        gymnasium.wrappers.vector.RecordEpisodeStatistics(VehicleVectorEnv(
            2, Navigate(), 'empty', rays=4, time_limit=0.2, autoreset_mode='SameStep')))
    envs.reset(seed=1)
    still = np.zeros((2, 2), np.float32)
    *_, infos = envs.step(still)
    assert infos[1]['reward_terms']['time'] == pytest.approx(-0.01)
    assert 'final_info' not in infos[0]
    *_, truncated, infos = envs.step(still)
    assert truncated.all() and 'success' not in infos[0]
    assert infos[0]['final_info']['reward_terms']['time'] == pytest.approx(-0.01)
    assert infos[1]['final_obs']['scan'].shape == (4,)
    assert infos[1]['episode']['l'] == 2
