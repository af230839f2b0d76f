# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planes that are not drawn seen from one side."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.window.drawing.glb import Piece


def hidden_from(piece: Piece, side: NDArray[np.float64]) -> Piece:
    """
    Return a plane or a thick wall that is not seen from one side.

    Of a thick wall the faces that look there are left out; a plane of no thickness is turned
    round where it looks there.

    :param side: unit vector in the world frame.
    """
    mesh, turn = piece.mesh, piece.transform[:3, :3]
    a, b, c = (mesh.vertices[mesh.faces[:, i]] @ turn.T for i in range(3))
    normals = np.cross(b - a, c - a)
    if np.linalg.det(turn) < 0:
        normals = -normals
    lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    there = normals @ side / lengths > 0.5
    if there.all():
        shown = replace(mesh, faces=mesh.faces[:, ::-1], normals=-mesh.normals)
    else:
        shown = replace(mesh, faces=mesh.faces[~there], face_material=mesh.face_material[~there])
    return replace(piece, mesh=shown, one_sided=True)
