# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of single motors: `ros2_control`, and `raw` with torques as they are commanded."""

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.pid import pid_parameters, pid_step, reset
from mvsim_ros2.physics.controllers.record import Command, Controller, Setting
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.state.record_layout import PIDS
from mvsim_ros2.physics.vehicle.forms import Form, FORMS, FRONT_PAIR, ROLLERS, SIDES
from mvsim_ros2.world.spec.vehicle.controller import JointController, RawController


@compiled(inlined=True)
def joint_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Write into `wheels` the torque of each [N m]; see `Controller.torques`.

    Speeds are tracked by a PID a wheel on the speed of its rim. As in MVSim a wheel that is to
    stand and hardly turns gets none.
    """
    limit, moves = vehicle['max_torque'], False
    for k in range(len(wheels)):
        wheel = wheels[k]
        command = wheel['command']
        if wheel['drive'] == 0.0:
            wheel['torque'] = 0.0
        elif vehicle['own'][0] != 0.0:
            wheel['torque'] = clamp(command, limit) if limit > 0.0 else command
            moves = True
        else:
            wanted, speed = command * wheel['radius'], wheel['omega'] * wheel['radius']
            if abs(wanted) < vehicle['zero_command'] and abs(speed) < vehicle['stopped']:
                reset(pid[k], speed)
                wheel['torque'] = 0.0
            else:
                moves = True
                wheel['torque'] = pid_step(
                    vehicle['kp'], vehicle['ki'], vehicle['kd'], 0.0, limit, 0.0,
                    vehicle['most_integral'], wanted, speed, 0.0, dt, pid[k])
    if moves:
        pid[0]['running'] = 1.0  # the vehicle is not held where it stands, see `physical.step`
    return 0.0, 0.0


def _parameters(spec: JointController, setting: Setting) -> dict[str, float]:
    """Return the values of the record of a vehicle."""
    dynamics = setting.dynamics
    if dynamics.tied or len(dynamics.wheels) > PIDS:
        raise PhysicsError(
            f'{spec.source}: the controller {spec.XML_CLASS!r} commands up to {PIDS} wheels that '
            f'turn independently; a vehicle of class {dynamics.XML_CLASS!r} has others: use '
            "'twist_pid'")
    return {**pid_parameters(spec, spec.max_torque, setting.physical),
            'by_effort': float(spec.by_effort)}


@compiled(inlined=True)
def commanded_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and the right motors [N m].

    Wheels that have a torque each take their own command. See `Controller.torques`.
    """
    return vehicle['torque_left'], vehicle['torque_right']


def _raw_torques(spec: RawController, form: Form) -> tuple[tuple[float, ...], float] | None:
    """
    Return the torques of the world file for a vehicle that is steered, and its steering angle.

    They are negative for forward, as in the original, which passes them over for all others.
    """
    if form in (SIDES, ROLLERS):
        return None
    torques = (-spec.torque,) if form.torques == 1 else (-spec.fl_torque, -spec.fr_torque)
    return torques, spec.steer_ang


CONTROLLERS = (
    Controller(
        RawController, Command.TORQUES, dict.fromkeys(FORMS, commanded_torques),
        initial=_raw_torques),
    Controller(
        JointController, Command.JOINTS,
        dict.fromkeys((SIDES, FRONT_PAIR, ROLLERS), joint_torques),
        columns=('by_effort',), parameters=_parameters, has_pid=True, each_wheel=True),
)
