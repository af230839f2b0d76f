# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The IMU: rigid body kinematics, mounting, noise, bias, covariances."""

from mounting import mounted
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import SensorError, WorldFileError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.navigation.imu import Flicker, Imu, LowPass
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import GeoreferenceSpec, ImuSpec, WorldSpec

G = 9.81
FAST = WorldSpec(simul_timestep=1e-4)
QUIET = {'angular_velocity_white_noise': 0.0, 'linear_acceleration_white_noise': 0.0,
         'orientation_std_noise': 0.0}


def _imu(seed=0, world_to_enu=0.0, **options):
    spec, world = ImuSpec(**({'name': 'imu'} | QUIET | options)), FAST
    if world_to_enu:
        world = WorldSpec(georeference=GeoreferenceSpec(
            latitude=0.0, longitude=0.0, world_to_enu_rotation=world_to_enu))
    return Imu(mounted(spec, seed=seed, world=world))


def _state(yaw=0.0, pitch=0.0, roll=0.0, twist=(0, 0, 0), acceleration=(0, 0, 0)):
    return BodyState(np.array([1.0, 2.0, 0.0, yaw, pitch, roll]), np.array(twist, float),
                     np.array(acceleration, float), G)


def _values(imu, state):
    sample = imu.measure(1, state)
    return np.concatenate([sample.angular_velocity, sample.linear_acceleration])


@pytest.mark.parametrize('state, expected', [
    pytest.param(_state(yaw=1.0), [0, 0, 0, 0, 0, G], id='at rest'),
    pytest.param(_state(acceleration=(2, 0, 0)), [0, 0, 0, 2, 0, G], id='speeding up'),
    pytest.param(_state(twist=(3, 0, 0.5), acceleration=(0, 1.5, 0)),
                 [0, 0, 0.5, 0, 1.5, G], id='turning'),
    pytest.param(_state(pitch=0.3), [0, 0, 0, -G * np.sin(0.3), 0, G * np.cos(0.3)],
                 id='nose down'),
    pytest.param(_state(roll=0.3), [0, 0, 0, 0, G * np.sin(0.3), G * np.cos(0.3)],
                 id='left side up'),
])
def test_at_the_reference_point(state, expected):
    np.testing.assert_allclose(_values(_imu(), state), expected, atol=1e-15)


def test_robot_that_turns_on_a_circle():
    # speed v on a circle of radius R to the left, and an IMU at (a, b): it moves on a circle
    # round the same centre, which lies at (0, R) in the body frame
    v, radius, a, b = 2.0, 4.0, 0.7, -0.3
    rate = v / radius
    state = _state(yaw=2.0, twist=(v, 0, rate), acceleration=(0, v * rate, 0))
    to_centre = np.array([0.0 - a, radius - b])
    np.testing.assert_allclose(
        _values(_imu(pose=Pose(x=a, y=b, z=0.4)), state),
        [0, 0, rate, *(rate ** 2 * to_centre), G], atol=1e-14)


def test_robot_that_starts_to_turn():
    state = _state(acceleration=(0, 0, 3.0))
    np.testing.assert_allclose(_values(_imu(pose=Pose(x=0.5, y=0.2)), state),
                               [0, 0, 0, -0.6, 1.5, G], atol=1e-15)


@pytest.mark.parametrize('pose', [
    pytest.param(Pose(roll=np.pi), id='upside down'),
    pytest.param(Pose(yaw=np.pi / 2), id='turned left'),
    pytest.param(Pose(yaw=0.3, pitch=-0.4, roll=0.5, x=0.1, y=0.2, z=0.3), id='oblique')])
def test_mounting(pose):
    state = _state(yaw=0.4, pitch=0.1, roll=-0.2, twist=(1, 0.2, 0.7),
                   acceleration=(0.3, 0.5, -0.9))
    body = _values(_imu(pose=Pose(pose.x, pose.y, pose.z)), state)
    turned = rotation_matrix(pose.yaw, pose.pitch, pose.roll).T
    np.testing.assert_allclose(_values(_imu(pose=pose), state),
                               [*(turned @ body[:3]), *(turned @ body[3:])], atol=1e-14)


