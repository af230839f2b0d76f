# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Drivers of robots in the demo tour, and the client that they drive by."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
import struct
from typing import Protocol

from geometry_msgs.msg import Twist as TwistMessage
from nav_msgs.msg import Odometry
import numpy as np
from numpy.typing import ArrayLike, NDArray
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, LaserScan
from tf2_msgs.msg import TFMessage

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.top_view import scan_view, ScanView
from mvsim_ros2.ros.messages.state_messages import pose_of
from mvsim_ros2.sensors.observations import LaserScan2D

# x y [m]: through office, meeting room, warehouse, lobby and workshop
DEMO_ROUTE = (
    (-9.9, 0.0), (-9.5, 0.6), (-9.5, 2.4), (-8.4, 4.8), (-7.4, 5.2), (-5.8, 5.2),
    (-5.3, 4.4), (-5.3, 0.5), (-4.7, 0.0), (0.4, 0.0), (9.6, 0.0), (10.7, 0.9), (10.7, 4.2),
    (0.3, 4.2), (0.3, -4.25), (6.6, -4.25), (7.9, -2.6), (6.9, -0.5), (1.2, -0.5), (0.2, -1.6),
    (0.0, -4.0), (-0.5, -4.6), (-7.4, -4.6), (-9.6, -4.6), (-10.4, -3.6), (-10.4, -0.6))
TOP_SPEED, TOP_TURN = 1.0, 1.4  # m/s, rad/s
LOOKAHEAD = 0.55  # m
MAX_COMMAND_DISTANCE = 0.2  # m that the robot may drive on one command
STUCK_TIME, BACK_TIME = 4.0, 1.5  # s
CLEARANCE = 0.75  # m to keep ahead when wandering


@dataclass(frozen=True)
class Twist:
    """A command: forward velocity [m/s] and yaw rate [rad/s]."""

    vx: float = 0.0
    wz: float = 0.0


