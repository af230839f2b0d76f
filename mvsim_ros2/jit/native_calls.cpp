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

API void call10(
  int64_t function, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,
  int64_t h, int64_t i, int64_t j)
{
  reinterpret_cast<void (*)(
    int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>(
    function)(a, b, c, d, e, f, g, h, i, j);
}

API int64_t read_word(const int64_t * address) {return *address;}

// Add to a word, in one go for all threads; return the word as it was.
API int64_t fetch_add(int64_t * address, int64_t more)
{
  return __atomic_fetch_add(address, more, __ATOMIC_RELAXED);
}
