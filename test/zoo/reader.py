# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Readers of URDF and SDF of their own, for comparison: lxml, numpy, nothing of the product."""

from collections.abc import Callable, Iterator
import math
from pathlib import Path

from lxml import etree
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MOMENTS = (('ixx', 'ixy', 'ixz'), ('ixy', 'iyy', 'iyz'), ('ixz', 'iyz', 'izz'))


def numbers(text: str | None, default: str = '0 0 0') -> list[float]:
    return [float(word) for word in (text or default).split()]


def matrix(xyz: list[float], rpy: list[float]) -> Array:
    """Return the homogeneous matrix of a place: yaw, then pitch, then roll."""
    (cr, cp, cy), (sr, sp, sy) = (list(map(f, rpy)) for f in (math.cos, math.sin))
    found = np.eye(4)
    found[:3, :3] = (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
                     @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
                     @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))
    found[:3, 3] = xyz
    return found


def origin(node: etree._Element) -> Array:
    place = node.find('origin')
    if place is None:
        return np.eye(4)
    return matrix(numbers(place.get('xyz')), numbers(place.get('rpy')))


class Robot:
    """What a description says of a robot: places are in the root, matrices (4, 4)."""

    bodies: list[tuple[float, Array, Array]]  # mass [kg], place of its centre, inertia [kg m^2]
    lowest: float  # z of the lowest frame [m]

    def mass_and_yaw_inertia(self) -> tuple[float, float]:
        """Return the mass [kg] and the inertia about the vertical through its centre [kg m^2]."""
        masses = [mass for mass, _, _ in self.bodies]
        centres = np.array([place[:3, 3] for _, place, _ in self.bodies])
        turned = [(place[:3, :3] @ tensor @ place[:3, :3].T)[2, 2]
                  for _, place, tensor in self.bodies]
        away = centres - np.average(centres, axis=0, weights=masses)
        return sum(masses), sum(turned) + float(masses @ (away[:, :2] ** 2).sum(axis=1))

    def wheel(self, joint: str) -> tuple[float, float, float]:
        """Return x, y of the wheel of a joint in the root, and its largest radius [m]."""
        raise NotImplementedError

    def sensors(self) -> dict[str, tuple[str, Array, float, int]]:
        """Return type, pose in the root, rate [Hz], and rays in a row of each sensor, by name."""
        raise NotImplementedError


class Description(Robot):
    """A robot of URDF."""

    def __init__(self, text: bytes) -> None:
        """Read it."""
        self.root = etree.fromstring(text)
        self.links = {link.get('name'): link for link in self.root.findall('link')}
        self.joints = {joint.get('name'): joint for joint in self.root.findall('joint')}
        self.poses: dict[str, Array] = {}
        children = {joint.find('child').get('link') for joint in self.joints.values()}
        (start,) = set(self.links) - children
        self.poses[start] = np.eye(4)
        waiting = list(self.joints.values())
        while waiting:
            joint = waiting.pop(0)
            parent = joint.find('parent').get('link')
            if parent in self.poses:
                self.poses[joint.find('child').get('link')] = self.poses[parent] @ origin(joint)
            else:
                waiting.append(joint)
        self.lowest = min(place[2, 3] for place in self.poses.values())
        self.bodies = [(float(inertial.find('mass').get('value')),
                        self.poses[name] @ origin(inertial), moments(inertial.find('inertia').get))
                       for name, link in self.links.items()
                       if (inertial := link.find('inertial')) is not None]

    def wheel(self, joint: str) -> tuple[float, float, float]:
        """Return x, y of the wheel of a joint in the root, and its largest radius [m]."""
        child = self.joints[joint].find('child').get('link')
        axis = np.array(numbers(self.joints[joint].find('axis').get('xyz')))
        link, radii = self.links[child], []
        for shape in link.findall('collision') or link.findall('visual'):
            (solid,) = shape.find('geometry')
            if solid.tag == 'mesh':
                points = triangles(solid.get('filename').removeprefix('file://'))
                points = points * numbers(solid.get('scale'), '1 1 1') @ origin(shape)[:3, :3].T
                radii.append(float(np.linalg.norm(np.cross(points, axis), axis=1).max()))
            else:
                radii.append(float(solid.get('radius')))
        x, y, _ = self.poses[child][:3, 3]
        return float(x), float(y), max(radii)

    def sensors(self) -> dict[str, tuple[str, Array, float, int]]:
        """Return type, pose in the root, rate [Hz], and rays in a row of each sensor, by name."""
        return dict(measured(sensor, self.poses[tag.get('reference')] @ placed(sensor))
                    for tag in self.root.findall('gazebo') for sensor in tag.findall('sensor'))


