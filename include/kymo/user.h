#ifndef KYMO_USER_H
#define KYMO_USER_H

/**
 * Manual instrumentation for C (C99 and later) and C++ (C++11 and later): regions, parameters,
 * counters, rewind regions, switching recording off and on.
 *
 *     #include <kymo/user.h>
 *
 *     void solve(int n) {
 *         KYMO_FUNCTION();                        // a region up to the end of the function
 *         KYMO_PARAMETER_INT64("n", n);
 *         for (int i = 0; i < n; i++) {
 *             KYMO_REGION("iteration");           // a region up to the end of the block
 *             KYMO_COUNTER_DOUBLE("residual", "1", residual());
 *         }
 *     }
 *
 * Linking is not necessary. Under `kymo record` the calls reach the runtime; in any other run each
 * call costs a load and a jump that is not taken. If KYMO_USER_DISABLE is defined before this
 * header is included, they cost nothing.
 *
 * A region that does not end with its block needs a handle:
 *
 *     KYMO_REGION_DEFINE(phase);                  // anywhere a static variable is allowed
 *     KYMO_REGION_BEGIN(phase, "phase");
 *     KYMO_REGION_END(phase);
 *
 * In C, KYMO_REGION and KYMO_FUNCTION need gcc or clang (the attribute `cleanup`); everything else
 * works with any compiler that supports gcc's `__asm__`. A name must be the same string every time
 * at one place of the source: only the first one counts.
 *
 * <scorep/SCOREP_User.h>, next to this header, implements Score-P's macros with these.
 */

#include <kymo/runtime.h>

#define KYMO_PASTE_(a, b) a##b
#define KYMO_PASTE(a, b) KYMO_PASTE_(a, b)
/** A name that is unique in every line. */
#define KYMO_UNIQUE(name) KYMO_PASTE(name, __LINE__)

#ifndef KYMO_USER_DISABLE

/*
 * Loads the address of a function of the runtime, or null. In position-independent code a plain
 * weak function would suffice; in other code the linker would resolve it to null, long before the
 * runtime is loaded. The entry in the global offset table is always resolved when the program
 * starts.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
#define KYMO_FIND(function, pointer) \
    __asm__(".weak " #function "\n\tmovq " #function "@GOTPCREL(%%rip), %0" : "=r"(pointer))
#elif defined(__aarch64__)
#define KYMO_FIND(function, pointer)                                   \
    __asm__(".weak " #function "\n\tadrp %0, :got:" #function "\n\t" \
            "ldr %0, [%0, :got_lo12:" #function "]"                  \
            : "=r"(pointer))
#else
#define KYMO_FIND(function, pointer) ((pointer) = (function))
#pragma weak kymo_user_region_define
#pragma weak kymo_user_region_begin
#pragma weak kymo_user_region_enter
#pragma weak kymo_user_region_end
#pragma weak kymo_user_region_begin_by_name
#pragma weak kymo_user_region_end_by_name
#pragma weak kymo_user_rewind_begin
#pragma weak kymo_user_rewind_end
#pragma weak kymo_user_parameter_int64
#pragma weak kymo_user_parameter_uint64
#pragma weak kymo_user_parameter_string
#pragma weak kymo_user_metric_define
#pragma weak kymo_user_metric_int64
#pragma weak kymo_user_metric_uint64
#pragma weak kymo_user_metric_double
#pragma weak kymo_user_recording_enable
#pragma weak kymo_user_recording_disable
#pragma weak kymo_user_recording_is_on
#pragma weak kymo_runtime_is_measuring
#endif

/* The functions below are not the program's: the compiler must not instrument them. */
#define KYMO_INLINE static __inline__ __attribute__((always_inline, no_instrument_function, unused))

/** The value of a handle, which another thread may define at the same time. */
#define KYMO_HANDLE(handle) __atomic_load_n(&(handle), __ATOMIC_RELAXED)

/** Defines `kymo_call_NAME`, which calls `kymo_user_NAME` if the runtime is loaded. */
#define KYMO_CALL(name, parameters, arguments)     \
    KYMO_INLINE void kymo_call_##name parameters { \
        void(*call) parameters;                    \
        KYMO_FIND(kymo_user_##name, call);         \
        if (call) call arguments;                  \
    }

#define KYMO_SOURCE const char *name, uint32_t type, const char *file, uint32_t line

