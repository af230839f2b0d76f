# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recorded runs as frames: the first with its world, the others as ghosts in it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.scene.build import build_scene, first_states
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.window.replay.recorded import Recording, Track
from mvsim_ros2.world.spec.actor import ActorSpec, stride_length
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_GHOST = 0.4  # opacity
_STEP = 0.05  # s over which speeds are averaged
_STANDS = 0.03  # heights per second; slower people stand


class Playback:
    """
    Makes frames of recordings.

    Blocks, people and doors move as in the first recording, if it has their motion, as bags of
    this package do. Otherwise they keep their initial poses.
    """

    def __init__(self, recordings: Sequence[Recording]) -> None:
        """Put the vehicles of all recordings into the world of the first one."""
        self.recordings = tuple(recordings)
        first = recordings[0]
        self.start = min(each.start for each in recordings)
        self.end = max(each.end for each in recordings)
        self._cast: list[tuple[VehicleSpec, Track | None]] = [
            (vehicle, first.tracks.get(vehicle.name)) for vehicle in first.world.vehicles]
        solid = len(self._cast)
        self._ghosts = [0] * solid  # 0 for what is none
        for number, other in enumerate(recordings[1:], 2):
            specs = {vehicle.name: vehicle for vehicle in other.world.vehicles}
            label = other.label or number
            self._cast += [(replace(specs[name], name=f'{name} ({label})'), track)
                           for name, track in other.tracks.items()]
            self._ghosts += [number - 1] * len(other.tracks)
        self.world = replace(first.world, vehicles=tuple(spec for spec, _ in self._cast))
        self._scene: Scene = build_scene(self.world, world_footprints(self.world))
        self._scene.colour[self._scene.owner >= solid, 3] *= _GHOST
        self._gaits = {row: _gait(first.figures[row], actor)
                       for row, actor in enumerate(self.world.actors) if row in first.figures}
        self._first = first_states(self.world, self.world.vehicles, self.world.blocks)

    @property
    def estimated(self) -> bool:
        """Return whether estimated trajectories are among them."""
        return any(each.label for each in self.recordings)

    def at_start(self) -> Simulation:
        """Return a simulation of the world of the first recording, without sensors."""
        return Simulation(self.recordings[0].world, sensors=False)

    def frame(self, time: float, with_scene: bool = False, running: bool = False,
              speed: float = 0.0) -> Frame:
        """Return the frame at a time [s]; the first one is to have the scene."""
        first, wheel, states = self._first, 0, {}
        poses, angles, steers = (rows.copy() for rows in (
            first.vehicles, first.wheel_angle, first.wheel_steer))
        for row, (spec, track) in enumerate(self._cast):
            wheels = slice(wheel, wheel + len(spec.dynamics.wheels))
            wheel = wheels.stop
            now = None if track is None else track.at(time)
            if now is not None:
                poses[row] = now.poses[0]
                if now.angles is not None:
                    angles[wheels] = now.angles[0]
                if now.steers is not None:
                    steers[wheels] = now.steers[0] + [
                        each.pos[2] for each in spec.dynamics.wheels]
            states[spec.name] = replace(_state(spec, track, now, poses[row], time),
                                        ghost=self._ghosts[row])
        blocks, figures, gait = self._movers(time)
        return Frame(
            time, MoverStates(poses, steers, angles, blocks, figures, {}, gait, time), states,
            {block.name: Pose(*blocks[row].tolist())
             for row, block in enumerate(self.world.blocks)},
            {actor.name: Pose(*figures[row].tolist())
             for row, actor in enumerate(self.world.actors)},
            self.recordings[0].last_seen(time), self._scene if with_scene else None, running,
            speed)

    def _movers(self, time: float) -> tuple[Array, Array, Array]:
        """Return where blocks and figures were, (n, 6) and (m, 6), and their gait, (m, 2)."""
        recording = self.recordings[0]
        blocks, figures = self._first.blocks.copy(), self._first.figures.copy()
        gait = np.zeros((len(figures), 2))
        for row, block in enumerate(self.world.blocks):
            if block.name in recording.blocks:
                blocks[row] = recording.blocks[block.name].at(time).poses[0]
        for row, track in recording.figures.items():
            if row < len(figures):
                figures[row] = track.at(time).poses[0]
        for row, (times, phase, stride) in self._gaits.items():
            gait[row] = np.interp(time, times, phase), np.interp(time, times, stride)
        return blocks, figures, gait


def _gait(track: Track, actor: ActorSpec) -> tuple[Array, Array, Array]:
    """Return times, phases [rad] and strides of somebody by the way walked, shape (n,) each."""
    way = np.hypot(*np.diff(track.poses[:, :2], axis=0).T) / actor.height
    speed = way / np.maximum(np.diff(track.times), 1e-9)
    stride = np.where(speed > _STANDS, stride_length(np.maximum(speed, _STANDS)), 0.0)
    phase = np.cumsum(2.0 * np.pi * way / np.where(stride > 0.0, stride, np.inf))
    stride = np.append(stride, 0.0)
    if actor.posture == 'sit':
        stride[stride == 0.0] = -1.0
    return track.times, np.append(0.0, phase), stride


def _state(spec: VehicleSpec, track: Track | None, now: Track | None, pose: Array,
           time: float) -> VehicleState:
    """Return the state of a vehicle; its speed from where it was a moment before."""
    twist, believed = np.zeros(3), None
    if track is not None and now is not None:
        before = track.at(time - _STEP).poses[0]
        moved = (pose - before) / _STEP
        cosine, sine = np.cos(pose[3]), np.sin(pose[3])
        turn = (pose[3] - before[3] + np.pi) % (2 * np.pi) - np.pi
        twist = np.array([cosine * moved[0] + sine * moved[1],
                          cosine * moved[1] - sine * moved[0], turn / _STEP])
        if now.believed is not None:
            x, y, yaw = now.believed[0].tolist()
            believed = x, y, yaw
    return VehicleState(spec, Pose(*pose.tolist()), twist, (0.0, 0.0, 0.0), believed)
