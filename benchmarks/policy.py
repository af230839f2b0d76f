# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How often a policy reaches its goal in the learning environment, and as a node of ROS.

The same rooms, starts and goals both times. The node `policy_node` drives a robot in `mvsim_node`,
both processes of their own, in lock step: simulated time waits for each command. It sees the full
scan and odometry with its drift; goals are in the frame of the map, as of a robot that localizes
itself, here by the exact transform from map to odom. What the robot really did is taken from the
ground truth.

    python benchmarks/policy.py examples/learn/navigate.onnx [--rooms 20] [--episodes 10]
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import math
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from geometry_msgs.msg import PoseStamped, TransformStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
import numpy as np
from PIL import Image
import rclpy
from rclpy.node import Node
from std_msgs.msg import Bool, Empty
from tf2_msgs.msg import TFMessage

from mvsim_ros2.gym import maps, Navigate, VehicleEnv
from mvsim_ros2.policies import Policy

FIRST = 100_000  # seed of the first room
LONGEST = 40.0  # s of an episode
AT_GOAL = 0.5  # m from it counts as there; policies stop at 0.4 m by what they measure
STALLED = 0.3  # s of the wall clock without a state: the policy has not got its goal yet
PERIOD = 0.1  # s
PATIENCE = 300.0  # s of the wall clock, for what may take long on a busy machine
WORLD = """<mvsim_world version="1.0">
    <element class="occupancy_grid"><file>room.yaml</file></element>
    <include file="{worlds}/vehicles/small_robot.vehicle.xml"/>
    <vehicle name="robot" class="small_robot">
        <init_pose>{x} {y} 0</init_pose>
        <include file="{worlds}/sensors/lidar2d.sensor.xml"/>
    </vehicle>
</mvsim_world>
"""

Planar = tuple[float, float, float]  # x, y [m], yaw [rad]


@dataclass(frozen=True)
class Episode:
    """Where one begins and is to end, and whether it did in the environment."""

    start: Planar
    goal: tuple[float, float]
    reached: bool


def room(seed: int, folder: Path) -> Path:
    """Write the world of a room, and return its file."""
    from mvsim_ros2.base.package_files import share_directory
    world = maps.rooms(8.0, 8.0, clutter=10)(np.random.default_rng(seed))
    grid, place = world.elements[-1].occupancy, world.vehicles[0].init_pose  # type: ignore
    Image.fromarray(np.where(grid.solid[::-1], 0, 254).astype(np.uint8)).save(
        folder / 'room.png')
    (folder / 'room.yaml').write_text(
        f'image: room.png\nresolution: {grid.resolution}\norigin: [{grid.x_min}, {grid.y_min}, 0]'
        '\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\nmode: trinary\n')
    file = folder / 'room.world.xml'
    file.write_text(WORLD.format(worlds=share_directory() / 'worlds', x=place.x, y=place.y))
    return file


def in_environment(policy: Policy, file: Path, count: int, seed: int) -> list[Episode]:
    """Drive episodes in the learning environment."""
    scan = policy.interface.scan
    assert scan is not None
    env = VehicleEnv(Navigate(radius=AT_GOAL), file, rays=scan.rays, time_limit=LONGEST,
                     trail=policy.interface.trail, way=policy.interface.way)
    episodes = []
    for number in range(count):
        seen, _ = env.reset(seed=seed + number)
        x, y, yaw = env.arena.now.pose[0].tolist()
        goal_x, goal_y = env.arena.task.goals[0].tolist()  # type: ignore[attr-defined]
        over = False
        while not over:
            seen, _, terminated, truncated, info = env.step(policy.act(seen))
            over = terminated or truncated
        episodes.append(Episode((x, y, yaw), (goal_x, goal_y), info['success']))
    env.close()
    return episodes