def test_at_rest_upright_whatever_the_attitude():
    # rotated back into the world the force at rest is g upwards
    state = _state(yaw=1.1, pitch=0.2, roll=-0.3)
    pose = Pose(yaw=-0.5, pitch=0.4, roll=0.6)
    world = rotation_matrix(1.1, 0.2, -0.3) @ pose.rotation @ _values(_imu(pose=pose), state)[3:]
    np.testing.assert_allclose(world, [0, 0, G], atol=1e-14)


def test_white_noise():
    imu = _imu(angular_velocity_white_noise=0.05, linear_acceleration_white_noise=0.1)
    values = np.array([_values(imu, _state()) for _ in range(20000)])
    sigma = np.repeat([0.05, 0.1], 3)
    assert (abs(values.mean(axis=0) - [0, 0, 0, 0, 0, G]) < 4 * sigma / np.sqrt(20000)).all()
    np.testing.assert_allclose(values.std(axis=0), sigma, rtol=0.03)
    assert not imu.bias.any()


@pytest.mark.parametrize('period', [0.001, 0.05])
def test_bias_walks_with_the_root_of_time(period):
    steps = round(1.0 / period)
    final = []
    for seed in range(150 if steps < 100 else 40):
        imu = _imu(seed, angular_velocity_random_walk=0.01, sensor_period=period,
                   linear_acceleration_random_walk=0.005)
        for _ in range(steps):
            imu.measure(1, _state())
        final.append(imu.bias / np.repeat([0.01, 0.005], 3))
    # after one second the deviation is the random walk itself
    assert np.sqrt(np.mean(np.square(final))) == pytest.approx(1.0, rel=0.15)


def test_bias_is_in_the_samples():
    quiet = _imu(angular_velocity_random_walk=0.01)
    values = _values(quiet, _state())
    np.testing.assert_array_equal(values[:3], quiet.bias[:3])
    assert quiet.bias[:3].all() and not quiet.bias[3:].any()


def test_covariances():
    sample = _imu(angular_velocity_white_noise=0.1, linear_acceleration_white_noise=0.2).measure(
        5, _state())
    np.testing.assert_allclose(sample.angular_velocity_covariance, 0.01 * np.eye(3))
    np.testing.assert_allclose(sample.linear_acceleration_covariance, 0.04 * np.eye(3))
    assert sample.orientation is None
    assert sample.orientation_covariance[0, 0] == -1.0
    assert (sample.sensor, sample.frame_id, sample.stamp_ns) == ('r1/imu', 'imu', 5)


def test_covariances_that_are_not_known():
    sample = _imu(measure_orientation=True).measure(1, _state())
    for covariance in (sample.angular_velocity_covariance, sample.orientation_covariance,
                       sample.linear_acceleration_covariance):
        assert not covariance.any()


def test_orientation():
    pose = Pose(yaw=0.5, pitch=0.1, roll=-0.2)
    sample = _imu(measure_orientation=True, world_to_enu=0.3, pose=pose).measure(
        1, _state(yaw=1.0, pitch=0.2))
    expected = Pose(yaw=1.3, pitch=0.2).compose(pose)
    np.testing.assert_allclose(sample.orientation, expected.quaternion, atol=1e-12)


def test_orientation_noise():
    imu = _imu(measure_orientation=True, orientation_std_noise=0.02)
    samples = [imu.measure(1, _state()) for _ in range(3000)]
    turns = 2.0 * np.array([sample.orientation[:3] for sample in samples])
    np.testing.assert_allclose(turns.std(axis=0), 0.02, rtol=0.06)
    np.testing.assert_allclose(samples[0].orientation_covariance, 4e-4 * np.eye(3))


def test_bias_scale_and_limits():
    imu = _imu(angular_velocity_bias=(0.1, 0.0, -0.1), linear_acceleration_scale=1.1,
               linear_acceleration_limit=10.0, angular_velocity_scale=0.5)
    np.testing.assert_allclose(_values(imu, _state(twist=(0, 0, 1.0))),
                               [0.1, 0, 0.4, 0, 0, 10.0], atol=1e-14)
    np.testing.assert_allclose(_values(imu, _state(roll=np.pi))[5], -10.0)


