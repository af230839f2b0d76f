# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of the node: declaration to ROS, checks, world variables."""

from collections.abc import Iterable
from dataclasses import Field, fields
import difflib
from functools import partial
import json
import os
from threading import current_thread, main_thread
from typing import Any

from rcl_interfaces.msg import (
    FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult)
from rclpy.node import Node
from rclpy.parameter import Parameter

from mvsim_ros2.ros.messages.settings import fault, ParameterError, PARAMETERS, Settings

LIGHTS = 'lights.'  # groups of lamps; see `services.lamps_and_triggers`
SENSORS = 'sensors.'  # their rates; see `world_parameters`
LATER = 'qos_overrides.', LIGHTS, SENSORS  # declared with topics and things
WORDS = {'viewer'}  # texts that may look like truth values and numbers


def declare(node: Node) -> Settings:
    """Declare all parameters and return their values; warn of unknown ones."""
    given: dict[str, Any] = {
        name: each.value for name, each in node._parameter_overrides.items()
    } | json.loads(os.environ.get(PARAMETERS, '{}'))
    values: dict[str, Any] = {}
    for item in fields(Settings):
        default: Any = item.default
        value = given.get(item.name, default)
        if isinstance(default, float) and type(value) is int:
            value = float(value)  # `2` on the command line is an integer
        if item.name in WORDS and type(value) in (bool, int):
            value = str(value).lower()  # `viewer:=true` is a truth value, `viewer:=8080` a number
        if isinstance(default, tuple) and value is None:
            value = ['']  # `[]` has no type in ROS
        if isinstance(value, tuple):
            value = list(value)
        reason = fault(item.name, value)
        if reason:
            raise ParameterError(f'parameter {item.name}: {reason}')
        node.declare_parameter(item.name, value, _descriptor(item), ignore_override=True)
        values[item.name] = tuple(value) if isinstance(value, list) else value
    warn_of_unknown(node, [name for name in given if not name.startswith(LATER)], values)
    _refuse_simulated_time(node)
    if values['disable_sim_time_clock']:
        node.add_on_set_parameters_callback(_without_lock_step)
    node.add_pre_set_parameters_callback(partial(_with_floats, node))
    return Settings(**values)


def check_later_parameters(node: Node) -> None:
    """Warn of QoS overrides, lamps and sensors that there are not; call it after all is there."""
    warn_of_unknown(node, [name for name in node._parameter_overrides if name.startswith(LATER)],
                    [name for name in node._parameters if name.startswith(LATER)])


def keep(node: Node, name: str, value: object) -> None:
    """Let a parameter say what has come about without it."""
    if node.get_parameter(name).value != value:
        node.set_parameters([Parameter(name, value=value)])


def is_kept() -> bool:
    """Return whether the loop itself sets parameters, by `keep`: what they say has come about."""
    return current_thread() is main_thread()


def warn_of_unknown(node: Node, given: Iterable[str], known: Iterable[str]) -> None:
    """Warn of given parameters that a node has not declared."""
    names = list(known)
    for name in given:
        if not node.has_parameter(name):
            near = difflib.get_close_matches(name, names, 1)
            node.get_logger().warning(f'there is no parameter {name}'
                                      + (f', did you mean {near[0]}?' if near else ''))


def _with_floats(node: Node, parameters: list[Parameter]) -> list[Parameter]:
    """Return parameters with integers as floats where a float is declared."""
    return [
        Parameter(each.name, value=float(each.value))
        if type(each.value) is int and type(node.get_parameter_or(each.name).value) is float
        else each for each in parameters]


def _descriptor(item: Field[Any]) -> ParameterDescriptor:
    meta = item.metadata
    descriptor = ParameterDescriptor(
        description=meta['doc'], read_only=not meta['changeable'],
        additional_constraints=' | '.join(map(repr, meta['choices'])))
    if meta['minimum'] is not None and isinstance(item.default, float):
        descriptor.floating_point_range = [
            FloatingPointRange(from_value=meta['minimum'], to_value=meta['maximum'])]
    elif meta['minimum'] is not None:
        descriptor.integer_range = [
            IntegerRange(from_value=meta['minimum'], to_value=meta['maximum'])]
    return descriptor


def _refuse_simulated_time(node: Node) -> None:
    """Keep the node on the wall clock: it publishes /clock and cannot wait for it."""
    if node.get_parameter('use_sim_time').value:
        node.get_logger().warning('use_sim_time is for other nodes and ignored by the simulator')
        node.set_parameters([Parameter('use_sim_time', value=False)])

    def check(parameters: list[Parameter]) -> SetParametersResult:
        wanted = any(each.name == 'use_sim_time' and each.value for each in parameters)
        return SetParametersResult(
            successful=not wanted, reason='the simulator publishes /clock' if wanted else '')

    node.add_on_set_parameters_callback(check)


def _without_lock_step(parameters: list[Parameter]) -> SetParametersResult:
    wanted = any(each.name == 'lockstep' and each.value for each in parameters)
    return SetParametersResult(
        successful=not wanted, reason='lock step needs stamps of simulated time, which '
        'disable_sim_time_clock switches off' if wanted else '')


def world_variables(assignments: tuple[str, ...]) -> dict[str, str]:
    """Return the values of the parameter `variables` by name."""
    values: dict[str, str] = {}
    for assignment in filter(None, assignments):
        name, equals, value = assignment.partition('=')
        if not name or not equals:
            raise ParameterError(f'parameter variables: {assignment!r} should be NAME=VALUE')
        values[name] = value
    return values
