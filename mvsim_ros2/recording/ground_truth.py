# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ground truth of a run, as files in the folder of its bag.

Below `ground_truth/`, for a vehicle in a namespace below its name:

* `base_link.tum`, `.kitti`, `.euroc.csv`, and `velocities.csv`: the reference point of the
  vehicle after every physics step;
* `SENSOR_start` and `SENSOR_end`, each `.tum` and `.kitti`: a LiDAR at the start and at the end
  of every scan;
* `FRAME.tum` and `.kitti`: a camera, its optical frame, at every image;
* `SENSOR_bias.csv`: the biases of an IMU at every sample;
* `FRAME_boxes.csv`: bounding boxes of objects in the images of a camera with labels.

Where there is a camera or a 3D LiDAR, `boxes.csv` has the bounding boxes of all objects at its
measurements. Where there are blocks, or anything that moves by itself, `moving.csv` has their
poses.

The pose at the start of a scan lies between two steps, where bodies have a constant velocity: it
is interpolated linearly in time.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from mvsim_ros2.frames import Pose, wrap_angle
from mvsim_ros2.recording.export.trajectory import EUROC_COLUMNS
from mvsim_ros2.recording.objects import (
    BoxFile, image_box_rows, IMAGE_COLUMNS, MOVING, MovingThingsFile)
from mvsim_ros2.recording.text_files import TableFile, TextFile, TrajectoryFile
from mvsim_ros2.ros.messages.names import graph_name, Namespaces
from mvsim_ros2.ros.messages.sensor_channels import channels_of, SENSOR_MESSAGES, SensorMessages
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import SensorHandle, VehicleHandle

BIAS_COLUMNS = tuple(f'{kind}_{axis} [{unit}]' for kind, unit in (
    ('gyroscope', 'rad s^-1'), ('accelerometer', 'm s^-2')) for axis in 'xyz')
VELOCITY_COLUMNS = (
    'vx [m s^-1]', 'vy [m s^-1]', 'vz [m s^-1]', 'vx_body [m s^-1]', 'vy_body [m s^-1]',
    'vz_body [m s^-1]', 'wx_body [rad s^-1]', 'wy_body [rad s^-1]', 'wz_body [rad s^-1]')
HISTORY_NS = 2_000_000_000  # of the poses that are kept; longer than a scan
_UNBIASED = (0.0,) * 6


class _VehicleTruth:
    """The files of one vehicle, and its recent poses."""

    def __init__(self, folder: Path, vehicle: VehicleHandle) -> None:
        self._vehicle = vehicle
        self._trajectory = TrajectoryFile(folder / 'base_link')
        self._euroc = TableFile(folder / 'base_link.euroc.csv', EUROC_COLUMNS[1:])
        self._velocities = TableFile(folder / 'velocities.csv', VELOCITY_COLUMNS)
        self.files: list[TextFile] = [*self._trajectory.files, self._euroc, self._velocities]
        self.bias: tuple[float, ...] = _UNBIASED  # of its first IMU
        self._past: deque[tuple[int, Pose]] = deque()

    def write(self, time_ns: int) -> None:
        """Write the present state."""
        pose, twist = self._vehicle.pose, self._vehicle.twist_in_space
        velocity = tuple((pose.rotation @ twist[:3]).tolist())
        self._trajectory.write(time_ns, pose)
        x, y, z, w = pose.quaternion
        self._euroc.add(
            time_ns, (pose.x, pose.y, pose.z, w, x, y, z, *velocity, *self.bias))
        self._velocities.add(time_ns, (*velocity, *twist.tolist()))
        self._past.append((time_ns, pose))
        while self._past[0][0] < time_ns - HISTORY_NS:
            self._past.popleft()

    def pose_at(self, stamp_ns: int) -> Pose:
        """Return the pose at a time within `HISTORY_NS`."""
        after_ns, after = self._past[-1]
        for before_ns, before in reversed(self._past):
            if before_ns <= stamp_ns:
                break
            after_ns, after = before_ns, before
        else:
            return after  # it was at rest before the first step
        if before_ns == stamp_ns:
            return before
        fraction = (stamp_ns - before_ns) / (after_ns - before_ns)
        return Pose(
            *(one + fraction * (other - one) for one, other in (
                (before.x, after.x), (before.y, after.y), (before.z, after.z))),
            *(one + fraction * float(wrap_angle(other - one)) for one, other in (
                (before.yaw, after.yaw), (before.pitch, after.pitch), (before.roll, after.roll))))


