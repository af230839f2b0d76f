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
"""Planes that an onlooker does not see from one side."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.live.glb import Piece


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
