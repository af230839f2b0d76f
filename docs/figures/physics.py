# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the figures of the pages of physics into docs/images.

`python docs/figures/physics.py`.
"""

from dataclasses import replace
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from places import IMAGES

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.world.spec import (
    AckermannSpec, BlockSpec, ChassisSpec, DefaultTyre, Differential4Spec, DifferentialSpec,
    ElevationMapSpec, FrontSteerPidController, HeightMap, RawController, TwistPidController,
    VehicleSpec, WardIagnemmaTyre, WheelSpec, WorldSpec)

Array = NDArray[np.float64]

BLUE, ORANGE, GREEN, PURPLE = COLOURS[:4]
PANEL = 4.6, 3.7  # inches
WHEEL = WheelSpec((0.0, 0.0, 0.0), mass=1.0, width=0.05, diameter=0.2)
CHASSIS = ChassisSpec(shape=((-0.35, -0.25), (0.35, -0.25), (0.35, 0.25), (-0.35, 0.25)),
                      zmin=0.09, linear_damping=0.0, angular_damping=0.0)
SMALL = DifferentialSpec(
    chassis=CHASSIS, controller=RawController(),
    l_wheel=replace(WHEEL, pos=(0.0, 0.3, 0.0)), r_wheel=replace(WHEEL, pos=(0.0, -0.3, 0.0)))
FOUR = Differential4Spec(
    chassis=CHASSIS, controller=TwistPidController(KP=10.0, KI=5.0, max_torque=5.0), **{
        name: replace(WHEEL, pos=(x, y, 0.0)) for name, x, y in (
            ('lr_wheel', -0.25, 0.3), ('rr_wheel', -0.25, -0.3),
            ('lf_wheel', 0.25, 0.3), ('rf_wheel', 0.25, -0.3))})
CAR = AckermannSpec(controller=FrontSteerPidController(KP=150.0, KI=20.0, max_torque=90.0))


def run(simulation: Simulation, seconds: float) -> Array:
    """Return time, pose and body twist of the first vehicle after each step, shape (n, 10)."""
    vehicle = next(iter(simulation.vehicles.values()))
    rows = []
    for _ in range(round(seconds / simulation.dt)):
        simulation.step()
        pose = vehicle.pose
        rows.append((simulation.time, pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll,
                     *vehicle.twist_body))
    return np.array(rows)


def world(vehicle: VehicleSpec, dt: float = 0.005, **things: Any) -> WorldSpec:
    """Return a world with one vehicle."""
    return WorldSpec(simul_timestep=dt, vehicles=(vehicle,), **things)


def kerbs() -> None:
    """Draw what a wheel climbs, a robot that drives over kerbs, and one that cannot."""
    figure, ((left, middle, right),) = new_figure(1, 3, size=PANEL)
    mu = np.linspace(0.0, 1.4, 200)
    for factor, label, colour in ((1.0, 'one axle driven', BLUE), (2.0, 'all driven', ORANGE)):
        left.plot(mu, 1.0 - np.cos(np.minimum(factor * np.arctan(mu), 0.5 * math.pi)),
                  color=colour, label=label)
    panel(left, 'Highest step that a wheel climbs', 'friction coefficient', 'step / radius')
    legend(left)
    for height, colour in ((0.03, GREEN), (0.07, BLUE), (0.08, ORANGE)):
        kerb = BlockSpec('kerb', init_pose=Pose(2.0, 0.0), static=True, zmax=height,
                         shape=((-0.5, -2.0), (0.5, -2.0), (0.5, 2.0), (-0.5, 2.0)))
        simulation = Simulation(world(VehicleSpec(
            'r', dynamics=replace(FOUR, chassis=replace(CHASSIS, zmin=0.12))), blocks=(kerb,)),
            physics='physical')
        simulation.vehicles['r'].set_twist(0.8, 0.0)
        rows = run(simulation, 5.0)
        middle.plot(rows[:, 1], 100.0 * rows[:, 3], color=colour, label=f'{100 * height:.0f} cm')
        right.plot(rows[:, 1], -np.degrees(rows[:, 5]), color=colour)
    panel(middle, 'Four driven wheels of radius 10 cm at a kerb', 'x [m]', 'height [cm]')
    legend(middle, title='kerb')
    panel(right, 'The same: attitude', 'x [m]', 'nose up [deg]')
    save_figure(figure, IMAGES / 'physics_kerbs.png')


def circles() -> None:
    """Draw the paths of a circle at several steps in both modes."""
    figure, (panels,) = new_figure(1, 2, size=PANEL)
    for axes, mode in zip(panels, ('mvsim', 'physical'), strict=True):
        for dt, colour, style in ((0.001, BLUE, '-'), (0.005, ORANGE, '--'), (0.02, GREEN, ':')):
            simulation = Simulation(
                world(VehicleSpec('r', dynamics=FOUR), dt), physics=mode)
            simulation.vehicles['r'].set_twist(0.5, 0.5)
            rows = run(simulation, 12.0)
            axes.plot(rows[:, 1], rows[:, 2], style, color=colour, label=f'{1e3 * dt:.0f} ms')
        panel(axes, f'Told 0.5 m/s, 0.5 rad/s: mode {mode}', 'x [m]', 'y [m]')
        axes.set_aspect('equal', adjustable='datalim')
    legend(panels[0], title='step')
    save_figure(figure, IMAGES / 'physics_circles.png')


def losses() -> None:
    """Coasting on level ground in both modes."""
    figure, (panels,) = new_figure(1, 2, size=PANEL)
    tyres = (('C_damping 0.01', DefaultTyre(C_damping=0.01), BLUE),
             ('C_rr 0.02', DefaultTyre(C_damping=0.0, C_rr=0.02), ORANGE),
             ('wardiagnemma', WardIagnemmaTyre(C_damping=0.0), GREEN))
    for axes, mode in zip(panels, ('mvsim', 'physical'), strict=True):
        for label, tyre, colour in tyres:
            vehicle = VehicleSpec('r', dynamics=SMALL, friction=tyre, init_twist=(2.0, 0.0, 0.0))
            rows = run(Simulation(world(vehicle), physics=mode), 12.0)
            axes.plot(rows[:, 0], rows[:, 7], color=colour, label=label)
        panel(axes, f'Coasting, mode {mode}', 'time [s]', 'speed [m/s]')
    legend(panels[0])
    save_figure(figure, IMAGES / 'physics_coasting.png')


def hills() -> None:
    """Draw a free vehicle and one that is told to stop on a slope of 10 degrees."""
    figure, ((left, right),) = new_figure(1, 2, size=PANEL)
    rise = math.tan(math.radians(10.0))
    heights = np.repeat(rise * np.arange(-60.0, 61.0)[:, None], 121, axis=1)
    slope = ElevationMapSpec(heights=HeightMap(heights, 1.0, -60.0, -60.0))
    for mode, colour in (('mvsim', ORANGE), ('physical', BLUE)):
        free = VehicleSpec('r', dynamics=SMALL, init_pose=Pose(0.0, 0.0, 1.0),
                           friction=DefaultTyre(C_damping=0.0))
        rows = run(Simulation(world(free, elements=(slope,)), physics=mode), 5.0)
        left.plot(rows[:, 0], rows[:, 7], color=colour, label=mode)
        held = VehicleSpec('r', dynamics=FOUR, init_pose=Pose(0.0, 0.0, 1.0))
        rows = run(Simulation(world(held, elements=(slope,)), physics=mode), 5.0)
        right.plot(rows[:, 0], 1e3 * (rows[:, 1] - rows[0, 1]), color=colour)
    times = np.linspace(0.0, 5.0, 50)
    mass = 15.0 + 2.0
    ideal = 9.81 * math.sin(math.radians(10.0)) * mass / (mass + 1.0)
    left.plot(times, -ideal * times, color='0.2', linestyle=':',
              label=r'g sin 10° M / (M + $\sum$ I / R$^2$)')
    panel(left, 'Without torque on 10 degrees', 'time [s]', 'speed along the slope [m/s]')
    legend(left)
    panel(right, 'Told to stop on 10 degrees', 'time [s]', 'way [mm]')
    save_figure(figure, IMAGES / 'physics_hills.png')


def loads() -> None:
    """Wheel loads and friction of a car that brakes, speeds up and turns."""
    figure, ((left, right),) = new_figure(1, 2, size=PANEL)
    simulation = Simulation(world(VehicleSpec('car', dynamics=CAR)), physics='physical')
    car = simulation.vehicles['car']
    rows, uses = [], []
    for step in range(1900):
        if step == 0:
            car.set_steering(6.0, 0.0)
        elif step == 900:
            car.set_steering(6.0, 0.12)
        elif step == 1300:
            car.set_steering(0.0, 0.0)
        simulation.step()
        wheels = car.wheels
        rows.append(wheels['normal_load'])
        uses.append(np.column_stack([wheels['force_lat'], wheels['force_long']])
                    / wheels['normal_load'][:, None])
    times = simulation.dt * np.arange(1, 1901)
    for k, (name, colour) in enumerate((('rear left', GREEN), ('rear right', PURPLE),
                                        ('front left', BLUE), ('front right', ORANGE))):
        left.plot(times, np.array(rows)[:, k] / 1e3, color=colour, label=name)
        right.plot(np.array(uses)[:, k, 0], np.array(uses)[:, k, 1], '.', color=colour,
                   markersize=2.0)
    panel(left, 'Loads: speeding up, a bend to the left, braking', 'time [s]', 'load [kN]')
    legend(left)
    angle = np.linspace(0.0, 2.0 * math.pi, 181)
    right.plot(0.8 * np.cos(angle), 0.8 * np.sin(angle), color='0.6', linewidth=1.0)
    panel(right, 'Friction used, circle mu = 0.8', 'to the left / load', 'forward / load')
    right.set_aspect('equal', adjustable='datalim')
    right.invert_xaxis()
    save_figure(figure, IMAGES / 'physics_loads.png')


if __name__ == '__main__':
    for draw in (kerbs, circles, losses, hills, loads):
        draw()
