# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller that others command joint by joint (`<controller class="ros2_control">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.controller import ControllerSpec

_ELSEWHERE = ('the controller manager is a process of its own, with the hardware '
              'topic_based_ros2_control, and gets this there: see docs/ros-interface.md')


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
