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
"""Where the things of a scene are."""

import numpy as np

from mvsim_ros2.scene.scene import Scene


def corners(scene: Scene, i: int) -> np.ndarray:
    """Return the vertices of instance `i` in the world that belong to faces."""
    mesh, matrix = scene.meshes[scene.mesh[i]], scene.transform[i]
    return mesh.vertices[np.unique(mesh.faces)] @ matrix[:3, :3].T + matrix[:3, 3]


def bounds(scene: Scene, name: str) -> np.ndarray:
    """Return the smallest and largest x, y, z of a thing."""
    number = scene.thing_names.index(name)
    points = np.concatenate([corners(scene, i) for i in np.flatnonzero(scene.thing == number)])
    return np.array([points.min(axis=0), points.max(axis=0)])


def instances(scene: Scene, name: str, label: str | None = None) -> list[int]:
    """Return the instances of a thing."""
    return [i for i in np.flatnonzero(scene.thing == scene.thing_names.index(name)).tolist()
            if label is None or Scene.LABELS[scene.label[i]] == label]
