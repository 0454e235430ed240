// Every macro of Score-P's user instrumentation, with and without the semicolons that its macros bring along.
#include <scorep/SCOREP_User.h>
#include <stdio.h>

SCOREP_USER_METRIC_LOCAL(local_metric)
SCOREP_USER_METRIC_GLOBAL(global_metric)
SCOREP_USER_GLOBAL_REGION_DEFINE(global_region)
SCOREP_USER_REGION_DEFINE(entered)

static void work(void)
{
    SCOREP_USER_FUNC_BEGIN()
    SCOREP_USER_PARAMETER_INT64("int", -1)
    SCOREP_USER_PARAMETER_UINT64("unsigned", 1u)
    SCOREP_USER_PARAMETER_STRING("string", "text");
    SCOREP_USER_FUNC_END()
}

int main(void)
{
    SCOREP_USER_REGION_DEFINE(loop)
    SCOREP_USER_REGION_DEFINE(phase)
    SCOREP_USER_REWIND_DEFINE(rewind)
    SCOREP_USER_METRIC_INIT(local_metric, "local", "s", SCOREP_USER_METRIC_TYPE_DOUBLE, SCOREP_USER_METRIC_CONTEXT_GLOBAL)
    SCOREP_USER_METRIC_INIT(global_metric, "global", "1", SCOREP_USER_METRIC_TYPE_INT64, SCOREP_USER_METRIC_CONTEXT_CALLPATH);
    SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(topology)
    SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(topology, "topology", 2)
    SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(topology, 2, 0, 1)
    for (int i = 0; i < 2; i++) {
        SCOREP_USER_REGION_BEGIN(loop, "loop", SCOREP_USER_REGION_TYPE_LOOP | SCOREP_USER_REGION_TYPE_DYNAMIC)
        work();
        SCOREP_USER_REGION_END(loop);
    }
    SCOREP_USER_REGION_INIT(entered, "entered", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_ENTER(entered);
    SCOREP_USER_METRIC_DOUBLE(local_metric, 0.5);
    SCOREP_USER_METRIC_INT64(global_metric, 5)
    SCOREP_USER_REGION_END(entered)
    SCOREP_USER_OA_PHASE_BEGIN(phase, "phase", SCOREP_USER_REGION_TYPE_COMMON);
    SCOREP_USER_OA_PHASE_END(phase);
    SCOREP_USER_REWIND_POINT(rewind, "rewind")
    SCOREP_USER_REWIND_CHECK(rewind, 7);
    SCOREP_USER_REGION_BEGIN(global_region, "global", SCOREP_USER_REGION_TYPE_COMMON);
    SCOREP_USER_REGION_END(global_region);
    SCOREP_USER_REGION_BY_NAME_BEGIN("named", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_BY_NAME_END("named")
    SCOREP_RECORDING_OFF()
    SCOREP_RECORDING_ON();
    printf("recording %d\n", SCOREP_RECORDING_IS_ON());
    return 0;
}
