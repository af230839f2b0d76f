# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Builder of a scene from single instances."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.lamps import Lamps
from mvsim_ros2.scene.poses import Motion
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene
from mvsim_ros2.world.spec.common import Colour, MaterialSpec, PLAIN

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Thing:
    """The object that an instance belongs to, and its body."""

    number: int  # of the object
    label: str  # one of `Scene.LABELS`
    body: int = -1  # row among vehicles, then blocks, then moving objects; -1: static
    moving: bool = False
    owner: int = -1  # row of the vehicle
    reflectivity: float = Material.reflectivity  # of all its surfaces
    transmittance: float | None = None  # the same
    matter: MaterialSpec = PLAIN  # the same


@dataclass(frozen=True, eq=False)
class Mount:
    """The axis about which a part of a vehicle rotates with a wheel."""

    wheel: int  # row among the wheels of all vehicles
    place: tuple[float, float, float]  # of the axis, in the body frame [m]
    spins: bool  # False: it only steers


@dataclass(frozen=True, eq=False)
class Limb:
    """A part of a person."""

    part: int  # see `limbs.limb`
    height: float  # of the person [m]
    aside: float  # y in the body frame [m]

    @property
    def place(self) -> tuple[float, float, float]:
        """Return its row of `Motion.place`."""
        return self.height, self.aside, 0.0


@dataclass
class Parts:
    """Instances so far."""

    meshes: dict[Mesh, int] = field(default_factory=dict)
    mesh: list[int] = field(default_factory=list)
    local: list[Array] = field(default_factory=list)
    colour: list[Colour] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    sensor: list[str] = field(default_factory=list)
    mounts: list[Mount | Limb | None] = field(default_factory=list)
    casts: list[bool] = field(default_factory=list)
    groups: list[tuple[str, str] | None] = field(default_factory=list)
    sways: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: [''])

    def thing(self, name: str, label: str, body: int = -1, moving: bool = False,
              owner: int = -1, reflectivity: float = Material.reflectivity,
              transmittance: float | None = None, matter: MaterialSpec = PLAIN) -> Thing:
        """Return a new object."""
        self.names.append(name)
        return Thing(len(self.names) - 1, label, body, moving, owner, reflectivity,
                     transmittance, matter)

    def add(self, thing: Thing, mesh: Mesh, local: Array, colour: Colour = WHITE,
            mount: Mount | Limb | None = None, sensor: str = '', casts: bool = True,
            group: str = '', sways: float = 0.0) -> None:
        """
        Append an instance; a mesh without faces is left out.

        :param local: matrix (4, 4) from the mesh to the frame of the body, or of its mount, or
            to the world where it has no body.
        :param group: group of lamps of the thing with which it gives off light; '': always.
        """
        if not len(mesh.faces):
            return
        if (thing.reflectivity, thing.transmittance, thing.matter) != (
                Material.reflectivity, None, PLAIN):
            mesh = _made_of(mesh, thing.reflectivity, thing.transmittance, thing.matter)
        self.mesh.append(self.meshes.setdefault(mesh, len(self.meshes)))
        self.local.append(local)
        self.colour.append(colour)
        self.things.append(thing)
        self.mounts.append(mount)
        self.sensor.append(sensor)
        self.casts.append(casts)
        self.sways.append(sways)
        self.groups.append((self.names[thing.number], group) if group else None)

    def scene(self, lighting: Lighting, lamps: Lamps | None = None) -> Scene:
        """Return the scene, with the poses of moving objects not set yet."""
        count = len(self.mesh)
        local = np.array(self.local).reshape(count, 4, 4)
        turning = [i for i, mount in enumerate(self.mounts) if mount is not None]
        mounts = [mount for mount in self.mounts if mount is not None]
        return Scene(
            tuple(self.meshes), np.array(self.mesh, np.int32), local.copy(),
            np.array(self.colour, np.float32).reshape(count, 4),
            np.array([Scene.LABELS.index(thing.label) for thing in self.things], np.uint16),
            np.array([thing.number for thing in self.things], np.uint16), tuple(self.names),
            np.array([thing.owner for thing in self.things], np.int32), tuple(self.sensor),
            np.array([thing.moving for thing in self.things], bool), lighting,
            Motion(local, np.array([thing.body for thing in self.things], np.int64),
                   np.array(turning, np.int64),
                   np.array([getattr(mount, 'wheel', -1) for mount in mounts], np.int64),
                   np.array([mount.place for mount in mounts], float).reshape(-1, 3),
                   np.array([getattr(mount, 'spins', False) for mount in mounts], bool),
                   np.array([getattr(mount, 'part', -1) for mount in mounts], np.int64)),
            lamps, tuple(self.groups), np.array(self.casts, bool))


@lru_cache(maxsize=256)
def _made_of(mesh: Mesh, reflectivity: float, transmittance: float | None,
             matter: MaterialSpec) -> Mesh:
    """Return a mesh of another matter with the same arrays."""
    return replace(mesh, materials=tuple(
        replace(material, reflectivity=reflectivity, transmittance=transmittance,
                matter=_merged(matter, material.matter)) for material in mesh.materials))


def _merged(thing: MaterialSpec, own: MaterialSpec) -> MaterialSpec:
    """Return the matter of a thing, whose mesh may give off light of its own."""
    return thing if own.emissive is None else replace(thing, emissive=own.emissive)


def matrix(rotation: Array | None = None, place: tuple[float, float, float] = (0.0, 0.0, 0.0),
           scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Array:
    """Return the matrix that scales, then rotates, then translates, shape (4, 4)."""
    result = np.eye(4)
    result[:3, :3] = np.diag(scale) if rotation is None else rotation * scale
    result[:3, 3] = place
    return result
