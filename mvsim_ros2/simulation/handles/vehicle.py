# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A vehicle of a running simulation."""

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.state.spatial_motion import SpatialMotion, vehicle_motion
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.physics.vehicle.commands import taken, torques_taken
from mvsim_ros2.physics.vehicle.odometry import Odometry
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of
from mvsim_ros2.simulation.handles.bodies import LampedHandle
from mvsim_ros2.world.spec import Footprint, VehicleSpec


@dataclass(frozen=True)
class Contact:
    """A point at which something touches a vehicle."""

    partner: str  # name of the vehicle, block, actor or plane; '' for walls and maps
    x: float  # m, world frame
    y: float


class VehicleHandle(LampedHandle):
    """
    A vehicle of a running simulation.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('demo'), seed=1)
    >>> robot = simulation.vehicles['robot']
    >>> robot.set_twist(0.5, 0.2)
    >>> simulation.run(1.0)
    >>> robot
    <vehicle 'robot' (differential, twist_pid) at (-10.59, 0.04) m, 9.8 deg; 0.50 m/s, 0.20 rad/s>
    >>> round(robot.pose.x, 2), round(robot.odometry.pose[0], 2)  # in the world; from its start
    (-10.59, 0.42)
    >>> robot.collided, robot.contacts
    (False, ())
    """

    __slots__ = ()

    @property
    def _kind(self) -> str:
        return 'vehicle'

    @property
    def _details(self) -> str:
        dynamics = self.spec.dynamics
        return f' ({dynamics.XML_CLASS}, {dynamics.controller.XML_CLASS})'

    @property
    def _rows(self) -> Vehicles:
        return self._physics.vehicles

    @property
    def _leaves_the_plane(self) -> bool:
        return bool(self._rows.arrays.records['tilts'][self._index])

    @property
    def _motion(self) -> SpatialMotion:
        values = vehicle_motion(self._rows, np.array([self._index], np.int64)).values
        return SpatialMotion(values[0])

    @property
    def spec(self) -> VehicleSpec:
        return self._rows.specs[self._index]

    @property
    def footprint(self) -> Footprint:
        """Return outline and heights of its chassis in its own frame [m]."""
        return self._rows.footprints[self._index]

    @property
    def wheels(self) -> NDArray[np.void]:
        """
        Return a copy of the wheel states, one entry a wheel, in the order of its class.

        :returns: structured array, shape (wheels,); all float64, among them

            ===================  ======  ====================================================
            field                unit    meaning
            ===================  ======  ====================================================
            omega                rad/s   spin, positive forward
            angle                rad     turned angle
            steer                rad     steering angle, left positive
            torque               N m     of the motor, positive drives forward
            brake                N m     largest torque of the brakes, as pressed and set
            normal_load          N       force on the ground, the weight of the wheel included
            force_long           N       of the ground on the wheel, forward, wheel frame
            force_lat            N       of the ground on the wheel, to the left, wheel frame
            velocity_x           m/s     of its centre, forward, frame of the vehicle
            velocity_y           m/s     of its centre, to the left, frame of the vehicle
            x, y                 m       place of its centre, frame of the vehicle
            radius               m       lever of the force on the spin
            ===================  ======  ====================================================

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> robot = simulation.vehicles['robot']
        >>> robot.set_twist(0.5, 0.0)
        >>> simulation.run(2.0)
        >>> (robot.wheels['omega'] * robot.wheels['radius']).round(2).tolist()
        [0.5, 0.5]
        """
        wheels: NDArray[np.void] = self._rows.wheels_of(self._index)
        # numpy copies field by field, which takes a hundred times as long
        return np.frombuffer(bytearray(wheels.tobytes()), wheels.dtype)

    @property
    def odometry(self) -> Odometry:
        """
        Return where the robot believes to be, with covariances.

        :returns: `pose` x, y [m], yaw [rad] in its initial frame; `twist` vx, vy [m/s], wz [rad/s]
            in its own frame; `pose_covariance`, `twist_covariance`, shape (3, 3).
        """
        return self._rows.odometry(self._index)

    @property
    def pid_errors(self) -> NDArray[np.float64]:
        """Return command minus measurement at the last turn of each PID [m/s], shape (n,)."""
        errors: NDArray[np.float64] = self._rows.arrays.pids[self._index]['last_error'].copy()
        return errors

    @property
    def has_pid(self) -> bool:
        """Return whether its controller is a PID."""
        return controller_of(self.spec.dynamics).has_pid

    @property
    def pid_measured(self) -> tuple[float, float]:
        """
        Return what its PIDs measured at their last turn, left and right [m/s].

        These are the speeds of the first two wheels if sides steer or wheels have rollers, and of
        the front wheels of an Ackermann vehicle. Others have the forward speed twice.
        """
        left, right = self._rows.arrays.pids[self._index, :2]['measured'].tolist()
        return left, right

    @property
    def pid_torques(self) -> tuple[float, float]:
        """
        Return the torques of its controller, left and right [N m].

        Those of the first two wheels with rollers; of one torque for the whole vehicle twice the
        sum of its wheels.
        """
        return class_of(self.spec.dynamics).form.given(self.wheels)

    @property
    def pid_feedforward(self) -> float:
        """Return the torque that the PIDs add on the present slope [N m]."""
        record = self._rows.arrays.records[self._index]
        return float(record['slope_torque']) * math.sin(self.pose.pitch)

    @property
    def collided(self) -> bool:
        """Return whether it touched something since this was last read."""
        return self._rows.take_collided(self._index)

    @property
    def is_touched(self) -> bool:
        """Return the value of `collided` without resetting it."""
        return bool(self._rows.arrays.collided[self._index])

    @property
    def tipped(self) -> bool:
        """Return whether it has tipped over: it leans by 60 degrees or more, off its wheels."""
        return bool(self._rows.arrays.records['tipped'][self._index])

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Return what touched it in the last step."""
        return tuple(Contact(*each) for each in self._physics.contacts(self._index))

    @property
    def accepts_twist(self) -> bool:
        """Return whether `set_twist` is a command for its controller."""
        return self._rows.accepts_twist(self._index)

    @property
    def commands(self) -> tuple[str, ...]:
        """
        Return the names of the methods that command it, its controller's first.

        Those of `set_twist`, `set_steering`, `set_joints` and `set_torques`.
        """
        return tuple(command.value for command in taken(self.spec))

    @property
    def commanded_twist(self) -> tuple[float, float, float]:
        """Return vx, vy [m/s] and wz [rad/s] of the last command by twist or steering."""
        record = self._rows.arrays.records[self._index]
        return (float(record['command_v']), float(record['command_vy']),
                float(record['command_w']))

    @property
    def torques_taken(self) -> int:
        """Return how many torques command it, 0 where its controller takes none."""
        return torques_taken(self.spec)

    def set_twist(self, vx: float, wz: float, vy: float = 0.0) -> None:
        """
        Command a velocity of the reference point, held until the next command.

        :param vx: forward [m/s].
        :param wz: yaw rate [rad/s].
        :param vy: sideways, to the left [m/s], for vehicles with rollers, with a steered rear
            axle, or with the ideal controller.
        :raises ControllerError: where the controller takes no twist, or a number is not finite.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('yard'))
        >>> simulation.vehicles['mecanum'].set_twist(0.0, 0.0, vy=0.4)
        >>> simulation.run(2.0)
        >>> round(float(simulation.vehicles['mecanum'].twist_body[1]), 1)
        0.4
        """
        self._rows.set_twist(self._index, vx, wz, vy)

    def set_steering(self, v: float, angle: float, rear: float | None = None) -> None:
        """
        Command a forward velocity and a steering angle, held until the next command.

        Every steered vehicle takes it but one with the controller `raw`.

        :param v: forward [m/s].
        :param angle: of the front wheels, left positive [rad].
        :param rear: angle of a steered rear axle [rad]; without it that axle follows the front
            one as its `rear_steer_ratio` says.
        :raises ControllerError: where the controller takes no steering.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('yard'))
        >>> simulation.vehicles['tractor'].set_steering(1.0, 0.3)
        >>> simulation.run(2.0)
        >>> simulation.vehicles['tractor'].wheels['steer'].round(2).tolist()
        [0.3, -0.3]
        """
        self._rows.set_steering(self._index, v, angle, rear)

    def set_joints(self, *commands: float, steering: tuple[float, ...] = ()) -> None:
        """
        Command each driven wheel, held until the next command.

        :param commands: speeds [rad/s], or torques [N m] where the controller says `effort`.
        :param steering: angle of each steered wheel, left positive [rad]; without any they stay.
        :raises ControllerError: where the controller is not `ros2_control`, or takes others.

        >>> from dataclasses import replace
        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> from mvsim_ros2.world.spec import JointController
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> robot = simulation.vehicles['robot'].spec
        >>> joints = replace(robot, dynamics=replace(robot.dynamics, controller=JointController()))
        >>> other = simulation.spawn_vehicle('other', joints, Pose(x=-9.0))
        >>> other.set_joints(5.0, 5.0)
        >>> simulation.run(1.0)
        >>> (other.wheels['omega'] > 4.0).tolist()
        [True, True]
        """
        self._rows.set_joints(self._index, commands, steering)

    def set_torques(self, *torques: float, steering: float = 0.0,
                    rear_steering: float | None = None) -> None:
        """
        Command torques of the motors, held until the next command.

        :param torques: N m, positive drives forward: left and right wheels, or front left and
            front right of an Ackermann vehicle. One for a drivetrain or single track; one for each
            wheel with rollers. `torques_taken` says how many.
        :param steering: steering angle of a steered vehicle, left positive [rad].
        :param rear_steering: angle of a steered rear axle: see `set_steering`.
        :raises ControllerError: where the controller is not `raw`, or takes another number.

        >>> from dataclasses import replace
        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> from mvsim_ros2.world.spec import RawController
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> robot = simulation.vehicles['robot'].spec
        >>> raw = replace(robot, dynamics=replace(robot.dynamics, controller=RawController()))
        >>> other = simulation.spawn_vehicle('other', raw, Pose(x=-9.0))
        >>> other.torques_taken
        2
        >>> other.set_torques(1.0, 1.0)
        >>> simulation.run(1.0)
        >>> other.wheels['torque'].tolist()
        [1.0, 1.0]
        """
        self._rows.set_torques(self._index, torques, steering, rear_steering)

    def set_brake(self, pressed: float) -> None:
        """
        Press the service brake, until the next such command; motors keep their command.

        :param pressed: from 0, released, to 1, all of its torque.
        :raises ControllerError: where the vehicle has no `<brakes torque="...">`.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('yard'))
        >>> tractor = simulation.vehicles['tractor']
        >>> tractor.set_brake(0.5)
        >>> simulation.run(0.1)
        >>> tractor.wheels['brake'].tolist()
        [200.0, 200.0]
        """
        self._rows.set_brake(self._index, pressed)

    def set_parking_brake(self, parked: float) -> None:
        """
        Set or release the parking brake, or pull a handbrake; motors keep their command.

        :param parked: from 0, released, to 1 or True, all of its torque.
        :raises ControllerError: where the vehicle has no `<brakes parking_torque="...">`.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('yard'))
        >>> tractor = simulation.vehicles['tractor']
        >>> tractor.set_parking_brake(True)
        >>> simulation.run(0.1)
        >>> tractor.wheels['brake'].tolist()
        [0.0, 300.0]
        """
        self._rows.set_parking_brake(self._index, parked)
