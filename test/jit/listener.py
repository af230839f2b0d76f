# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What programs of tests begin with that tell what they compile."""

LISTEN = """
from numba.core import event

class Compiled(event.Listener, list):
    def on_start(self, event):
        self.append(event.data['dispatcher'].py_func.__qualname__)

    def on_end(self, event):
        pass

compiled = Compiled()
event.register('numba:compile', compiled)
"""