def test_misaligned_axes_feel_parts_of_each_other():
    imu = _imu(linear_acceleration_misalignment=(0.01, -0.02, 0.0),
               angular_velocity_misalignment=(0.0, 0.003, 0.0))
    values = _values(imu, _state(twist=(0, 0, 2.0)))
    # an accelerometer whose axes are turned by m feels what one in a turned body does
    exact = _values(_imu(), _state(roll=0.01, pitch=-0.02))[3:]
    np.testing.assert_allclose(values[3:], exact, atol=9.81 * 3e-4)
    assert abs(values[3] - exact[0]) < 1e-3 and abs(values[4] - exact[1]) < 1e-3
    np.testing.assert_allclose(values[:3], [-0.006, 0.0, 2.0], atol=1e-12)


def test_gyroscope_feels_the_specific_force_and_values_have_steps():
    imu = _imu(angular_velocity_g_sensitivity=1e-3, angular_velocity_resolution=1e-4,
               linear_acceleration_resolution=0.25)
    values = _values(imu, _state(twist=(0, 0, 1.0)))
    np.testing.assert_allclose(values, [0, 0, 1.0098, 0, 0, 9.75], atol=1e-12)


def test_bias_at_the_start_differs_from_run_to_run():
    biases = np.array([_imu(seed, angular_velocity_bias_noise=0.02,
                            angular_velocity_bias=(1.0, 0.0, 0.0)).bias
                       for seed in range(400)])
    np.testing.assert_allclose(biases[:, :3].std(axis=0), 0.02, rtol=0.12)
    np.testing.assert_allclose(biases[:, 0].mean(), 1.0, atol=0.005)
    assert not biases[:, 3:].any()


def test_state_that_is_not_finite():
    with pytest.raises(SensorError, match='r1/imu'):
        _imu().measure(1, _state(acceleration=(np.nan, 0, 0)))


@pytest.mark.parametrize('period, expected', [(0.001, 1e-3), (0.02, 5e-4)])  # below, above a step
def test_densities_are_those_of_the_samples_taken(period: float, expected: float) -> None:
    """White noise of density d sampled every T has the deviation d / sqrt(T) (IEEE Std 952)."""
    imu = ImuSpec('imu', sensor_period=period,
                  **dict.fromkeys(
                      ('angular_velocity_noise_density', 'linear_acceleration_noise_density'),
                      expected * np.sqrt(max(period, 0.005))))
    simulation = Simulation(WorldSpec(sensors=(imu,)))
    samples = simulation.step(4000)
    rates = np.array([sample.angular_velocity for sample in samples])
    forces = np.array([sample.linear_acceleration for sample in samples])
    for values, covariance in ((rates, samples[0].angular_velocity_covariance),
                               (forces, samples[0].linear_acceleration_covariance)):
        assert values.std(axis=0).mean() == pytest.approx(expected, rel=0.06)
        assert covariance[0, 0] == pytest.approx(expected ** 2)


def _allan_deviation(values, length):
    """Return the overlapping Allan deviation of averages over `length` samples, shape (n,)."""
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    means = (sums[length:] - sums[:-length]) / length
    return np.sqrt(0.5 * np.mean(np.square(means[length:] - means[:-length]), axis=0))


def test_allan_deviation_of_flicker_is_flat():
    # IEEE Std 952-1997, annex C: sqrt(2 ln 2 / pi) B; the tag is what the plot shows
    flicker, random = Flicker(np.full(16, 2e-3), 0.1), np.random.default_rng(3)
    flicker.begin(random)
    values = np.array([flicker.advance(random) for _ in range(40000)])
    for length in (10, 30, 100, 300, 1000):
        level = np.sqrt(np.mean(np.square(_allan_deviation(values, length))))
        assert level == pytest.approx(2e-3, rel=0.08), length


