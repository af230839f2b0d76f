# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run gives, step by step, and how far it is from the invariants of any motion."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors import ImuSample
from mvsim_ros2.world.spec import ImuSpec, VehicleSpec, WorldSpec
from mvsim_ros2.world.spec.solids import vehicle_footprint

Array = NDArray[np.float64]
IMU = ImuSpec(name='ideal', angular_velocity_white_noise=0.0, linear_acceleration_white_noise=0.0)


def observed(world: WorldSpec) -> WorldSpec:
    """Return a world in which each vehicle has an ideal IMU, read each step, and nothing else."""
    imu = replace(IMU, sensor_period=world.timestep)
    return replace(world, vehicles=tuple(
        replace(vehicle, sensors=(imu,)) for vehicle in world.vehicles))


@dataclass(frozen=True)
class Trace:
    """One vehicle at the end of each step, the start first."""

    vehicle: VehicleSpec
    dt: float  # s
    gravity: float  # m/s^2
    pose: Array  # (n, 6): x y z yaw pitch roll
    velocity: Array  # (n, 3): of the reference point in the world [m/s]
    rate: Array  # (n, 3): in body axes [rad/s]
    force: Array  # (n, 3): specific force by the IMU, in body axes [m/s^2]
    gyro: Array  # (n, 3): angular velocity by the IMU [rad/s]
    spin: Array  # (n, wheels) [rad/s]
    depth: Array  # (n,): of the deepest corner of the chassis below the ground [m]

    @property
    def rotation(self) -> Array:
        """Return the rotations from body axes to the world, shape (n, 3, 3)."""
        return np.array([rotation_matrix(*angles) for angles in self.pose[:, 3:]])


def lowest_points(vehicle: VehicleSpec) -> Array:
    """
    Return points below the chassis in the body frame, shape (n, 3).

    2 % inwards from its corners: what touches the side of a block is not in it.
    """
    footprint = vehicle_footprint(vehicle)
    return np.array([(0.98 * x, 0.98 * y, footprint.zmin) for x, y in footprint.polygon])


def traced(simulation: Simulation, seconds: float,
           before_step: Callable[[float], None] = lambda time: None) -> dict[str, Trace]:
    """
    Run a simulation and return what each vehicle does.

    :param before_step: called with the time before each step.
    """
    found: dict[str, list[tuple[Array, ...]]] = {name: [] for name in simulation.vehicles}
    corners = {name: lowest_points(each.spec) for name, each in simulation.vehicles.items()}

    def look(samples: dict[str, ImuSample]) -> None:
        for name, vehicle in simulation.vehicles.items():
            pose, twist = np.array([*vars(vehicle.pose).values()]), vehicle.twist_in_space
            rotation = rotation_matrix(*pose[3:])
            sample = samples[f'{name}/{IMU.name}']
            wheels = vehicle.wheels
            points = corners[name] @ rotation.T + pose[:3]
            depth = max(simulation.ground_at(x, y, z + 0.2) - z for x, y, z in points.tolist())
            found[name].append((
                pose, rotation @ twist[:3], twist[3:], sample.linear_acceleration,
                sample.angular_velocity, np.array(wheels['omega']), np.array(depth)))
    names = [f'{name}/{IMU.name}' for name in simulation.vehicles]
    look({name: simulation.measure(name) for name in names})
    for _ in range(round(seconds / simulation.dt)):
        before_step(simulation.time)
        look({each.sensor: each for each in simulation.step()})
    return {name: Trace(simulation.vehicles[name].spec, simulation.dt, simulation.world.gravity,
                        *(np.array(column) for column in zip(*rows, strict=True)))
            for name, rows in found.items()}


def rotation_vectors(rotations: Array) -> Array:
    """Return axis times angle of rotations (n, 3, 3), in the frame before each [rad]."""
    skew = np.stack([rotations[:, 2, 1] - rotations[:, 1, 2],
                     rotations[:, 0, 2] - rotations[:, 2, 0],
                     rotations[:, 1, 0] - rotations[:, 0, 1]], axis=1)
    sine = 0.5 * np.linalg.norm(skew, axis=1)
    cosine = 0.5 * (np.trace(rotations, axis1=1, axis2=2) - 1.0)
    angle = np.arctan2(sine, cosine)
    return 0.5 * skew * (angle / np.maximum(sine, 1e-12))[:, None]


