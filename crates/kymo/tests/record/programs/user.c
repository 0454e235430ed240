// Every macro of kymo/user.h that C supports, in a file that is valid C99 and C++11.
#include <kymo/user.h>
#include <stdio.h>

KYMO_REGION_DEFINE(phase);
KYMO_REGION_DEFINE(attempt);

static int work(int n) {
    KYMO_FUNCTION();
    KYMO_PARAMETER_INT64("n", n);
    for (int i = 0; i < n; i++) {
        KYMO_REGION("step");
        KYMO_COUNTER_DOUBLE("residual", "1", 1.0 / (i + 1));
    }
    return n;
}

int main(void) {
    KYMO_REGION_BEGIN(phase, "phase");
    KYMO_PARAMETER_UINT64("size", 8);
    KYMO_PARAMETER_STRING("mode", "fast");
    int done = work(2);
    KYMO_REGION_END(phase);

    KYMO_REWIND_BEGIN(attempt, "attempt");
    KYMO_REWIND_END(attempt, done == 2);

    KYMO_RECORDING_OFF();
    KYMO_RECORDING_ON();
    KYMO_COUNTER_INT64("balance", "EUR", -3);
    KYMO_COUNTER_UINT64("bytes", "B", 4096);
    KYMO_REGION_BY_NAME_BEGIN("named");
    KYMO_REGION_BY_NAME_END("named");
    printf("recording %d, measuring %d\n", KYMO_RECORDING_IS_ON(), KYMO_IS_MEASURING());
    return 0;
}
