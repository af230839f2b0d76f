# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Policies are written, read and run; what cannot be run says why."""

from dataclasses import replace
import json
import math
from pathlib import Path

import numpy as np
import onnx
import pytest

from mvsim_ros2.errors import PolicyError
from mvsim_ros2.gym import Navigate, policy_interface, VehicleEnv
from mvsim_ros2.policies import Mirror, Policy, PolicyInterface, save_policy, ScanInput

INPUTS = {'goal': 2, 'scan': 5, 'velocity': 3}
SCAN = ScanInput('scan', -1.0, 1.0, 5, 8.0)


def layers(*sizes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(0)
    return [(random.standard_normal((rows, columns)), random.standard_normal(columns))
            for rows, columns in zip(sizes[:-1], sizes[1:], strict=True)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / 'a.onnx'
    save_policy(path, PolicyInterface(SCAN), INPUTS, np.arange(10.0), np.arange(1.0, 11.0),
                layers(10, 4, 3, 2))
    return path


@pytest.mark.parametrize('knee', [None, 0.2])
def test_a_policy_acts_as_the_network_that_was_saved(tmp_path: Path, knee: float | None) -> None:
    """
    A policy file gives the actions of the saved network, within a millionth.

    :reference: the network, computed by NumPy
    """
    file = tmp_path / 'a.onnx'
    save_policy(file, PolicyInterface(SCAN), INPUTS, np.arange(10.0), np.arange(1.0, 11.0),
                layers(10, 4, 3, 2), knee)
    policy = Policy(file)
    assert policy.interface == PolicyInterface(SCAN) and policy.inputs == INPUTS
    observation = {'goal': [3.0, -1.0], 'scan': np.linspace(0.0, 40.0, 5), 'velocity': [1, 0, -2]}
    values = np.concatenate([np.asarray(each, float) for each in observation.values()])
    if knee:
        values = np.arcsinh(values / knee)
    values = np.clip((values - np.arange(10.0)) / np.arange(1.0, 11.0), -5.0, 5.0)
    *hidden, (weights, offsets) = layers(10, 4, 3, 2)
    for inner, away in hidden:
        values = np.tanh(values @ inner + away)
    expected = np.clip(values @ weights + offsets, -1.0, 1.0)
    assert policy.act(observation) == pytest.approx(expected, abs=1e-6)


def test_the_ages_of_a_trail_are_kept(tmp_path: Path) -> None:
    file = tmp_path / 'a.onnx'
    interface = PolicyInterface(trail=(0.5, 2.0))
    save_policy(file, interface, {'trail': 4}, np.zeros(4), np.ones(4), layers(4, 2))
    assert Policy(file).interface == interface
    env = VehicleEnv(Navigate(), 'demo', rays=5, trail=(0.5, 2.0))
    assert policy_interface(env).trail == (0.5, 2.0)


def test_a_way_is_kept_with_the_place_of_the_lidar(tmp_path: Path) -> None:
    """Network and interface have to have it both."""
    file = tmp_path / 'a.onnx'
    interface = PolicyInterface(replace(SCAN, x=0.2, yaw=-0.5), way=(0.3, 0.45))
    inputs = {'scan': 5, 'way': 5}
    save_policy(file, interface, inputs, np.zeros(10), np.ones(10), layers(10, 2))
    assert Policy(file).interface == interface
    assert interface.ways() is not None and PolicyInterface(SCAN).ways() is None
    with pytest.raises(PolicyError, match="takes 5 numbers of 'way', its interface says 0"):
        save_policy(file, PolicyInterface(SCAN), inputs, np.zeros(10), np.ones(10), layers(10, 2))
    with pytest.raises(PolicyError, match="takes no numbers of 'way', its interface says 5"):
        save_policy(file, interface, INPUTS, np.zeros(10), np.ones(10), layers(10, 2))
    env = VehicleEnv(Navigate(), 'demo', rays=5, way=(0.3, 0.45))
    assert policy_interface(env).way == (0.3, 0.45)


def test_actions_are_commands() -> None:
    interface = PolicyInterface(forward=2.0, backward=0.5, turn=3.0)
    assert interface.command([0.5, -1.0]) == (1.0, -3.0)
    assert interface.command([-7.0, 0.1]) == (-0.5, pytest.approx(0.3))
    for action in ([0.1] * 3, [0.1, math.nan], 0.1):
        with pytest.raises(PolicyError, match='give 2 numbers for a twist'):
            interface.command(action)


@pytest.mark.parametrize('angle_min, increment, rays', [
    pytest.param(-math.pi, math.tau / 360, 360, id='all around from behind'),
    pytest.param(0.0, math.tau / 360, 361, id='all around from ahead, first ray repeated'),
    pytest.param(math.pi, -math.tau / 720, 720, id='clockwise'),
    pytest.param(-1.2, 0.01, 241, id='a part')])
def test_rays_are_found_by_their_bearing(angle_min: float, increment: float, rays: int) -> None:
    bearings = angle_min + increment * np.arange(rays)
    wrapped = np.remainder(bearings + math.pi, math.tau) - math.pi
    read = SCAN.read(4.0 + wrapped, angle_min, increment)
    assert read == pytest.approx(4.0 + np.linspace(-1.0, 1.0, 5), abs=abs(increment))


def test_what_rays_do_not_meet_reads_as_far() -> None:
    ranges = [math.inf, math.nan, -math.inf, 20.0, 1.0]
    assert SCAN.read(ranges, -1.0, 0.5).tolist() == [8.0, 8.0, 0.0, 8.0, 1.0]


@pytest.mark.parametrize('angle_min, increment', [
    pytest.param(-0.5, 0.25, id='narrow'), pytest.param(-1.0, 0.0, id='no angles')])
def test_a_scan_that_lacks_bearings_is_refused(angle_min: float, increment: float) -> None:
    with pytest.raises(PolicyError, match='the policy needs rays from -1.00 to 1.00 rad'):
        SCAN.read(np.ones(5), angle_min, increment)


@pytest.mark.parametrize('angle_min, increment', [
    pytest.param(math.nan, 0.5, id='first'), pytest.param(-1.0, math.nan, id='increment'),
    pytest.param(-1.0, math.inf, id='infinite')])
def test_a_scan_without_bearings_is_refused(angle_min: float, increment: float) -> None:
    with pytest.raises(PolicyError, match='bearings of the scan are not finite'):
        SCAN.read(np.ones(5), angle_min, increment)


def test_what_is_no_policy_is_refused(tmp_path: Path, file: Path) -> None:
    with pytest.raises(PolicyError, match='there is no policy'):
        Policy(tmp_path / 'none.onnx')
    (tmp_path / 'text.onnx').write_text('hello')
    with pytest.raises(PolicyError, match='text.onnx is no ONNX model'):
        Policy(tmp_path / 'text.onnx')
    model = onnx.load(file)
    del model.metadata_props[:]
    onnx.save(model, tmp_path / 'bare.onnx')
    with pytest.raises(PolicyError, match='has no meaning of its numbers'):
        Policy(tmp_path / 'bare.onnx')


@pytest.mark.parametrize('change, said', [
    pytest.param({'colour': 3}, 'are not those of a policy', id='unknown'),
    pytest.param({'action': 'torques'}, "its actions are 'torques'", id='action'),
    pytest.param({'control_rate': -1.0}, 'not possible', id='rate'),
    pytest.param({'turn': math.nan}, 'its turn of nan is not possible', id='nan'),
    pytest.param({'forward': 'fast'}, "its forward of 'fast' is not possible", id='text'),
    pytest.param({'radius': -1.0}, 'its radius of -1.0 is not possible', id='radius'),
    pytest.param({'trail': [0.5, math.inf]}, 'its trail of', id='trail'),
    pytest.param({'way': [0.3, 2.0]}, 'its way of', id='way'),
    pytest.param({'way': [0.3]}, 'its way of', id='one distance'),
    pytest.param({'way': [0.3, math.nan]}, 'its way of', id='way of nan'),
    pytest.param({'way': [0.3, 0.4], 'scan': None}, 'its way of', id='way without scan'),
    pytest.param({'scan': {**vars(SCAN), 'yaw': math.inf}}, 'its yaw of inf', id='mount'),
    pytest.param({'scan': {**vars(SCAN), 'rays': 0.5}}, 'its rays of 0.5', id='rays'),
    pytest.param({'scan': {**vars(SCAN), 'angle_max': None}}, 'its angle_max of None', id='angle'),
    pytest.param({'action': ['twist']}, 'its actions are', id='list'),
    pytest.param({'scan': {'name': 'scan'}}, 'are not those of a policy', id='scan')])
def test_metadata_are_checked(change: dict[str, object], said: str) -> None:
    text = json.dumps({**json.loads(PolicyInterface(SCAN).to_json()), **change})
    with pytest.raises(PolicyError, match=said):
        PolicyInterface.from_json(text, 'a.onnx')


@pytest.mark.parametrize('observation, said', [
    pytest.param({'goal': [0, 0]}, "observes 'scan', but there is only goal", id='missing'),
    pytest.param({'goal': [0, 0], 'scan': [1] * 4, 'velocity': [0] * 3}, "5 numbers of 'scan', no",
                 id='size'),
    pytest.param({'goal': [0, math.nan], 'scan': [1] * 5, 'velocity': [0] * 3}, "'goal' of the",
                 id='nan'),
    pytest.param({'goal': [0, 1e39], 'scan': [1] * 5, 'velocity': [0] * 3}, "'goal' .* not finite",
                 id='inf'),
    pytest.param({'goal': [0, 'a'], 'scan': [1] * 5, 'velocity': [0] * 3}, 'give 2 numbers',
                 id='text'),
    pytest.param({'goal': [0, 0], 'scan': [1] * 5, 'velocity': [0] * 3, 'imu': [0] * 6, 'gps': 1},
                 "does not observe 'imu', 'gps', only goal, scan, velocity", id='unknown')])
def test_observations_are_checked(file: Path, observation: dict[str, list[float]],
                                  said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        Policy(file).act(observation)


def test_a_mirrored_policy_is_the_mean_of_both_sides(tmp_path: Path) -> None:
    """
    A mirrored policy gives the mean of its network for the scene and for its mirror image.

    :reference: the network, computed by NumPy
    """
    file, order = tmp_path / 'a.onnx', np.array([0, 1, 6, 5, 4, 3, 2, 7, 8, 9])
    mirror = Mirror(order, np.array([1, -1, *[1] * 6, -1, -1], np.float32),
                    np.array([1, -1], np.float32))
    (weights, offsets), (last, end) = layers(10, 4, 2)
    save_policy(file, PolicyInterface(SCAN), INPUTS, np.zeros(10), np.ones(10),
                [(weights, offsets), (0.1 * last, 0.1 * end)], mirror=mirror)
    seen = np.array([0.3, -1.0, 1.0, 0.5, 2.0, 0.1, 0.7, 1.0, 0.0, -2.0], np.float32)
    sides = mirror.doubled(seen[None])
    here, there = np.tanh(sides @ weights + offsets) @ (0.1 * last) + 0.1 * end
    expected = np.clip(0.5 * (here + there * [1, -1]), -1.0, 1.0)
    policy, entries = Policy(file), dict(zip(INPUTS, np.split(seen, [2, 7]), strict=True))
    assert policy.act(entries) == pytest.approx(expected, abs=1e-6)
    shown = dict(zip(INPUTS, np.split(sides[1], [2, 7]), strict=True))
    assert policy.act(shown) == pytest.approx(expected * [1, -1], abs=1e-6)
    assert (np.abs(expected) < 1.0).all() and not np.allclose(here, there)


@pytest.mark.parametrize('mirror', [None, Mirror(
    np.arange(8), np.ones(10, np.float32), np.ones(2, np.float32))], ids=['layers', 'mirror'])
def test_shapes_have_to_fit(tmp_path: Path, mirror: Mirror | None) -> None:
    width = 9 if mirror is None else 10
    with pytest.raises(PolicyError, match='do not fit together'):
        save_policy(tmp_path / 'a.onnx', PolicyInterface(), INPUTS, np.zeros(width),
                    np.ones(width), layers(width, 2), mirror=mirror)


@pytest.mark.parametrize('change, said', [
    pytest.param({'mean': [math.nan] * 10}, 'mean has a number nan', id='mean'),
    pytest.param({'scale': [1.0] * 9 + [0.0]}, 'scale has a number 0', id='scale'),
    pytest.param({'scale': [1.0] * 9 + [1e-60]}, 'scale has a number 0', id='tiny scale'),
    pytest.param({'scale': [1.0] * 9 + [-2.0]}, 'scale has a number -2', id='negative scale'),
    pytest.param({'scale': 'wide'}, "scale is 'wide': give numbers", id='text'),
    pytest.param({'layers': [(np.full((10, 2), math.inf), [0, 0])]}, 'layers.0..0. has a number',
                 id='weights'),
    pytest.param({'layers': [(np.zeros((10, 2)), [0, 1e39])]}, 'layers.0..1. has a number inf',
                 id='offsets'),
    pytest.param({'layers': []}, 'layers is not a sequence of weights', id='no layers'),
    pytest.param({'layers': [(np.zeros((10, 2)),)]}, 'layers is not a sequence', id='no offsets'),
    pytest.param({'layers': layers(10, 3)}, 'returns 3 numbers, a twist is 2', id='outputs'),
    pytest.param({'knee': 0.0}, 'knee is 0.0', id='knee'),
    pytest.param({'inputs': {'goal': 10}}, "takes no numbers of 'scan', .* says 5", id='no scan'),
    pytest.param({'inputs': {'scan': 10}}, "takes 10 numbers of 'scan', .* says 5", id='rays'),
    pytest.param({'inputs': {'scan': 0}}, "inputs has 'scan': 0", id='none'),
    pytest.param({'inputs': {'scan': 5, 'h0': 5}}, 'would be no ONNX model', id='name'),
    pytest.param({'interface': PolicyInterface(SCAN, trail=(1.0,))}, "no numbers of 'trail'",
                 id='trail'),
    pytest.param({'inputs': {'scan': 5, 'trail': 5}}, "5 numbers of 'trail', .* says 0",
                 id='ages'),
    pytest.param({'interface': PolicyInterface(SCAN, forward=math.nan)}, 'its forward of nan',
                 id='interface'),
    pytest.param({'interface': PolicyInterface(SCAN, radius=object())}, 'cannot be written',
                 id='object'),
    pytest.param({'mirror': Mirror(np.zeros(10, int), np.ones(10, np.float32), np.ones(
        2, np.float32))}, 'mirror.order is', id='order'),
    pytest.param({'mirror': Mirror(np.arange(10), np.zeros(10, np.float32), np.ones(
        2, np.float32))}, 'mirror.sign is', id='sign'),
    pytest.param({'path': 'there/is/none.onnx'}, 'none.onnx cannot be written: No such file',
                 id='folder')])
def test_what_cannot_be_saved(tmp_path: Path, change: dict[str, object], said: str) -> None:
    """It is said, and no file is left."""
    given = {'interface': PolicyInterface(SCAN), 'inputs': INPUTS, 'mean': np.zeros(10),
             'scale': np.ones(10), 'layers': layers(10, 2), 'path': 'a.onnx', **change}
    with pytest.raises(PolicyError, match=said):
        save_policy(**{**given, 'path': tmp_path / given['path']})
    assert not list(tmp_path.iterdir())


def test_a_file_has_to_fit_its_interface(tmp_path: Path, file: Path) -> None:
    """What other tools wrote is read with the same care."""
    def changed(old: str, change: object) -> Path:
        model = onnx.load(file)
        for each in model.graph.initializer:
            if each.name == old:
                each.CopyFrom(onnx.numpy_helper.from_array(change, old))
        onnx.save(model, tmp_path / 'b.onnx')
        return tmp_path / 'b.onnx'

    with pytest.raises(PolicyError, match='returns .nan, nan., which is not finite'):
        Policy(changed('a6', np.full((3, 2), math.nan, np.float32)))
    with pytest.raises(PolicyError, match='b.onnx: it returns 4 numbers, a twist is 2'):
        model = onnx.load(changed('a6', np.zeros((3, 4), np.float32)))
        for each in model.graph.initializer:
            if each.name == 'a7':
                each.CopyFrom(onnx.numpy_helper.from_array(np.zeros(4, np.float32), 'a7'))
        model.graph.output[0].type.tensor_type.shape.dim[1].dim_param = 'k'
        onnx.save(model, tmp_path / 'b.onnx')
        Policy(tmp_path / 'b.onnx')
    model = onnx.load(file)
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_param = 'k'
    onnx.save(model, tmp_path / 'b.onnx')
    with pytest.raises(PolicyError, match="its input 'goal' has shape"):
        Policy(tmp_path / 'b.onnx')
    model = onnx.load(file)
    onnx.helper.set_model_props(model, {'mvsim_ros2': PolicyInterface(
        ScanInput('scan', -1.0, 1.0, 7, 8.0)).to_json()})
    onnx.save(model, tmp_path / 'b.onnx')
    with pytest.raises(PolicyError, match="b.onnx: it takes 5 numbers of 'scan', .* says 7"):
        Policy(tmp_path / 'b.onnx')


def test_the_interface_of_an_environment() -> None:
    env = VehicleEnv(Navigate(radius=0.3), 'demo', rays=90, control_rate=5.0)
    interface = policy_interface(env)
    assert interface.scan is not None and interface.radius == 0.3
    assert (interface.scan.name, interface.scan.rays, interface.control_rate) == ('scan', 90, 5.0)
    seen = env.reset(seed=1)[0]['scan']
    measured = env.arena.simulations[0].measure('robot/scan')
    assert interface.scan.read(
        measured.ranges, measured.angle_min, measured.angle_increment) == pytest.approx(
            seen, abs=0.1)  # both have noise
