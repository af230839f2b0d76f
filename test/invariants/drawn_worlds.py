# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that Hypothesis draws: a vehicle that rolls towards something."""

from dataclasses import dataclass
import math

from hypothesis import strategies as st
from traces import observed

from mvsim_ros2 import Simulation
from mvsim_ros2.world.file.load import load_world_text

WHEELS = {
    'hard': '', 'springy tyres': 'tyre_stiffness="{k}" tyre_damping="{c}"',
    'suspension': 'tyre_stiffness="{k}" tyre_damping="{c}" suspension_stiffness="{s}" '
                  'suspension_damping="{d}" suspension_travel="{t}"'}


@dataclass(frozen=True)
class Size:
    """A vehicle with four wheels."""

    mass: float  # kg, of the chassis
    wheel: float  # kg
    radius: float  # m
    base: float  # m, half
    track: float  # m, half
    length: float  # m, half
    low: float  # m; underside and upper side of the chassis
    high: float


SIZES = {'robot': Size(15.0, 0.6, 0.1, 0.2, 0.2, 0.28, 0.07, 0.3),
         'car': Size(900.0, 20.0, 0.3, 1.25, 0.7, 1.9, 0.25, 1.3)}


@dataclass(frozen=True)
class Scene:
    """One drawn world; `text` is what `load_world_text` takes."""

    size: str
    wheels: str
    ground: str
    height: float  # of the step, kerb, table, ramp or hill over the radius of a wheel
    speed: float  # m/s
    yaw: float  # rad, of the way against the edge
    friction: float

    def text(self, dt: float, shift: float = 0.0, turn: float = 0.0) -> str:
        """
        Return the content of the world.

        :param dt: step [s].
        :param shift: of the start along the way [m].
        :param turn: of it about the vertical [rad].
        """
        s = SIZES[self.size]
        weight = 9.81 * (s.mass / 4.0 + s.wheel)
        k, spring = weight / (0.04 * s.radius), weight / (0.5 * s.radius)
        options = WHEELS[self.wheels].format(
            k=k, c=0.1 * math.sqrt(k * s.mass), s=spring, d=0.3 * math.sqrt(spring * s.mass),
            t=0.8 * s.radius)
        wheels = ''.join(
            f'<{name}_wheel pos="{x} {y}" mass="{s.wheel}" width="{0.4 * s.radius}" '
            f'diameter="{2.0 * s.radius}" {options}/>' for name, x, y in (
                ('lr', -s.base, s.track), ('rr', -s.base, -s.track), ('lf', s.base, s.track),
                ('rf', s.base, -s.track)))
        half = s.track - 0.4 * s.radius
        shape = ''.join(f'<pt>{x} {y}</pt>' for x, y in (
            (-s.length, -half), (s.length, -half), (s.length, half), (-s.length, half)))
        things, z = self.things(s)
        way = s.length + 0.5 + shift
        x, y, yaw = -way * math.cos(self.yaw), -way * math.sin(self.yaw), self.yaw + turn
        return (
            f'<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>{things}'
            f'<vehicle name="r"><init_pose3d>{x} {y} {z} {math.degrees(yaw)} 0 0</init_pose3d>'
            f'<init_vel>{self.speed} 0 0</init_vel><dynamics class="differential_4_wheels">'
            f'{wheels}<chassis mass="{s.mass}" zmin="{s.low}" zmax="{s.high}"><shape>{shape}'
            '</shape></chassis><controller class="raw"/></dynamics><friction class="default">'
            f'<mu>{self.friction}</mu><C_damping>0</C_damping></friction></vehicle>'
            '</mvsim_world>')

    def things(self, s: Size) -> tuple[str, float]:
        """Return what the vehicle meets at x = 0, and the height from which it comes."""
        height = self.height * s.radius
        if self.ground == 'table':
            return block(-20.0, 0.0, height), height
        if self.ground in ('kerb', 'wall'):
            return block(0.0, 20.0, height if self.ground == 'kerb' else 2.0 * s.high), 0.0
        if self.ground == 'plank':
            return block(0.0, 4.0 * s.length, height, s), 0.0
        if self.ground == 'sledge':
            return block(-20.0, 0.0, height, s), height
        if self.ground == 'ramp':
            run = max(3.0 * height, 4.0 * s.base)
            return ('<block name="b"><init_pose>0 0 0</init_pose><static>true</static>'
                    f'<geometry type="ramp" lx="{run}" ly="40" lz="{height}"/><shape_from_visual/>'
                    '</block>'), 0.0
        if self.ground == 'hill':
            cell, rows = 2.0 * s.radius, 120
            heights = '; '.join(' '.join(
                f'{height * (1.0 - math.cos(0.3 * max(i - 60, 0))):.6f}' for _ in range(rows))
                for i in range(rows))
            return ('<element class="elevation_map"><elevation_data_matrix>'
                    f'[{heights}]</elevation_data_matrix><resolution>{cell}</resolution>'
                    '</element>'), 0.0
        if self.ground == 'lift':
            return ('<element class="horizontal_plane" name="lift"><x_min>-20</x_min><x_max>20'
                    '</x_max><y_min>-20</y_min><y_max>20</y_max><animation type="keyframes">'
                    '<time_pose3d>0 0 0 0 0 0 0</time_pose3d><time_pose3d>1 0 0 '
                    f'{height} 0 0 0</time_pose3d><time_pose3d>2 0 0 0 0 0 0</time_pose3d>'
                    '</animation></element>'), 0.0
        return '<element class="horizontal_plane"/>', 0.0

    def simulation(self, dt: float, shift: float = 0.0, turn: float = 0.0) -> Simulation:
        """Return it ready to run, with an ideal IMU on the vehicle."""
        return Simulation(observed(load_world_text(self.text(dt, shift, turn), 'a string')))


def block(start: float, end: float, height: float, loose: Size | None = None) -> str:
    """
    Return a block between two places along x that wheels can stand on.

    :param loose: of a vehicle that has a fifth of its mass; None: it never moves.
    """
    shape = ''.join(f'<pt>{x} {y}</pt>' for x, y in (
        (start, -20), (end, -20), (end, 20), (start, 20)))
    kind = f'<mass>{5.0 * loose.mass}</mass>' if loose else '<static>true</static>'
    return (f'<block name="b"><init_pose>0 0 0</init_pose>{kind}<shape>{shape}'
            f'</shape><zmax>{height}</zmax></block>')


GROUNDS = 'flat', 'kerb', 'table', 'ramp', 'hill', 'wall', 'lift', 'plank', 'sledge'
STEPS = st.sampled_from([0.001, 0.002, 0.005, 0.01, 0.02])


def scenes(*grounds: str) -> st.SearchStrategy[Scene]:
    """Return the scenes on some kinds of ground."""
    return st.builds(
        Scene, st.sampled_from([*SIZES]), st.sampled_from([*WHEELS]), st.sampled_from(grounds),
        height=st.sampled_from([0.1, 0.3, 0.6, 1.5, 4.0]),
        speed=st.sampled_from([0.5, 1.0, 2.0, 4.0]), yaw=st.sampled_from([0.0, 0.1, 0.5]),
        friction=st.sampled_from([0.3, 0.8]))