class Driver(Protocol):
    """Interface of a driver."""

    @property
    def laps(self) -> int:
        """Return the number of finished laps."""

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command at this pose, `elapsed` seconds after the last one."""


class RouteDriver:
    """
    Follows a closed route by pure pursuit.

    Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm", CMU-RI-TR-92-01. The
    pose is first predicted over the delay of the control loop with the last command, so that
    the delay does not cause oscillation. A robot that makes no progress backs off.
    """

    def __init__(self, route: ArrayLike = DEMO_ROUTE) -> None:
        """Start at the first of the corners x y [m], shape (n, 2), of a closed route."""
        corners = np.asarray(route, float).reshape(-1, 2)
        self._corners = np.vstack([corners, corners[:1]])
        self._along = np.concatenate(
            [[0.0], np.cumsum(np.hypot(*np.diff(self._corners, axis=0).T))])
        self.length = float(self._along[-1])  # m
        self.travelled = 0.0  # m along the route, all laps
        self._last = Twist()
        self._still = 0.0  # s without progress
        self._backing = 0.0  # s left to back off

    @property
    def laps(self) -> int:
        """Return the number of finished laps."""
        return int(self.travelled // self.length)

    def point(self, station: ArrayLike) -> NDArray[np.float64]:
        """Return the points of the route `station` metres from its start, shape (..., 2)."""
        at = np.asarray(station, float) % self.length
        return np.stack([np.interp(at, self._along, self._corners[:, axis]) for axis in (0, 1)],
                        axis=-1)

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command at this pose, `elapsed` seconds after the last one."""
        turned = self._last.wz * elapsed
        x += self._last.vx * elapsed * float(np.cos(yaw + 0.5 * turned))
        y += self._last.vx * elapsed * float(np.sin(yaw + 0.5 * turned))
        yaw += turned
        before = self.travelled
        self._advance(np.array([x, y]))
        self._last = self._escape(before, elapsed) or self._pursue(x, y, yaw, elapsed)
        return self._last

    def _advance(self, position: NDArray[np.float64]) -> None:
        """Move `travelled` forward to the nearest point of the next 1.5 m of the route."""
        stations = self.travelled + np.linspace(0.0, 1.5, 61)
        gaps = np.hypot(*(self.point(stations) - position).T)
        self.travelled = float(stations[int(np.argmin(gaps))])

    def _escape(self, before: float, elapsed: float) -> Twist | None:
        """Return a command to back off while the robot is stuck, else None."""
        moved = self.travelled - before > 0.02 * elapsed
        self._still = 0.0 if moved else self._still + elapsed
        if self._still > STUCK_TIME:
            self._still, self._backing = 0.0, BACK_TIME
        self._backing -= elapsed
        return Twist(-0.25, 0.0) if self._backing > 0 else None

    def _pursue(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        target = self.point(self.travelled + LOOKAHEAD)
        bearing = float(np.arctan2(target[1] - y, target[0] - x)) - yaw
        error = float(np.arctan2(np.sin(bearing), np.cos(bearing)))
        gain = min(2.5, 0.6 / max(elapsed, 1e-3))
        speed = min(TOP_SPEED, MAX_COMMAND_DISTANCE / max(elapsed, 1e-3))
        return Twist(speed * max(0.0, 1.0 - abs(error)),
                     float(np.clip(gain * error, -TOP_TURN, TOP_TURN)))


class WanderDriver:
    """Drives by the scan alone: ahead while there is space, else toward the side with more."""

    laps = 0  # it has no route to finish

    def __init__(self) -> None:
        self._ahead, self._turn = 0.0, 0.0

    def use_scan(self, bearings: ArrayLike, ranges: ArrayLike) -> None:
        """Use a new scan: bearings on the robot [rad], ranges [m], +inf no return, -inf close."""
        angle, distance = np.asarray(bearings, float), np.asarray(ranges, float)
        distance = np.where(np.isnan(distance) | (distance > 6.0), 6.0, np.maximum(distance, 0.0))
        # 0.45 m: half-width of a corridor that the robot passes
        ahead = (np.abs(angle) < np.pi / 2) & (np.abs(distance * np.sin(angle)) < 0.45)
        self._ahead = float(distance[ahead].min(initial=6.0))
        left = distance[(angle > 0.2) & (angle < 1.6)]
        right = distance[(angle < -0.2) & (angle > -1.6)]
        if self._ahead > 2 * CLEARANCE or self._turn == 0.0:  # keep the direction while turning
            self._turn = 1.0 if left.sum() >= right.sum() else -1.0

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command; the pose is not used."""
        room = self._ahead - CLEARANCE
        if room <= 0:
            return Twist(0.0, 0.8 * self._turn)
        speed = min(0.6, 0.6 * room, 2 * MAX_COMMAND_DISTANCE / max(elapsed, 1e-3))
        return Twist(speed, 0.15 * self._turn)


CONTROL_PERIOD_NS = 50_000_000  # of simulated time, between two commands
TRACK_STEP = 0.05  # m between two points of a track
TRACK_POINTS = 2500  # older points are forgotten
# for subscribers that need the last message only
LATEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


@dataclass(frozen=True)
class RobotTopics:
    """Topics of a robot, and the pose of its LiDAR."""

    namespace: str = ''
    scan: str | None = None
    imu: str | None = None
    lidar: Pose = Pose()


class Track:
    """A travelled path."""

    def __init__(self) -> None:
        self.points: deque[tuple[float, float]] = deque(maxlen=TRACK_POINTS)
        self.length = 0.0  # m, of all points ever

    def add(self, x: float, y: float) -> None:
        """Add a point, unless it is close to the last one."""
        if self.points:
            step = float(np.hypot(x - self.points[-1][0], y - self.points[-1][1]))
            if step < TRACK_STEP:
                return
            self.length += step
        self.points.append((x, y))


class TourClient(Node):
    """Counts messages, records the path of the robot, and publishes the commands of a driver."""

    def __init__(self, driver: Driver, topics: RobotTopics, on_lap: Callable[[], None]) -> None:
        super().__init__('demo_tour', namespace=topics.namespace or None)
        self.counts: Counter[str] = Counter()  # messages received, by kind
        self.clock_ns = 0  # simulated time
        self.driven_ns = 0  # the same, of the first command that somebody listens to
        self.track, self.odometry_track = Track(), Track()
        self.pose = Pose()  # last true pose
        self._driver, self._topics, self._on_lap = driver, topics, on_lap
        self._poses: deque[tuple[int, float, float, float]] = deque(maxlen=500)  # ns, x, y, yaw
        self._odometry_in_world: Pose | None = None
        self._commanded_ns = self._odometry_ns = 0
        self._scan: bytes | None = None
        self._commands = self.create_publisher(TwistMessage, 'cmd_vel', 1)
        self.create_subscription(Clock, '/clock', self._take_clock, LATEST)
        self.create_subscription(Odometry, 'base_pose_ground_truth', self._take_truth, LATEST)
        # messages are counted as bytes and decoded only where needed
        sensor = qos_profile_sensor_data
        self.create_subscription(Odometry, 'odom', self._take_odometry, sensor, raw=True)
        self.create_subscription(TFMessage, 'tf' if topics.namespace else '/tf',
                                 self._counter('tf'), sensor, raw=True)
        if topics.imu is not None:
            self.create_subscription(Imu, topics.imu, self._counter('imu'), sensor, raw=True)
        if topics.scan is not None:
            self.create_subscription(LaserScan, topics.scan, self._take_scan, sensor, raw=True)

    def send(self, twist: Twist) -> None:
        """Publish a command."""
        message = TwistMessage()
        message.linear.x, message.angular.z = twist.vx, twist.wz
        self._commands.publish(message)

    def scan_in_world(self) -> ScanView | None:
        """Return the last scan at the pose of the sensor at its stamp, None without a scan."""
        if self._scan is None or not self._poses:
            return None
        scan = decode_scan(self._scan)
        stamps, x, y, yaw = np.array(self._poses).T
        at = [float(np.interp(scan.stamp_ns, stamps, values))
              for values in (x, y, np.unwrap(yaw))]
        robot = Pose(at[0], at[1], yaw=at[2])
        return scan_view(scan, robot.compose(self._topics.lidar))

    def _counter(self, kind: str) -> Callable[[bytes], None]:
        def count(_: bytes) -> None:
            self.counts[kind] += 1
        return count

    def _take_clock(self, message: Clock) -> None:
        self.clock_ns = message.clock.sec * 1_000_000_000 + message.clock.nanosec

    def _take_scan(self, data: bytes) -> None:
        self.counts['scan'] += 1
        self._scan = data
        if isinstance(self._driver, WanderDriver):
            scan = decode_scan(data)
            bearings = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
            self._driver.use_scan(bearings + self._topics.lidar.yaw, scan.ranges)

    def _take_odometry(self, data: bytes) -> None:
        self.counts['odom'] += 1
        stamp = header_stamp_ns(data)
        if stamp - self._odometry_ns < CONTROL_PERIOD_NS or not self.track.points:
            return
        self._odometry_ns = stamp
        measured = pose_of(deserialize_message(data, Odometry).pose.pose)
        if self._odometry_in_world is None:
            self._odometry_in_world = self.pose.compose(measured.inverse())
        placed = self._odometry_in_world.compose(measured)
        self.odometry_track.add(placed.x, placed.y)

    def _take_truth(self, message: Odometry) -> None:
        stamp = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
        self.pose = pose = pose_of(message.pose.pose)
        self._poses.append((stamp, pose.x, pose.y, pose.yaw))
        self.track.add(pose.x, pose.y)
        if stamp - self._commanded_ns < CONTROL_PERIOD_NS:
            return
        elapsed = 1e-9 * (stamp - self._commanded_ns) if self._commanded_ns else 0.0
        self._commanded_ns = stamp
        laps = self._driver.laps
        if not self.driven_ns and self._commands.get_subscription_count():
            self.driven_ns = stamp
        self.send(self._driver.command(pose.x, pose.y, pose.yaw, elapsed))
        if self._driver.laps > laps:
            self._on_lap()


def header_stamp_ns(data: bytes) -> int:
    """Return the stamp of a serialised message that starts with a header (XCDR1)."""
    order = '<' if data[1] else '>'  # second byte of the encapsulation: 1 is little-endian
    seconds, nanoseconds = struct.unpack_from(f'{order}iI', data, 4)
    return int(seconds) * 1_000_000_000 + int(nanoseconds)


def decode_scan(data: bytes) -> LaserScan2D:
    """Return a serialised scan message as an observation."""
    message = deserialize_message(data, LaserScan)
    ranges: NDArray[np.float32] = np.asarray(message.ranges, np.float32)
    return LaserScan2D(
        '', message.header.frame_id, header_stamp_ns(data), message.angle_min,
        message.angle_max, message.angle_increment, message.time_increment, message.scan_time,
        message.range_min, message.range_max, ranges)
