# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A reader of URDF of its own, for comparison: lxml and numpy, nothing of the product."""

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


class Description:
    """What a URDF says of a robot."""

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

    def mass_and_yaw_inertia(self) -> tuple[float, float]:
        """Return the mass [kg] and the inertia about the vertical through its centre [kg m^2]."""
        masses, centres, tensors = [], [], []
        for name, link in self.links.items():
            inertial = link.find('inertial')
            if inertial is not None:
                place = self.poses[name] @ origin(inertial)
                moments = inertial.find('inertia')
                tensor = np.array([[float(moments.get(key)) for key in row] for row in MOMENTS])
                masses.append(float(inertial.find('mass').get('value')))
                centres.append(place[:3, 3])
                tensors.append((place[:3, :3] @ tensor @ place[:3, :3].T)[2, 2])
        away = np.array(centres) - np.average(centres, axis=0, weights=masses)
        return sum(masses), sum(tensors) + float(masses @ (away[:, :2] ** 2).sum(axis=1))

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
        found = {}
        for tag in self.root.findall('gazebo'):
            for sensor in tag.findall('sensor'):
                place = numbers(sensor.findtext('pose'), '0 0 0 0 0 0')
                found[sensor.get('name')] = (
                    sensor.get('type'), self.poses[tag.get('reference')] @ matrix(
                        place[:3], place[3:]), float(sensor.findtext('update_rate')),
                    int(sensor.findtext('.//horizontal/samples') or 0))
        return found


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
