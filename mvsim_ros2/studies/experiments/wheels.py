# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""MVSim: losses of coasting wheels, regions of friction, the ellipse curve, loads, slopes."""

import math

from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, G, MANUAL, mass_of, MVSIM, Outcome, Panel, rolling_mass, Row, speed_of,
    speeds_over_time, started)

RADIUS = 0.2  # m, of the wheels of the test car
A_ROLL, R1, R2 = 50.0, 0.0075, 0.02  # Ward and Iagnemma
MU = 0.3  # of the slope


def resistance(speed: float) -> float:
    """Return resistance over load of Ward and Iagnemma."""
    return R1 * (1.0 - math.exp(-A_ROLL * speed)) + R2 * speed


def printed_resistance(speed: float) -> float:
    """Return it as the manual prints it, without the two minus signs."""
    return R1 * math.exp(A_ROLL * speed) + R2 * speed


def coasting() -> Outcome:
    """Coast with each of the losses alone."""
    rows, curves = [], []
    for label, variables in (('C_damping 2', {'C_damping': 2.0}), ('C_rr 0.02', {'C_rr': 0.02})):
        simulation, vehicle = started('coasting', **variables)
        inert = rolling_mass(vehicle)
        times, speeds = speeds_over_time(simulation, vehicle, 2.0, 3.0, 20)
        if 'C_rr' in variables:
            exact = [2.0 - 0.02 * G * mass_of(vehicle) / inert * time for time in times]
        else:
            exact = [2.0 * math.exp(-4.0 * 2.0 / RADIUS ** 2 / inert * time) for time in times]
        rows.append(Row(label, 'speed after 3 s from 2 m/s [m/s]', exact[-1], exact[-1],
                        speeds[-1]))
        curves += [Curve(label, times, speeds), Curve(label, times, exact, True)]
    found = []
    for speed in (0.05, 0.2, 2.0):
        simulation, vehicle = started('coasting', tyre='wardiagnemma', speed=speed)
        simulation.run(0.05)  # wheels come to roll
        first = speed_of(vehicle)
        simulation.run(0.1)
        middle = 0.5 * (first + speed_of(vehicle))
        found.append((first - speed_of(vehicle)) / 0.1 * rolling_mass(vehicle)
                     / (mass_of(vehicle) * G))
        rows.append(Row(f'Ward-Iagnemma, {speed:g} m/s', 'resistance over load',
                        printed_resistance(middle), resistance(middle), found[-1]))
    grid = [0.02 * k for k in range(101)]
    return Outcome(rows, [
        Panel('Coasting', 'time [s]', 'speed [m/s]', curves),
        Panel('Resistance of Ward and Iagnemma', 'speed [m/s]', 'resistance / load', [
            Curve('R1, R2, A', [0.05, 0.2, 2.0], found),
            Curve('R1, R2, A', grid, [resistance(speed) for speed in grid], True)])])


def regions() -> Outcome:
    """Brake on the ice patch, coast in the sand zone."""
    simulation, vehicle = started('regions', x=-6.8, speed=2.0)
    vehicle.set_brake(1.0)
    times, slow = speeds_over_time(simulation, vehicle, 2.0, 5.0, 5)
    way = 4.0 / (2.0 * 0.15 * G)
    rows = [Row('ice patch', 'stopping distance from 2 m/s [m]', way, way, vehicle.pose.x + 6.8)]
    simulation, vehicle = started('regions', x=3.1, speed=2.0)
    moments, speeds = speeds_over_time(simulation, vehicle, 2.0, 1.2, 10)
    loss = 0.08 * G * mass_of(vehicle) / rolling_mass(vehicle)
    rows.append(Row('sand zone', 'deceleration [m/s^2]', loss, loss,
                    (2.0 - speeds[-1]) / moments[-1]))
    return Outcome(rows, [Panel('Ice patch and sand zone', 'time [s]', 'speed [m/s]', [
        Curve('brakes on ice, mu 0.15', times, slow),
        Curve('brakes on ice, mu 0.15', [0.0, 2.0 / (0.15 * G)], [2.0, 0.0], True),
        Curve('coasts in sand, C_rr 0.08', moments, speeds),
        Curve('coasts in sand, C_rr 0.08', [0.0, 1.2], [2.0, 2.0 - 1.2 * loss], True)])])


def caps(slip: float, angle: float) -> tuple[float, float]:
    """Return the largest forces along and across over the load, defaults of the page."""
    turned, slipped = min(abs(angle), 0.1), min(abs(slip), 0.1)
    return (7.5 * slipped * math.sqrt(1.0 - 0.5 * (turned / 0.1) ** 2),
            8.5 * turned * math.sqrt(1.0 - 0.5 * (slipped / 0.1) ** 2))


