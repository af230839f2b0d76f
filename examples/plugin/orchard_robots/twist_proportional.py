# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller `twist_proportional`."""

from dataclasses import dataclass

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.record import Command, Controller
from mvsim_ros2.physics.vehicle.forms import SIDES
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.controller import ControllerSpec

GAIN, LIMIT = 0, 1  # places in the columns


@dataclass(frozen=True)
class TwistProportionalController(ControllerSpec):
    """Drives each side with a torque in proportion to the error of its speed."""

    XML_CLASS = 'twist_proportional'

    gain: float = tag('float', 20.0, unit='N m s/m', above=0, doc='torque over error')
    limit: float = tag('float', 5.0, unit='N m', above=0, doc='largest torque')


@compiled
def torques(vehicle, wheels, pitch, pid, dt):
    """Return the torques of the left and of the right wheels [N m]."""
    gain, limit = vehicle['own'][GAIN], vehicle['own'][LIMIT]
    v, turn = vehicle['command_v'], 0.5 * vehicle['track'] * vehicle['command_w']
    left = gain * (v - turn - wheels[0]['omega'] * wheels[0]['radius'])
    right = gain * (v + turn - wheels[1]['omega'] * wheels[1]['radius'])
    return min(max(left, -limit), limit), min(max(right, -limit), limit)


CONTROLLER = Controller(
    spec=TwistProportionalController, command=Command.TWIST, torques={SIDES: torques},
    columns=('gain', 'limit'))
