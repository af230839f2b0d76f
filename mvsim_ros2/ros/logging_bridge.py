# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the library logs, in the log of the node."""

import logging
from typing import Any


class LogBridge(logging.Handler):
    """Passes log records on to a ROS logger."""

    def __init__(self, logger: Any) -> None:
        """Pass records on to `logger`, a logger of rclpy."""
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Pass one record on."""
        message = self.format(record)
        # one line for each: rclpy wants a call to keep its severity
        if record.levelno >= logging.ERROR:
            self._logger.error(message)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(message)
        elif record.levelno >= logging.INFO:
            self._logger.info(message)
        else:
            self._logger.debug(message)
