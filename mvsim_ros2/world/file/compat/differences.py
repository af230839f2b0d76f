# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What in a world behaves otherwise here than in MVSim, and why."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
import math
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.tags import entries, Entry, spec_classes
from mvsim_ros2.world.file.compat.original_tags import ORIGINAL_TAGS
from mvsim_ros2.world.spec import (
    ActorSpec, CameraSpec, GnssEventSpec, ImuSpec, JointController, JointSpec, LaserSpec,
    Lidar3dSpec, OdometrySpec, PhysicsSpec, PlaneSpec, RgbdCameraSpec, Source, Spec,
    TwistIdealController, VehicleSpec, VerticalPlaneSpec, WorldSpec)


@dataclass(frozen=True)
class Difference:
    """A rule: where what holds, it behaves otherwise."""

    spec: type
    holds: Callable[[Any], bool]
    tag: str  # that it is about, '' for the whole
    text: str  # how it is here, why, and what makes it as in the original


DIFFERENCES = (
    Difference(
        PhysicsSpec, lambda spec: spec.mode == 'physical', 'mode',
        'wheels have the loads, slips and slopes of a real vehicle, solved with the step; '
        '<physics mode="mvsim"/> or --physics mvsim selects the equations of MVSim'),
    Difference(
        OdometrySpec, lambda spec: spec.source_kind == 'wheels', 'source',
        'odometry comes from the wheels, with slip and growing errors; source="motion" uses the '
        'true motion, as MVSim does'),
    Difference(
        VehicleSpec, lambda spec: spec.init_twist != (0.0, 0.0, 0.0), 'init_vel',
        'it is in the frame of the vehicle, and the wheels roll accordingly; MVSim ignores it or '
        'uses the frame of the world'),
    Difference(
        TwistIdealController, lambda spec: True, '',
        'in mode `physical` the vehicle follows its arc exactly and stops at walls; in MVSim, and '
        'in mode `mvsim`, it drifts sideways by v w dt in each step'),
    Difference(
        JointController, lambda spec: True, '',
        'the controller manager is a separate process, with topic_based_ros2_control; the node '
        'ignores cmd_vel, and still publishes odom: set publish_odom_tf to false'),
    Difference(
        LaserSpec, lambda spec: spec.fov > 2.0 * math.pi - 1e-6 and not spec.closed_circle,
        'fov_degrees',
        'a full circle has no ray twice; closed_circle repeats the first one, as MVSim does'),
    Difference(
        LaserSpec, lambda spec: True, 'max_range',
        'a ray without a hit is +inf (REP-117), not the largest range; intensities are set'),
    Difference(
        LaserSpec, lambda spec: bool(spec.raytrace_3d), 'raytrace_3d',
        'each ray is cast exactly; MVSim samples a depth image of 500 columns'),
    Difference(
        Lidar3dSpec, lambda spec: spec.rolling, 'rolling',
        'columns fire over the period, and points have a time; rolling="false" fires all at once, '
        'as MVSim does'),
    Difference(
        Lidar3dSpec, lambda spec: spec.layout != 'mvsim', 'layout',
        'fields of points are those of the drivers; layout="mvsim" has those of MVSim'),
    Difference(
        CameraSpec, lambda spec: spec.pose == CameraSpec.pose, 'pose',
        'by default the picture is upright; in MVSim it is upside down'),
    Difference(
        RgbdCameraSpec, lambda spec: spec.sense_depth, 'sense_depth',
        'depths are in the optical frame, in whole millimetres by default; missing ones are NaN '
        'or 0'),
    Difference(
        ImuSpec, lambda spec: True, '',
        'acceleration is the specific force at the sensor, with gravity (REP-145), and '
        'covariances are those of the noise'),
    Difference(
        GnssEventSpec, lambda spec: spec.outage, 'outage',
        'the node publishes a message without a fix (status -1); MVSim publishes none'),
    Difference(
        PlaneSpec, lambda spec: isinstance(spec, VerticalPlaneSpec) and (
            spec.init_pose != Pose() or spec.animation is not None), 'init_pose',
        'it also moves the solid wall; in MVSim it moves only the drawn one'),
    Difference(
        JointSpec, lambda spec: spec.min_length > 0.0, 'min_length',
        'it acts only if equal to max_length, which makes a bar'),
    Difference(
        ActorSpec, lambda spec: bool(spec.visuals), 'visual',
        'the figure moves as a whole; animations of its mesh are not played'),
)


@dataclass(frozen=True)
class Finding:
    """Something of a world that is otherwise here."""

    source: Source
    text: str

    def __str__(self) -> str:
        """Return one line."""
        return f'{self.source}: {self.text}' if self.source.file else self.text


def differences(world: WorldSpec) -> Iterator[Finding]:
    """
    Yield what of a world behaves otherwise than in MVSim, and what MVSim does not know.

    Tags without effect are warnings of the loading and not repeated.
    """
    found: set[tuple[str, str]] = set()

    def new(source: Source, text: str) -> Iterator[Finding]:
        if (source.file, text) not in found:
            found.add((source.file, text))
            yield Finding(source, text)

    for part, source in parts_of(world):
        kind = titles().get(type(part), '')
        absent = '' if part.source.file else ', by default'
        for rule in DIFFERENCES:
            if isinstance(part, rule.spec) and rule.holds(part):
                where = f'<{kind}>' + (f' {rule.tag}' if rule.tag else '')
                yield from new(source, f'{where}{absent}: {rule.text}')
        for entry in given(part):
            if not is_original(type(part), entry) and (
                    entry.tag.kind not in ('spec', 'specs') or type(part) is not WorldSpec):
                yield from new(
                    source, f'<{kind}> {entry.names[0]}: an addition, which MVSim ignores or '
                    'rejects')


@cache
def titles() -> dict[type, str]:
    """Return the titles of all spec classes, those of `ORIGINAL_TAGS` for what MVSim has."""
    found: dict[type, str] = {}
    for spec, names in spec_classes().items():
        own = getattr(spec, 'XML_CLASS', '')
        known = [f'{name} {own}'.strip() for name in names]
        title = next((each for each in known if each in ORIGINAL_TAGS), known[0])
        found[spec] = title
    return found


def is_original(spec: type, entry: Entry) -> bool:
    """Return whether MVSim knows a tag too."""
    title = titles().get(spec, '')
    if title == 'waypoint':  # those of actors and those of trajectories
        return True
    return any(name in ORIGINAL_TAGS.get(title, ()) for name in entry.names)


def parts_of(thing: Any, within: Source = Source()) -> Iterator[tuple[Any, Source]]:
    """
    Yield a spec and all specs in it, each with its place: without a tag that of its holder.

    :param within: place of the holder of this one.
    """
    place = getattr(thing, 'source', within)
    place = place if place.file else within
    yield thing, place
    for item in fields(thing):
        value = getattr(thing, item.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Spec):
                yield from parts_of(each, place)


def given(spec: Any) -> Iterator[Entry]:
    """Yield the tags of a spec that have other values than by default."""
    kind: Any = type(spec)
    for item in fields(spec):
        entry = next((each for each in entries(kind) if each.field == item.name), None)
        if entry is not None and getattr(spec, item.name) != item.default:
            yield entry
