# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of contact forces, of motors and their battery, and of line sensors."""

import math
from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import single
from mvsim_ros2.ros.messages.state_messages import packed, stamped
from mvsim_ros2.sensors.observations import BatterySample, JointSample, LineSample, WrenchSample
from mvsim_ros2.world.spec.sensors.body import (
    BatterySpec, ContactForceSpec, JointEffortSpec, MotorCurrentSpec)
from mvsim_ros2.world.spec.sensors.ranging import LineSensorSpec


def wrench(types: MessageTypes, sample: WrenchSample, frame_id: str) -> Any:
    """Return force and torque."""
    message = types.geometry_msgs.WrenchStamped()
    for part, values in (message.wrench.force, sample.force), (
            message.wrench.torque, sample.torque):
        part.x, part.y, part.z = values.tolist()
    return stamped(message, sample.stamp_ns, frame_id)


def joint_effort(types: MessageTypes, sample: JointSample, frame_id: str) -> Any:
    """Return torques of joints."""
    return stamped(types.sensor_msgs.JointState(
        name=list(sample.names), effort=packed(types, sample.values, np.float64)),
        sample.stamp_ns, frame_id)


def motor_current(types: MessageTypes, sample: JointSample, frame_id: str) -> Any:
    """Return currents, with the names of the joints as the label of their dimension."""
    kind, count = types.std_msgs, len(sample.values)
    return kind.Float64MultiArray(
        layout=kind.MultiArrayLayout(dim=[kind.MultiArrayDimension(
            label=' '.join(sample.names), size=count, stride=count)]),
        data=packed(types, sample.values, np.float64))


def battery_state(types: MessageTypes, sample: BatterySample, frame_id: str) -> Any:
    """Return the state of a battery; its current is negative while it is discharged."""
    kind = types.sensor_msgs.BatteryState
    charging = sample.current < 0.0
    return stamped(kind(
        voltage=sample.voltage, temperature=math.nan, current=-sample.current,
        charge=sample.charge, capacity=sample.capacity, design_capacity=sample.capacity,
        percentage=sample.charge / sample.capacity, present=True,
        power_supply_status=kind.POWER_SUPPLY_STATUS_CHARGING if charging
        else kind.POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health=kind.POWER_SUPPLY_HEALTH_GOOD if sample.charge > 0.0
        else kind.POWER_SUPPLY_HEALTH_DEAD,
        power_supply_technology=kind.POWER_SUPPLY_TECHNOLOGY_LION), sample.stamp_ns, frame_id)


def line_values(types: MessageTypes, sample: LineSample, frame_id: str) -> Any:
    """Return the readings of the detectors, from the left."""
    return types.std_msgs.Float32MultiArray(data=packed(types, sample.values, np.float32))


MESSAGES = (
    single(ContactForceSpec, 'geometry_msgs/WrenchStamped', wrench),
    single(JointEffortSpec, 'sensor_msgs/JointState', joint_effort),
    single(MotorCurrentSpec, 'std_msgs/Float64MultiArray', motor_current),
    single(BatterySpec, 'sensor_msgs/BatteryState', battery_state),
    single(LineSensorSpec, 'std_msgs/Float32MultiArray', line_values))
