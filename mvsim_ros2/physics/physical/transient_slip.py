# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Transient slip: what lets a tyre hold at rest, and slip smoothly from there.

A tyre is a spring between rim and ground that renews itself as it rolls, ``sigma dz/dt + V z =
v_s``. z is the slip, v_s the sliding velocity of the rim, V the speed and sigma the relaxation
length (H. B. Pacejka, *Tire and Vehicle Dynamics*, ch. 7). At speed z is the steady slip v_s / V;
at rest it is the deflection over sigma, and nothing is divided by V.
"""

LENGTH = 0.2  # relaxation length over the radius of the wheel, where a tyre says nothing else
STIFFNESS = 20.0  # force over load and slip where slip is small; 18.4 for MF on a dry road
SHORTEST = 0.01  # share of the relaxation length that a sliding tyre keeps at least
LEAST = 1e-12  # N; a smaller friction limit is none
TINY = 1e-300  # divisors of what is not taken are no smaller
STANDS = 0.3  # m/s; a wheel slower than that has begun to be a brush, whatever its tyre
DAMPED = 1.0  # m/s; at this speed the damping of the standing tyre has faded
DAMPING = 0.7  # of the standing tyre, over critical
