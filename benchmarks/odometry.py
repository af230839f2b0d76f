# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Features and visual odometry of OpenCV in images of shipped worlds.

Prints how many of the 1000 strongest ORB features of pictures of outdoor worlds are in the lower
half, and how far an odometry drifts around a loop outdoors and one indoors: corners of Shi and
Tomasi, followed by Lucas and Kanade, with the depths of an RGBD camera, and the pose from the
last keyframe by a perspective n-point problem with RANSAC. It only sees images and depths. Ends
with an error where fewer than 300 features are in a lower half, or a drift exceeds its bound.

Needs OpenCV: `pip install opencv-python-headless`, then `python benchmarks/odometry.py`.

:claim: images of worlds have features that computer vision follows
:reference: OpenCV, not part of this package
"""

from dataclasses import replace
import math
import sys

import cv2
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2 import load_world, Simulation, world_path
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.pictures.viewpoint import camera
from mvsim_ros2.trajectories import drive, Route, RouteFollower

Array = NDArray[np.float64]

OUTDOOR = 'outdoor', 'forest', 'orchard'
FEATURES, LEAST = 1000, 300
DRIFT = 0.02  # largest distance from the true place, in shares of the way
CORNERS, FEWEST = 600, 180  # of a keyframe; as few are left when the next one is made
# loops: place of the camera on the robot, speed [m/s], corners [m]
LOOPS = {
    'outdoor': (Pose(0.46, 0.0, 0.42, 0.0, math.radians(5), 0.0), 0.8, [
        (4 * math.sin(0.1 * k), -14 + 4 * math.cos(0.1 * k)) for k in range(64)]),
    'office': (Pose(0.2, 0.0, 0.5, 0.0, 0.0, 0.0), 0.6, [
        (-9.8, 3.8), (-0.8, 3.8), (0.0, 3.0), (0.0, -3.0), (-0.8, -3.8), (-9.0, -3.8),
        (-9.8, -3.0), (-9.8, 3.0), (-9.0, 3.8)]),
}


def lower_features(world: str) -> list[int]:
    """Return how many of the strongest features are in the lower half of three pictures."""
    simulation = Simulation.from_file(world_path(world), sensors=False)
    (robot,) = simulation.vehicles.values()
    x, y, z = robot.pose.position
    counts = []
    for yaw in np.radians([0.0, 90.0, 215.0]):
        ahead = np.array([np.cos(yaw), np.sin(yaw), -0.06])
        eye = np.array([x, y, z + 0.6]) + 1.5 * ahead
        frame = simulation.render(camera(tuple(eye), tuple(eye + ahead), 640, 480), ('colour',))
        grey = cv2.cvtColor(frame.colour, cv2.COLOR_RGB2GRAY)
        found = cv2.ORB_create(FEATURES).detect(grey, None)
        counts.append(sum(point.pt[1] >= 240 for point in found))
    return counts


class Odometry:
    """The pose of a camera in the frame of its first image."""

    def __init__(self) -> None:
        self._key = np.eye(4)
        self._pose = np.eye(4)
        self._grey: NDArray[np.uint8] | None = None
        self._points: NDArray[np.float32] = np.zeros((0, 1, 2), np.float32)
        self._places = np.zeros((0, 3))

    def take(self, rgb: NDArray[np.uint8], depth: Array, matrix: Array) -> Array:
        """
        Return the pose at an image.

        :param depth: of its pixels [m].
        :param matrix: of the camera.
        """
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        if self._grey is not None:
            points, status, _ = cv2.calcOpticalFlowPyrLK(
                self._grey, grey, self._points, None, winSize=(21, 21), maxLevel=3)
            kept = status.ravel() > 0
            self._points, self._places = points[kept], self._places[kept]
            good, turn, shift, inside = cv2.solvePnPRansac(
                self._places, self._points.astype(float), matrix, None, iterationsCount=200,
                reprojectionError=1.5, flags=cv2.SOLVEPNP_ITERATIVE)
            if not good:
                sys.exit('the odometry lost the camera')
            self._points, self._places = self._points[inside.ravel()], self._places[inside.ravel()]
            turn, shift = cv2.solvePnPRefineLM(
                self._places, self._points.astype(float), matrix, None, turn, shift)
            there = np.eye(4)
            there[:3, :3], there[:3, 3] = cv2.Rodrigues(turn)[0], shift.ravel()
            self._pose = self._key @ np.linalg.inv(there)
        if len(self._points) < FEWEST:
            self._key = self._pose
            found = cv2.goodFeaturesToTrack(grey, CORNERS, 0.005, 8)
            column, row = np.rint(found[:, 0]).astype(int).T
            z = depth[row, column]
            seen = np.isfinite(z) & (z > 0.0)
            self._points, z = found[seen], z[seen, None]
            pixels = np.column_stack([self._points[:, 0], np.ones(len(z))])
            self._places = z * (pixels @ np.linalg.inv(matrix).T)
        self._grey = grey
        return self._pose


def drift(world: str) -> tuple[float, float, float]:
    """Return the way of a robot around a loop, and the greatest and the last error [m]."""
    mount, speed, corners = LOOPS[world]
    rover = load_world(world_path('outdoor')).vehicles[0]
    (eye,) = (each for each in rover.sensors if each.name == 'camera')
    spec = load_world(world_path(world))
    vehicle = replace(spec.vehicles[0], sensors=(replace(eye, pose=mount),))
    simulation = Simulation(replace(spec, vehicles=(vehicle,)), seed=1)
    robot = simulation.vehicles[vehicle.name]
    optical = np.eye(4)
    optical[:3, :3] = rotation_matrix(*np.radians([-90.0, 0.0, -90.0]))
    optical[:3, 3] = 0.0, 0.015, 0.0  # the camera for colours beside that for depths
    odometry, first, errors, places = Odometry(), [], [], []

    def see(images) -> None:
        truth = robot.pose.matrix @ mount.matrix @ optical
        first.append(truth)
        pose = first[0] @ odometry.take(
            images.colour.pixels, images.depth.depth, images.colour.info.K)
        errors.append(float(np.linalg.norm((pose - truth)[:3, 3])))
        places.append(truth[:3, 3])

    route = Route(np.array(corners))
    drive(simulation, RouteFollower(route, speed=speed), 200.0, on_observation=see)
    way = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    return way, max(errors), errors[-1]


def main() -> None:
    """Measure and print."""
    bad = []
    print('| world | ORB features of 1000 in lower halves |\n|---|---|')
    for world in OUTDOOR:
        counts = lower_features(world)
        print(f'| {world} | {", ".join(map(str, counts))} |')
        bad += [world] * (min(counts) < LEAST)
    print('\n| loop | way, m | greatest error, m | error at the end, m |\n|---|---|---|---|')
    for world in LOOPS:
        way, most, last = drift(world)
        print(f'| {world} | {way:.1f} | {most:.3f} | {last:.3f} |')
        bad += [world] * (most > DRIFT * way)
    if bad:
        sys.exit(f'beyond the bounds: {", ".join(bad)}')


if __name__ == '__main__':
    main()