class GroundTruth:
    """Writes the ground truth of a simulation, step by step."""

    def __init__(self, folder: Path, simulation: Simulation, names: Namespaces) -> None:
        self._folder, self._simulation, self._names = folder, simulation, names
        self._vehicles = {
            name: _VehicleTruth(self._of(name), vehicle)
            for name, vehicle in simulation.vehicles.items()}
        self._sensor_files: dict[Path, Any] = {}  # trajectories, biases, boxes in images
        self._first_imus: dict[str, str] = {}  # of each vehicle
        self._boxes: BoxFile | None = None
        movers = simulation.movers()
        self._moving = (MovingThingsFile(folder / MOVING, simulation)
                        if len(movers.blocks) + len(movers.figures) else None)
        self.of_sensors: defaultdict[str, list[Path]] = defaultdict(list)  # files by sensor

    def _of(self, vehicle: str) -> Path:
        return self._folder / self._names.topics(vehicle)

    def _kind(self, observation: Observation) -> SensorMessages:
        """Return the record of the sensor that measured."""
        return SENSOR_MESSAGES[type(self._simulation.sensors[observation.sensor].spec)]

    @property
    def files(self) -> list[TextFile]:
        """Return all files."""
        return [
            *(file for vehicle in self._vehicles.values() for file in vehicle.files),
            *(file for each in self._sensor_files.values() for file in each.files),
            *(each for each in (self._boxes, self._moving) if each is not None)]

    def write(self, time_ns: int, observations: Sequence[Observation]) -> None:
        """Write the present state of the vehicles, and of the sensors that have measured it."""
        for observation in observations:
            if self._kind(observation).has_bias:
                self._write_bias(observation)
        for vehicle in self._vehicles.values():
            vehicle.write(time_ns)
        if self._moving is not None:
            self._moving.add(time_ns)
        for observation in observations:
            self._write_poses(time_ns, observation)
        if any(self._kind(each).sees_things for each in observations):
            if self._boxes is None:
                self._boxes = BoxFile(self._folder / 'boxes.csv', self._simulation)
            self._boxes.add(time_ns)

    def _write_poses(self, time_ns: int, observation: Observation) -> None:
        """Write the pose of a LiDAR or a camera at its measurement."""
        sensor = self._simulation.sensors[observation.sensor]
        if self._kind(observation).scans:
            name = graph_name(sensor.spec.name)
            for ending, stamp_ns in (('start', observation.stamp_ns), ('end', time_ns)):
                self._write_pose(sensor, f'{name}_{ending}', observation.frame_id, stamp_ns)
        else:
            written: set[str] = set()  # registered images share a frame: one line for both
            for channel in channels_of(sensor.spec):
                if channel.message_type == 'sensor_msgs/CameraInfo':
                    image: Any = reduce(getattr, channel.part[:-1], observation)
                    frame = image.info.camera_frame
                    if frame not in written:
                        written.add(frame)
                        self._write_pose(sensor, graph_name(frame), frame, image.info.stamp_ns)
                    if getattr(image, 'labels', None):
                        self._file_of(
                            sensor, f'{graph_name(frame)}_boxes.csv', TextFile,
                            ','.join(IMAGE_COLUMNS) + '\n').write(image_box_rows(image.labels))

    def _write_pose(self, sensor: SensorHandle, name: str, frame: str, stamp_ns: int) -> None:
        pose = _on_carrier(sensor, frame)
        if sensor.vehicle:
            pose = self._vehicles[sensor.vehicle].pose_at(stamp_ns).compose(pose)
        self._file_of(sensor, name, TrajectoryFile).write(stamp_ns, pose)

    def _file_of(self, sensor: SensorHandle, name: str, make: Callable[..., Any],
                 *arguments: Any) -> Any:
        """Return a file of a sensor, which is made when it is first written."""
        path = self._of(sensor.vehicle) / name
        if path not in self._sensor_files:
            self._sensor_files[path] = make(path, *arguments)
            self.of_sensors[sensor.name] += [
                file.path for file in self._sensor_files[path].files]
        return self._sensor_files[path]

    def _write_bias(self, sample: Observation) -> None:
        sensor = self._simulation.sensors[sample.sensor]
        bias = tuple(sensor.memory['bias'])
        self._file_of(sensor, f'{graph_name(sensor.spec.name)}_bias.csv', TableFile,
                      BIAS_COLUMNS).add(sample.stamp_ns, bias)
        if self._first_imus.setdefault(sensor.vehicle, sensor.name) == sensor.name:
            if sensor.vehicle:
                self._vehicles[sensor.vehicle].bias = bias


def _on_carrier(sensor: SensorHandle, frame: str) -> Pose:
    """Return the pose of a frame of a sensor relative to its vehicle or the world."""
    frames = {each.name: each for each in sensor.frames}
    pose, parent = frames[frame].pose, frames[frame].parent
    while parent:
        pose, parent = frames[parent].pose.compose(pose), frames[parent].parent
    return pose