def from_segment(point: Array, one: Array, other: Array) -> Array:
    """Return how far points are from segments, rows of (n, 3)."""
    along = other - one
    share = np.sum((point - one) * along, axis=1) / np.maximum(np.sum(along ** 2, axis=1), 1e-12)
    return np.linalg.norm(point - one - np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)


def derivative_errors(trace: Trace) -> tuple[Array, Array]:
    """
    Return how far the change of the pose in each step is from the twist, shape (n - 1,).

    Of the twists before and after the step and those between them the nearest counts: which one an
    integrator takes is its own affair, and an impact may be anywhere in a step.

    :returns: of position [m/s], and of attitude [rad/s].
    """
    moved = np.diff(trace.pose[:, :3], axis=0) / trace.dt
    rotation = trace.rotation
    turned = rotation_vectors(np.swapaxes(rotation[:-1], 1, 2) @ rotation[1:]) / trace.dt
    return (from_segment(moved, trace.velocity[:-1], trace.velocity[1:]),
            from_segment(turned, trace.rate[:-1], trace.rate[1:]))


def imu_errors(trace: Trace) -> tuple[Array, Array]:
    """
    Return how far what an IMU adds up to is from the true motion, shape (n - 1,).

    The accelerometer is turned by the true attitude and summed up to a velocity; the gyroscope is
    compared with the true rate, or the mean one of the step, whichever is nearer.

    :returns: [m/s], [rad/s].
    """
    world = np.einsum('nij,nj->ni', trace.rotation, trace.force)
    world[:, 2] -= trace.gravity
    summed = trace.velocity[0] + trace.dt * np.cumsum(world[1:], axis=0)
    turned = rotation_vectors(np.swapaxes(trace.rotation[:-1], 1, 2) @ trace.rotation[1:])
    return (np.linalg.norm(summed - trace.velocity[1:], axis=1),
            np.minimum(*(np.linalg.norm(trace.gyro[1:] - true, axis=1)
                         for true in (trace.rate[1:], turned / trace.dt))))


def mechanical_energy(trace: Trace) -> Array:
    """
    Return the mechanical energy but for that of springs, shape (n,) [J].

    The body is a box around its chassis with the wheels as points on their hubs.
    """
    chassis, wheels = trace.vehicle.dynamics.chassis, trace.vehicle.dynamics.wheels
    footprint = vehicle_footprint(trace.vehicle)
    low, high = np.array(footprint.polygon).min(axis=0), np.array(footprint.polygon).max(axis=0)
    sizes = np.array([*(high - low), footprint.zmax - footprint.zmin])
    middle = np.array([*(0.5 * (low + high)), 0.5 * (footprint.zmin + footprint.zmax)])
    masses = np.array([chassis.mass, *(wheel.mass for wheel in wheels)])
    places = np.array([middle, *((*wheel.pos[:2], 0.5 * wheel.diameter) for wheel in wheels)])
    mass = masses.sum()
    centre = masses @ places / mass
    square = np.sum(sizes ** 2) - sizes ** 2
    inertia = chassis.mass / 12.0 * np.diag(square)
    for each, place in zip(masses, places - centre, strict=True):
        inertia += each * (place @ place * np.eye(3) - np.outer(place, place))
    rotation = trace.rotation
    arm = rotation @ centre
    speed = trace.velocity + np.einsum('nij,nj->ni', rotation, np.cross(trace.rate, centre))
    spins = np.array([0.25 * wheel.mass * (0.5 * wheel.diameter) ** 2 for wheel in wheels])
    return np.asarray(
        0.5 * mass * np.sum(speed ** 2, axis=1) + trace.spin ** 2 @ spins
        + 0.5 * np.einsum('ni,ij,nj->n', trace.rate, inertia, trace.rate)
        + mass * trace.gravity * (trace.pose[:, 2] + arm[:, 2]))


def spring_energy(vehicle: VehicleSpec, gravity: float) -> float:
    """Return the energy that the equally loaded springs of a vehicle at rest can give away [J]."""
    wheels = vehicle.dynamics.wheels
    weight = gravity * (vehicle.dynamics.chassis.mass + sum(wheel.mass for wheel in wheels))
    return sum((weight / len(wheels)) ** 2 / (2.0 * k) for wheel in wheels
               for k in (wheel.tyre_stiffness, wheel.suspension_stiffness) if k > 0.0)
