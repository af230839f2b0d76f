// Copyright 2026 The mvsim_ros2 authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What kernels cannot say in Python: calls of functions by address, and memory at addresses.

#include <cstdint>

#define API extern "C" __attribute__((visibility("default")))

// Call a function of 64-bit integers or pointers, of which it may take fewer.
API void call4(int64_t function, int64_t a, int64_t b, int64_t c, int64_t d)
{
  reinterpret_cast<void (*)(int64_t, int64_t, int64_t, int64_t)>(function)(a, b, c, d);
}

API int64_t read_word(const int64_t * address) {return *address;}
