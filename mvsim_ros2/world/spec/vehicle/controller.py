# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Common tags of all controllers, and their parameters (`<controller class="...">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, Spec, tag


@dataclass(frozen=True)
class ControllerSpec(Spec):
    """The common tags of all controllers."""

    XML_CLASS = ''

    @property
    def initial_steering(self) -> float:
        """Return the steering angle of the initial command, left positive [rad]."""
        return 0.0


@dataclass(frozen=True)
class TimedWaypointSpec(Spec):
    """Position of a vehicle at a time."""

    t: float = tag('float', unit='s', attribute=True, doc='simulated time')
    x: float = tag('float', unit='m', attribute=True, doc='place in the world')
    y: float = tag('float', unit='m', attribute=True, doc='place in the world')


@dataclass(frozen=True)
class TrajectoryController(ControllerSpec):
    """
    Follows timed waypoints regardless of commands, by the velocity of the body.

    It heads for the point `lookahead_distance` ahead of its target on the path, at the speed of
    the path there. The first waypoint should be the initial position of the vehicle. `<include>`
    reads a list of waypoints from a file.
    """

    XML_CLASS = 'trajectory'

    loop: bool = tag('bool', True, doc='true: restart after the last time; false: stop there')
    lookahead_distance: float = tag(
        'float', 0.5, unit='m', above=0, doc='look-ahead distance along the path')
    max_angular_speed: float = tag(
        'float', 2.0, unit='rad/s', minimum=0,
        doc='largest yaw rate; above it the speed falls and the radius stays; 0: no limit')
    viz_height: float = tag('float', 0.5, unit='m', doc='height of the path on `world_markers`, '
                            'with `show_trajectories` of `<gui>`')
    waypoints: tuple[TimedWaypointSpec, ...] = tag(
        'specs', (), name='waypoint', spec=TimedWaypointSpec,
        doc='two or more, in any order, at different times')

    @property
    def in_order(self) -> tuple[TimedWaypointSpec, ...]:
        """Return the waypoints by time."""
        return tuple(sorted(self.waypoints, key=lambda each: each.t))

    def problems(self) -> Problems:
        if len(self.waypoints) < 2:
            yield (f'it has {len(self.waypoints)} <waypoint>: give two or more, such as '
                   '<waypoint t="0" x="0" y="0"/>')
        for first, second in zip(self.in_order, self.in_order[1:], strict=False):
            if first.t == second.t:
                yield (f'two <waypoint> have the time {first.t:g} s (lines {first.source.line} '
                       f'and {second.source.line}): a vehicle is at one place at a time')


_ELSEWHERE = ('give it to the controller manager, a separate process: see '
              'docs/ros-interface.md')


@dataclass(frozen=True)
class JointController(ControllerSpec):
    """Each driven wheel has its own command, and each steered wheel its own angle."""

    XML_CLASS = 'ros2_control'

    command_interface: str = tag(
        'text', 'velocity', choices=('velocity', 'effort'),
        doc='command of a wheel: its speed, which a PID tracks, or its torque')
    KP: float = tag('float', 10.0, unit='N m s/m', doc='proportional gain, of the rim speed')
    KI: float = tag('float', 0.0, unit='N m/m', doc='integral gain')
    KD: float = tag('float', 0.0, unit='N m s^2/m', doc='derivative gain')
    I_MAX: float = tag('float', 0.0, unit='N m', minimum=0, doc='largest torque of the integral, '
                       '0: no limit; physics mode `physical` only')
    max_torque: float = tag(
        'float', 100.0, unit='N m', doc='largest torque of a wheel, 0 or less: no limit')
    controllers_yaml: str = tag('text', '', idle=_ELSEWHERE, doc='file of the controllers')
    robot_description: str = tag(
        'text', 'generated', choices=('generated', 'topic'), idle=_ELSEWHERE,
        doc='source of the robot description of the manager')

    @property
    def by_effort(self) -> bool:
        """Return whether torques are commanded."""
        return self.command_interface == 'effort'


_I_MAX = 'largest torque of the integral, 0: no limit; physics mode `physical` only'


