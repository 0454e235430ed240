// A program that records events itself.
#include <kymo/runtime.h>
#include <stdio.h>

static kymo_user_handle loop, phase, attempt, iteration, size, name, residual;

static void iterate(int number) {
    kymo_user_region_begin(&loop, "iterate", KYMO_USER_REGION_DYNAMIC | KYMO_USER_REGION_LOOP, __FILE__, __LINE__);
    kymo_user_parameter_int64(&iteration, "iteration", -number);
    kymo_user_parameter_uint64(&size, "size", 8);
    kymo_user_parameter_string(&name, "name", "of this");
    kymo_user_metric_double(residual, 0.5);
    kymo_user_metric_int64(residual, 1);  // another type: dropped
    kymo_user_region_end(loop);
}

int main(void) {
    kymo_user_region_define(&phase, "phase", KYMO_USER_REGION_PHASE, __FILE__, __LINE__);
    kymo_user_metric_define(&residual, "residual", "1", KYMO_USER_METRIC_DOUBLE, KYMO_USER_METRIC_GLOBAL);
    kymo_user_region_enter(phase);
    for (int number = 1; number <= 4; number++) iterate(number);
    kymo_user_region_end(phase);
    for (int rewind = 0; rewind < 2; rewind++) {
        kymo_user_rewind_begin(&attempt, "attempt", KYMO_USER_REGION_COMMON, __FILE__, __LINE__);
        kymo_user_region_begin_by_name("inside", KYMO_USER_REGION_COMMON, __FILE__, __LINE__);
        kymo_user_region_end_by_name("inside");
        kymo_user_rewind_end(attempt, rewind);
    }
    int was_on = kymo_user_recording_is_on();
    kymo_user_recording_disable();
    int is_on = kymo_user_recording_is_on();
    iterate(5);
    kymo_user_recording_enable();
    kymo_user_region_end_by_name("unknown");
    kymo_user_region_end(0);
    printf("%d %d %d\n", was_on, is_on, kymo_runtime_is_measuring());
    return 0;
}
