// SPDX-License-Identifier: BSD-3-Clause
// Throws a C++ exception, which C cannot do: linked with ends.c.
#include <stdexcept>

extern "C" void throw_exception()
{
    throw std::runtime_error("deliberately uncaught");
}
