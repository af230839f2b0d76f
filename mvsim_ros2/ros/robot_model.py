# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""The robot as RViz and robot_state_publisher know it: `robot_description`, `joint_states`."""

from collections.abc import Sequence

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.ros import messages
from mvsim_ros2.ros import qos
from mvsim_ros2.ros.link_frames import LinkFrames
from mvsim_ros2.ros.names import FrameNames
from mvsim_ros2.ros.topic import Topic
from mvsim_ros2.ros.urdf import robot_urdf
from mvsim_ros2.ros.urdf import steering_frame
from mvsim_ros2.ros.urdf import steering_joint
from mvsim_ros2.ros.urdf import wheel_frame
from mvsim_ros2.ros.urdf import wheel_joint
from mvsim_ros2.ros.urdf import wheel_mount


class RobotModel:
    """
    The topics `robot_description` and `joint_states` of one vehicle, and its wheel frames.

    Frames of wheels are for those who show the robot; without somebody who listens to its
    description there are none.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Sequence[SensorHandle]) -> None:
        """
        Advertise the topics.

        :param prefix: of the topics, '' or ending in a slash.
        :param frames: names of the vehicle's frames.
        :param sensors: those of the vehicle.
        """
        self._vehicle, self._frames = vehicle, frames
        self._sensors = [
            (frames.prefix + frame.name,
             frames.prefix + frame.parent if frame.parent else frames.base, frame.pose)
            for sensor in sensors for frame in sensor.frames]
        self._mounts = [wheel_mount(wheel) for wheel in vehicle.spec.dynamics.wheels]
        numbers = range(1, len(self._mounts) + 1)
        self._names = [*map(steering_joint, numbers), *map(wheel_joint, numbers)]
        # of a robot that brings its own description
        self.links = LinkFrames(vehicle.spec, frames) if vehicle.spec.robot_description else None
        self._description = Topic(node, String, f'{prefix}robot_description', qos.latched())
        self._joints = Topic(node, JointState, f'{prefix}joint_states', qos.STATE)
        self.topics = self._description, self._joints

    def begin(self) -> None:
        """Publish the description, for whoever comes."""
        spec = self._vehicle.spec
        self._description.publish(String(
            data=spec.robot_description or robot_urdf(spec, self._frames, self._sensors)))

    def publish(self, time_ns: int) -> None:
        """Publish the present angles [rad], speeds [rad/s] and torques [N m] of the joints."""
        if not self._joints.wanted:
            return
        wheels = self._vehicle.wheels
        still = [0.0] * len(wheels)
        links = self.links
        message = JointState(
            name=self._names,
            position=[*wheels['steer'].tolist(), *wheels['angle'].tolist()],
            velocity=[*still, *wheels['omega'].tolist()],
            effort=[*still, *wheels['torque'].tolist()],
        ) if links is None else JointState(
            name=links.names, position=links.positions(wheels),
            velocity=links.velocities(wheels), effort=links.efforts(wheels))
        messages.fill_stamp(message.header, time_ns, self._frames.base)
        self._joints.publish(message)

    def wheel_transforms(self, time_ns: int) -> list[TransformStamped]:
        """Return where the wheels are, where somebody shows the robot."""
        if not self._description.wanted:
            return []
        if self.links is not None:
            return self.links.moving(time_ns, self._vehicle.wheels)
        prefix, base = self._frames.prefix, self._frames.base
        transforms = []
        for number, (mount, wheel) in enumerate(
                zip(self._mounts, self._vehicle.wheels, strict=True), start=1):
            steered = steering_frame(prefix, number)
            transforms.append(messages.transform(time_ns, base, steered, Pose(
                mount.x, mount.y, mount.z, mount.yaw + float(wheel['steer']))))
            transforms.append(messages.transform(
                time_ns, steered, wheel_frame(prefix, number),
                Pose(pitch=float(wheel['angle']))))
        return transforms
