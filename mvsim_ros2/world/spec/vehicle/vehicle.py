# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import AnimationSpec, publishes, PublishSpec, VisualSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused
from mvsim_ros2.world.spec.lights import LightGroupSpec, repeated_groups, switched_lamps
from mvsim_ros2.world.spec.sensors.base import GROUP, own_sensor_specs, SensorSpec
from mvsim_ros2.world.spec.tyres import DefaultTyre, TYRES, TyreSpec
from mvsim_ros2.world.spec.vehicle.classes import DYNAMICS
from mvsim_ros2.world.spec.vehicle.dynamics import DifferentialSpec, DynamicsSpec


_GRAVITY = 9.81  # m/s^2
_USUAL_SPEED = 0.5  # m/s; what does not reach it is hardly meant


@dataclass(frozen=True)
class OdometrySpec(Spec):
    """
    Error of the odometry that a vehicle publishes (`<odometry>`).

    The multipliers are systematic errors, the `_std_noise` values random walks. After a path s
    and a turned angle a, the standard deviation of the distance is ``linear_std_noise * sqrt(s)``,
    of the heading ``sqrt(yaw_std_noise^2 * a + yaw_drift_std_noise^2 * s)``.
    """

    source_kind: str = tag(
        'text', 'wheels', name='source', attribute=True, choices=('wheels', 'motion'),
        doc='`wheels`: from the spin of the wheels, including slip; `motion`: from the true '
            'motion of the body, as in MVSim')
    x_multiplier: float = tag('float', 1.0, attribute=True, doc='factor of forward motion')
    y_multiplier: float = tag('float', 1.0, attribute=True, doc='factor of sideways motion')
    yaw_multiplier: float = tag('float', 1.0, attribute=True, doc='factor of turning')
    linear_std_noise: float = tag('float', 0.01, unit='m/sqrt(m)', attribute=True, minimum=0,
                                  doc='random walk of the distance')
    yaw_std_noise: float = tag('float', 0.01, unit='rad/sqrt(rad)', attribute=True, minimum=0,
                               doc='random walk of the heading with turning')
    yaw_drift_std_noise: float = tag('float', 0.005, unit='rad/sqrt(m)', attribute=True, minimum=0,
                                     doc='random walk of the heading with distance')


@dataclass(frozen=True)
class VehicleSpec(Spec):
    """A vehicle (`<vehicle>`), or a class of them (`<vehicle:class>`)."""

    name: str = tag('name', '', attribute=True, doc='unique name; default: veh1, veh2 ...')
    class_name: str = tag(
        'name', '', name='class', attribute=True, doc='class from which it inherits tags')
    urdf: str = tag('text', '', attribute=True,
                    doc='robot description, URDF or xacro, for everything that is not set here')
    urdf_args: str = tag(
        'text', '', attribute=True, doc='arguments of a xacro file, `name:=value` ...')
    robot_description: str = tag(
        'text', '', doc='URDF to publish; default: generated from these tags')
    init_pose: Pose = tag('pose', Pose(), aliases=('init_pose3d',), required=True, unit='m, deg',
                          doc='initial pose in the world')
    init_twist: tuple[float, float, float] = tag(
        'twist2', (0.0, 0.0, 0.0), name='init_vel', unit='m/s, deg/s',
        doc='initial velocity of the reference point in the body frame')
    skip_elevation_adjust: bool = tag(
        'flag', False, doc='keep z as given instead of putting the vehicle on the ground')
    dynamics: DynamicsSpec = tag('spec', DifferentialSpec(), required=True, spec=DYNAMICS,
                                 plugins='mvsim_ros2.vehicles', doc='chassis, wheels, controller')
    friction: TyreSpec = tag('spec', DefaultTyre(), spec=TYRES, plugins='mvsim_ros2.tyres',
                             doc='wheel-ground model')
    front_friction: TyreSpec | None = tag(
        'spec', None, spec=TYRES, plugins='mvsim_ros2.tyres', doc='wheel-ground model of the '
        'wheels ahead of the middle of all wheels; default: `friction`')
    rear_friction: TyreSpec | None = tag(
        'spec', None, spec=TYRES, plugins='mvsim_ros2.tyres',
        doc='wheel-ground model of the other wheels; default: `friction`')
    odometry: OdometrySpec = tag(
        'spec', OdometrySpec(), spec=OdometrySpec, doc='error of the odometry')
    sensors: tuple[SensorSpec, ...] = tag('specs', (), name='sensor', spec=own_sensor_specs,
                                          plugins=GROUP, doc='sensors on the vehicle')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    light_groups: tuple[LightGroupSpec, ...] = switched_lamps()
    publish: PublishSpec | None = publishes()
    log_path: str = tag('text', '', doc='prefix of the CSV logs of `mvsim_ros2 log`')
    auto_start_recording: bool = tag('bool', False, doc='if set for any vehicle, `mvsim_ros2 log` '
                                     'writes logs of these vehicles only')

    def problems(self) -> Problems:
        yield from repeated_groups(self.light_groups)

    def doubts(self) -> Problems:
        """Yield a sentence where the motors cannot keep a usual speed on level ground."""
        torque = getattr(self.dynamics.controller, 'max_torque', None) or 0.0
        wheels, driven = self.dynamics.wheels, self.dynamics.driven_wheels
        if torque <= 0.0 or not driven:
            return
        weight = _GRAVITY * (self.dynamics.chassis.mass + sum(wheel.mass for wheel in wheels))
        push = sum(torque / wheels[k].radius for k in driven)
        rolling = sum(tyre.C_rr for tyre in self.tyres) / len(wheels) * weight
        damping = sum(self.tyres[k].C_damping / wheels[k].radius ** 2 for k in driven)
        if push <= rolling:
            yield (f'with max_torque {torque:g} N m its wheels push with {push:.3g} N, less than '
                   f'their rolling resistance of {rolling:.3g} N: it does not move')
        elif (push - rolling) < damping * _USUAL_SPEED:
            yield (f'with max_torque {torque:g} N m and the C_damping of its axles it reaches '
                   f'{(push - rolling) / damping:.2g} m/s')

    def without_effect(self) -> Unused:
        """Yield tyres of an axle without wheels."""
        if self.dynamics.wheels and not any(self.dynamics.in_front):
            yield (self, 'front_friction', 'no wheel stands before the middle of all: they are on '
                   'one axle, which has <rear_friction> or <friction>')

    @property
    def tyres(self) -> tuple[TyreSpec, ...]:
        """Return the tyre of each wheel: its own, else its axle's, else the vehicle's."""
        front, rear = (axle or self.friction for axle in (self.front_friction, self.rear_friction))
        return tuple(wheel.friction or (front if ahead else rear) for wheel, ahead in zip(
            self.dynamics.wheels, self.dynamics.in_front, strict=True))

    def __str__(self) -> str:
        """Return its name, class, dynamics, controller, friction and sensors, in a line."""
        own_class = f' of class {self.class_name}' if self.class_name else ''
        sensors = ', '.join(f'{sensor.name} ({sensor.XML_CLASS}, {1 / sensor.sensor_period:g} Hz)'
                            for sensor in self.sensors)
        return (f'{self.name}{own_class}: {self.dynamics.XML_CLASS}, controller '
                f'{self.dynamics.controller.XML_CLASS}, friction {self.friction.XML_CLASS}, '
                f'sensors: {sensors or "none"}')

    def __repr__(self) -> str:
        return f'<VehicleSpec {self}>'