@dataclass(frozen=True)
class RawController(ControllerSpec):
    """Applies commanded wheel torques and steering angles."""

    XML_CLASS = 'raw'

    fl_torque: float = tag('float', 0.0, unit='N m', doc='initial torque, front left wheel; as in '
                           'MVSim negative drives forward')
    fr_torque: float = tag(
        'float', 0.0, unit='N m', doc='initial torque, front right wheel; negative drives forward')
    torque: float = tag(
        'float', 0.0, unit='N m', doc='initial torque of a drivetrain; negative drives forward')
    steer_ang: float = tag(
        'angle', 0.0, unit='deg', name='steer_ang_deg', doc='initial steering angle')

    @property
    def initial_steering(self) -> float:
        return self.steer_ang


@dataclass(frozen=True)
class TwistIdealController(ControllerSpec):
    """Sets the velocity of the body to the command."""

    XML_CLASS = 'twist_ideal'


@dataclass(frozen=True)
class TwistPidController(ControllerSpec):
    """One PID for each side, or for each wheel with rollers, tracking a twist command."""

    XML_CLASS = 'twist_pid'

    KP: float = tag('float', 10.0, unit='N m s/m', doc='proportional gain')
    KI: float = tag('float', 0.0, unit='N m/m', doc='integral gain')
    KD: float = tag('float', 0.0, unit='N m s^2/m', doc='derivative gain')
    N: float = tag('float', 0.0, unit='1/s', doc='derivative filter, 0: no filter')
    I_MAX: float = tag('float', 0.0, unit='N m', minimum=0, doc=_I_MAX)
    max_torque: float = tag(
        'float', 100.0, unit='N m', doc='largest torque of a wheel, 0 or less: no limit')
    enable_antiwindup: bool = tag('bool', False, doc='back-calculate the integrator')
    enable_feedforward: bool = tag('bool', False, doc='add the torque that holds the slope')
    feedforward_gain: float = tag('float', 1.0, doc='factor of that torque')
    enable_reference_filter: bool = tag('bool', False, doc='low-pass the command')
    reference_filter_tau: float = tag(
        'float', 0.1, unit='s', above=0, doc='time constant of that filter')
    reference_filter_order: int = tag('int', 1, minimum=1, maximum=2, doc='order of that filter')
    wheel_separation_multiplier: float = tag(
        'float', 1.0, above=0,
        doc='factor of the difference of both sides for a yaw rate, of vehicles with driven '
            'sides: above 1 where turning needs slip, as in `diff_drive_controller`')
    V: float = tag('float', 0.0, unit='m/s', doc='initial command, forward velocity')
    W: float = tag('rate', 0.0, unit='deg/s', doc='initial command, yaw rate')


@dataclass(frozen=True)
class TwistFrontSteerPidController(TwistPidController):
    """PID of the driven wheels and steering angle of a steered vehicle, from a twist."""

    XML_CLASS = 'twist_front_steer_pid'

    KP: float = tag('float', 100.0, unit='N m s/m', doc='proportional gain')
    max_torque: float | None = tag(  # type: ignore[assignment]
        'float', None, unit='N m',
        doc='largest torque; default: 100, or 400 with a drivetrain')
    zero_threshold: float = tag('float', 0.001, unit='m/s', minimum=0,
                                doc='speed of a command below which the vehicle stops')
    stop_threshold: float = tag('float', 0.05, unit='m/s', minimum=0,
                                doc='speed below which a stopping vehicle gets no torque')


@dataclass(frozen=True)
class FrontSteerPidController(ControllerSpec):
    """PID of the driven wheels; the command is a velocity and a steering angle."""

    XML_CLASS = 'front_steer_pid'

    KP: float = tag('float', 100.0, unit='N m s/m', doc='proportional gain')
    KI: float = tag('float', 0.0, unit='N m/m', doc='integral gain')
    KD: float = tag('float', 0.0, unit='N m s^2/m', doc='derivative gain')
    I_MAX: float = tag('float', 0.0, unit='N m', minimum=0, doc=_I_MAX)
    max_torque: float = tag('float', 100.0, unit='N m', doc='largest torque')
    V: float = tag('float', 0.0, unit='m/s', doc='initial command, forward velocity')
    STEER_ANG: float = tag('angle', 0.0, unit='deg', doc='initial command, steering angle')

    @property
    def initial_steering(self) -> float:
        return self.STEER_ANG


CONTROLLERS = (RawController, TwistIdealController, TwistPidController,
               TwistFrontSteerPidController, FrontSteerPidController, TrajectoryController,
               JointController)
