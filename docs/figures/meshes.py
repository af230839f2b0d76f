# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Triangles for the models of worlds/, as OBJ files."""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MODELS = Path(__file__).resolve().parents[2] / 'worlds' / 'models'
CUBE = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


class Model:
    """Triangles of an OBJ file."""

    def __init__(self, materials: str) -> None:
        self.lines = [f'mtllib {materials}']
        self.count = 0

    def revolve(self, material: str, profile: tuple[tuple[float, float], ...], sides: int,
                wobble: float = 0.0, at: tuple[float, float] = (0.0, 0.0)) -> None:
        """Add a body of revolution: radius and height from foot to top [m]."""
        random = np.random.default_rng(len(self.lines))
        self.lines.append(f'usemtl {material}')
        for row, (radius, height) in enumerate(profile):
            for side in range(sides):
                angle = 2 * math.pi * (side + 0.5 * (row % 2)) / sides
                r = radius * (1.0 + wobble * random.uniform(-1, 1))
                self.lines.append(f'v {at[0] + r * math.cos(angle):.3f} '
                                  f'{at[1] + r * math.sin(angle):.3f} {height:.3f}')
        first = self.count + 1
        for row in range(len(profile) - 1):
            for side in range(sides):
                a, b = first + row * sides + side, first + row * sides + (side + 1) % sides
                c, d = a + sides, b + sides
                self.lines += [f'f {a} {b} {d}', f'f {a} {d} {c}']
        self.count += sides * len(profile)

    def box(self, material: str, x: tuple[float, float], y: tuple[float, float],
            z: tuple[float, float]) -> None:
        """Add a box between two numbers on each axis [m]."""
        self.lines.append(f'usemtl {material}')
        corners = [f'v {a:.3f} {b:.3f} {c:.3f}' for c in z for b in y for a in x]
        for face in CUBE:  # each with corners of its own, or edges would look round
            self.lines += [corners[corner] for corner in face]
            a, b, c, d = range(self.count + 1, self.count + 5)
            self.lines += [f'f {a} {b} {c}', f'f {a} {c} {d}']
            self.count += 4

    def triangles(self, material: str, corners: Array) -> None:
        """Add triangles of their own corners, shape (n, 3, 3) [m]."""
        self.lines.append(f'usemtl {material}')
        self.lines += [f'v {x:.3f} {y:.3f} {z:.3f}' for x, y, z in corners.reshape(-1, 3)]
        self.lines += [f'f {i} {i + 1} {i + 2}' for i in range(
            self.count + 1, self.count + 3 * len(corners), 3)]
        self.count += 3 * len(corners)

    def branch(self, material: str, foot: Array, tip: Array, thick: float, thin: float) -> None:
        """Add a tapered branch with five sides."""
        along = (tip - foot) / np.linalg.norm(tip - foot)
        side = np.cross(along, (0.3, 0.9, 0.2))
        side /= np.linalg.norm(side)
        angle = 2 * np.pi * np.arange(6)[:, None] / 5
        ring = np.cos(angle) * side + np.sin(angle) * np.cross(along, side)
        low, high = foot + thick * ring, tip + thin * ring
        self.triangles(material, np.concatenate([
            np.stack([low[:-1], low[1:], high[1:]], 1),
            np.stack([low[:-1], high[1:], high[:-1]], 1)]))

    def leaves(self, materials: tuple[str, ...], places: Array, away: Array, size: float,
               random: np.random.Generator) -> None:
        """
        Add leaves, each a bent rhombus, so that light and rays pass between them.

        :param places: of their middles, shape (n, 3) [m].
        :param away: unit vectors about which their faces scatter, shape (n, 3).
        """
        normal = away + random.normal(0.0, 0.6, places.shape)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        along = np.cross(normal, random.normal(size=places.shape))
        along /= np.linalg.norm(along, axis=1)[:, None]
        aside = np.cross(normal, along)
        length = size * random.uniform(0.7, 1.3, (len(places), 1))
        ends = [places + 0.5 * length * along, places - 0.5 * length * along]
        sides = [places + 0.3 * sign * length * aside - 0.1 * length * normal for sign in (1, -1)]
        both = np.stack([np.stack([ends[0], sides[0], ends[1]], 1),
                         np.stack([ends[0], ends[1], sides[1]], 1)], 1)
        kind = random.integers(len(materials), size=len(places))
        for number, material in enumerate(materials):
            self.triangles(material, both[kind == number].reshape(-1, 3, 3))

    def save(self, name: str) -> None:
        """Write the file."""
        (MODELS / name).write_text('\n'.join(self.lines) + '\n')


def grow(tree: Model, random: np.random.Generator, bark: str, foliage: tuple[str, ...],
         trunk: tuple[float, float, float], crown: tuple[float, float, float],
         limbs: int, count: int, size: float) -> None:
    """
    Add a broad-leaved tree: trunk, branches, and leaves about the ends of these.

    :param trunk: height of the first branch and of the top, and radius at the foot [m].
    :param crown: radius, height of the middle and half the height of the crown [m].
    :param limbs: number of branches.
    :param count: number of leaves, of a size [m].
    :param foliage: materials of the inside of the crown, then of leaves.
    """
    fork, top, thick = trunk
    radius, middle, half = crown
    tree.revolve(bark, ((1.4 * thick, -0.3), (thick, 0.3), (0.75 * thick, fork),
                        (0.35 * thick, top)), 8, 0.06)
    tips = []
    for k in range(limbs):
        share = (k + 0.5) / limbs
        angle = 2.4 * k + random.uniform(-0.3, 0.3)
        z = middle + half * (1.6 * share - 0.7)
        out = radius * math.sqrt(max(0.15, 1.0 - ((z - middle) / half) ** 2)) * random.uniform(
            0.55, 0.8)
        tip = np.array([out * math.cos(angle), out * math.sin(angle), z])
        foot = np.array([0.0, 0.0, fork + (top - fork) * 0.8 * share])
        tree.branch(bark, foot, tip, 0.35 * thick, 0.1 * thick)
        tips.append(tip)
    bush = 0.36 * radius
    for tip in tips:  # what is dense; leaves are on its surface
        low, high = float(tip[2] - 0.8 * bush), float(tip[2] + 0.75 * bush)
        tree.revolve(foliage[0], (
            (0.0, low), (0.6 * bush, low + 0.35 * bush), (0.84 * bush, low + 0.9 * bush),
            (0.55 * bush, high - 0.3 * bush), (0.0, high)), 9, 0.2, (float(tip[0]), float(tip[1])))
    away = random.normal(size=(count, 3)) * (1.0, 1.0, 0.9)
    away /= np.linalg.norm(away, axis=1)[:, None]
    places = np.array(tips)[random.integers(limbs, size=count)] + away * (
        bush * random.uniform(0.7, 1.12, (count, 1)))
    tree.leaves(foliage[1:], places, away, size, random)


def save_materials(name: str, colours: dict[str, str]) -> None:
    """Write a material file: red, green and blue of each material."""
    (MODELS / name).write_text('\n'.join(
        f'newmtl {material}\nKd {colour}' for material, colour in colours.items()) + '\n')