def ellipse() -> Outcome:
    """Slide along with locked wheels, across with rolling ones, and askew."""
    rows, points = [], []
    for case, locked, degrees in (
            ('locked', True, 0.0), ('sideways', False, 12.0), ('locked, sideways', True, 12.0)):
        simulation, vehicle = started(
            'ellipse', aside=10.0 * math.tan(math.radians(degrees)))
        vehicle.set_brake(1.0 if locked else 0.0)
        simulation.run(0.05)
        wheel = vehicle.wheels[0]
        along, across = (abs(float(wheel[name] / wheel['normal_load']))
                         for name in ('force_long', 'force_lat'))
        expected = caps(1.0 if locked else 0.0, math.radians(degrees))
        points.append((across, along))
        if locked:
            rows.append(Row(case, 'force along over load', expected[0], expected[0], along))
        if degrees:
            rows.append(Row(case, 'force across over load', expected[1], expected[1], across))
    turns = [0.01 * k for k in range(101)]
    return Outcome(rows, [Panel('Ellipse curve', 'across / load', 'along / load', [
        Curve('sliding', [across for across, _ in points], [along for _, along in points]),
        Curve('sliding', [caps(0.1 * t, 0.1)[1] for t in turns],
              [caps(0.1 * t, 0.1)[0] for t in turns], True),
        Curve('sliding', [caps(0.1, 0.1 * t)[1] for t in turns],
              [caps(0.1, 0.1 * t)[0] for t in turns], True)])])


def loads() -> Outcome:
    """Weigh the axles of a car that stands, and of one that brakes with locked wheels."""
    rows, bars = [], []
    for case, speed, brake in (('stands', 0.0, 0.0), ('brakes with mu 0.8', 12.0, 1.0)):
        simulation, vehicle = started('loads', speed=speed)
        vehicle.set_brake(brake)
        simulation.run(1.0)
        wheels = vehicle.wheels
        rear, front = (float(wheels['normal_load'][pair].sum())
                       for pair in (slice(0, 2), slice(2, 4)))
        chassis = vehicle.spec.dynamics.chassis
        x, height = centre(vehicle.footprint.polygon), 0.5 * (chassis.zmin + chassis.zmax)
        mass = mass_of(vehicle)
        middle = (chassis.mass * x + 4.0 * 1.3) / mass
        lifted = (chassis.mass * height + 8.0 * RADIUS) / mass
        braking = -0.8 * G if brake else 0.0
        on_front = mass * (G * middle - braking * lifted) / 1.3
        for axle, ours, expected in (('front', front, on_front),
                                     ('rear', rear, mass * G - on_front)):
            rows.append(Row(case, f'load of the {axle} axle [N]', 0.5 * mass * G, expected, ours))
        bars.append((front, rear))
    return Outcome(rows, [Panel('Loads of the axles', 'stands (0), brakes (1)', 'load [N]', [
        curve for k, axle in enumerate(('front', 'rear')) for curve in (
            Curve(axle, [0.0, 1.0], [each[k] for each in bars]),
            Curve(axle, [0.0, 1.0], [rows[k].expected, rows[2 + k].expected], True))])])


def centre(polygon: tuple[tuple[float, float], ...]) -> float:
    """Return x of the centre of area of a polygon [m]."""
    area = moment = 0.0
    for (x, y), (u, v) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        cross = x * v - u * y
        area += cross
        moment += cross * (x + u) / 3.0
    return moment / area


def slides(degrees: float) -> bool:
    """Return whether a car with its parking brake set slides down."""
    simulation, vehicle = started('slope', slope=degrees, mu=MU)
    vehicle.set_parking_brake(True)
    simulation.run(4.0)
    return speed_of(vehicle) > 1e-3


def slope() -> Outcome:
    """Let a car roll down, and find the slope on which it slides with locked wheels."""
    simulation, vehicle = started('slope', slope=10.0)
    downhill = G * math.sin(math.radians(10.0)) * mass_of(vehicle) / rolling_mass(vehicle)
    times, speeds = speeds_over_time(simulation, vehicle, 0.0, 3.0, 10)
    low, high = 10.0, 25.0
    for _ in range(9):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slides(middle) else (middle, high)
    rows = [Row('10 deg, free', 'acceleration [m/s^2]', 0.0, downhill, speeds[-1] / times[-1]),
            Row('mu 0.3, parked', 'slides from [deg]', math.degrees(math.asin(MU)),
                math.degrees(math.atan(MU)), 0.5 * (low + high))]
    return Outcome(rows, [Panel('Rolling down 10 degrees', 'time [s]', 'speed [m/s]', [
        Curve('free', times, speeds), Curve('free', [0.0, 3.0], [0.0, 3.0 * downhill], True)])])


EXPERIMENTS = (
    Experiment('coasting', 'Coasting against three resistances', f'{MVSIM}; {MANUAL}', 0.01,
               coasting, 'the manual omits two minus signs in the resistance of Ward and '
               'Iagnemma, in the exponent and before the exponential; the page has them'),
    Experiment('regions', 'The ice patch and the sand zone', MVSIM, 0.01, regions),
    Experiment('ellipse', 'The ellipse curve', MVSIM, 0.01, ellipse,
               'limits have a sign, but must be magnitudes; the steering angle counts twice'),
    Experiment('loads', 'Loads of the axles', MVSIM, 0.01, loads,
               'equal shares of the weight, as in mode mvsim, do not balance the moments. The '
               'expected values follow the law of the lever'),
    Experiment('slope', 'Rolling and sliding on a slope', MVSIM, 0.01, slope,
               'the tyre holds any car without torque, as in mode mvsim, up to sin a = mu. A real '
               'car rolls; with locked wheels it slides from tan a = mu on'))
