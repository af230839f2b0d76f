# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sines, arcs, exponentials and logarithms as kernels.

They are polynomials with the coefficients of fdlibm (Sun Microsystems, 1993) after a reduction of
the argument. They are right within two units in the last place, arcsines within two and a half.
Unlike C libraries they give the same bits on every machine. They become part of the kernels that
call them.
"""

import math

from mvsim_ros2.jit.kernel import compiled

_WHOLE = 1.5 * 2.0 ** 52  # added and taken off, it leaves a whole number
_TINY = 1e-300
_QUARTER, _QUARTER_REST = 1.57079632673412561417e+00, 6.07710050650619224932e-11  # pi / 2
_RIGHT, _RIGHT_REST = 1.57079632679489655800e+00, 6.12323399573676603587e-17  # pi / 2
_TAN_EIGHTH = 0.41421356237309503  # tan(pi / 8)
_SIN_EIGHTH, _EIGHTH = 0.38, 0.78  # a little less than sin(pi / 8), than pi / 4
_LOG, _LOG_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # log 2
_S1, _S2, _S3, _S4, _S5, _S6 = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)
_C1, _C2, _C3, _C4, _C5, _C6 = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11)
_A0, _A1, _A2, _A3, _A4, _A5, _A6, _A7, _A8, _A9, _A10 = (
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01,
    -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02,
    6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02,
    -3.65315727442169155270e-02, 1.62858201153657823623e-02)
_P1, _P2, _P3, _P4, _P5 = (
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, 4.13813679705723846039e-08)
_L1, _L2, _L3, _L4, _L5, _L6, _L7 = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
    2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
    1.479819860511658591e-01)
_ROOT_HALF = 0.70710678118654757
_SMALL = 0.06  # from 0 to there a few terms of a series are exact


@compiled(inlined=True)
def clamp(value: float, limit: float) -> float:
    """Return `value` limited to [-limit, limit]."""
    return min(max(value, -limit), limit)


@compiled
def sine_cosine(angle: float) -> tuple[float, float]:
    """
    Return sine and cosine of an angle.

    :param angle: at most a million in size [rad].
    """
    part, turn = angle, 0.0
    if abs(angle) > _EIGHTH:
        quarters = (angle * (1.0 / _RIGHT) + _WHOLE) - _WHOLE
        part = (angle - quarters * _QUARTER) - quarters * _QUARTER_REST
        turn = quarters - 4.0 * ((quarters * 0.25 + _WHOLE) - _WHOLE)  # from -2 to 2
    z = part * part
    w, half = z * z, 0.5 * z
    sine = part + part * z * ((_S1 + z * _S2) + w * ((_S3 + z * _S4) + w * (_S5 + z * _S6)))
    most = 1.0 - half
    cosine = most + (((1.0 - most) - half) + w * (
        (_C1 + z * _C2) + w * ((_C3 + z * _C4) + w * (_C5 + z * _C6))))
    if turn == 0.0:
        return sine, cosine
    if turn == 1.0:
        return cosine, -sine
    if turn == -1.0:
        return -cosine, sine
    return -sine, -cosine


@compiled(inlined=True)
def _bend(z: float) -> float:
    """Return what the arc tangent of a number within tan(pi / 8) lacks, over it, of its square."""
    return z * (_A0 + z * (_A1 + z * (_A2 + z * (_A3 + z * (_A4 + z * (_A5 + z * (
        _A6 + z * (_A7 + z * (_A8 + z * (_A9 + z * _A10))))))))))


@compiled
def direction(y: float, x: float) -> float:
    """Return the angle of a vector [rad], from -pi to pi; 0 of one without a length."""
    size_x, size_y = abs(x), abs(y)
    small, large = min(size_x, size_y), max(size_x, size_y)
    if small > _TAN_EIGHTH * large:
        part = (small - large) / max(small + large, _TINY)
        angle = 0.5 * _RIGHT + (part - (part * _bend(part * part) - 0.5 * _RIGHT_REST))
    else:
        part = small / max(large, _TINY)
        angle = part - part * _bend(part * part)
    if size_y > size_x:
        angle = _RIGHT - (angle - _RIGHT_REST)
    if x < 0.0:
        angle = 2.0 * _RIGHT - (angle - 2.0 * _RIGHT_REST)
    return -angle if y < 0.0 else angle


@compiled(inlined=True)
def arc_tangent(number: float) -> float:
    """Return the angle of a tangent [rad]."""
    if abs(number) > _TAN_EIGHTH:
        return direction(number, 1.0)
    z = number * number
    if abs(number) > _SMALL:
        return number - number * _bend(z)
    w = z * z
    return number - number * z * ((1.0 / 3.0 - z * (1.0 / 5.0)) + w * (
        (1.0 / 7.0 - z * (1.0 / 9.0)) + w * (1.0 / 11.0 - z * (1.0 / 13.0))))


@compiled
def arc_sine(number: float) -> float:
    """Return the angle of a sine [rad], of a number from -1 to 1."""
    across = math.sqrt((1.0 - number) * (1.0 + number))
    if abs(number) > _SIN_EIGHTH:
        return direction(number, across)
    part = number / across
    return part - part * _bend(part * part)


@compiled(inlined=True)
def arc_sine_ratio(number: float) -> float:
    """Return the arc sine of a number above 0, a right angle above 1, over the number."""
    if number > _SMALL:
        return arc_sine(min(number, 1.0)) / number
    z = number * number
    w = z * z
    return 1.0 + z * ((1.0 / 6.0 + z * (3.0 / 40.0)) + w * (
        (5.0 / 112.0 + z * (35.0 / 1152.0)) + w * (63.0 / 2816.0 + z * (231.0 / 13312.0))))


@compiled(inlined=True)
def sine(angle: float) -> float:
    """Return the sine of an angle, at most a million in size [rad]."""
    if abs(angle) > _EIGHTH:
        found, _ = sine_cosine(angle)
        return found
    z = angle * angle
    w = z * z
    return angle + angle * z * ((_S1 + z * _S2) + w * ((_S3 + z * _S4) + w * (_S5 + z * _S6)))


@compiled
def _powers(power: float) -> tuple[float, float]:
    """Return e to the rest of a power, less 1, and the power of two that goes with it."""
    power = max(-700.0, power)
    twos = (power * 1.4426950408889634 + _WHOLE) - _WHOLE
    high, low = power - twos * _LOG, twos * _LOG_REST
    part = high - low
    z = part * part
    bent = part - z * (_P1 + z * (_P2 + z * (_P3 + z * (_P4 + z * _P5))))
    return high - (low - part * bent / (2.0 - bent)), math.ldexp(1.0, int(twos))


@compiled
def exponential(power: float) -> float:
    """
    Return e to a power.

    :param power: at most 700; values below -700 are taken as -700.
    """
    rest, whole = _powers(power)
    return (1.0 + rest) * whole


@compiled
def exponential_less_one(power: float) -> float:
    """Return the same less 1, as exact where the power is small."""
    rest, whole = _powers(power)
    return whole * rest + (whole - 1.0)


@compiled(inlined=True)
def exponential_growth(power: float) -> float:
    """Return e to a power that is not 0, less 1, over the power."""
    if abs(power) > _SMALL:
        return exponential_less_one(power) / power
    z = power * power
    return 1.0 + power * ((1.0 / 2.0 + power * (1.0 / 6.0)) + z * (
        (1.0 / 24.0 + power * (1.0 / 120.0)) + z * (
            (1.0 / 720.0 + power * (1.0 / 5040.0))
            + z * (1.0 / 40320.0 + power * (1.0 / 362880.0)))))


@compiled(inlined=True)
def logarithm(number: float) -> float:
    """Return the natural logarithm of a normal number above 0."""
    part, twos = math.frexp(number)
    if part < _ROOT_HALF:
        part, twos = 2.0 * part, twos - 1
    part -= 1.0
    share = part / (2.0 + part)
    z = share * share
    half = 0.5 * part * part
    w = z * z
    bent = z * (_L1 + z * (_L2 + z * _L3) + z * w * ((_L4 + z * _L5) + w * (_L6 + z * _L7)))
    rest = half - (share * (half + bent) + twos * _LOG_REST)
    return twos * _LOG - (rest - part)