@contextmanager
def process(module: str, domain: int, *parameters: str) -> Iterator[None]:
    """Run a node."""
    words = [word for each in parameters for word in ('-p', each)]
    node = subprocess.Popen([sys.executable, '-m', module, '--ros-args', *words],
                            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
    try:
        yield
    finally:
        node.send_signal(signal.SIGINT)
        node.wait(PATIENCE)


class Client:
    """What begins episodes, and sees how they end."""

    def __init__(self) -> None:
        """Listen."""
        self.node = Node('examiner', enable_rosout=False)
        self.truth: list[Odometry] = []
        self._odometry: list[Odometry] = []
        self._touched = False
        self._driven = self._stopped = False  # by the policy
        self._frame: Planar | None = None  # of the odometry, in the map
        self.node.create_subscription(TFMessage, '/tf', self._take_transforms, 100)
        self.node.create_subscription(
            Odometry, '/base_pose_ground_truth', self._take_truth, 100)
        self.node.create_subscription(Odometry, '/odom', self._take_odometry, 100)
        self.node.create_subscription(Bool, '/collision', self._take_collision, 100)
        self.node.create_subscription(TwistStamped, '/cmd_vel', self._take_command, 100)
        self._cancel = self.node.create_publisher(Empty, '/cancel_goal', 10)
        self._goals = self.node.create_publisher(PoseStamped, '/goal_pose', 10)
        self._poses = self.node.create_publisher(TransformStamped, '/mvsim/set_pose', 10)
        self._commands = self.node.create_publisher(TwistStamped, '/cmd_vel', 10)

    def wait(self, condition: Any, most: float = PATIENCE) -> bool:
        """Serve callbacks until a condition holds, or so many seconds have gone by."""
        end = time.monotonic() + most
        while not condition() and time.monotonic() < end:
            rclpy.spin_once(self.node, timeout_sec=0.05)
        return bool(condition())

    def begin(self) -> None:
        """Wait for both nodes."""
        if not self.wait(lambda: self.truth and self._odometry
                         and self._goals.get_subscription_count()
                         and self._poses.get_subscription_count()
                         and self._commands.get_subscription_count() > 1
                         and self._cancel.get_subscription_count()
                         and self.node.count_publishers('/cmd_vel') > 1):
            raise SystemExit(f'the nodes have not come up within {PATIENCE:g} s')

    def drive(self, episode: Episode) -> bool:
        """Let the policy drive; return whether it got there without a contact."""
        self._put(episode.start)
        self.wait(lambda: self._is_known_at(episode.start))
        self._driven = self._stopped = False
        self._aim(episode.goal)
        self._answer()  # the policy has acted on this state without a goal
        begun, self._touched, reached = _stamp(self.truth[-1]), False, False
        while _stamp(self.truth[-1]) < begun + LONGEST and not (
                self._touched or reached or self._stopped):
            known = _stamp(self.truth[-1])
            if not self.wait(lambda: self._stopped or _stamp(self.truth[-1]) > known,
                             PATIENCE if self._driven else STALLED):
                self._answer()
            reached = math.dist(_planar(self.truth[-1])[:2], episode.goal) < AT_GOAL
        if not self._stopped:
            self._cancel.publish(Empty())
            self.wait(lambda: self._stopped or not self._driven)
        return reached and not self._touched

    def _take_truth(self, message: Odometry) -> None:
        self.truth[:] = [message]

    def _take_odometry(self, message: Odometry) -> None:
        self._odometry[:] = [message]

    def _take_transforms(self, message: TFMessage) -> None:
        for each in message.transforms:
            if (each.header.frame_id, each.child_frame_id) == ('map', 'odom'):
                move = each.transform
                self._frame = (move.translation.x, move.translation.y,
                               2.0 * math.atan2(move.rotation.z, move.rotation.w))

    def _take_collision(self, message: Bool) -> None:
        self._touched |= message.data

    def _take_command(self, message: TwistStamped) -> None:
        """Note that the policy drives, and that it has stopped, which is its last word."""
        stands = message.twist == Twist()
        self._stopped = stands and self._driven
        self._driven |= not stands

    def _put(self, pose: Planar) -> None:
        """Put the robot somewhere."""
        message = TransformStamped(child_frame_id='robot')
        message.transform.translation.x, message.transform.translation.y = pose[:2]
        message.transform.rotation.z = math.sin(0.5 * pose[2])
        message.transform.rotation.w = math.cos(0.5 * pose[2])
        self._poses.publish(message)
        if not self.wait(lambda: math.dist(_planar(self.truth[-1])[:2], pose[:2]) < 0.01):
            raise SystemExit(f'the robot was not put at {pose}')

    def _is_known_at(self, start: Planar) -> bool:
        """Return whether odometry and the transform of its frame put the robot at a pose."""
        if not (self._odometry and self._frame):
            return False
        return math.dist(_joined(self._frame, _planar(self._odometry[-1]))[:2], start[:2]) < 0.05

    def _aim(self, place: tuple[float, float]) -> None:
        """Give a goal in the frame of the map."""
        message = PoseStamped()
        message.header.frame_id = 'map'
        message.pose.position.x, message.pose.position.y = place
        self._goals.publish(message)

    def _answer(self) -> None:
        """Let time go on while the policy has no scan yet."""
        self._commands.publish(TwistStamped(header=self.truth[-1].header))


def _stamp(message: Odometry) -> float:
    return message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec


def _planar(message: Odometry) -> Planar:
    pose = message.pose.pose
    return (pose.position.x, pose.position.y,
            2.0 * math.atan2(pose.orientation.z, pose.orientation.w))


def _joined(a: Planar, b: Planar) -> Planar:
    """Return a pose that is given in the frame `a`, in the frame that `a` is given in."""
    cosine, sine = math.cos(a[2]), math.sin(a[2])
    return a[0] + cosine * b[0] - sine * b[1], a[1] + sine * b[0] + cosine * b[1], a[2] + b[2]


def main() -> None:
    """Print both shares."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('policy', type=Path)
    parser.add_argument('--rooms', type=int, default=20)
    parser.add_argument('--episodes', type=int, default=10, help='in each room')
    chosen = parser.parse_args()
    policy, episodes, driven = Policy(chosen.policy), list[Episode](), list[bool]()
    domain = int(os.environ.get('ROS_DOMAIN_ID', 0))
    rclpy.init()
    client = Client()
    for number in range(chosen.rooms):
        with tempfile.TemporaryDirectory() as folder:
            file = room(FIRST + number, Path(folder))
            own = in_environment(policy, file, chosen.episodes, number * chosen.episodes)
            client.truth.clear()
            with process('mvsim_ros2.ros.node', domain, f'world:={file}', f'lockstep:={PERIOD}',
                         f'odom_rate:={1.0 / PERIOD}', 'publish_map_odom:=true',
                         'cmd_vel_type:=twist_stamped', 'lockstep_timeout:=60.0',
                         'realtime_factor:=0.0'), \
                    process('mvsim_ros2.ros.tools.policy_node', domain,
                            f'policy:={chosen.policy}', 'stamped:=true'):
                client.begin()
                driven += [client.drive(each) for each in own]
            episodes += own
        print(f'{len(episodes):4d} episodes: {sum(each.reached for each in episodes)} reached in '
              f'the environment, {sum(driven)} by ROS', flush=True)
    both = sum(a.reached == b for a, b in zip(episodes, driven, strict=True))
    print(f'{100 * sum(each.reached for each in episodes) / len(episodes):.1f} % in the '
          f'environment, {100 * sum(driven) / len(driven):.1f} % by ROS; the same in '
          f'{100 * both / len(driven):.1f} % of {len(driven)} episodes')
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
