# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of a learning environment a second of one core, beside other simulators in the same run.

A robot with two driven wheels and a planar LiDAR of so many rays turns in a square of 10 m with
four walls and eight boxes, with a new command each 0.1 s, which are 20 steps of 5 ms where steps
can be chosen. Each simulator is used through its own fastest public interface for that on one
processor: ours by `VehicleVectorEnv` with observation, reward and end of episodes; MuJoCo by
`mj_step` and `mj_multiRay`; PyBullet by `stepSimulation` and `rayTestBatch`; ir-sim by
`env.step`, one step of 0.1 s of kinematics; VMAS by one step of 0.1 s of a disc that is pushed, in
as many worlds at once. Those that are not installed are left out
(`pip install mujoco pybullet ir-sim vmas`). Prints the best of several runs, in CPU time, and the
ratio of ours to each.

    python benchmarks/learning.py [--rays 360] [--worlds 1 64 1024]

:claim: Steps per second of learning environments
:reference: MuJoCo, PyBullet, ir-sim and VMAS, in one run
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
import math
from pathlib import Path
import tempfile
import time

import numpy as np

from mvsim_ros2 import load_world
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym import Navigate, VehicleVectorEnv
from mvsim_ros2.world.spec import BlockSpec, WallsSpec, WorldSpec

HALF, REACH, PERIOD, STEPS = 5.0, 8.0, 0.1, 20
BOXES = [(3.0 * math.cos(k * math.pi / 4 + 0.3), 3.0 * math.sin(k * math.pi / 4 + 0.3))
         for k in range(8)]  # of 0.6 m
RUNS, LEAST = 5, 0.5  # s
SIDES = ((HALF, 0.0, 0.05, HALF), (-HALF, 0.0, 0.05, HALF),
         (0.0, HALF, HALF, 0.05), (0.0, -HALF, HALF, 0.05))  # middle, half sizes


def per_second(step: Callable[[], object], count: int,
               clock: Callable[[], float] = time.process_time) -> float:
    """Return steps of environments a second, of CPU time by default, the best of some runs."""
    step()
    best = 0.0
    for _ in range(RUNS):
        done, begin = 0, clock()
        while clock() - begin < LEAST:
            step()
            done += count
        best = max(best, done / (clock() - begin))
    return best


def ours(rays: int, worlds: int, mode: str, steps: int = STEPS, threads: int = 1) -> float:
    """
    Return the rate of this package: of a core, or of several by the clock.

    :param rays: 0 for no LiDAR.
    :param steps: of the physics in one of an environment.
    """
    empty = replace(load_world('empty'), simul_timestep=PERIOD / steps)
    corners = [(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)]
    ends = tuple(point for i in range(4) for point in (corners[i], corners[(i + 1) % 4]))
    world: WorldSpec = replace(empty, walls=(WallsSpec(shape=ends),), blocks=tuple(
        BlockSpec(name=f'box{i}', static=True, init_pose=Pose(x, y),
                  shape=((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)))
        for i, (x, y) in enumerate(BOXES)))
    envs = VehicleVectorEnv(
        worlds, Navigate(), world, physics=mode, rays=rays or None, copy=False, time_limit=1e6,
        collision=0.0, threads=threads, sensors=None if rays else ())
    envs.reset(seed=1)
    random = np.random.default_rng(0)

    def step() -> None:
        actions = random.uniform(-1.0, 1.0, (worlds, 2))
        actions[:, 0] *= 0.05  # it turns where it is, and no episode ends
        envs.step(actions)
    rate = per_second(step, worlds, time.perf_counter if threads > 1 else time.process_time)
    envs.close()
    return rate


