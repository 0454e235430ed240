#ifndef SCOREP_USER_H
#define SCOREP_USER_H

/**
 * Score-P's macros for manual instrumentation, for programs that use them:
 *
 *     cc -DSCOREP_USER_ENABLE -I <prefix>/include program.c
 *     kymo record -- ./a.out
 *
 * As in Score-P, they expand to nothing unless SCOREP_USER_ENABLE is defined, and include their own
 * semicolon. Linking is not necessary: see <kymo/user.h>, which also documents the calls.
 * Topologies are accepted and ignored.
 */

#include <kymo/user.h>

#define SCOREP_USER_REGION_TYPE_COMMON KYMO_USER_REGION_COMMON
#define SCOREP_USER_REGION_TYPE_FUNCTION KYMO_USER_REGION_FUNCTION
#define SCOREP_USER_REGION_TYPE_LOOP KYMO_USER_REGION_LOOP
#define SCOREP_USER_REGION_TYPE_DYNAMIC KYMO_USER_REGION_DYNAMIC
#define SCOREP_USER_REGION_TYPE_PHASE KYMO_USER_REGION_PHASE

#define SCOREP_USER_METRIC_TYPE_INT64 KYMO_USER_METRIC_INT64
#define SCOREP_USER_METRIC_TYPE_UINT64 KYMO_USER_METRIC_UINT64
#define SCOREP_USER_METRIC_TYPE_DOUBLE KYMO_USER_METRIC_DOUBLE
#define SCOREP_USER_METRIC_CONTEXT_GLOBAL KYMO_USER_METRIC_GLOBAL
#define SCOREP_USER_METRIC_CONTEXT_CALLPATH KYMO_USER_METRIC_CALLPATH

typedef uint32_t SCOREP_User_RegionType;
typedef kymo_user_handle SCOREP_User_RegionHandle;
typedef kymo_user_handle SCOREP_User_ParameterHandle;
typedef kymo_user_handle SCOREP_SamplingSetHandle;
#define SCOREP_USER_INVALID_REGION KYMO_USER_INVALID
#define SCOREP_USER_INVALID_PARAMETER KYMO_USER_INVALID
#define SCOREP_INVALID_SAMPLING_SET KYMO_USER_INVALID
#define SCOREP_USER_FUNCTION_NAME __func__

/* Only in Fortran does the handle of a function need a definition. */
#define SCOREP_USER_FUNC_DEFINE()

#if defined(SCOREP_USER_ENABLE) && !defined(KYMO_USER_DISABLE)

