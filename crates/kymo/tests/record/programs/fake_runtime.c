// Stands in for the runtime: prints every call.
#include <inttypes.h>
#include <kymo/runtime.h>
#include <stdio.h>
#include <string.h>

static kymo_user_handle next = 0;

static const char *define(kymo_user_handle *handle) {
    if (*handle != 0) return "";
    *handle = ++next;
    return "new ";
}

static const char *base(const char *file) {
    if (file == NULL) return "-";
    return strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
}

void kymo_user_region_define(kymo_user_handle *r, const char *name, uint32_t type, const char *file, uint32_t line) {
    printf("define %s%s %u %s:%u\n", define(r), name, type, base(file), line);
}
void kymo_user_region_begin(kymo_user_handle *r, const char *name, uint32_t type, const char *file, uint32_t line) {
    const char *is_new = define(r);
    printf("begin %s%" PRIu64 " %s %u %s:%u\n", is_new, *r, name, type, base(file), line);
}
void kymo_user_region_enter(kymo_user_handle r) { printf("enter %" PRIu64 "\n", r); }
void kymo_user_region_end(kymo_user_handle r) { printf("end %" PRIu64 "\n", r); }
void kymo_user_region_begin_by_name(const char *name, uint32_t type, const char *file, uint32_t line) {
    printf("begin %s %u %s:%u\n", name, type, base(file), line);
}
void kymo_user_region_end_by_name(const char *name) { printf("end %s\n", name); }
void kymo_user_rewind_begin(kymo_user_handle *r, const char *name, uint32_t type, const char *file, uint32_t line) {
    printf("rewind begin %s%s %u %s:%u\n", define(r), name, type, base(file), line);
}
void kymo_user_rewind_end(kymo_user_handle r, int rewind) { printf("rewind end %" PRIu64 " %d\n", r, rewind); }
void kymo_user_parameter_int64(kymo_user_handle *p, const char *name, int64_t value) {
    printf("parameter %s%s %" PRId64 "\n", define(p), name, value);
}
void kymo_user_parameter_uint64(kymo_user_handle *p, const char *name, uint64_t value) {
    printf("parameter %s%s %" PRIu64 "\n", define(p), name, value);
}
void kymo_user_parameter_string(kymo_user_handle *p, const char *name, const char *value) {
    printf("parameter %s%s %s\n", define(p), name, value);
}
void kymo_user_metric_define(kymo_user_handle *m, const char *name, const char *unit, uint32_t type, uint32_t context) {
    if (*m == 0) printf("metric %s%s %s %u %u\n", define(m), name, unit, type, context);
}
void kymo_user_metric_int64(kymo_user_handle m, int64_t value) { printf("value %" PRIu64 " %" PRId64 "\n", m, value); }
void kymo_user_metric_uint64(kymo_user_handle m, uint64_t value) { printf("value %" PRIu64 " %" PRIu64 "\n", m, value); }
void kymo_user_metric_double(kymo_user_handle m, double value) { printf("value %" PRIu64 " %g\n", m, value); }
void kymo_user_recording_enable(void) { puts("on"); }
void kymo_user_recording_disable(void) { puts("off"); }
int kymo_user_recording_is_on(void) { return 1; }
int kymo_runtime_is_measuring(void) { return 1; }
