# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rotations and poses against closed forms."""

from hypothesis import given, strategies as st
import numpy as np

from mvsim_ros2.frames import axis_rotation, Pose, rotation_matrix, wrap_angle, ypr_from_matrix

ANGLES = st.floats(-3.1, 3.1)
PITCHES = st.floats(-1.57, 1.57)
LENGTHS = st.floats(-1e3, 1e3)
POSES = st.builds(Pose, LENGTHS, LENGTHS, LENGTHS, ANGLES, PITCHES, ANGLES)


def test_positive_pitch_is_nose_down() -> None:
    forward = rotation_matrix(0.0, 0.1, 0.0)[:, 0]
    np.testing.assert_allclose(forward, [np.cos(0.1), 0.0, -np.sin(0.1)], atol=1e-15)


def test_rotation_is_the_product_of_the_axis_rotations() -> None:
    yaw, pitch, roll = 0.3, -0.4, 0.5
    product = rotation_matrix(yaw) @ rotation_matrix(0.0, pitch) @ rotation_matrix(0.0, 0.0, roll)
    np.testing.assert_allclose(rotation_matrix(yaw, pitch, roll), product, atol=1e-15)


def test_one_rotation_is_that_among_many_to_the_same_bits() -> None:
    angles = np.random.default_rng(4).uniform(-7.0, 7.0, (3, 2000))
    angles[:, :1000] *= 1e-3
    many = rotation_matrix(*angles)
    for one, each in zip(many, angles.T, strict=True):
        assert rotation_matrix(*each).tobytes() == one.tobytes()


def test_rotation_about_an_axis() -> None:
    for axis, angles in zip(np.eye(3)[::-1], 0.3 * np.eye(3), strict=True):
        np.testing.assert_allclose(
            axis_rotation(axis, 0.3)[:3, :3], rotation_matrix(*angles), atol=1e-15)


@given(ANGLES, PITCHES, ANGLES)
def test_quaternion_turns_like_the_matrix(yaw: float, pitch: float, roll: float) -> None:
    x, y, z, w = Pose(0.0, 0.0, 0.0, yaw, pitch, roll).quaternion
    vector = np.array([0.3, -0.7, 0.2])
    axis = np.array([x, y, z])
    turned = vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)
    np.testing.assert_allclose(turned, rotation_matrix(yaw, pitch, roll) @ vector, atol=1e-12)


@given(POSES)
def test_one_rotation_is_that_of_many(pose: Pose) -> None:
    np.testing.assert_allclose(
        pose.rotation, rotation_matrix(pose.yaw, pose.pitch, pose.roll), atol=1e-15)


@given(POSES)
def test_matrix_and_back(pose: Pose) -> None:
    np.testing.assert_allclose(Pose.from_matrix(pose.matrix).matrix, pose.matrix, atol=1e-9)


@given(POSES)
def test_pose_and_inverse_cancel(pose: Pose) -> None:
    np.testing.assert_allclose(pose.compose(pose.inverse()).matrix, np.eye(4), atol=1e-9)


@given(POSES, POSES)
def test_compose_maps_points_one_after_the_other(outer: Pose, inner: Pose) -> None:
    points = np.array([[1.0, 2.0, 3.0], [-4.0, 0.5, 0.0]])
    np.testing.assert_allclose(
        outer.compose(inner).transform(points), outer.transform(inner.transform(points)),
        atol=1e-8)


def test_gimbal_lock_keeps_the_rotation() -> None:
    rotation = rotation_matrix(0.7, np.pi / 2, 0.2)
    np.testing.assert_allclose(
        rotation_matrix(*ypr_from_matrix(rotation)), rotation, atol=1e-12)


def test_functions_take_batches() -> None:
    yaw = np.linspace(-3, 3, 6).reshape(2, 3)
    assert rotation_matrix(yaw, 0.1).shape == (2, 3, 3, 3)


@given(st.floats(-100, 100))
def test_wrapped_angles_lie_in_one_turn(angle: float) -> None:
    wrapped = float(wrap_angle(angle))
    assert -np.pi <= wrapped < np.pi
    assert np.cos(wrapped - angle) > 1 - 1e-12
