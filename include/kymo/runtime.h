#ifndef KYMO_RUNTIME_H
#define KYMO_RUNTIME_H

/**
 * What the measurement runtime (libkymo_runtime.so) offers a program that instruments itself.
 *
 * The plain functions; macros over them that cost nothing where the runtime is absent are in <kymo/user.h>. A program that
 * calls these directly has to link the runtime, or declare them weak and test them against null.
 *
 * All functions can be called from any thread at any time: before measurement began or after it ended they do nothing. A
 * handle is a word in the program's memory, zero-initialised (KYMO_USER_INVALID) and filled in by the first call that names
 * it; it stays valid in forked children. Strings are copied. No function ever fails or prints.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Something defined by the program: 0 until its first use. Only the runtime gives it other values. */
typedef uint64_t kymo_user_handle;

#define KYMO_USER_INVALID ((kymo_user_handle)0)

/** What a region is: a sum of these, with the values of Score-P's SCOREP_USER_REGION_TYPE_*. */
#define KYMO_USER_REGION_COMMON 0
#define KYMO_USER_REGION_FUNCTION 1
#define KYMO_USER_REGION_LOOP 2
#define KYMO_USER_REGION_DYNAMIC 4
#define KYMO_USER_REGION_PHASE 8

/** Type of a metric's values: that of Score-P's SCOREP_USER_METRIC_TYPE_*. */
#define KYMO_USER_METRIC_INT64 0
#define KYMO_USER_METRIC_UINT64 1
#define KYMO_USER_METRIC_DOUBLE 2

/** Where a metric is meaningful: that of Score-P's SCOREP_USER_METRIC_CONTEXT_*. Both are recorded by the calling thread. */
#define KYMO_USER_METRIC_GLOBAL 0
#define KYMO_USER_METRIC_CALLPATH 1

/* Regions. `file` may be null; `line` 0 is unknown. */

/** Defines a region if `*region` is 0. */
void kymo_user_region_define(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
/** Enters; defines it first if `*region` is 0. The usual call. */
void kymo_user_region_begin(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
/** Enters a region that was defined. */
void kymo_user_region_enter(kymo_user_handle region);
/** Leaves. */
void kymo_user_region_end(kymo_user_handle region);
/** Enters the region of this name; equal names are one region. */
void kymo_user_region_begin_by_name(const char *name, uint32_t type, const char *file, uint32_t line);
/** Leaves the region of this name. */
void kymo_user_region_end_by_name(const char *name);

/* Rewind regions: what was recorded since the begin is dropped at the end if `rewind` is not 0. */

void kymo_user_rewind_begin(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
void kymo_user_rewind_end(kymo_user_handle region, int rewind);

/* Parameters: a value of the current call. Each defines the parameter first if `*parameter` is 0. */

void kymo_user_parameter_int64(kymo_user_handle *parameter, const char *name, int64_t value);
void kymo_user_parameter_uint64(kymo_user_handle *parameter, const char *name, uint64_t value);
void kymo_user_parameter_string(kymo_user_handle *parameter, const char *name, const char *value);

/* Metrics (counters). */

/** Defines a metric if `*metric` is 0; `unit` may be null. Values of another type than the defined one are dropped. */
void kymo_user_metric_define(kymo_user_handle *metric, const char *name, const char *unit, uint32_t type, uint32_t context);
void kymo_user_metric_int64(kymo_user_handle metric, int64_t value);
void kymo_user_metric_uint64(kymo_user_handle metric, uint64_t value);
void kymo_user_metric_double(kymo_user_handle metric, double value);

/* Recording of the whole process. Refused, without a word, while other threads record. */

void kymo_user_recording_enable(void);
void kymo_user_recording_disable(void);
/** 1 if events are recorded now, else 0. */
int kymo_user_recording_is_on(void);

/* The process. */

/** 1 if this process is being measured, else 0. */
int kymo_runtime_is_measuring(void);

#ifdef __cplusplus
}
#endif

#endif