def test_allan_deviation_of_an_imu_is_that_of_its_three_noises():
    """
    Noise, flicker and random walk of an IMU have the specified Allan deviation, within 15 %.

    :reference: IEEE Std 952-1997, appendix C
    :figure: images/sensors_imu.png
    """
    # sigma^2(t) = N^2/t + flat^2 + K^2 t/3 (IEEE Std 952-1997, C.1), sampled every 10 ms
    density, flat, walk, period = 1e-3, 2e-3, 1e-3, 0.01
    imu = _imu(1, sensor_period=period, angular_velocity_noise_density=density,
               angular_velocity_bias_instability=flat, angular_velocity_random_walk=walk)
    values = np.array([_values(imu, _state())[:3] for _ in range(30000)])
    for length in (10, 100, 1000):
        time = period * length
        expected = np.sqrt(density ** 2 / time + flat ** 2 + walk ** 2 * time / 3.0)
        found = np.sqrt(np.mean(np.square(_allan_deviation(values, length))))
        assert found == pytest.approx(expected, rel=0.15), length


@pytest.mark.parametrize('bandwidth, period', [
    pytest.param(47.0, 0.0025, id='BMI088 at 400 Hz'), pytest.param(80.0, 0.005, id='near half'),
    pytest.param(0.5, 0.005, id='far below')])
def test_noise_that_passes_a_low_pass(bandwidth: float, period: float) -> None:
    """The share of the variance is the sum of the squared impulse response, from the start on."""
    signal = pytest.importorskip('scipy.signal')
    impulse = signal.lfilter(*signal.butter(2, bandwidth, fs=1.0 / period),
                             np.concatenate([[1.0], np.zeros(20000)]))
    count = 100_000
    low_pass = LowPass(np.append(np.full(count, bandwidth), np.inf), period)
    assert low_pass.share[0] == pytest.approx(np.sum(impulse ** 2), rel=1e-9)
    assert low_pass.share[-1] == 1.0
    random = np.random.default_rng(5)
    low_pass.begin(random.standard_normal((4, count + 1)))
    values = np.array([low_pass.filtered(random.standard_normal(count + 1)) for _ in range(3)])
    share = low_pass.share[0]
    np.testing.assert_allclose(np.mean(values[:, :-1] ** 2, axis=1), share, rtol=0.02)
    for lag in (1, 2):  # the first ones are as much alike as all others
        expected = np.sum(impulse[lag:] * impulse[:-lag])
        assert np.mean(values[0, :-1] * values[lag, :-1]) == pytest.approx(
            expected, abs=0.02 * share)


def test_noise_of_a_density_has_the_noise_bandwidth_of_the_filter() -> None:
    """
    Low-pass noise is d sqrt(1.11 f), and at long times the random walk is still N.

    :reference: noise bandwidth pi f / (2 sqrt(2)) of a Butterworth filter of second order
    """
    density, bandwidth, period = 2e-3, 4.0, 0.01
    imu = _imu(3, sensor_period=period, angular_velocity_noise_density=density / np.sqrt(2.0),
               angular_velocity_bandwidth=bandwidth)
    samples = [imu.measure(1, _state(twist=(0, 0, 1.0))) for _ in range(40000)]
    values = np.array([sample.angular_velocity for sample in samples]) - [0.0, 0.0, 1.0]
    expected = density * np.sqrt(np.pi * bandwidth / (2.0 * np.sqrt(2.0)))
    assert np.sqrt(np.mean(values ** 2)) == pytest.approx(expected, rel=0.03)
    np.testing.assert_allclose(np.diag(samples[0].angular_velocity_covariance),
                               expected ** 2, rtol=0.02)
    for length in (200, 500):
        level = np.sqrt(np.mean(np.square(_allan_deviation(values, length))))
        assert level == pytest.approx(
            density / np.sqrt(2.0 * period * length), rel=0.06), length


