# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drive a small scene and print a hash of every state in it; run as a process of its own.

Arguments: `plain` leaves out numba, `compiled` has machine code from the start and not only after
a while, `physical` takes the mode of that name and all tyres,
`chunks` makes the same steps in calls of another size, `rough` adds hills, a trailer and things
that move by themselves.
"""

from dataclasses import replace
import hashlib
import sys

if 'plain' in sys.argv:
    sys.modules['numba'] = None  # type: ignore[assignment]

import numpy as np  # noqa: E402

from mvsim_ros2.base.random_streams import RandomStreams  # noqa: E402
from mvsim_ros2.frames import Pose  # noqa: E402
from mvsim_ros2.jit.kernel import use_machine_code  # noqa: E402
from mvsim_ros2.physics import PhysicsWorld  # noqa: E402
from mvsim_ros2.world.spec import (  # noqa: E402
    AckermannDrivetrainSpec, AckermannSpec, ActorSpec, AnimationSpec, BakkerTyre, BlockSpec,
    BrakesSpec, ClayTyre, DefaultTyre, Differential4Spec, DifferentialSpec, DraughtSpec,
    ElevationMapSpec, EllipseTyre, HeightMap, JointSpec, Keyframe, LinearTyre, MagicFormulaTyre,
    MecanumSpec, MotorSpec, OdometrySpec, PathSpec, PropertyRegionSpec, SandTyre, SingleTrackSpec,
    TrackedSpec, TwistFrontSteerPidController, TwistIdealController, TwistPidController,
    VehicleSpec, WallsSpec, WardIagnemmaTyre, WaypointSpec, WorldSpec)

PID = TwistPidController(
    KP=4.0, KI=2.0, KD=0.1, N=5.0, max_torque=15.0, enable_antiwindup=True,
    enable_reference_filter=True, reference_filter_order=2)


def rough(world):
    """Return `world` with hills, a trailer and things that move by themselves."""
    along = np.linspace(0.0, 9.0, 60)
    hills = HeightMap(0.3 * np.sin(along)[:, None] * np.cos(along), 0.5, -15.0, -15.0)
    trailer = VehicleSpec('trailer', init_pose=Pose(-2.0, 3.0, yaw=0.5), friction=DefaultTyre(),
                          dynamics=DifferentialSpec())
    there = AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(2.0, Pose(1.0, 0.5, yaw=0.5)),
                                Keyframe(4.0, Pose())))
    bob = ActorSpec('bob', init_pose=Pose(2.0, 2.0), path=PathSpec(
        waypoints=(WaypointSpec(Pose(2.0, -2.0), pause=0.3), WaypointSpec(Pose(2.0, 2.0)))))
    return replace(
        world, vehicles=(*world.vehicles, trailer), actors=(bob,),
        elements=(ElevationMapSpec(heights=hills),), joints=(
            JointSpec('pin', 'raw', 'trailer', (-1.0, 0.0), (1.2, 0.0)),),
        blocks=(*world.blocks, BlockSpec('moved', init_pose=Pose(-3.0, -1.0), animation=there)))


def on_all_tyres(world):
    """Return the scene on all tyres that mode physical has, and on some soil and snow."""
    tyres = {
        'ideal': LinearTyre(), 'car': ClayTyre(cone_index=6e5), 'mecanum': BakkerTyre(),
        'tracked': SandTyre(reading='brixius'), 'tractor': MagicFormulaTyre(lateral='crolla'),
        'trailer': MagicFormulaTyre(surface='wet')}
    return replace(
        world, vehicles=tuple(
            replace(vehicle, friction=tyres.get(vehicle.name, vehicle.friction))
            for vehicle in world.vehicles),
        elements=(*world.elements, *(
            PropertyRegionSpec(property_name='surface_type', value_string=name, x_max=4.0,
                               y_min=low, y_max=low + 4.0)
            for name, low in (('sand', -14.0), ('snow', 1.0), ('clay', 11.0))),
            PropertyRegionSpec(property_name='cone_index_psi', value_double=70.0)))


def with_loads(world):
    """Return the scene with an implement in the soil, and weight of the trailer on its hitch."""
    soil = DraughtSpec(2.0, 1.0, 0.5, x=-0.3, z=-0.1)
    return replace(
        world, joints=tuple(replace(joint, height=0.3) for joint in world.joints),
        vehicles=tuple(
            replace(vehicle, dynamics=replace(vehicle.dynamics, draught=soil))
            if vehicle.name in ('tractor', 'trailer') else vehicle for vehicle in world.vehicles))


def main():
    """Drive robots of all kinds, two of them into things, and print the hash."""
    tyre = DefaultTyre(mu=0.7, C_damping=0.1, C_rr=0.01)
    world = WorldSpec(
        simul_timestep=0.005,
        vehicles=(
            VehicleSpec('pid', dynamics=DifferentialSpec(controller=PID), friction=tyre),
            VehicleSpec('raw', init_pose=Pose(0.0, 3.0, yaw=0.5), dynamics=Differential4Spec(),
                        friction=tyre, odometry=OdometrySpec(source_kind='motion')),
            VehicleSpec('ideal', init_pose=Pose(0.0, -3.0), friction=tyre,
                        dynamics=DifferentialSpec(controller=TwistIdealController())),
            VehicleSpec('car', init_pose=Pose(0.0, 12.0), friction=WardIagnemmaTyre(),
                        dynamics=AckermannSpec(controller=TwistFrontSteerPidController())),
            VehicleSpec('truck', init_pose=Pose(0.0, -12.0), friction=EllipseTyre(),
                        dynamics=AckermannDrivetrainSpec()),
            VehicleSpec('mecanum', init_pose=Pose(-6.0, 0.0), friction=tyre,
                        dynamics=MecanumSpec(controller=PID)),
            VehicleSpec('tracked', init_pose=Pose(-6.0, 4.0), friction=tyre,
                        dynamics=TrackedSpec(brakes=BrakesSpec(torque=5.0))),
            VehicleSpec('tractor', init_pose=Pose(-6.0, -5.0), friction=tyre,
                        dynamics=SingleTrackSpec(
                            motor=MotorSpec(max_torque=90.0, no_load_speed=9.0),
                            max_rear_steer_ang=0.4, rear_steer_ratio=-1.0, steer_rate=0.3,
                            controller=TwistFrontSteerPidController()))),
        elements=(PropertyRegionSpec(
            property_name='friction_mu', value_double=0.1, x_max=4.0, y_min=1.0, y_max=13.0),),
        blocks=(BlockSpec('box', init_pose=Pose(1.5, 0.2), mass=5.0),
                BlockSpec('kerb', init_pose=Pose(2.8, 12.9), mass=900.0)),
        walls=(WallsSpec(shape=((3.0, -1.0), (3.0, 1.0))),))
    if 'rough' in sys.argv:
        world = rough(world)
    if 'compiled' in sys.argv:
        use_machine_code()
    mode = 'mvsim'
    if 'physical' in sys.argv:
        mode = 'physical'
        world = with_loads(on_all_tyres(world))
    physics = PhysicsWorld(world, RandomStreams(7), mode)
    vehicles, digest = physics.vehicles, hashlib.sha256()
    steps = 100 if 'rough' in sys.argv else 300  # bodies in space are slow in plain Python
    for vx, wz, torque in ((0.8, 0.0, 2.0), (1.0, 0.3, -1.0), (0.0, 0.0, 0.0), (-0.5, 1.0, 9.0)):
        vehicles.set_twist(0, vx, wz)
        vehicles.set_torques(1, (torque, 0.5 * torque))
        vehicles.set_twist(2, vx, wz)
        vehicles.set_twist(3, 4.0 * vx, wz)
        vehicles.set_torques(4, (300.0 * torque,), 0.3 * torque)
        vehicles.set_twist(5, vx, wz, 0.2)
        vehicles.set_torques(6, (torque, -torque))
        vehicles.set_brake(6, 0.1)
        vehicles.set_twist(7, vx, wz)
        for count in (50, 1, steps - 51) if 'chunks' in sys.argv else (steps,):
            physics.step(count)
        for array in (vehicles.pose, vehicles.twist_body, vehicles.acceleration_body,
                      vehicles.wheels, vehicles.arrays.odometers, vehicles.collided,
                      physics.blocks.pose, physics.blocks.twist_body, physics.figures.pose):
            digest.update(array.tobytes())
    print(physics.steps, vehicles.collided.astype(int).tolist(), digest.hexdigest())


if __name__ == '__main__':
    main()
