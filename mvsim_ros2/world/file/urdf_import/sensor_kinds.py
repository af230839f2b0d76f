# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Conversion of sensors of Gazebo, classic and new, to sensors of a world file, by kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    degrees, find, Findings, sdf_pose, text_of, value, written)

_MOST_RAYS = 100_000  # of a sensor in one direction
_MOST_PIXELS = 16384  # along one side
_WIDEST = math.radians(170.0)  # field of view of a camera without a fisheye
_CIRCLE = 2.0 * math.pi - 1e-6  # rad; scans of at least this end where they began
_AXES = 'x y z'
# what each tag of a sensor may hold, of SDF and of what plugins of Gazebo classic read
_HOLDS: Mapping[str, frozenset[str]] = {name: frozenset(tags.split()) for name, tags in {
    'sensor': 'always_on update_rate visualize visualise topic topicName pose plugin frame '
              'frame_id frame_name frameName gz_frame_id ignition_frame_id enable_metrics '
              'camera_name contact force_torque logical_camera ray lidar camera imu gps navsat '
              'sonar ultrasonic magnetometer air_pressure air_speed altimeter rfid rfidtag '
              'transceiver wireless_receiver wireless_transmitter origin',
    'ray': 'scan range noise visibility_mask', 'scan': 'horizontal vertical',
    'horizontal': 'samples resolution min_angle max_angle noise',
    'range': 'min max resolution', 'image': 'width height format anti_aliasing',
    'camera': 'horizontal_fov image clip noise distortion lens pose save depth_camera '
              'optical_frame_id trigger_topic triggered camera_info_topic box_type '
              'segmentation_type visibility_mask', 'clip': 'near far',
    'distortion': 'k1 k2 k3 p1 p2 center',
    'imu': 'angular_velocity linear_acceleration noise orientation_reference_frame topic '
           'enable_orientation', 'angular_velocity': _AXES, 'linear_acceleration': _AXES,
    'gps': 'position_sensing velocity_sensing', 'position_sensing': 'horizontal vertical',
    'velocity_sensing': 'horizontal vertical', 'sonar': 'min max radius geometry',
    'magnetometer': _AXES, 'air_pressure': 'pressure reference_altitude noise'}.items()}
_HOLDS |= {'lidar': _HOLDS['ray'], 'vertical': _HOLDS['horizontal'], 'navsat': _HOLDS['gps'],
           'ultrasonic': _HOLDS['sonar']}  # type: ignore[operator]


@dataclass(frozen=True, eq=False)
class Mounted:
    """A converted sensor."""

    kind: str  # class of the sensor in a world file
    values: Mapping[str, str]  # tags and their texts
    offset: Array = field(default_factory=lambda: np.eye(4))  # in the frame of the description


def kind_of(sensor: Node, findings: Findings) -> Mounted | None:
    """Return the conversion of a `<sensor>`, None where there is no equivalent."""
    kind = sensor.attributes.get('type', '').strip()
    if kind in _KINDS:
        _report_misplaced(sensor, findings, {
            'camera': 'camera', 'depth': 'camera', 'rgbd': 'camera', 'wideanglecamera': 'camera',
            'imu': 'imu', 'gps': 'gps', 'navsat': 'gps', 'sonar': 'sonar',
            'ultrasonic': 'sonar'}.get(kind.removesuffix('_camera'), 'ray'))
        return _KINDS[kind](sensor, findings)
    instead = ', such as a barometer' if kind == 'altimeter' else ''
    findings.lost(sensor.source, f'there is no sensor of the type {kind!r}: leave it out, or add '
                  f'a <sensor> of another class{instead} to the vehicle in the world file')
    return None


def _report_misplaced(node: Node, findings: Findings, part: str) -> None:
    """Report the tags in a sensor that are not read where they stand."""
    known = _HOLDS.get(node.tag)
    for child in node.children:
        if known is not None and child.tag not in known and not (
                node.tag == 'sensor' and child.tag in _HOLDS[part]):
            places = [f'<{name}>' for name, tags in _HOLDS.items() if child.tag in tags]
            findings.lost(child.source, f'<{child.tag}> in <{node.tag}> is not read' + (
                f': it belongs in {" or ".join(places[:3])}' if places
                else did_you_mean(child.tag, known)))
        elif child.tag != 'plugin':
            _report_misplaced(child, findings, part)


