/* Calls of the C library in a region of the program, and outside of it. */
#include <kymo/user.h>
#include <unistd.h>

static volatile double sum;

static void __attribute__((noinline)) put(void) {
    if (write(2, "", 0) != 0) _exit(2);
    sum += 1;
}

static void __attribute__((noinline)) call_put(void) {
    put();
    sum += 2;
}

int main(void) {
    for (int i = 0; i < 100000000; i++) sum += i;
    call_put();
    KYMO_REGION_BY_NAME_BEGIN("step");
    call_put();
    KYMO_REGION_BY_NAME_END("step");
    return 0;
}
