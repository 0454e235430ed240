// Regions that end with their block, even if an exception leaves it.
#include <kymo/user.h>
#include <scorep/SCOREP_User.h>
#include <cstdio>
#include <stdexcept>

static void inner() {
    KYMO_FUNCTION();
    throw std::runtime_error("out of inner");
}

int main() {
    SCOREP_USER_REGION("whole", SCOREP_USER_REGION_TYPE_FUNCTION)
    try {
        KYMO_REGION("tried");
        inner();
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
    return 0;
}
