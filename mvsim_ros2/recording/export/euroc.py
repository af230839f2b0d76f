# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
EuRoC folders, in the ASL format.

M. Burri and others, *The EuRoC micro aerial vehicle datasets*, IJRR 35 (2016) 1157. The body frame
is the IMU's: its true motion is in `state_groundtruth_estimate0`, and the poses of the cameras are
relative to it. `body.yaml` describes the vehicle.
"""

from collections.abc import Mapping
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import Array, quaternions
from mvsim_ros2.recording.export.bag_source import Camera, Source, stamp_ns
from mvsim_ros2.recording.export.message_data import save_image
from mvsim_ros2.recording.export.trajectory import EUROC_COLUMNS

Row = tuple[int, tuple[float, ...]]  # time [ns] and numbers

IMU = 'sensor_msgs/msg/Imu'
IMU_HEADER = ('#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],'
              'a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]')
MODELS = {'plumb_bob': 'radial-tangential', 'equidistant': 'equidistant'}


def to_euroc(source: Source, folder: Path, imu: str | None = None,
             cameras: list[str] | None = None) -> dict[str, int]:
    """Write a EuRoC folder by a topic of an IMU and cameras for cam0, cam1 ... in order."""
    topic = source.choose(IMU, imu, 'IMU')
    chosen = source.chosen_cameras(cameras)
    root = folder / 'mav0'
    root.mkdir()
    (root / 'body.yaml').write_text(f'comment: {source.base} of {source.folder.resolve().name}\n')
    rows: list[Row] = []
    frame, noise = '', (0.0, 0.0)
    for _, sample in source.messages(topic):
        w, a, frame = sample.angular_velocity, sample.linear_acceleration, sample.header.frame_id
        rows.append((stamp_ns(sample), (w.x, w.y, w.z, a.x, a.y, a.z)))
        noise = (float(sample.angular_velocity_covariance[0]),
                 float(sample.linear_acceleration_covariance[0]))
    if not rows:
        raise ConversionError(f'{source.folder}: there is no message on {topic}')
    _write_table(root / 'imu0' / 'data.csv', IMU_HEADER, rows)
    times = np.array([time for time, _ in rows])
    files, spec = source.sensor(topic)
    _write_yaml(root / 'imu0', 'imu', 'the IMU', np.eye(4), _rate(times),
                *_noises(noise, _rate(times), spec))
    on_imu = source.on_base(frame)
    bias = next((file for file in files if file.name.endswith('_bias.csv')), None)
    _write_truth(source, root / 'state_groundtruth_estimate0', times, on_imu, bias)
    for number, camera in enumerate(chosen):
        _write_camera(source, camera, root / f'cam{number}', on_imu)
    return {'samples': len(rows), 'images': sum(len(camera.stamps) for camera in chosen)}


def _rate(times: NDArray[np.int64]) -> float:
    """Return the mean rate of increasing times [Hz]."""
    return 1e9 * (len(times) - 1) / float(times[-1] - times[0]) if len(times) > 1 else 1.0


def _noises(variances: tuple[float, float], rate: float, spec: Mapping[str, Any]) -> list[str]:
    """Return lines of `sensor.yaml` by variances, 0: unknown, -1: none, and a rate [Hz]."""
    lines = []
    for name, units, variance, quantity in (
            ('gyroscope', ('rad / s', 'rad / s^2'), variances[0], 'angular_velocity'),
            ('accelerometer', ('m / s^2', 'm / s^3'), variances[1], 'linear_acceleration')):
        density, walk = f'{quantity}_noise_density', f'{quantity}_random_walk'
        if variance > 0.0:
            # samples behind a low-pass have less variance, and similar ones: the IMU says its own
            level = (math.sqrt(variance / rate) if spec.get(density) is None
                     else _mean(spec[density]))
            lines.append(f'{name}_noise_density: {level:.9g}  # {units[0]} / sqrt(Hz)')
        if walk in spec:
            lines.append(f'{name}_random_walk: {_mean(spec[walk]):.9g}  # {units[1]} / sqrt(Hz)')
    return lines


def _mean(axes: Any) -> float:
    """Return the root of the mean square of one number or those of three axes."""
    return math.sqrt(np.mean(np.square(axes)))


def _write_table(path: Path, header: str, rows: list[Row]) -> None:
    path.parent.mkdir(parents=True)
    lines = [f'{time},' + ','.join(f'{number:.9f}' for number in numbers)
             for time, numbers in rows]
    path.write_text('\n'.join([header, *lines]) + '\n')


def _write_truth(source: Source, folder: Path, times: NDArray[np.int64], on_imu: Array,
                 bias: Path | None) -> None:
    """Write the true motion of the IMU at the times of its samples."""
    poses = source.trajectory.at(times) @ on_imu
    places = poses[:, :3, 3]
    speeds = np.gradient(places, times * 1e-9, axis=0) if len(times) > 1 else 0.0 * places
    x, y, z, w = quaternions(poses[:, :3, :3]).T
    drift = np.zeros((len(times), 6))
    if bias is not None:  # in recordings only
        known = np.loadtxt(bias, delimiter=',', ndmin=2)
        drift = np.stack([np.interp(times, known[:, 0], column)
                          for column in known[:, 1:].T], axis=1)
    numbers = np.column_stack([places, w, x, y, z, speeds, drift])
    _write_table(folder / 'data.csv', ','.join(EUROC_COLUMNS), [
        (int(time), tuple(row)) for time, row in zip(times, numbers.tolist(), strict=True)])
    _write_yaml(folder, 'visual-inertial', 'the true state of the IMU', np.eye(4))


def _write_camera(source: Source, camera: Camera, folder: Path, on_imu: Array) -> None:
    """Write images and calibration of a camera."""
    info = camera.info
    if info.distortion_model not in MODELS:
        raise ConversionError(f'{camera.name}: EuRoC has no name for a lens of the kind '
                              f'{info.distortion_model!r}')
    images = folder / 'data'
    images.mkdir(parents=True)
    lines = ['#timestamp [ns],filename']
    for _, message in source.messages(f'{camera.name}/image_raw'):
        time = stamp_ns(message)
        save_image(message, images / f'{time}.png')
        lines.append(f'{time},{time}.png')
    (folder / 'data.csv').write_text('\n'.join(lines) + '\n')
    k, d = info.k, [float(number) for number in info.d]
    if any(d[4:]):
        raise ConversionError(f'{camera.name}: EuRoC has four numbers for a lens, this one has '
                              f'{len(d)}: leave out k3')
    _write_yaml(
        folder, 'camera', camera.name, np.linalg.inv(on_imu) @ source.camera_on_base(camera),
        _rate(camera.stamps),
        f'resolution: [{info.width}, {info.height}]', 'camera_model: pinhole',
        f'intrinsics: [{k[0]:.9g}, {k[4]:.9g}, {k[2]:.9g}, {k[5]:.9g}]  # fu, fv, cu, cv',
        f'distortion_model: {MODELS[info.distortion_model]}',
        f'distortion_coefficients: [{", ".join(f"{number:.9g}" for number in d[:4])}]')


def _write_yaml(folder: Path, kind: str, comment: str, pose: Array, rate: float | None = None,
                *more: str) -> None:
    """Write sensor.yaml."""
    numbers = ',\n         '.join(
        ', '.join(f'{number:.12g}' for number in row) for row in pose.tolist())
    lines = [f'sensor_type: {kind}', f'comment: {comment}', 'T_BS:', '  cols: 4', '  rows: 4',
             f'  data: [{numbers}]']
    if rate is not None:
        lines.append(f'rate_hz: {rate:.9g}')
    folder.joinpath('sensor.yaml').write_text('\n'.join([*lines, *more]) + '\n')
