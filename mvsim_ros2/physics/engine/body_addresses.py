# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where compiled code finds the engine and its bodies in memory."""

from typing import NamedTuple

from mvsim_ros2.physics.engine.body_access import BASE, FORCE_SLOTS, VELOCITY_SLOTS

# where a body has its velocities and forces
VELOCITY, FORCE = BASE + 4 * int(VELOCITY_SLOTS[0]), BASE + 4 * int(FORCE_SLOTS[0])


class BodyAddresses(NamedTuple):
    """
    Where the engine and its bodies lie in memory.

    Addresses of bodies are in arrays that are there by pointer and length: an array among the
    parameters of an inner kernel would be counted as referred to in each call.
    """

    step: int  # function of the engine, 0 where it cannot be called
    world: int
    velocity_iterations: int
    position_iterations: int
    vehicles: int  # pointer to the addresses of their bodies, int64
    vehicle_count: int
    blocks: int  # pointer to the addresses of those that can move, int64
    block_count: int
    joints: int  # pointer to the addresses of what rubs them, int64, 0 for none of ours
    sliding: int  # pointer to their rows of what slides, float64, 0 in mode mvsim
    driven: int  # pointer to the addresses of what moves as it is told, int64
    driven_count: int
    # pointer to how far they reach: vehicles, blocks, driven; then how thick they are, float64 [m]
    reaches: int
    thicknesses: int  # pointer to the table of `continuous`
    continuous: int  # where the engine knows whether a step is that
    flags: int  # of the engine
    synchronise: int  # function of a body, 0 where all bodies are left to the engine
    collide: int  # functions of what holds the contacts, 0 where these are left to it; so too
    find: int
    noted: int  # pointer to what is noted of the vehicles, see `lone_bodies`, float64
    ties: int  # pointer to the joints between vehicles, `TIE`
    tie_count: int
