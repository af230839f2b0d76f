# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""MVSim: steering geometry, differentials, skid steering, the PID."""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, integrate, MANUAL, MVSIM, Outcome, Panel, rolling_mass, Row,
    speeds_over_time, started)

BASE, TRACK = 1.3, 2.0  # m, of the test car
RADIUS, DAMPING = 0.2, 0.5  # of the wheels of the PID's robot: m, N m s/rad


def ackermann() -> Outcome:
    """Drive circles at walking pace."""
    rows, curves = [], []
    for angle in (0.1, 0.3, 0.5):
        simulation, vehicle = started('ackermann')
        vehicle.set_steering(0.5, angle)
        x, y = [0.0], [0.0]
        for _ in range(40):
            simulation.run(0.25)
            x.append(vehicle.pose.x)
            y.append(vehicle.pose.y)
        half = 0.5 * TRACK / BASE
        for wheel, case, sign in ((3, 'outer', 1.0), (2, 'inner', -1.0)):
            share = angle + sign * half
            rows.append(Row(
                f'{angle:g} rad, {case} wheel', 'steering angle [rad]',
                math.atan(1.0 / math.tan(share)),
                math.atan(1.0 / (1.0 / math.tan(angle) + sign * half)),
                float(vehicle.wheels['steer'][wheel])))
        ahead, _, turn = vehicle.twist_body
        radius = BASE / math.tan(angle)
        rows.append(Row(f'{angle:g} rad', 'radius of the rear axle [m]', radius, radius,
                        ahead / turn))
        around = [0.02 * k * min(5.0 / radius, 6.2832) for k in range(51)]
        curves += [Curve(f'{angle:g} rad', x[::3], y[::3]),
                   Curve(f'{angle:g} rad', [radius * math.sin(a) for a in around],
                         [radius * (1.0 - math.cos(a)) for a in around], True)]
    return Outcome(rows, [Panel('Circles', 'x [m]', 'y [m]', curves)])


def differentials() -> Outcome:
    """Start with 200 N m, the left wheels on ice with mu 0.05."""
    rows, curves = [], []
    for kind in ('open_rear', 'torsen_rear'):
        simulation, vehicle = started('differentials', drivetrain=kind)
        vehicle.set_torques(200.0)
        times, speeds = speeds_over_time(simulation, vehicle, 0.0, 0.8, 4)
        spins = [float(each) for each in vehicle.wheels['omega'][:2]]
        slips, grips = (float(each) for each in vehicle.wheels['torque'][:2])
        lock = max(0.0, 1.0 - 1.5 * spins[1] / spins[0]) if kind == 'torsen_rear' else 0.0
        rows.append(Row(kind, 'torque of the slow over that of the fast wheel',
                        1.5 if lock else 1.0, (1.0 + lock) / (1.0 - lock), grips / slips))
        curves.append(Curve(kind, times, speeds))
    return Outcome(rows, [Panel('Launch on a split road', 'time [s]', 'speed [m/s]', curves)])


def skid_steer() -> Outcome:
    """Turn on the spot, wheels farther and farther apart along the robot."""
    rows, ratios, found = [], [], []
    for x in (0.1, 0.2, 0.3, 0.4):
        simulation, vehicle = started('skid_steer', x=x, y=0.3)
        vehicle.set_twist(0.0, 1.0)
        simulation.run(8.0)
        wheels = vehicle.wheels
        rims = (float(wheels['omega'][1]) - float(wheels['omega'][0])) * 0.1
        turn = float(vehicle.twist_body[2])
        ratios.append(x / 0.3)
        found.append(turn * 0.6 / rims)
        rows += [
            Row(f'axles {2.0 * x:g} m apart', 'yaw rate of the odometry [rad/s]', -rims / 0.6,
                rims / 0.6, float(vehicle.odometry.twist[2])),
            Row(f'axles {2.0 * x:g} m apart', 'yaw rate [rad/s]', rims / 0.6,
                rims / 0.6 / (1.0 + (x / 0.3) ** 2), turn)]
    grid = [0.02 * k for k in range(76)]
    return Outcome(rows, [Panel(
        'Turning on the spot', 'wheelbase / track', 'yaw rate / that of rolling wheels', [
            Curve('four wheels', ratios, found),
            Curve('four wheels', grid, [1.0 / (1.0 + each ** 2) for each in grid], True)])])


def response(inert: float, gain: float, integral: float, times: list[float]) -> list[float]:
    """Return the speeds of the robot with its PID, commanded 1 m/s."""
    pull, brake = 2.0 * gain / RADIUS, 2.0 * DAMPING / RADIUS ** 2

    def rates(state: Array) -> tuple[float, float]:
        speed, kept = state.tolist()
        return ((pull * (1.0 - speed) + 2.0 * kept / RADIUS - brake * speed) / inert,
                integral * (1.0 - speed))

    found: list[float] = integrate(rates, (0.0, 0.0), times, 1e-3)[:, 0].tolist()
    return found


def pid_step() -> Outcome:
    """Command a standing robot 1 m/s with several gains."""
    rows, curves = [], []
    for gain, integral in ((5.0, 0.0), (5.0, 10.0), (5.0, 40.0)):
        simulation, vehicle = started('pid_step', KP=gain, KI=integral)
        vehicle.set_twist(1.0, 0.0)
        times, speeds = speeds_over_time(simulation, vehicle, 0.0, 5.0, 25)
        exact = response(rolling_mass(vehicle), gain, integral, times)
        case = f'KP {gain:g}, KI {integral:g}'
        for moment in (0.5, 1.0):
            k = round(moment / 0.05)
            rows.append(Row(case, f'speed after {moment:g} s [m/s]', exact[k], exact[k],
                            speeds[k]))
        rows.append(Row(case, 'largest speed [m/s]', max(exact), max(exact), max(speeds)))
        curves += [Curve(case, times[::2], speeds[::2]), Curve(case, times, exact, True)]
    simulation, vehicle = started('pid_step', KP=5.0, KI=40.0, I_MAX=1.0)
    vehicle.set_twist(1.0, 0.0)
    simulation.run(8.0)
    bound = (5.0 + 1.0) / (5.0 + DAMPING / RADIUS)
    rows.append(Row('KP 5, KI 40, I_MAX 1', 'final speed [m/s]', bound, bound,
                    float(vehicle.twist_body[0])))
    return Outcome(rows, [Panel('Commanded 1 m/s', 'time [s]', 'speed [m/s]', curves)])


EXPERIMENTS = (
    Experiment('ackermann', 'Steering geometry and circles', f'{MVSIM}; {MANUAL}', 0.01,
               ackermann, 'the manual adds the ratio w / 2l to the angle before it takes the '
               'cotangent; the page takes the cotangent of the angle alone'),
    Experiment('differentials', 'A launch with one side on ice', MVSIM, 0.01, differentials,
               'the text calls the bias the largest ratio of the torques (1.5 here), but the '
               'printed rule has no such limit'),
    Experiment('skid_steer', 'Turning on the spot by skidding', f'{MVSIM}; its paper', 0.02,
               skid_steer, 'the yaw rate of the odometry has the opposite sign. The yaw rate of '
               'the robot is the one of rolling wheels. Four equal wheels give the share '
               'b^2 / (a^2 + b^2) of it, with a half the wheelbase and b half the track'),
    Experiment('pid_step', 'Steps of the PID', MVSIM, 0.02, pid_step))
