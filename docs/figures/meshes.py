# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Triangles for the models of worlds/, as OBJ files."""

import math
from pathlib import Path

import numpy as np

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

    def save(self, name: str) -> None:
        """Write the file."""
        (MODELS / name).write_text('\n'.join(self.lines) + '\n')


def save_materials(name: str, colours: dict[str, str]) -> None:
    """Write a material file: red, green and blue of each material."""
    (MODELS / name).write_text('\n'.join(
        f'newmtl {material}\nKd {colour}' for material, colour in colours.items()) + '\n')