def test_noise_of_a_sample_is_that_of_a_sample_with_a_filter_too() -> None:
    imu = _imu(angular_velocity_white_noise=0.05, linear_acceleration_noise_density=0.01,
               angular_velocity_bandwidth=2.0, linear_acceleration_bandwidth=2.0,
               sensor_period=0.01)
    samples = [imu.measure(1, _state()) for _ in range(4000)]
    rates = np.array([sample.angular_velocity for sample in samples])
    np.testing.assert_allclose(rates.std(axis=0), 0.05, rtol=0.04)
    np.testing.assert_allclose(samples[0].angular_velocity_covariance, 0.0025 * np.eye(3))
    assert samples[0].linear_acceleration_covariance[0, 0] < 0.06 * 0.01 ** 2 / 0.01


def test_filter_of_samples_that_are_too_far_apart_for_it() -> None:
    """Steps of the physics that are longer than the period leave no filter, and no blow-up."""
    spec = ImuSpec('imu', sensor_period=0.001, angular_velocity_bandwidth=80.0,
                   angular_velocity_noise_density=1e-3)
    imu = Imu(mounted(spec, world=WorldSpec(simul_timestep=0.01)))
    values = np.array([imu.measure(1, _state()).angular_velocity for _ in range(4000)])
    np.testing.assert_allclose(values.std(axis=0), 0.01, rtol=0.04)


def test_low_pass_is_a_butterworth_filter():
    signal = pytest.importorskip('scipy.signal')
    imu = _imu(sensor_period=0.01, linear_acceleration_bandwidth=10.0)
    inputs = np.random.default_rng(1).normal(size=200)
    found = [_values(imu, _state(twist=(0, 0, value), acceleration=(value, 0, 0)))
             for value in inputs]
    b, a = signal.butter(2, 10.0, fs=100.0)
    start = signal.lfilter_zi(b, a) * inputs[0]
    np.testing.assert_allclose([each[3] for each in found],
                               signal.lfilter(b, a, inputs, zi=start)[0], atol=1e-12)
    np.testing.assert_allclose([each[2] for each in found], inputs, atol=1e-15)


def test_a_motion_at_the_bandwidth_is_seen_with_half_its_power():
    imu = _imu(sensor_period=0.005, angular_velocity_bandwidth=20.0)
    time = 0.005 * np.arange(800)
    rates = [_values(imu, _state(twist=(0, 0, np.sin(2 * np.pi * 20.0 * moment))))[2]
             for moment in time]
    assert np.std(rates[400:]) == pytest.approx(0.5, rel=1e-3)  # of sqrt(1/2) sqrt(1/2)


def test_axes_differ():
    imu = _imu(angular_velocity_white_noise=(0.1, 0.2, 0.0), angular_velocity_scale=(1, 1, 2.0),
               linear_acceleration_limit=(20.0, 20.0, 5.0),
               linear_acceleration_resolution=(0.0, 0.0, 0.5),
               angular_velocity_g_sensitivity=(0.0, 0.0, 0.01))
    samples = [imu.measure(1, _state(twist=(0, 0, 0.1))) for _ in range(4000)]
    rates = np.array([sample.angular_velocity for sample in samples])
    np.testing.assert_allclose(rates.std(axis=0), [0.1, 0.2, 0.0], rtol=0.05, atol=1e-12)
    assert rates[0, 2] == pytest.approx(2.0 * (0.1 + 0.01 * G))
    assert samples[0].linear_acceleration.tolist() == [0.0, 0.0, 5.0]
    np.testing.assert_allclose(np.diag(samples[0].angular_velocity_covariance),
                               [0.01, 0.04, 0.0])


def test_a_file_gives_one_number_or_three():
    def load(numbers, band='4'):
        return load_world_text(f"""<sensor class="imu">
            <angular_velocity_noise_density>{numbers}</angular_velocity_noise_density>
            <linear_acceleration_bandwidth>{band}</linear_acceleration_bandwidth>
            </sensor>""", 'text').sensors[0]

    assert load('1e-3').angular_velocity_noise_density == 1e-3
    assert load('1e-3 2e-3 3e-3').angular_velocity_noise_density == (1e-3, 2e-3, 3e-3)
    for numbers, message in (('1 2', 'one number for all axes or three'),
                             ('1 -2 3', 'at least 0')):
        with pytest.raises(WorldFileError, match=message):
            load(numbers)
    with pytest.raises(WorldFileError, match='below 5 Hz'):
        load('1', '5')