def mujoco(rays: int) -> float:
    """Return the rate of MuJoCo."""
    import mujoco as mj
    geoms = ''.join(f'<geom type="box" pos="{x} {y} 0.5" size="{a} {b} 0.5"/>'
                    for x, y, a, b in (*SIDES, *((x, y, 0.3, 0.3) for x, y in BOXES)))
    wheel = ('<body pos="0 {0} 0"><joint name="{1}" axis="0 1 0"/><geom type="cylinder" '
             'size="0.1 0.02" euler="90 0 0" mass="1"/></body>')
    model = mj.MjModel.from_xml_string(
        f'<mujoco><option timestep="{PERIOD / STEPS}"/><worldbody><geom type="plane" '
        f'size="9 9 1"/>{geoms}<body name="robot" pos="0 0 0.1"><freejoint/>'
        '<geom type="box" size="0.2 0.15 0.05" pos="0 0 0.05" mass="10"/>'
        '<geom type="sphere" size="0.05" pos="-0.15 0 -0.05" friction="0.01"/>'
        '<geom type="sphere" size="0.05" pos="0.15 0 -0.05" friction="0.01"/>'
        f'{wheel.format(0.2, "left")}{wheel.format(-0.2, "right")}</body></worldbody>'
        '<actuator><velocity joint="left" kv="5"/><velocity joint="right" kv="5"/></actuator>'
        '</mujoco>')
    data = mj.MjData(model)
    bearings = np.linspace(-math.pi, math.pi, rays, endpoint=False)
    found, hit = np.zeros(rays), np.zeros(rays, np.int32)
    random = np.random.default_rng(0)
    body = model.body('robot').id

    def step() -> None:
        data.ctrl[:] = random.uniform(-2.0, 2.0, 2)
        mj.mj_step(model, data, STEPS)
        w, _, _, z = data.xquat[body]
        yaw = 2.0 * math.atan2(z, w)
        towards = np.stack([np.cos(bearings + yaw), np.sin(bearings + yaw), np.zeros(rays)], 1)
        mj.mj_multiRay(model, data, data.xpos[body] + (0, 0, 0.3), towards.ravel(), None, 1, body,
                       hit, found, None, rays, REACH)
    return per_second(step, 1)


def pybullet(rays: int) -> float:
    """Return the rate of PyBullet."""
    import pybullet as bullet
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -9.81)
    bullet.setTimeStep(PERIOD / STEPS)
    bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
    for x, y, a, b in (*SIDES, *((x, y, 0.3, 0.3) for x, y in BOXES)):
        box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[a, b, 0.5])
        bullet.createMultiBody(0, box, basePosition=[x, y, 0.5])
    link = ('<link name="{0}"><inertial><mass value="{1}"/><inertia ixx="{2}" iyy="{2}" izz="{2}" '
            'ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="{3}" rpy="{4} 0 0"/>'
            '<geometry>{5}</geometry></collision></link>')
    joint = ('<joint name="{0}j" type="{1}"><parent link="base"/><child link="{0}"/><origin '
             'xyz="{2}"/><axis xyz="0 1 0"/></joint>')
    rim, ball = '<cylinder radius="0.1" length="0.04"/>', '<sphere radius="0.05"/>'
    text = '<robot name="r">' + link.format(
        'base', 10, 0.2, '0 0 0.05', 0, '<box size="0.4 0.3 0.1"/>') + ''.join(
        link.format(name, mass, 0.005, '0 0 0', tilt, shape) + joint.format(name, kind, place)
        for name, mass, tilt, shape, kind, place in (
            ('left', 1, math.pi / 2, rim, 'continuous', '0 0.2 0'),
            ('right', 1, math.pi / 2, rim, 'continuous', '0 -0.2 0'),
            ('front', 0.1, 0, ball, 'fixed', '0.15 0 -0.05'),
            ('rear', 0.1, 0, ball, 'fixed', '-0.15 0 -0.05'))) + '</robot>'
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'robot.urdf').write_text(text)
        robot = bullet.loadURDF(f'{folder}/robot.urdf', [0, 0, 0.1])
    bearings = np.linspace(-math.pi, math.pi, rays, endpoint=False)
    random = np.random.default_rng(0)

    def step() -> None:
        bullet.setJointMotorControlArray(
            robot, [0, 1], bullet.VELOCITY_CONTROL, targetVelocities=random.uniform(-2, 2, 2),
            forces=[5.0, 5.0])
        for _ in range(STEPS):
            bullet.stepSimulation()
        (x, y, z), turned = bullet.getBasePositionAndOrientation(robot)
        angle = bearings + bullet.getEulerFromQuaternion(turned)[2]
        ends = np.stack([x + REACH * np.cos(angle), y + REACH * np.sin(angle),
                         np.full(rays, z + 0.3)], 1)
        bullet.rayTestBatch([[x, y, z + 0.3]] * rays, ends.tolist())
    return per_second(step, 1)


