# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Scene description of three-dimensional sensors: meshes, and instances of them with a pose.

Ray casters and renderers use the same description. Instances are rows of arrays; the poses of
moving ones are updated in one call.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.lamps import Lamps
from mvsim_ros2.scene.poses import body_transforms, Motion
from mvsim_ros2.world.spec.common import LABELS, MaterialSpec, PLAIN
from mvsim_ros2.world.spec.lights import Switches

if TYPE_CHECKING:
    from mvsim_ros2.scene.wind import Wind

HOLE = 0.5  # alpha of a texture below which there is a hole


@dataclass(frozen=True, eq=False)
class Texture:
    """An image mapped to triangles; row 0 is v = 1, the top."""

    pixels: NDArray[np.uint8]  # (height, width, 4), sRGB and alpha

    @cached_property
    def has_holes(self) -> bool:
        """Whether some pixels are holes."""
        return bool((self.pixels[..., 3] < 255 * HOLE).any())


@dataclass(frozen=True, eq=False)
class Material:
    """Properties of a surface."""

    colour: tuple[float, float, float, float] = (0.7, 0.7, 0.7, 1.0)  # sRGB and opacity, 0 to 1
    texture: Texture | None = None  # multiplied by the colour; its alpha only says where holes are
    reflectivity: float = 0.5  # reflectivity for LiDAR, 0 to 1
    transmittance: float | None = None  # of the light of a LiDAR; None: 1 - opacity
    matter: MaterialSpec = PLAIN
    bumps: Texture | None = None  # normals about the surface, green towards the top
    # grey level by which colours are multiplied, a half: by 1; and its repetitions in a texture
    detail: Texture | None = None
    detail_scale: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Mesh:
    """
    Triangles shared by instances.

    Corners are counter-clockwise from outside; triangles are two-sided.
    """

    vertices: Array  # (V, 3) [m]
    faces: NDArray[np.int32]  # (F, 3): numbers of vertices
    normals: Array  # (V, 3): unit vectors, for shading
    uv: NDArray[np.float32]  # (V, 2): texture coordinates, 0 where there is no texture
    face_material: NDArray[np.int32]  # (F,): numbers of materials
    materials: tuple[Material, ...]
    # with ever fewer faces, for colours seen from afar and maps of shadows, and how much they
    # deviate at most
    rough: 'tuple[tuple[float, Mesh], ...]' = ()


@dataclass(frozen=True, eq=False)
class Lighting:
    """Sky and lights of the world."""

    sky_colour: tuple[float, float, float] = (0.53, 0.70, 0.92)  # sRGB, 0 to 1
    # (6, n, n, 3): sRGB, what is seen of the sky to the front (x), back, down, up, left, right,
    # upright, down and up with the front at the top and at the bottom; None for one colour
    sky: NDArray[np.uint8] | None = None
    # unit vector from the scene towards the light, world frame
    towards_light: tuple[float, float, float] = (0.3, 0.2, 0.93)
    light_colour: tuple[float, float, float] = (0.75, 0.75, 0.72)  # linear
    # linear, of the disc of the sun in images of light: its light on a white surface over pi, by
    # the solid angle of the disc
    disc_colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    light_specular: tuple[float, float, float] = (0.6, 0.6, 0.6)  # linear, of its highlights
    # ambient light on a surface of the normal n: its colour + n.axis times the lean, linear
    ambient_colour: tuple[float, float, float] = (0.35, 0.35, 0.38)
    ambient_lean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ambient_axis: tuple[float, float, float] = (0.0, 0.0, 1.0)  # unit vector, world frame
    shadows: bool = True
    air_colour: tuple[float, float, float] = (0.53, 0.70, 0.92)  # sRGB, of light that it scatters
    extinction: float = 0.0  # 1/m, of the air


@dataclass(frozen=True, eq=False)
class MoverStates:
    """
    Poses of the objects that can move, at one instant, world frame.

    Rows are as in the physics: vehicles, then blocks, then moving objects (actors, then walls and
    then horizontal planes with keyframes). Wheels have one row each, in order of vehicles.
    """

    vehicles: Array  # (V, 6): x, y, z [m], yaw, pitch, roll [rad] of the reference point
    wheel_steer: Array  # (W,): turn about z, toe included [rad]
    wheel_angle: Array  # (W,): turn about the axle [rad]
    blocks: Array  # (B, 6)
    figures: Array  # (G, 6)
    switched: Switches = field(default_factory=dict)  # groups of lamps, where not as at first
    # (G, 2): of people phase [rad] and stride, see `limbs.limb`; (0, 2): all stand
    gait: Array = field(default_factory=lambda: np.zeros((0, 2)))
    time: float = 0.0  # s, by which plants sway


@dataclass(frozen=True, eq=False)
class MoverTrack:
    """
    Poses of the objects that can move at K times.

    A row has the poses of vehicles, moving blocks and figures, steering and turn of the wheels,
    and gaits, as in `MoverStates`.
    """

    rows: Array  # (K, W)
    movable: NDArray[np.int64]  # numbers of those blocks; the others are where they are now
    now: MoverStates
    times: Array  # (K,) [s]

    def states(self, k: int) -> MoverStates:
        """Return what a row says."""
        row, now = self.rows[k], self.now
        steer, wheels = now.vehicles.size, len(now.wheel_steer)
        angle, block = steer + wheels, steer + 2 * wheels
        figure = block + 6 * len(self.movable)
        blocks = now.blocks
        if len(self.movable):
            blocks = blocks.copy()
            blocks[self.movable] = row[block:figure].reshape(-1, 6)
        gait = figure + now.figures.size
        return MoverStates(row[:steer].reshape(-1, 6), row[steer:angle], row[angle:block],
                           blocks, row[figure:gait].reshape(-1, 6), now.switched,
                           row[gait:].reshape(-1, 2), float(self.times[k]))


