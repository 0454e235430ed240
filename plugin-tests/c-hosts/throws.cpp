// SPDX-License-Identifier: BSD-3-Clause
// What a C program cannot do: linked with ends.c.
#include <stdexcept>

extern "C" void throw_exception()
{
    throw std::runtime_error("nobody catches this");
}
