# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scans of any number of planar LiDARs in one call: rays, distances, noise and limits."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Numbers
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.scene.planar import REFLECTIVITY
from mvsim_ros2.sensors.raycast.planar.intersect import meet_bodies
from mvsim_ros2.sensors.raycast.planar.rays import (
    ALONG_X, ALONG_Y, GRIDS_ONLY, HEIGHT, IGNORED, lay_rays, MAX_RANGE, MIN_RANGE, NEAR,
    RANGE_NOISE, sort_rays, STRENGTH)
from mvsim_ros2.sensors.raycast.planar.segments import place

Noise = NDArray[np.float32]

WHITE = 255.0  # intensity of a white surface that faces the sensor
_ROW, _TABLE, _NORMALS = np.zeros(1), np.zeros((1, 1)), np.zeros(1, np.float32)  # examples
_INDEX, _INDICES = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)


@lazy_kernel(
    _TABLE, _INDEX, _TABLE, _TABLE, _NORMALS, _NORMALS, np.zeros((1, 1), np.float32), _TABLE,
    _INDICES, _TABLE, _ROW, _TABLE, _INDEX, _TABLE, _TABLE, _TABLE, _TABLE, _ROW, _TABLE,
    counted=False)
def measure_scans(
        scans: Array, starts: Numbers, paths: Array, headings: Array, angle_normals: Noise,
        range_normals: Noise, measured: NDArray[np.float32], rays: Array, sorting: Numbers,
        lanes: Array, distances: Array, bodies: Array, first: Numbers, segments: Array,
        surfaces: Array, outlines: Array, poses: Array, heights: Array, twists: Array) -> None:
    """
    Fill in ranges and intensities of all rays of all scans: +inf out of reach, -inf too close.

    :param scans: shape (K, rays.COLUMNS).
    :param starts: index of the first ray of a scan, shape (K + 1,).
    :param paths: x, y, cosine and sine of yaw of vehicles at the times of rays, shape (P, 4).
    :param headings: unit vectors of the rays in the vehicle frame, shape (R, 2).
    :param angle_normals: standard normal numbers for the bearings, shape (R,).
    :param range_normals: standard normal numbers for the ranges, shape (R,).
    :param measured: ranges [m] and intensities, 0 to 255, shape (2, R).
    :param rays: scratch for a scan of N rays or less, shape (rays.RAY, N).
    :param sorting: scratch, shape (3, N + 1).
    :param lanes: scratch, shape (rays.LANES, N).
    :param distances: scratch, shape (N,); the distances of the last scan without noise.
    :param bodies: shape (B, bodies.COLUMNS), those that move at the end.
    :param first: index of the first segment of a body, shape (B + 1,).
    :param segments: of all bodies in the world [m], shape (S, 4).
    :param surfaces: heights and reflectivity of the segments, see `scene.planar`, shape (S, 3).
    :param outlines: of the bodies that move in the frame of each [m], shape (Q, 4).
    :param poses: x, y, yaw of the bodies that move in the world, shape (M, 3).
    :param heights: of their reference points [m], shape (M,).
    :param twists: their body twists, shape (M, 3).
    """
    still = bodies.shape[0] - poses.shape[0]
    place(outlines, poses, heights, twists, still, first, bodies, segments)
    for k in range(scans.shape[0]):
        begin = starts[k]
        count = starts[k + 1] - begin
        nearest, farthest, noise = scans[k, MIN_RANGE], scans[k, MAX_RANGE], scans[k, RANGE_NOISE]
        ignored = int(scans[k, IGNORED])
        lay_rays(scans, k, begin, count, paths, headings, angle_normals, rays)
        sort_rays(count, rays, sorting, lanes)
        meet_bodies(still + ignored if ignored >= 0 else -1, scans[k, GRIDS_ONLY] != 0.0,
                    scans[k, HEIGHT], bodies, first, segments, surfaces, count, rays, sorting,
                    lanes, farthest)
        if segments.shape[0] > 0:
            reflect(count, segments, surfaces, sorting, lanes)
        for each in range(count):
            i = sorting[0, each]
            distance, intensity = lanes[NEAR, each], lanes[STRENGTH, each]
            if distance > farthest:
                distance = math.inf
            distances[i] = distance
            if noise > 0.0:
                distance += noise * range_normals[begin + i]
            if distance < nearest:
                distance = -math.inf
            elif distance > farthest:
                distance = math.inf
            measured[0, begin + i] = distance
            measured[1, begin + i] = intensity if abs(distance) < math.inf else 0.0


@compiled(counted=False)
def reflect(
        count: int, segments: Array, surfaces: Array, sorting: Numbers, lanes: Array) -> None:
    """
    Fill in how strongly the segments reflect that rays have met, by Lambert's cosine law.

    :param sorting: as `meet_bodies` left it, as `lanes`.
    """
    met, strength = sorting[2], lanes[STRENGTH]
    along_x, along_y = lanes[ALONG_X], lanes[ALONG_Y]
    for k in range(count):
        edge = met[k]
        x, y = segments[edge, 2] - segments[edge, 0], segments[edge, 3] - segments[edge, 1]
        cosine = abs(along_x[k] * y - along_y[k] * x) / math.sqrt(x * x + y * y)
        strength[k] = WHITE * surfaces[edge, REFLECTIVITY] * cosine