def _part(sensor: Node, findings: Findings, *names: str) -> Node:
    """
    Return the first child with one of these names, with misplaced tags next to it.

    Tags of the child that are in `<sensor>` itself are taken from there, which is reported.
    """
    part = next((node for name in names if (node := sensor.child(name))),
                Node(names[0], source=sensor.source))
    own = {node.tag for node in part.children}
    wanted = _HOLDS[names[0]] - own - _HOLDS['sensor']
    outside = [node for node in sensor.children if node.tag in wanted]
    for node in outside:
        findings.assumed(node.source, f'<{node.tag}> is in <sensor>, where Gazebo does not '
                         f'read it: it is read as if it were in <{names[0]}>')
    return replace(part, children=[*part.children, *outside])


def _whole(node: Node, *path: str, default: int, most: int) -> int:
    number = value(node, *path, default=float(default))
    if not 1.0 <= number <= most:
        raise WorldFileError(f'{node.source}: <{path[-1]}> is {number:g}: it must be from 1 to '
                             f'{most}')
    return int(number)


def _range(node: Node) -> dict[str, str]:
    low = value(node, 'range', 'min', default=0.0)
    high = value(node, 'range', 'max', default=30.0)
    if not 0.0 <= low < high:
        raise WorldFileError(f'{node.source}: the range goes from {low:g} to {high:g} m: min must '
                             'not be below 0, and max above it')
    return {'min_range': written(low), 'max_range': written(high)}


def _deviation(node: Node, *path: str) -> float:
    """Return the standard deviation of a `<noise>` down a path; 0 where there is none."""
    noise = find(node, *path, 'noise')
    if noise is None or text_of(noise, 'type') == 'none' or (
            noise.attributes.get('type') == 'none'):
        return 0.0
    return abs(value(noise, 'stddev', default=0.0))


def _span(node: Node, direction: str, findings: Findings) -> tuple[float, float]:
    """Return the smallest and the largest angle of rays [rad]."""
    low = value(node, 'scan', direction, 'min_angle', default=0.0)
    high = value(node, 'scan', direction, 'max_angle', default=0.0)
    if high < low:
        findings.assumed(node.source, f'max_angle of the {direction} rays, {high:g}, is below '
                         f'min_angle, {low:g}: they are exchanged')
    return min(low, high), max(low, high)


def _lidar(sensor: Node, findings: Findings) -> Mounted:
    """
    Return a LiDAR: the rays of SDF go from `min_angle` to `max_angle`, one on each.

    `<resolution>` multiplies their number.
    """
    node = _part(sensor, findings, 'ray', 'lidar')
    columns, rings = (_samples(node, direction) for direction in ('horizontal', 'vertical'))
    low, high = _span(node, 'horizontal', findings)
    high = min(high, low + 2.0 * math.pi)
    bottom, top = _span(node, 'vertical', findings)
    values = _range(node) | {'range_std_noise': written(_deviation(node))}
    plugin = sensor.child('plugin')
    if plugin is not None and (text_of(plugin, 'output_type').endswith('Range')
                               or 'ros_range' in plugin.attributes.get('filename', '')):
        said = text_of(plugin, 'radiation_type') or text_of(plugin, 'radiation')
        infrared = said.lower().startswith('infra')
        return Mounted('infrared' if infrared else 'sonar', values | {
            'fov_degrees': degrees(min(max(high - low, math.radians(1.0)), math.pi))},
            Pose(yaw=0.5 * (low + high)).matrix)
    if rings == 1 or bottom == top:
        if rings > 1:
            findings.assumed(node.source, f'all {rings} rings have one elevation, '
                             f'{math.degrees(bottom):.3g} degrees: one is used')
        fov, usual = max(high - low, 1e-3), -0.5 * (high - low)
        if abs(fov - 2.0 * math.pi * (1.0 - 1.0 / columns)) < 1e-5:  # no ray is there twice
            fov, usual = 2.0 * math.pi, -math.pi
        return Mounted('laser', values | {
            'nrays': str(columns), 'fov_degrees': degrees(fov),
            **({'start_angle_deg': degrees(low)} if abs(low - usual) > 1e-6 else {}),
            **({'closed_circle': 'true'} if high - low > _CIRCLE else {}),
            'angle_std_noise_deg': '0'}, Pose(pitch=-bottom).matrix)
    counted = {'fov_nrays': str(columns)}
    if high - low > 2.0 * math.pi * max(0.9, 1.0 - 1.5 / columns):
        low, high, counted = -math.pi, math.pi, {'horz_nrays': str(columns)}
    return Mounted('lidar3d', values | counted | {
        'vert_nrays': str(rings), 'vertical_ray_angles': degrees(*np.linspace(bottom, top, rings)),
        'azimuth_min_degrees': degrees(low), 'azimuth_max_degrees': degrees(max(high, low + 1e-3))
        })


