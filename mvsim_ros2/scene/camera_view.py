# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The interface of renderers: camera, image layers."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Scene

Layer = Literal['colour', 'depth', 'ids', 'normals']
COLOUR: tuple[Layer, ...] = ('colour',)
DEPTH: tuple[Layer, ...] = ('depth',)
ALL_LAYERS: tuple[Layer, ...] = ('colour', 'depth', 'ids')


@dataclass(frozen=True, eq=False)
class CameraView:
    """
    A pinhole camera in the world.

    The centre of the pixel in row v and column u looks along ``((u - cx) / fx, (v - cy) / fy,
    1)`` of the optical frame (z forward, x right, y down).
    """

    pose: Array  # (4, 4): from the optical to the world frame
    width: int
    height: int
    fx: float  # px, as those below
    fy: float
    cx: float
    cy: float
    near: float = 0.01  # m along the optical axis, of the near clipping plane
    far: float = 1e4  # m along the optical axis, of the far clipping plane
    vehicle: int = -1  # number of its vehicle, as `Scene.owner`
    sensor: str = ''  # full name of the sensor, whose body is hidden
    hide_vehicle: bool = False  # whether its vehicle is hidden as well
    antialiasing: bool = False  # whether edges of colours are smooth: four samples a pixel
    occlusion_reach: float = 0.0  # m to where things take ambient light away; 0: they do not
    hdr: bool = False  # whether colours are light as real numbers, which may be above white
    rough: bool = False  # whether OpenGL draws round things with fewer faces, see `scene.rough`


@dataclass(frozen=True, eq=False)
class CameraFrame:
    """The layers of an image; None where not requested."""

    # (height, width, 3): sRGB, uint8; of an `hdr` view light, float32, where 1 is white
    colour: NDArray[Any] | None = None
    depth: NDArray[np.float32] | None = None  # (height, width): along the axis [m], inf: sky
    ids: NDArray[np.uint16] | None = None  # (height, width, 2): label and thing, 0: sky
    normals: NDArray[np.float32] | None = None  # (height, width, 3): of faces, optical; 0: sky

    @property
    def label(self) -> NDArray[np.uint16]:
        """Return the class of each pixel, an index of `Scene.LABELS`."""
        assert self.ids is not None
        return self.ids[..., 0]

    @property
    def thing(self) -> NDArray[np.uint16]:
        """Return the object number of each pixel."""
        assert self.ids is not None
        return self.ids[..., 1]


class Renderer(Protocol):
    """Renders a scene."""

    def render(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS,
               out: CameraFrame | None = None) -> CameraFrame:
        """Render the present state of the scene."""


def empty_frame(width: int, height: int, layers: tuple[Layer, ...],
                hdr: bool = False) -> CameraFrame:
    """Return a frame with memory for some layers."""
    return CameraFrame(
        np.empty((height, width, 3), np.float32 if hdr else np.uint8)
        if 'colour' in layers else None,
        np.empty((height, width), np.float32) if 'depth' in layers else None,
        np.empty((height, width, 2), np.uint16) if 'ids' in layers else None,
        np.empty((height, width, 3), np.float32) if 'normals' in layers else None)


def hidden_instances(scene: Scene, view: CameraView) -> NDArray[np.bool_]:
    """Return whether instances are hidden from a camera, shape (N,)."""
    hidden = np.array([bool(view.sensor) and name == view.sensor for name in scene.sensor], bool)
    if view.hide_vehicle and view.vehicle >= 0:
        hidden |= scene.owner == view.vehicle
    return hidden