/* Regions. */
#define SCOREP_USER_REGION_DEFINE(handle) static SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle) SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle) extern SCOREP_User_RegionHandle handle;
#define SCOREP_USER_REGION_INIT(handle, name, type) kymo_call_region_define(&handle, name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_BEGIN(handle, name, type) kymo_call_region_begin(&handle, name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_ENTER(handle) kymo_call_region_enter(KYMO_HANDLE(handle));
#define SCOREP_USER_REGION_END(handle) kymo_call_region_end(KYMO_HANDLE(handle));
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type) kymo_call_region_begin_by_name(name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_BY_NAME_END(name) kymo_call_region_end_by_name(name);
#define SCOREP_USER_OA_PHASE_BEGIN(handle, name, type) \
    kymo_call_region_begin(&handle, name, (type) | KYMO_USER_REGION_PHASE, __FILE__, __LINE__);
#define SCOREP_USER_OA_PHASE_END(handle) kymo_call_region_end(KYMO_HANDLE(handle));
#define SCOREP_USER_FUNC_BEGIN()                                                          \
    static SCOREP_User_RegionHandle scorep_user_func_handle = SCOREP_USER_INVALID_REGION; \
    kymo_call_region_begin(&scorep_user_func_handle, SCOREP_USER_FUNCTION_NAME,           \
                           SCOREP_USER_REGION_TYPE_FUNCTION, __FILE__, __LINE__);
#define SCOREP_USER_FUNC_END() kymo_call_region_end(KYMO_HANDLE(scorep_user_func_handle));
#ifdef __cplusplus
#define SCOREP_USER_REGION(name, type) KYMO_REGION_TYPE(name, type);
#else
#define SCOREP_USER_REGION(name, type)
#endif

/* Rewind regions. */
#define SCOREP_USER_REWIND_DEFINE(handle) static SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_REWIND_POINT(handle, name) \
    kymo_call_rewind_begin(&handle, name, SCOREP_USER_REGION_TYPE_COMMON, __FILE__, __LINE__);
#define SCOREP_USER_REWIND_CHECK(handle, value) kymo_call_rewind_end(KYMO_HANDLE(handle), (value) ? 1 : 0);

/* Parameters. */
#define SCOREP_USER_PARAMETER_INT64(name, value) KYMO_PARAMETER_INT64(name, value);
#define SCOREP_USER_PARAMETER_UINT64(name, value) KYMO_PARAMETER_UINT64(name, value);
#define SCOREP_USER_PARAMETER_STRING(name, value) KYMO_PARAMETER_STRING(name, value);

/* Metrics. */
#define SCOREP_USER_METRIC_LOCAL(handle) static SCOREP_SamplingSetHandle handle = SCOREP_INVALID_SAMPLING_SET;
#define SCOREP_USER_METRIC_GLOBAL(handle) SCOREP_SamplingSetHandle handle = SCOREP_INVALID_SAMPLING_SET;
#define SCOREP_USER_METRIC_EXTERNAL(handle) extern SCOREP_SamplingSetHandle handle;
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context) \
    kymo_call_metric_define(&handle, name, unit, type, context);
#define SCOREP_USER_METRIC_INT64(handle, value) kymo_call_metric_int64(KYMO_HANDLE(handle), value);
#define SCOREP_USER_METRIC_UINT64(handle, value) kymo_call_metric_uint64(KYMO_HANDLE(handle), value);
#define SCOREP_USER_METRIC_DOUBLE(handle, value) kymo_call_metric_double(KYMO_HANDLE(handle), value);

/* Recording. */
#define SCOREP_RECORDING_ON() kymo_call_recording_enable();
#define SCOREP_RECORDING_OFF() kymo_call_recording_disable();
#define SCOREP_RECORDING_IS_ON() kymo_call_recording_is_on()

#else

#define SCOREP_USER_REGION(name, type)
#define SCOREP_USER_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle)
#define SCOREP_USER_REGION_INIT(handle, name, type)
#define SCOREP_USER_REGION_BEGIN(handle, name, type)
#define SCOREP_USER_REGION_ENTER(handle)
#define SCOREP_USER_REGION_END(handle)
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type)
#define SCOREP_USER_REGION_BY_NAME_END(name)
#define SCOREP_USER_OA_PHASE_BEGIN(handle, name, type)
#define SCOREP_USER_OA_PHASE_END(handle)
#define SCOREP_USER_FUNC_BEGIN()
#define SCOREP_USER_FUNC_END()
#define SCOREP_USER_REWIND_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name)
#define SCOREP_USER_REWIND_CHECK(handle, value)
#define SCOREP_USER_PARAMETER_INT64(name, value)
#define SCOREP_USER_PARAMETER_UINT64(name, value)
#define SCOREP_USER_PARAMETER_STRING(name, value)
#define SCOREP_USER_METRIC_LOCAL(handle)
#define SCOREP_USER_METRIC_GLOBAL(handle)
#define SCOREP_USER_METRIC_EXTERNAL(handle)
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context)
#define SCOREP_USER_METRIC_INT64(handle, value)
#define SCOREP_USER_METRIC_UINT64(handle, value)
#define SCOREP_USER_METRIC_DOUBLE(handle, value)
#define SCOREP_RECORDING_ON()
#define SCOREP_RECORDING_OFF()
#define SCOREP_RECORDING_IS_ON() 0

#endif

/* Topologies. */
#define SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(topology)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(topology, name, dimensions)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(topology, size, is_periodic, name)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(topology)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(topology, dimensions, ...)

#endif
