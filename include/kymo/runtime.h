#ifndef KYMO_RUNTIME_H
#define KYMO_RUNTIME_H

/**
 * The functions of the measurement runtime (libkymo_runtime.so) for programs that instrument
 * themselves.
 *
 * <kymo/user.h> has macros for them that work without the runtime, at almost no cost. A program
 * that calls the functions directly must link the runtime, or declare them weak and test them
 * against null.
 *
 * All functions can be called from any thread at any time: before measurement begins and after it
 * ends, they do nothing. A handle is a word in the program's memory, initialised with zero
 * (KYMO_USER_INVALID) and set by the first call that uses it; it remains valid in forked children.
 * Strings are copied. No function fails or prints.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A region, parameter or metric of the program: 0 until its first use. Only the runtime sets it.
 */
typedef uint64_t kymo_user_handle;

#define KYMO_USER_INVALID ((kymo_user_handle)0)

/** The type of a region: a sum of these values, which are those of SCOREP_USER_REGION_TYPE_*. */
#define KYMO_USER_REGION_COMMON 0
#define KYMO_USER_REGION_FUNCTION 1
#define KYMO_USER_REGION_LOOP 2
#define KYMO_USER_REGION_DYNAMIC 4
#define KYMO_USER_REGION_PHASE 8

/** The type of a metric's values, as in SCOREP_USER_METRIC_TYPE_*. */
#define KYMO_USER_METRIC_INT64 0
#define KYMO_USER_METRIC_UINT64 1
#define KYMO_USER_METRIC_DOUBLE 2

/**
 * The context of a metric, as in SCOREP_USER_METRIC_CONTEXT_*. Both kinds are recorded by the
 * calling thread.
 */
#define KYMO_USER_METRIC_GLOBAL 0
#define KYMO_USER_METRIC_CALLPATH 1

/* Regions. `file` may be null; a `line` of 0 means unknown. */

/** Defines a region if `*region` is 0. */
void kymo_user_region_define(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
/** Enters a region; defines it first if `*region` is 0. The usual call. */
void kymo_user_region_begin(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
/** Enters a defined region. */
void kymo_user_region_enter(kymo_user_handle region);
/** Leaves a region. */
void kymo_user_region_end(kymo_user_handle region);
/** Enters the region of this name; equal names are one region. */
void kymo_user_region_begin_by_name(const char *name, uint32_t type, const char *file, uint32_t line);
/** Leaves the region of this name. */
void kymo_user_region_end_by_name(const char *name);

/* Rewind regions: the end drops all events since the begin if `rewind` is not 0. */

void kymo_user_rewind_begin(kymo_user_handle *region, const char *name, uint32_t type, const char *file, uint32_t line);
void kymo_user_rewind_end(kymo_user_handle region, int rewind);

/*
 * Parameters: a value of the current call. Each function defines the parameter first if
 * `*parameter` is 0.
 */

void kymo_user_parameter_int64(kymo_user_handle *parameter, const char *name, int64_t value);
void kymo_user_parameter_uint64(kymo_user_handle *parameter, const char *name, uint64_t value);
void kymo_user_parameter_string(kymo_user_handle *parameter, const char *name, const char *value);

/* Metrics (counters). */

/**
 * Defines a metric if `*metric` is 0; `unit` may be null. Values of another type than the defined
 * one are dropped.
 */
void kymo_user_metric_define(kymo_user_handle *metric, const char *name, const char *unit, uint32_t type, uint32_t context);
void kymo_user_metric_int64(kymo_user_handle metric, int64_t value);
void kymo_user_metric_uint64(kymo_user_handle metric, uint64_t value);
void kymo_user_metric_double(kymo_user_handle metric, double value);

/* Recording of the whole process. Silently ignored while other threads record. */

void kymo_user_recording_enable(void);
void kymo_user_recording_disable(void);
/** Returns 1 if events are being recorded, otherwise 0. */
int kymo_user_recording_is_on(void);

/* The process. */

/** Returns 1 if this process is being measured, otherwise 0. */
int kymo_runtime_is_measuring(void);

#ifdef __cplusplus
}
#endif

#endif
