# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A node that drives a robot to goals by a trained policy, on a simulator or on hardware."""

import argparse
from collections.abc import Sequence
from functools import partial
import math
import signal
import sys
from threading import Event

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Pose, PoseStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
import numpy as np
from numpy.typing import ArrayLike
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Empty
from tf2_msgs.msg import TFMessage

from mvsim_ros2.errors import PolicyError
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.policies import Policy, Trail, Way
from mvsim_ros2.ros.parameters import warn_of_unknown
from mvsim_ros2.ros.rclpy_runtime import run_program, spin_until

HALT_TIMEOUT = Duration(seconds=1)  # for the last command to arrive
_EARLY = 0.25  # of a period, by which a measurement may come too early to be passed over

Planar = tuple[float, float, float]  # x, y [m], yaw [rad] in a frame


class PolicyDriver:
    """
    Observes `scan` and `odom`, drives to `goal_pose`, publishes `cmd_vel`.

    A goal may be in the frame of the odometry or in a parent of it that `/tf` knows, such as
    `map`. Where the robot is there, or `cancel_goal` comes, it stops and waits for the next one.
    It stands while scan and odometry do not belong together by their stamps.
    """

    def __init__(self, node: Node) -> None:
        file = node.declare_parameter('policy', '').value
        if not file:
            raise PolicyError('policy is not set: give the path of an ONNX file, as in '
                              '-p policy:=navigate.onnx, or policy:=navigate.onnx for a launch '
                              'file')
        self._policy = Policy(str(file))
        self._interface = self._policy.interface
        known = {'goal', 'velocity', 'trail', 'way'} | (
            {self._interface.scan.name} if self._interface.scan else set())
        unknown = [name for name in self._policy.inputs if name not in known]
        if unknown:
            raise PolicyError(f'{file} observes {", ".join(unknown)}, which this node does not '
                              f'know: train one with {", ".join(sorted(known))}, or write a node')
        self._period = 1.0 / self._interface.control_rate
        self._timeout = float(node.declare_parameter('odom_timeout', 0.5).value or 0.0)
        if not self._timeout >= 0.0:  # NaN too
            raise PolicyError(f'odom_timeout is {self._timeout:g}: give seconds between the '
                              'stamps of scan and odometry, or 0.0 for no limit')
        self._stands = False  # because one of them does not come
        self._scanned = math.inf  # stamp of the last scan [s]
        self._goal: PoseStamped | None = None
        self._place: Odometry | None = None
        self._parents: dict[tuple[str, str], Planar] = {}  # of child frames in parents
        self._acted = -math.inf  # when [s]
        self._trail = Trail(self._interface.trail, self._period)
        self._way = self._interface.ways()
        if self._way is not None:  # what takes long for the first time does so before it drives
            use_machine_code()
            assert self._interface.scan is not None
            self._find_way(self._way, (0.0, 0.0, 0.0), (1.0, 0.0), np.ones(
                self._interface.scan.rays, np.float32))
        self._sets_out = True  # whether trail and map begin where the robot is
        self._said = ''  # the last error, which is said once
        self._log = node.get_logger()
        self._stamped = bool(node.declare_parameter('stamped', False).value)
        self._stamp = Time()  # of what was acted on last
        self._publisher = node.create_publisher(
            TwistStamped if self._stamped else Twist, 'cmd_vel', 10)
        node.create_subscription(PoseStamped, 'goal_pose', self._take_goal, 10)
        node.create_subscription(Empty, 'cancel_goal', self._cancel, 10)
        node.create_subscription(Odometry, 'odom', self._take_odometry, 10)
        for topic, durability in (('/tf', DurabilityPolicy.VOLATILE),
                                  ('/tf_static', DurabilityPolicy.TRANSIENT_LOCAL)):
            node.create_subscription(TFMessage, topic, self._take_transforms, QoSProfile(
                depth=100, durability=durability))
        if self._interface.scan is not None:
            node.create_subscription(
                LaserScan, 'scan', self._take_scan, qos_profile_sensor_data)

    def stop(self) -> None:
        """Let the robot stand, and wait until who drives it knows."""
        self._command(0.0, 0.0)
        self._publisher.wait_for_all_acked(HALT_TIMEOUT)  # else it can be lost with the node

    def _take_goal(self, goal: PoseStamped) -> None:
        if not np.isfinite(_planar(goal.pose)).all():
            self._say('a goal with numbers that are not finite is ignored')
            return
        self._goal, self._said, self._sets_out = goal, '', True

    def _cancel(self, _: Empty) -> None:
        if self._goal is not None:
            self._end_goal('the goal is cancelled')

    def _end_goal(self, why: str) -> None:
        self._goal = None
        self._log.info(why)
        self._command(0.0, 0.0)

    def _take_transforms(self, message: TFMessage) -> None:
        for each in message.transforms:
            place = each.transform.translation
            pose = place.x, place.y, _yaw(each.transform.rotation)
            if np.isfinite(pose).all():
                self._parents[each.header.frame_id, each.child_frame_id] = pose

    def _take_odometry(self, odometry: Odometry) -> None:
        speed = odometry.twist.twist
        if not np.isfinite((*_planar(odometry.pose.pose), speed.linear.x, speed.linear.y,
                            speed.angular.z)).all():
            self._say('odometry with numbers that are not finite is ignored')
            return
        self._place = odometry
        if self._interface.scan is None:
            self._act(odometry.header.stamp, {})
        elif self._is_late(_seconds(odometry.header.stamp) - self._scanned):
            self._stand('there is no scan', odometry.header.stamp)

    def _take_scan(self, scan: LaserScan) -> None:
        assert self._interface.scan is not None
        try:
            ranges = self._interface.scan.read(scan.ranges, scan.angle_min, scan.angle_increment)
        except PolicyError as error:
            self._say(str(error))
            return
        self._scanned = _seconds(scan.header.stamp)
        self._act(scan.header.stamp, {self._interface.scan.name: ranges})

    def _act(self, stamp: Time, observation: dict[str, ArrayLike]) -> None:
        """Command what the policy makes of an observation, where there is a goal."""
        now = _seconds(stamp)
        if now < self._acted:  # the time began anew
            self._acted, self._sets_out = -math.inf, True
        if self._goal is None or self._place is None or (
                now < self._acted + (1.0 - _EARLY) * self._period):
            return
        if self._is_late(abs(now - _seconds(self._place.header.stamp))):  # or of another run
            self._stand('there is no odometry', stamp)
            return
        ahead = self._goal_from_here(self._goal, self._place)
        if ahead is None:
            return
        self._acted, self._stamp, self._stands = now, stamp, False
        if math.hypot(*ahead) < self._interface.radius:
            self._end_goal('the goal is reached')
            return
        speed, pose = self._place.twist.twist, _planar(self._place.pose.pose)
        if self._sets_out:
            self._trail.begin(0, *pose[:2])
            if self._way is not None:
                self._way.begin(0)
            self._sets_out = False
        else:
            self._trail.note(np.array([pose]))
        known = observation | {
            'goal': ahead, 'velocity': (speed.linear.x, speed.linear.y, speed.angular.z),
            'trail': self._trail.seen_from(np.array([pose]))}
        if self._way is not None and self._interface.scan is not None:
            known['way'] = self._find_way(
                self._way, pose, ahead, observation[self._interface.scan.name])
        action = self._policy.act({
            name: values for name, values in known.items() if name in self._policy.inputs})
        self._command(*self._interface.command(action))

    def _is_late(self, age: float) -> bool:
        """Return whether a message is too old [s] for the newest one of another topic."""
        return 0.0 < self._timeout < age

    def _stand(self, why: str, stamp: Time) -> None:
        """Stop on the way to a goal, and say once why, until both topics go on."""
        if self._goal is not None and not self._stands:
            self._stands, self._stamp = True, stamp
            self._log.warning(f'{why} of the last {self._timeout:g} s (odom_timeout): the robot '
                              'stands until it comes')
            self._command(0.0, 0.0)

    @staticmethod
    def _find_way(way: Way, pose: Planar, goal: tuple[float, float], ranges: ArrayLike,
                  ) -> ArrayLike:
        """Return the way from a pose to a goal, which is seen from there."""
        return way.seen_from([0], np.array([pose]), np.atleast_2d(ranges), np.array([goal]))

    def _command(self, speed: float, turn: float) -> None:
        """Publish a command [m/s, rad/s]."""
        command = Twist()
        command.linear.x, command.angular.z = speed, turn
        if self._stamped:
            stamped = TwistStamped(twist=command)
            stamped.header.stamp = self._stamp
            self._publisher.publish(stamped)
        else:
            self._publisher.publish(command)

    def _goal_from_here(self, goal: PoseStamped, odometry: Odometry) -> tuple[float, float] | None:
        """Return x and y of a goal in the frame of the robot [m], None where that is not known."""
        frame, own = goal.header.frame_id, odometry.header.frame_id
        point = goal.pose.position.x, goal.pose.position.y
        if frame not in ('', own):
            if (frame, own) not in self._parents:
                self._say(f'the goal is in {frame}, and there is no transform from there to '
                          f'{own}: give it in {own}, or start what publishes it')
                return None
            point = _seen_from(self._parents[frame, own], point)
        return _seen_from(_planar(odometry.pose.pose), point)

    def _say(self, what: str) -> None:
        if what != self._said:
            self._log.error(what)
            self._said = what