def irsim(rays: int) -> float:
    """Return the rate of ir-sim."""
    import irsim as package
    boxes = '\n'.join(
        f'  - shape: {{name: rectangle, length: {2 * a}, width: {2 * b}}}\n'
        f'    state: [{x + HALF}, {y + HALF}, 0]'
        for x, y, a, b in (*SIDES, *((x, y, 0.3, 0.3) for x, y in BOXES)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'world.yaml'
        file.write_text(
            f'world: {{height: {2 * HALF}, width: {2 * HALF}, step_time: {PERIOD}, '
            'sample_time: 1000, collision_mode: unobstructed}\n'
            'robot:\n  - kinematics: {name: diff}\n    shape: {name: circle, radius: 0.2}\n'
            f'    state: [{HALF}, {HALF}, 0]\n    goal: [9, 9, 0]\n    vel_max: [1, 2]\n'
            f'    sensors:\n      - {{type: lidar2d, range_max: {REACH}, number: {rays}, '
            f'angle_range: {2 * math.pi}}}\nobstacle:\n{boxes}\n')
        env = package.make(str(file), headless=True, display=False)
    random = np.random.default_rng(0)

    def step() -> None:
        env.step(np.array([[0.0], [random.uniform(-1.5, 1.5)]]))
        env.get_lidar_scan()
    return per_second(step, 1)


def vmas(rays: int, worlds: int) -> float:
    """Return the rate of VMAS."""
    import torch
    import vmas as package
    from vmas.simulator.core import Agent, Box, Landmark, Sphere, World
    from vmas.simulator.sensors import Lidar
    torch.set_num_threads(1)

    class Room(package.simulator.scenario.BaseScenario):
        """One robot among boxes."""

        def make_world(self, batch_dim: int, device: object, **_: object) -> World:
            world = World(batch_dim, device, dt=PERIOD)
            world.add_agent(Agent(name='robot', shape=Sphere(0.2), sensors=[Lidar(
                world, n_rays=rays, max_range=REACH,
                entity_filter=lambda each: isinstance(each, Landmark))]))
            for i, (*_, a, b) in enumerate((*SIDES, *((x, y, 0.3, 0.3) for x, y in BOXES))):
                world.add_landmark(Landmark(
                    name=f'box{i}', collide=True, shape=Box(2 * a, 2 * b)))
            return world

        def reset_world_at(self, env_index: int | None = None) -> None:
            for box, (x, y) in zip(self.world.landmarks, (*(side[:2] for side in SIDES), *BOXES),
                                   strict=True):
                box.set_pos(torch.tensor([x, y]), batch_index=env_index)

        def observation(self, agent: Agent) -> torch.Tensor:
            return torch.cat([agent.state.pos, agent.state.vel, agent.sensors[0].measure()], 1)

        def reward(self, agent: Agent) -> torch.Tensor:
            return -torch.linalg.norm(agent.state.pos, dim=1)

    env = package.make_env(Room(), num_envs=worlds, device='cpu', seed=1)
    env.reset()

    def step() -> None:
        env.step([torch.rand(worlds, 2) * 0.1 - 0.05])
    return per_second(step, worlds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rays', type=int, default=360)
    parser.add_argument('--worlds', type=int, nargs='+', default=[1, 64, 1024])
    chosen = parser.parse_args()
    rays, most = chosen.rays, chosen.worlds[-1]
    found = {f'mvsim_ros2, {mode}, {count} world{"s" * (count > 1)}': ours(rays, count, mode)
             for mode in ('physical', 'mvsim') for count in chosen.worlds}
    best = max(rate for name, rate in found.items() if 'physical' in name)
    for name, peer in (('MuJoCo', lambda: mujoco(rays)), ('PyBullet', lambda: pybullet(rays)),
                       ('ir-sim', lambda: irsim(rays)),
                       (f'VMAS, {most} worlds', lambda: vmas(rays, most))):
        try:
            found[name] = peer()
        except ImportError as error:
            print(f'{name} is left out: {error}')
    print(f'{"":34} environment steps a second with {rays} rays, and what ours is times that')
    for name, rate in found.items():
        ratio = '' if name.startswith('mvsim_ros2') else f'{best / rate:8.1f}'
        print(f'{name:34} {rate:10.0f} {ratio}')
    print('ours in mode physical, 256 worlds: a core, and two of them by the clock')
    for name, rays, steps in (('360 rays, 20 steps of 5 ms', 360, 20),
                              ('64 rays, 10 steps of 10 ms', 64, 10),
                              ('no LiDAR, 10 steps of 10 ms', 0, 10)):
        print(f'{name:34}', *(f'{ours(rays, 256, "physical", steps, threads):10.0f}'
                              for threads in (1, 2)))


if __name__ == '__main__':
    main()
