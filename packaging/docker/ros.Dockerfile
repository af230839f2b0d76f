# The simulator in a workspace of ROS 2 Jazzy.
#   docker build --file packaging/docker/ros.Dockerfile --tag mvsim_ros2:jazzy .
#   docker run --rm -it --network host --ipc host mvsim_ros2:jazzy
#   docker run --rm -it --network host --ipc host mvsim_ros2:jazzy ros2 launch mvsim_ros2 outdoor.launch.py headless:=true
FROM ros:jazzy

SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /ws
COPY . src/mvsim_ros2

# What package.xml names comes with rosdep, but for RViz, which needs a display. Versions are those
# of the release of Ubuntu.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ libegl1 libgl1 python3-pip \
    && rosdep update --rosdistro jazzy \
    && rosdep install --from-paths src --ignore-src --default-yes --skip-keys rviz2 \
        --dependency-types build --dependency-types exec \
    && rm -rf /var/lib/apt/lists/*

# What rosdep does not know. ROS is compiled for numpy 1.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --break-system-packages \
    'embreex>=4.4,<5' 'numpy<2' 'rosbags>=0.11.9,<0.12' 'viser>=1.1,<2' moderngl

RUN source /opt/ros/jazzy/setup.bash && colcon build --packages-select mvsim_ros2 \
    && printf '#!/bin/bash\nset -e\nsource /ws/install/setup.bash\nexec "$@"\n' > /ws/entrypoint \
    && chmod +x /ws/entrypoint

EXPOSE 8080
ENTRYPOINT ["/ws/entrypoint"]
CMD ["ros2", "launch", "mvsim_ros2", "demo.launch.py", "headless:=true"]