def _seconds(stamp: Time) -> float:
    return float(stamp.sec + 1e-9 * stamp.nanosec)


def _planar(pose: Pose) -> Planar:
    return pose.position.x, pose.position.y, _yaw(pose.orientation)


def _yaw(turn: object) -> float:
    """Return the yaw of a quaternion [rad]."""
    x, y, z, w = (getattr(turn, axis) for axis in 'xyzw')
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def _seen_from(frame: Planar, point: tuple[float, float]) -> tuple[float, float]:
    """Return a point in a frame."""
    x, y = point[0] - frame[0], point[1] - frame[1]
    cosine, sine = math.cos(frame[2]), math.sin(frame[2])
    return cosine * x + sine * y, cosine * y - sine * x


def main(args: Sequence[str] | None = None) -> int:
    """Drive to goals until SIGINT or SIGTERM, then stop; return 1 without a policy."""
    ended = Event()
    for each in signal.SIGINT, signal.SIGTERM:
        signal.signal(each, lambda *_: ended.set())
    code = run_program(_parser(), args, 'policy', partial(_drive, ended))
    return 0 if ended.is_set() else code


def _drive(ended: Event, node: Node, _: argparse.Namespace) -> None:
    """Drive to goals until the end, then stop."""
    driver = PolicyDriver(node)
    warn_of_unknown(node, node._parameter_overrides, node._parameters)
    spin_until(node, ended)
    driver.stop()


def _parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        'policy_node', description='Drive a robot to the goals on goal_pose by a trained policy.',
        usage='%(prog)s [-h] --ros-args -p policy:=FILE.onnx [-p stamped:=true] '
        '[-p odom_timeout:=SECONDS]',
        epilog='stamped: publish TwistStamped instead of Twist on cmd_vel; odom_timeout: stand '
        'where odometry and scan are farther apart by their stamps, 0.5 by default, 0.0: never')


if __name__ == '__main__':
    sys.exit(main())