class SdfModel(Robot):
    """A robot of SDF; its root is its first link."""

    def __init__(self, text: bytes) -> None:
        """Read it."""
        (self.root,) = etree.fromstring(text).findall('model')
        self.named = {(*path, node.get('name')): node for path, node in self._all(self.root, ())}
        first = next(name for name, node in self.named.items() if node.tag == 'link')
        self.start = np.linalg.inv(self.place(first))
        self.links = [(name, node) for name, node in self.named.items() if node.tag == 'link']
        self.lowest = self.start[2, 3]  # the model stands on the ground
        self.bodies = [(float(inertial.findtext('mass')),
                        self.start @ self.place(name) @ placed(inertial),
                        moments(inertial.find('inertia').findtext))
                       for name, link in self.links
                       if (inertial := link.find('inertial')) is not None]

    def _all(self, model: etree._Element, path: tuple[str, ...],
             ) -> Iterator[tuple[tuple[str, ...], etree._Element]]:
        for node in model:
            if node.tag in ('link', 'joint', 'frame', 'model'):
                yield path, node
            if node.tag == 'model':
                yield from self._all(node, (*path, node.get('name')))

    def place(self, name: tuple[str, ...]) -> Array:
        """Return the pose of a frame in the outermost model."""
        if not name:
            return np.eye(4)
        node, pose = self.named[name], self.named[name].find('pose')
        base = '' if pose is None else pose.get('relative_to') or ''
        if not base:
            base = node.findtext('child', '') if node.tag == 'joint' else node.get(
                'attached_to', '')
        inner = () if base in ('', '__model__') else tuple(base.split('::'))
        return self.place((*name[:-1], *inner)) @ placed(node)

    def wheel(self, joint: str) -> tuple[float, float, float]:
        """Return x, y of the wheel of a joint in the root, and its largest radius [m]."""
        name = tuple(self.named[(joint,)].findtext('child').split('::'))
        x, y, _ = (self.start @ self.place(name))[:3, 3]
        return float(x), float(y), max(float(node.text) for node in self.named[name].iterfind(
            'collision/geometry/*/radius'))

    def sensors(self) -> dict[str, tuple[str, Array, float, int]]:
        """Return type, pose in the root, rate [Hz], and rays in a row of each sensor, by name."""
        return dict(measured(sensor, self.start @ self.place(name) @ placed(sensor))
                    for name, link in self.links for sensor in link.findall('sensor'))


def measured(sensor: etree._Element, pose: Array,
             ) -> tuple[str, tuple[str, Array, float, int]]:
    """Return the name of a sensor, and its type, pose, rate and rays in a row."""
    rings = int(sensor.findtext('.//vertical/samples') or 1)
    return sensor.get('name'), (
        sensor.get('type') if rings == 1 else 'rings', pose, float(sensor.findtext('update_rate')),
        int(sensor.findtext('.//horizontal/samples') or 0))


def moments(get: Callable[[str], str]) -> Array:
    return np.array([[float(get(key)) for key in row] for row in MOMENTS])


def placed(node: etree._Element) -> Array:
    """Return the matrix of the <pose> of SDF in a node."""
    pose = node.find('pose')
    if pose is None:
        return np.eye(4)
    found = numbers(pose.text)
    if pose.get('rotation_format') == 'quat_xyzw':  # about one axis of the frame
        turn = [2.0 * math.atan2(part, found[6]) for part in found[3:6]]
        return matrix(found[:3], turn)
    scale = math.pi / 180.0 if pose.get('degrees') == 'true' else 1.0
    return matrix(found[:3], [scale * angle for angle in found[3:]])


def triangles(path: str) -> Array:
    """Return the corners in a binary STL file, (n, 3)."""
    data = Path(path).read_bytes()
    record = np.dtype([('normal', '<3f4'), ('corners', '<9f4'), ('attribute', '<u2')])
    return np.frombuffer(data[84:], record)['corners'].reshape(-1, 3).astype(float)


def write_wheel(path: Path, radius: float, width: float, sides: int = 48) -> None:
    """Write a wheel about z as a binary STL file, in millimetres."""
    turn = 2.0 * math.pi * np.arange(sides + 1) / sides
    ring = 1e3 * radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    low, high = (np.column_stack([ring, np.full(sides + 1, z)])
                 for z in (-500.0 * width, 500.0 * width))
    faces = np.concatenate([
        np.stack([low[:-1], low[1:], high[1:]], axis=1),
        np.stack([low[:-1], high[1:], high[:-1]], axis=1)])
    record = np.zeros(len(faces), [('normal', '<3f4'), ('corners', '<9f4'), ('attribute', '<u2')])
    record['corners'] = faces.reshape(-1, 9)
    path.write_bytes(b'\0' * 80 + np.uint32(len(faces)).tobytes() + record.tobytes())
