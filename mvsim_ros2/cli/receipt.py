# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Report of a converted robot, which is loaded, driven and used to measure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
import math
from typing import TYPE_CHECKING

from mvsim_ros2.errors import MvsimError

if TYPE_CHECKING:
    from mvsim_ros2 import Simulation
    from mvsim_ros2.world.file.urdf_import.convert import Conversion
    from mvsim_ros2.world.spec.sensors.base import SensorSpec
    from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec

SPEED, RATE = 0.5, 0.5  # m/s, rad/s; commands
SECONDS = 5.0  # of each drive
LACKING = {'m/s': 0.02, 'rad/s': 0.05}  # share by which a robot may miss its command
_NAME = 'robot'


@dataclass
class Receipt:
    """The findings, line by line, and failed checks."""

    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def receipt_of(conversion: 'Conversion', text: str, path: str) -> Receipt:
    """Return what a converted robot does in an empty world."""
    receipt = Receipt([f'drive: {conversion.drive}'])
    if conversion.slope:
        receipt.lines.append(f'climbs: {conversion.slope}')
    try:
        _fill(receipt, conversion.node.attributes['name'], text, path)
    except MvsimError as error:
        receipt.faults.append(f'it cannot be loaded: {error}')
    return receipt


def receipt_of_world(text: str, path: str, vehicles: 'Iterable[Conversion]') -> Receipt:
    """Return what a converted world holds, and what its vehicles do."""
    from mvsim_ros2.world.file.load import load_world_text
    from mvsim_ros2.world.file.report import summary
    from mvsim_ros2.world.file.urdf_import.description.xml_values import xml

    world = load_world_text(text, path, offline=True)
    receipt = Receipt([line.strip() for line in list(summary(world))[1:]])
    for vehicle in vehicles:
        name, found = vehicle.node.attributes['name'], receipt_of(vehicle, xml(vehicle.node), path)
        receipt.lines += [f'vehicle {name}', *found.lines]
        receipt.faults += [f'vehicle {name}: {fault}' for fault in found.faults]
    return receipt


def _fill(receipt: Receipt, name: str, text: str, path: str) -> None:
    from mvsim_ros2 import Simulation
    from mvsim_ros2.world.file.load import load_world_text

    world = load_world_text(
        f'<mvsim_world>{text}<vehicle name="{_NAME}" class="{name}"><init_pose>0 0 0</init_pose>'
        '</vehicle></mvsim_world>', path, offline=True)
    (vehicle,) = world.vehicles
    dynamics = vehicle.dynamics
    receipt.lines.append(_sizes(dynamics))
    if dynamics.controller.XML_CLASS == 'raw':
        receipt.lines.append('not driven: its class has no controller for velocities')
    else:
        for drive in _drives(dynamics):
            simulation = Simulation(world, sensors=False)
            _drive(receipt, simulation, *drive)
    simulation = Simulation(world)
    for sensor in vehicle.sensors:
        try:
            receipt.lines.append(_measured(simulation, sensor))
        except MvsimError as error:
            receipt.faults.append(f'sensor {sensor.name} does not measure: {error}')


def _sizes(dynamics: 'DynamicsSpec') -> str:
    wheels = dynamics.wheels
    y = [wheel.pos[1] for wheel in wheels]
    mass = dynamics.chassis.mass + sum(wheel.mass for wheel in wheels)
    driven = [wheels[k] for k in dynamics.driven_wheels]
    radii = sorted({round(wheel.radius, 4) for wheel in driven or wheels})
    return (f'mass {mass:.4g} kg, {len(wheels)} wheels, {len(driven)} driven, track '
            f'{max(y) - min(y):.4g} m, wheel radius {" and ".join(f"{r:g}" for r in radii)} m')


def _drives(dynamics: 'DynamicsSpec') -> Iterator[tuple[str, float, float, float]]:
    """Yield what a drive is called, and its command: forward, sideways [m/s], turning [rad/s]."""
    yield 'straight', SPEED, 0.0, 0.0
    if dynamics.largest_steering:
        curvature = math.tan(0.5 * dynamics.largest_steering) / abs(dynamics.reach)
        yield 'round', SPEED, 0.0, SPEED * curvature
    else:
        yield 'on the spot', 0.0, 0.0, RATE
    if dynamics.XML_CLASS in ('mecanum', 'omni'):
        yield 'sideways', 0.0, SPEED, 0.0


def _drive(receipt: Receipt, simulation: 'Simulation', what: str, forward: float, sideways: float,
           turning: float) -> None:
    """Drive and compare the velocity of the last second with the command."""
    robot = simulation.vehicles[_NAME]
    if sideways:
        robot.set_twist(forward, turning, vy=sideways)
    else:
        robot.set_twist(forward, turning)
    simulation.run(SECONDS - 1.0)
    ahead = aside = turned = 0.0
    for _ in range(10):
        before = robot.pose.yaw
        simulation.run(0.1)
        turned += math.remainder(robot.pose.yaw - before, 2.0 * math.pi)
        ahead += 0.1 * float(robot.twist_body[0])
        aside += 0.1 * float(robot.twist_body[1])
    parts = [(ahead, forward, 'm/s'), (aside, sideways, 'm/s'), (turned, turning, 'rad/s')]
    said = ', '.join(f'{got:.3f} of {wanted:.3g} {unit}' for got, wanted, unit in parts if wanted)
    receipt.lines.append(f'{what}: {said}')
    if any(wanted and abs(got / wanted - 1.0) > LACKING[unit] for got, wanted, unit in parts):
        receipt.faults.append(f'{what}: it reaches {said}')


def _measured(simulation: 'Simulation', sensor: 'SensorSpec') -> str:
    """Return a line about a sensor, with what it measures of the robot itself."""
    seen = simulation.measure(f'{_NAME}/{sensor.name}')
    counts = [getattr(sensor, name) for name in ('nrays', 'columns', 'ncols', 'rgb_ncols')
              if hasattr(sensor, name)][:1]
    counts += [getattr(sensor, name) for name in ('vert_nrays', 'nrows', 'rgb_nrows')
               if hasattr(sensor, name)][:1]
    what = '' if not counts else f', {" x ".join(map(str, counts))} ' + (
        'pixels' if hasattr(sensor, 'ncols') or hasattr(sensor, 'rgb_ncols') else 'rays')
    own = (sum(map(math.isfinite, seen.ranges.tolist())) if hasattr(seen, 'ranges') else
           len(seen.points) if hasattr(seen, 'points') else 0)
    return (f'sensor {sensor.name}: {sensor.XML_CLASS} in the frame '
            f'{sensor.frame_id or sensor.name}{what}, {1.0 / sensor.sensor_period:.4g} Hz'
            f'{f"; {own} of them meet the robot itself" if own else ""}')
