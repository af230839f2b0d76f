// Copyright 2026 The mvsim_ros2 authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a world of MVSim by its public interface, for ../original.py: driver WORLD.xml [--drawn] [--shadows]
//
// Commands of the vehicles stand in WORLD.xml.twists, lines of a name, m/s and rad/s. Says "ready", the CPU time of loading [s]
// and the version of MRPT, then answers lines. "CALLS STEPS" makes so many calls of so many steps each: their CPU time, the
// observations, and the CPU time of the process so far. "poses": a line with x, y and yaw of each vehicle, then "end".
#include <mrpt/system/os.h>
#include <mvsim/World.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{
double cpu_time()
{
	timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// What the docs of MVSim say of <lights>, which it sets up with its window only.
void cast_shadows(mrpt::opengl::COpenGLScene& scene)
{
	const auto view = scene.getViewport();
	const float azimuth = float(M_PI) / 4.0f, elevation = 7.0f * float(M_PI) / 18.0f;
	view->enableShadowCasting(true, 2048, 2048);
	view->setLightShadowClipDistances(0.1f, 900.0f);
	auto& light = view->lightParameters();
	light.ambient = 0.5f;
	light.direction = {
		-std::cos(azimuth) * std::cos(elevation), -std::sin(azimuth) * std::cos(elevation), -std::sin(elevation)};
	light.eyeDistance2lightShadowExtension = 2.0f;
	light.minimum_shadow_map_extension_ratio = 0.005f;
	light.shadow_bias = light.shadow_bias_cam2frag = 1e-5f;
	light.shadow_bias_normal = 1e-4f;
}

void command(mvsim::World& world, const std::string& file)
{
	std::ifstream lines(file);
	std::string name;
	double v = 0, w = 0;
	while (lines >> name >> v >> w)
	{
		const auto found = world.getListOfVehicles().find(name);
		if (found == world.getListOfVehicles().end() ||
			!found->second->getControllerInterface()->setTwistCommand({v, 0, w}))
			throw std::runtime_error("no vehicle that takes twists: " + name);
	}
}

void serve(mvsim::World& world, const std::atomic<long>& seen)
{
	std::string line;
	while (std::getline(std::cin, line))
	{
		if (line == "poses")
		{
			for (const auto& [name, vehicle] : world.getListOfVehicles())
			{
				const auto pose = vehicle->getPose();
				std::printf("%s %.9f %.9f %.9f\n", name.c_str(), pose.x, pose.y, pose.yaw);
			}
			std::printf("end\n");
		}
		else
		{
			std::istringstream words(line);
			long calls = 0, steps = 0;
			words >> calls >> steps;
			const double interval = world.get_simul_timestep() * double(steps), begin = cpu_time();
			const long before = seen;
			for (long i = 0; i < calls; i++) world.run_simulation(interval);
			const double end = cpu_time();
			std::printf("%.9f %ld %.9f\n", end - begin, seen - before, end);
		}
		std::fflush(stdout);
	}
}

void run(const std::string& file, const std::set<std::string>& options)
{
	const double begin = cpu_time();
	mvsim::World world;
	world.setMinLoggingLevel(mrpt::system::LVL_ERROR);
	world.headless(true);
	std::atomic<long> seen{0};
	world.registerCallbackOnObservation([&](const auto&, const auto&) { seen++; });
	world.load_from_XML_file(file);
	command(world, file + ".twists");

	// What sensors see is drawn by a second thread, when one is due, by what mvsim-cli --headless calls. Scenes with shadows are
	// our own: those of the world are its window's to set up.
	std::atomic<bool> end{false};
	std::thread draughtsman;
	if (options.count("--drawn"))
		draughtsman = std::thread([&]() {
			mrpt::opengl::COpenGLScene visual, physical;
			const bool shadows = options.count("--shadows") != 0;
			if (shadows) cast_shadows(physical);
			while (!end)
			{
				if (!world.pending_running_sensors_on_3D_scene())
					std::this_thread::sleep_for(std::chrono::microseconds(200));
				else if (shadows)
				{
					world.internalUpdate3DSceneObjects(visual, physical);
					world.internalRunSensorsOn3DScene(physical);
				}
				else
					world.internalGraphicsLoopTasksForSimulation();
			}
			visual.clear();
			physical.clear();
			world.free_opengl_resources();
		});
	std::printf("ready %.9f %s\n", cpu_time() - begin, mrpt::system::MRPT_getVersion().c_str());
	std::fflush(stdout);
	serve(world, seen);
	end = true;
	if (draughtsman.joinable()) draughtsman.join();
}
}  // namespace

int main(int count, char** arguments)
{
	try
	{
		if (count < 2) throw std::runtime_error("driver WORLD.xml [--drawn] [--shadows]");
		run(arguments[1], {arguments + 2, arguments + count});
		return 0;
	}
	catch (const std::exception& error)
	{
		std::cerr << error.what() << std::endl;
		return 1;
	}
}
