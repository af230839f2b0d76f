# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The client node of the demo: subscribes to the topics of a robot and drives it."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
import struct

from geometry_msgs.msg import Twist as TwistMessage
from nav_msgs.msg import Odometry
import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, LaserScan
from tf2_msgs.msg import TFMessage

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.top_view import scan_view, ScanView
from mvsim_ros2.ros.messages.state_messages import pose_of
from mvsim_ros2.ros.tools.drivers import Driver, Twist, WanderDriver
from mvsim_ros2.sensors.observations import LaserScan2D

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