#ifdef __cplusplus
extern "C" {
#endif

KYMO_CALL(region_define, (kymo_user_handle * region, KYMO_SOURCE), (region, name, type, file, line))
KYMO_CALL(region_begin, (kymo_user_handle * region, KYMO_SOURCE), (region, name, type, file, line))
KYMO_CALL(region_enter, (kymo_user_handle region), (region))
KYMO_CALL(region_end, (kymo_user_handle region), (region))
KYMO_CALL(region_begin_by_name, (KYMO_SOURCE), (name, type, file, line))
KYMO_CALL(region_end_by_name, (const char *name), (name))
KYMO_CALL(rewind_begin, (kymo_user_handle * region, KYMO_SOURCE), (region, name, type, file, line))
KYMO_CALL(rewind_end, (kymo_user_handle region, int rewind), (region, rewind))
KYMO_CALL(parameter_int64, (kymo_user_handle * parameter, const char *name, int64_t value), (parameter, name, value))
KYMO_CALL(parameter_uint64, (kymo_user_handle * parameter, const char *name, uint64_t value), (parameter, name, value))
KYMO_CALL(parameter_string, (kymo_user_handle * parameter, const char *name, const char *value),
          (parameter, name, value))
KYMO_CALL(metric_define,
          (kymo_user_handle * metric, const char *name, const char *unit, uint32_t type, uint32_t context),
          (metric, name, unit, type, context))
KYMO_CALL(metric_int64, (kymo_user_handle metric, int64_t value), (metric, value))
KYMO_CALL(metric_uint64, (kymo_user_handle metric, uint64_t value), (metric, value))
KYMO_CALL(metric_double, (kymo_user_handle metric, double value), (metric, value))
KYMO_CALL(recording_enable, (void), ())
KYMO_CALL(recording_disable, (void), ())

KYMO_INLINE int kymo_call_recording_is_on(void) {
    int (*call)(void);
    KYMO_FIND(kymo_user_recording_is_on, call);
    return call ? call() : 0;
}

KYMO_INLINE int kymo_call_is_measuring(void) {
    int (*call)(void);
    KYMO_FIND(kymo_runtime_is_measuring, call);
    return call ? call() : 0;
}

KYMO_INLINE kymo_user_handle kymo_scope_begin(kymo_user_handle *region, KYMO_SOURCE) {
    kymo_call_region_begin(region, name, type, file, line);
    return KYMO_HANDLE(*region);
}

KYMO_INLINE void kymo_scope_end(kymo_user_handle *region) { kymo_call_region_end(*region); }

#ifdef __cplusplus
}

namespace kymo {
/** A region that lasts as long as the object, even if an exception ends it. */
class Region {
  public:
    __attribute__((always_inline, no_instrument_function)) Region(kymo_user_handle &region, KYMO_SOURCE)
        : region_(kymo_scope_begin(&region, name, type, file, line)) {}
    __attribute__((always_inline, no_instrument_function)) ~Region() { kymo_scope_end(&region_); }
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

  private:
    kymo_user_handle region_;
};
} // namespace kymo
#endif

/* Regions. TYPE is a KYMO_USER_REGION_*. */

/** Defines a static handle, inside or outside of a function. */
#define KYMO_REGION_DEFINE(handle) static kymo_user_handle handle = KYMO_USER_INVALID
/** Enters the region of a handle; the first call names it. */
#define KYMO_REGION_BEGIN_TYPE(handle, name, type) kymo_call_region_begin(&(handle), (name), (type), __FILE__, __LINE__)
#define KYMO_REGION_BEGIN(handle, name) KYMO_REGION_BEGIN_TYPE(handle, name, KYMO_USER_REGION_COMMON)
/** Leaves the region of a handle. */
#define KYMO_REGION_END(handle) kymo_call_region_end(KYMO_HANDLE(handle))

/** A region from here to the end of the block. */
#ifdef __cplusplus
#define KYMO_REGION_TYPE(name, type)                                     \
    static kymo_user_handle KYMO_UNIQUE(kymo_handle_) = KYMO_USER_INVALID; \
    const ::kymo::Region KYMO_UNIQUE(kymo_region_)(KYMO_UNIQUE(kymo_handle_), (name), (type), __FILE__, __LINE__)
#else
#define KYMO_REGION_TYPE(name, type)                                              \
    static kymo_user_handle KYMO_UNIQUE(kymo_handle_) = KYMO_USER_INVALID;          \
    __attribute__((cleanup(kymo_scope_end), unused)) kymo_user_handle KYMO_UNIQUE(kymo_region_) = \
        kymo_scope_begin(&KYMO_UNIQUE(kymo_handle_), (name), (type), __FILE__, __LINE__)
#endif
#define KYMO_REGION(name) KYMO_REGION_TYPE(name, KYMO_USER_REGION_COMMON)
/** A region from here to the end of the block, named after the function. */
#define KYMO_FUNCTION() KYMO_REGION_TYPE(__func__, KYMO_USER_REGION_FUNCTION)

/**
 * Regions by name, for names made at run time and for begins and ends that cannot share a handle.
 */