class Scene:
    """
    The visible shapes of a world.

    Instances of an object (a vehicle with wheels and meshes, a block, a wall) share its object
    number, from 1; 0 is the sky. Labels are classes of objects, indices of `LABELS`.
    """

    LABELS = LABELS

    def __init__(self, meshes: tuple[Mesh, ...], mesh: NDArray[np.int32], transform: Array,
                 colour: NDArray[np.float32], label: NDArray[np.uint16],
                 thing: NDArray[np.uint16], thing_names: tuple[str, ...],
                 owner: NDArray[np.int32], sensor: tuple[str, ...],
                 moving: NDArray[np.bool_], lighting: Lighting,
                 motion: Motion | None = None, lamps: Lamps | None = None,
                 glowing: tuple[tuple[str, str] | None, ...] = (),
                 casts: NDArray[np.bool_] | None = None) -> None:
        """
        Store the results of `scene.build`.

        :param meshes: shared by the instances.
        :param mesh: number of the mesh of each instance, shape (N,).
        :param transform: from the mesh to the world frame at the start, scale and shear
            included, shape (N, 4, 4).
        :param colour: multiplied with the materials, sRGB and alpha, shape (N, 4).
        :param label: class of each instance, shape (N,).
        :param thing: object number of each instance, shape (N,).
        :param thing_names: names of the objects; entry 0 is ''.
        :param owner: number of the vehicle that an instance belongs to, -1 for none, shape (N,).
        :param sensor: full name of the sensor whose body an instance is, '' for none.
        :param moving: which instances can move with their bodies, shape (N,).
        :param motion: bodies of the instances; None for a static scene.
        :param lamps: None for none.
        :param glowing: group of lamps with which each instance gives off light; None: always.
        :param casts: which instances throw shadows; None for all.
        """
        self.meshes = meshes
        self.mesh = mesh
        self.transform = transform
        # what is fitted to the places of things is fitted to these, so that it is the same when
        # a scene is made in the middle of a run
        self.first = transform.copy()
        self.colour = colour
        self.label = label
        self.thing = thing
        self.thing_names = thing_names
        self.owner = owner
        self.sensor = sensor
        self.moving = moving
        self.lighting = lighting
        self.motion = motion
        self.lamps = lamps
        self._wind: 'Wind | None' = None
        self.swaying: NDArray[np.bool_] = np.zeros(len(mesh), bool)  # which sway in the wind
        self.casts = np.ones(len(mesh), bool) if casts is None else casts
        self.glow = np.ones(len(mesh), np.float32)  # of each instance, 0 where its group is off
        self._groups = [(i, group) for i, group in enumerate(glowing) if group]
        # indices of those that can move or sway
        self.movers: NDArray[np.int64] = np.flatnonzero(moving)

    def blow(self, wind: 'Wind') -> None:
        """Let instances that stand upright sway from now on."""
        self._wind = wind
        self.swaying[wind.rows] = True
        self.movers = np.flatnonzero(self.moving | self.swaying)
        wind.bend(0.0, self.transform)

    def triangles(self, instance: int) -> Array:
        """Return the corners of the triangles of an instance in the world, shape (F, 3, 3)."""
        mesh, place = self.meshes[self.mesh[instance]], self.transform[instance]
        points = mesh.vertices @ place[:3, :3].T + place[:3, 3]
        return np.asarray(points[mesh.faces])

    def update(self, states: MoverStates) -> NDArray[np.int64]:
        """Update `transform` of moving instances in place; return those where it has changed."""
        self._switch(states)
        return self._place(states, self.movers)

    def trace(self, track: MoverTrack) -> Array:
        """Return the transforms of the `movers` at K times, shape (K, M, 4, 4)."""
        if self.motion is None:
            return np.repeat(self.transform[np.newaxis, self.movers], len(track.rows), axis=0)
        path = self.motion.trace(track, self.movers)
        if self._wind is not None:
            for k, time in enumerate(track.times.tolist()):
                whole = np.empty_like(self.transform)
                whole[self.movers] = path[k]
                self._wind.bend(time, whole)
                path[k] = whole[self.movers]
        return path

    def place(self, states: MoverStates) -> None:
        """Update `transform` of all instances with a body, static or not."""
        self._switch(states)
        self._place(states, np.arange(len(self.mesh)))

    def _switch(self, states: MoverStates) -> None:
        """Put lamps where they are, and switch them and what glows with them."""
        if self.lamps is None:
            return
        self.lamps.place(body_transforms(states), states.switched)
        for i, group in self._groups:
            self.glow[i] = self.lamps.is_on(group)

    def _place(self, states: MoverStates, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.motion is None or not len(rows):
            return rows[:0]
        changed = self.motion.put(states, rows, self.transform)
        if self._wind is not None:
            self._wind.bend(states.time, self.transform)
        return changed