def _samples(node: Node, direction: str) -> int:
    """Return the number of rays along a direction."""
    samples = _whole(node, 'scan', direction, 'samples', most=_MOST_RAYS,
                     default=640 if direction == 'horizontal' else 1)
    factor = value(node, 'scan', direction, 'resolution', default=1.0)
    if factor <= 0.0 or samples * factor > _MOST_RAYS:
        raise WorldFileError(f'{node.source}: <resolution> of the {direction} rays is '
                             f'{factor:g}: it multiplies <samples>, and there are 1 to '
                             f'{_MOST_RAYS} rays')
    return max(round(samples * factor), 1)


def _lens(node: Node, findings: Findings) -> tuple[int, int, float]:
    """Return width and height [px] and focal length [px] of a `<camera>`."""
    width = _whole(node, 'image', 'width', default=320, most=_MOST_PIXELS)
    height = _whole(node, 'image', 'height', default=240, most=_MOST_PIXELS)
    fov = value(node, 'horizontal_fov', default=1.047)
    if not 0.0 < fov < 2.0 * math.pi:
        raise WorldFileError(f'{node.source}: horizontal_fov is {fov:g}: it must be between 0 '
                             'and 2 pi')
    if fov > _WIDEST:
        findings.assumed(node.source, f'no pinhole camera looks over {math.degrees(fov):.0f} '
                         f'degrees: {math.degrees(_WIDEST):.0f} are used')
        fov = _WIDEST
    return width, height, 0.5 * width / math.tan(0.5 * fov)


def _clip(node: Node, near: float, far: float) -> tuple[str, str]:
    near, far = value(node, 'clip', 'near', default=near), value(node, 'clip', 'far', default=far)
    if not 0.0 < near < far:
        raise WorldFileError(f'{node.source}: <clip> goes from {near:g} to {far:g}: near must be '
                             'above 0, and far above near')
    return written(near), written(far)


def _pinhole(width: int, height: int, focal: float, prefix: str = '') -> dict[str, str]:
    numbers = {'ncols': str(width), 'nrows': str(height), 'cx': written(0.5 * width),
               'cy': written(0.5 * height), 'fx': written(focal), 'fy': written(focal)}
    return {prefix + name: text for name, text in numbers.items()}


def _camera(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'camera')
    near, far = _clip(node, 0.1, 100.0)
    values = _pinhole(*_lens(node, findings)) | {'clip_min': near, 'clip_max': far}
    noise = _deviation(node)
    if noise:
        values['image_noise'] = written(255.0 * noise)
    bent = [value(node, 'distortion', name, default=0.0)
            for name in ('k1', 'k2', 'p1', 'p2', 'k3')]
    if any(bent):
        values['distortion'] = written(*bent)
    return Mounted('camera', values, sdf_pose(node))


def _depth(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'camera')
    near, far = _clip(node, 0.1, 10.0)
    lens = _lens(node, findings)
    colours = 'rgbd' in sensor.attributes['type'] or sensor.attributes['type'] == 'depth'
    return Mounted('rgbd_camera', _pinhole(*lens, 'rgb_') | _pinhole(*lens, 'depth_') | {
        'sense_rgb': 'true' if colours else 'false', 'registered': 'true',
        'depth_clip_min': near, 'depth_clip_max': far, 'depth_encoding': '32FC1',
        'depth_noise_sigma': written(_deviation(node)),
        'publish_ros_colored_pointcloud': 'true'}, sdf_pose(node))