#define KYMO_REGION_BY_NAME_BEGIN(name) \
    kymo_call_region_begin_by_name((name), KYMO_USER_REGION_COMMON, __FILE__, __LINE__)
#define KYMO_REGION_BY_NAME_END(name) kymo_call_region_end_by_name(name)

/* Rewind regions: the end drops all events since the begin if the condition is true. */

#define KYMO_REWIND_BEGIN(handle, name) \
    kymo_call_rewind_begin(&(handle), (name), KYMO_USER_REGION_COMMON, __FILE__, __LINE__)
#define KYMO_REWIND_END(handle, condition) kymo_call_rewind_end(KYMO_HANDLE(handle), (condition) ? 1 : 0)

/* Parameters: a value of the current call. */

#define KYMO_PARAMETER(kind, name, value)                         \
    do {                                                          \
        static kymo_user_handle kymo_parameter = KYMO_USER_INVALID; \
        kymo_call_parameter_##kind(&kymo_parameter, (name), (value)); \
    } while (0)
#define KYMO_PARAMETER_INT64(name, value) KYMO_PARAMETER(int64, name, value)
#define KYMO_PARAMETER_UINT64(name, value) KYMO_PARAMETER(uint64, name, value)
#define KYMO_PARAMETER_STRING(name, value) KYMO_PARAMETER(string, name, value)

/* Counters: a value at a point in time. */

#define KYMO_COUNTER(kind, type, name, unit, value)                                       \
    do {                                                                                  \
        static kymo_user_handle kymo_counter = KYMO_USER_INVALID;                           \
        kymo_call_metric_define(&kymo_counter, (name), (unit), (type), KYMO_USER_METRIC_GLOBAL); \
        kymo_call_metric_##kind(KYMO_HANDLE(kymo_counter), (value));                        \
    } while (0)
#define KYMO_COUNTER_INT64(name, unit, value) KYMO_COUNTER(int64, KYMO_USER_METRIC_INT64, name, unit, value)
#define KYMO_COUNTER_UINT64(name, unit, value) KYMO_COUNTER(uint64, KYMO_USER_METRIC_UINT64, name, unit, value)
#define KYMO_COUNTER_DOUBLE(name, unit, value) KYMO_COUNTER(double, KYMO_USER_METRIC_DOUBLE, name, unit, value)

/* Recording of the whole process. */

#define KYMO_RECORDING_ON() kymo_call_recording_enable()
#define KYMO_RECORDING_OFF() kymo_call_recording_disable()
/** 1 if events are being recorded, otherwise 0. */
#define KYMO_RECORDING_IS_ON() kymo_call_recording_is_on()
/** 1 if this process is being measured, otherwise 0. */
#define KYMO_IS_MEASURING() kymo_call_is_measuring()

#else /* KYMO_USER_DISABLE */

/* Every macro may be followed by a semicolon. */
#define KYMO_NOTHING ((void)0)
/* Uses a value without computing it, so that variables that only it uses cause no warning. */
#define KYMO_UNUSED(value) ((void)sizeof(value))
#define KYMO_REGION_DEFINE(handle) struct kymo_nothing
#define KYMO_REGION_BEGIN_TYPE(handle, name, type) KYMO_NOTHING
#define KYMO_REGION_BEGIN(handle, name) KYMO_NOTHING
#define KYMO_REGION_END(handle) KYMO_NOTHING
#define KYMO_REGION_TYPE(name, type) KYMO_NOTHING
#define KYMO_REGION(name) KYMO_NOTHING
#define KYMO_FUNCTION() KYMO_NOTHING
#define KYMO_REGION_BY_NAME_BEGIN(name) KYMO_NOTHING
#define KYMO_REGION_BY_NAME_END(name) KYMO_NOTHING
#define KYMO_REWIND_BEGIN(handle, name) KYMO_NOTHING
#define KYMO_REWIND_END(handle, condition) KYMO_UNUSED((condition) ? 1 : 0)
#define KYMO_PARAMETER_INT64(name, value) KYMO_UNUSED(value)
#define KYMO_PARAMETER_UINT64(name, value) KYMO_UNUSED(value)
#define KYMO_PARAMETER_STRING(name, value) KYMO_UNUSED(value)
#define KYMO_COUNTER_INT64(name, unit, value) KYMO_UNUSED(value)
#define KYMO_COUNTER_UINT64(name, unit, value) KYMO_UNUSED(value)
#define KYMO_COUNTER_DOUBLE(name, unit, value) KYMO_UNUSED(value)
#define KYMO_RECORDING_ON() KYMO_NOTHING
#define KYMO_RECORDING_OFF() KYMO_NOTHING
#define KYMO_RECORDING_IS_ON() 0
#define KYMO_IS_MEASURING() 0

#endif /* KYMO_USER_DISABLE */

#endif