def _axes(node: Node, quantity: str, old: str) -> dict[str, tuple[float, ...]]:
    """Return deviation, bias and its deviation on x, y and z; `old`: in the form of SDF 1.4."""
    found = {}
    for name in ('stddev', 'bias_mean', 'bias_stddev', 'dynamic_bias_stddev',
                 'dynamic_bias_correlation_time'):
        common = value(node, 'noise', old, name, default=0.0)
        found[name] = tuple(value(node, quantity, axis, 'noise', name, default=common)
                            for axis in 'xyz')
    return found


def _sizes(axes: Sequence[float]) -> str:
    """Return sizes of the errors of x, y and z as text, one number where they are equal."""
    sizes = [abs(axis) for axis in axes]
    return written(*(sizes if len(set(sizes)) > 1 else sizes[:1]))


def _imu(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'imu')
    values = {'measure_orientation': text_of(node, 'enable_orientation') or 'true',
              'orientation_std_noise': '0'}
    for quantity, old in (('angular_velocity', 'rate'), ('linear_acceleration', 'accel')):
        noise = _axes(node, quantity, old)
        values[f'{quantity}_white_noise_std_noise'] = _sizes(noise['stddev'])
        values[f'{quantity}_bias'] = written(*noise['bias_mean'])
        values[f'{quantity}_bias_std_noise'] = _sizes(noise['bias_stddev'])
        # short-time random walk of a Gauss-Markov bias of time constant T and deviation s
        walks = [deviation * math.sqrt(2.0 / time) if time > 0.0 else 0.0
                 for deviation, time in zip(noise['dynamic_bias_stddev'],
                                            noise['dynamic_bias_correlation_time'], strict=True)]
        if any(walks):
            values[f'{quantity}_random_walk_std_noise'] = _sizes(walks)
    return Mounted('imu', values)


def _gnss(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'gps', 'navsat')
    return Mounted('gnss', {
        'horizontal_std_noise': written(_deviation(node, 'position_sensing', 'horizontal')),
        'vertical_std_noise': written(_deviation(node, 'position_sensing', 'vertical')),
        'velocity_std_noise': written(_deviation(node, 'velocity_sensing', 'horizontal'))})


def _sonar(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'sonar', 'ultrasonic')
    low, high = value(node, 'min', default=0.02), value(node, 'max', default=4.0)
    radius = value(node, 'radius', default=0.27 * high)
    if not (0.0 <= low < high and radius > 0.0):
        raise WorldFileError(f'{node.source}: the sonar measures from {low:g} to {high:g} m in a '
                             f'cone of {radius:g} m: min must be below max, and radius above 0')
    return Mounted('sonar', {'min_range': written(low), 'max_range': written(high),
                             'fov_degrees': degrees(2.0 * math.atan(radius / high)),
                             'range_std_noise': '0'})


def _magnetometer(sensor: Node, findings: Findings) -> Mounted:
    node = _part(sensor, findings, 'magnetometer')
    return Mounted('magnetometer', {
        'std_noise': written(sum(_deviation(node, axis) for axis in 'xyz') / 3.0)})


_KINDS: Mapping[str, Callable[[Node, Findings], Mounted]] = {
    'air_pressure': lambda sensor, findings: Mounted('barometer', {'std_noise': written(
        _deviation(_part(sensor, findings, 'air_pressure'), 'pressure'))}),
    'contact': lambda sensor, findings: Mounted('bumper', {}),
    'imu': _imu, 'magnetometer': _magnetometer,
    **dict.fromkeys(('camera', 'wideanglecamera'), _camera),
    **dict.fromkeys(('depth', 'depth_camera', 'rgbd', 'rgbd_camera'), _depth),
    **dict.fromkeys(('gps', 'navsat'), _gnss), **dict.fromkeys(('sonar', 'ultrasonic'), _sonar),
    **dict.fromkeys(('gpu_lidar', 'gpu_ray', 'lidar', 'ray'), _lidar),
}
