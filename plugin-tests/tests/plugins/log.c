/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A substrate plugin that writes down every call it receives, with all arguments and everything the host's functions say
 * then, in the form of a recording: one JSON object per call, and the definition arena at pre_unify and write_data.
 *
 * The lines are added to the file named in KYMO_LOG, the arena goes to files beside it, and so do the payloads of the
 * communicators that events name, as they are then: handle and six words. Compiled with -DNAME=…, and for
 * other behaviour with -DEVENTS= (length of its event tables), -DOLD_HOST=1 (numbers of 6.0 and 7.x), -DINIT_RESULT=, -DVERSION=, -DREQUIRES=0 (no experiment
 * directory), -DNO_ARENA=1 (definitions lie nowhere; the base of each string goes to a file) and
 * -DAFTER_WRITE_DATA=1 (asks for a definition when there are none any more).
 */
#define _GNU_SOURCE
#include <kymo/substrate.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EVENTS
#define EVENTS 83
#endif
#ifndef OLD_HOST
#define OLD_HOST 0
#endif
#ifndef NO_ARENA
#define NO_ARENA 0
#endif
#ifndef INIT_RESULT
#define INIT_RESULT 0
#endif
#ifndef VERSION
#define VERSION 2
#endif
#ifndef REQUIRES
#define REQUIRES 1
#endif
#ifndef AFTER_WRITE_DATA
#define AFTER_WRITE_DATA 0
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const SCOREP_SubstratePluginCallbacks* host;
static FILE* out;
static size_t plugin_id;
static int mpp;
static unsigned threads;
static _Thread_local unsigned thread = ~0u;
static const char* arena;
static SCOREP_StringHandle some_string;
static size_t highest;

static void quote(const char* text)
{
    if (!text)
    {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (; *text; text++)
    {
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 32)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            putc(*text, out);
    }
    putc('"', out);
}

static void number(const char* name, uint64_t value)
{
    fprintf(out, ",\"%s\":%" PRIu64, name, value);
}

static void integer(const char* name, int64_t value)
{
    fprintf(out, ",\"%s\":%" PRId64, name, value);
}

static void text(const char* name, const char* value)
{
    fprintf(out, ",\"%s\":", name);
    quote(value);
}

static void open_call(const char* call)
{
    if (thread == ~0u)
        thread = threads++;
    fprintf(out, "{\"plugin\":\"%s\",\"call\":\"%s\",\"thread\":%u", TEXT(NAME), call, thread);
}

static void close_call(void)
{
    fputs("}\n", out);
}

static void location_of(const char* member, const struct SCOREP_Location* location)
{
    if (location)
        number(member, host->SCOREP_Location_GetId(location));
}

/* ---- Events ---- */

static int first_value;

static void value(const struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle set,
                  const uint64_t* values)
{
    fprintf(out, "%s{\"location\":%u,\"timestamp\":%" PRIu64 ",\"samplingSet\":%u,\"values\":[", first_value ? "" : ",",
            host->SCOREP_Location_GetId(location), timestamp, set);
    first_value = 0;
    for (unsigned i = 0; i < host->SCOREP_SamplingSetHandle_GetNumberOfMetrics(set); i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "", values[i]);
    fputs("]}", out);
}

static void write_value(struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle set,
                        const uint64_t* values)
{
    value(location, timestamp, set, values);
}

static void write_metrics(struct SCOREP_Location* location, uint64_t timestamp)
{
    fputs(",\"metrics\":{\"async\":[", out);
    first_value = 1;
    host->SCOREP_Metric_WriteAsynchronousMetrics(location, write_value);
    fputs("],\"strict\":[", out);
    first_value = 1;
    host->SCOREP_Metric_WriteStrictlySynchronousMetrics(location, timestamp, write_value);
    fputs("],\"sync\":[", out);
    first_value = 1;
    host->SCOREP_Metric_WriteSynchronousMetrics(location, timestamp, write_value);
    fputs("]}", out);
}

static void open_event(const char* name, int disabled, struct SCOREP_Location* location, uint64_t timestamp)
{
    if (host->SCOREP_Location_GetData(location, plugin_id) != (void*)location)
        abort();
    open_call("event");
    text("name", name);
    if (disabled)
        text("table", "disabled");
    location_of("location", location);
    number("timestamp", timestamp);
}

/* A function for each table. BODY writes the arguments. */
#define EVENT(NAME, PARAMETERS, BODY)                   \
    static void enabled_##NAME PARAMETERS               \
    {                                                   \
        const int disabled = 0;                         \
        open_event(#NAME, disabled, location, timestamp); \
        BODY                                            \
        close_call();                                   \
    }                                                   \
    static void disabled_##NAME PARAMETERS              \
    {                                                   \
        const int disabled = 1;                         \
        open_event(#NAME, disabled, location, timestamp); \
        BODY                                            \
        close_call();                                   \
    }

#define U(argument) number(#argument, (uint64_t)(argument));
#define I(argument) integer(#argument, (argument));
#define F(argument) fprintf(out, ",\"" #argument "\":%.17g", (argument));
#define SIGN_EXTENDED(argument) number(#argument, (uint64_t)(int64_t)(argument));
#define POINTER(argument) number(#argument, (uint64_t)(uintptr_t)(argument));
#define COMMUNICATOR(argument) U(argument) write_payload(argument);
/* Recordings have the metrics of events of the first table only. */
#define METRICS if (!disabled) write_metrics(location, timestamp);
/* Private to the host, but never a null array. */
#define PRIVATE(argument) if (!(argument)) abort();

static void write_arguments(uint32_t count, const SCOREP_StringHandle* arguments)
{
    fputs(",\"programArguments\":[", out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%u", i ? "," : "", arguments[i]);
    putc(']', out);
}

static void write_payload(SCOREP_InterimCommunicatorHandle communicator)
{
    char path[4096];
    uint32_t payload[6];
    if (NO_ARENA)
        return;
    snprintf(path, sizeof path, "%s.payloads", getenv("KYMO_LOG"));
    FILE* file = fopen(path, "a");
    if (!file)
        abort();
    memcpy(payload, arena + communicator + 40, sizeof payload);
    fprintf(file, "%u", communicator);
    for (int i = 0; i < 6; i++)
        fprintf(file, " %u", payload[i]);
    putc('\n', file);
    if (fclose(file))
        abort();
}

static void write_values(SCOREP_SamplingSetHandle set, const uint64_t* values)
{
    fputs(",\"metricValues\":[", out);
    for (unsigned i = 0; i < host->SCOREP_SamplingSetHandle_GetNumberOfMetrics(set); i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "", values[i]);
    putc(']', out);
}

#include "log_events.h"

/* ---- Life cycle ---- */

static int log_init(void)
{
    const char* path = getenv("KYMO_LOG");
    out = path ? fopen(path, "a") : NULL;
    if (!out)
        return -1;
    setvbuf(out, NULL, _IOLBF, 1 << 16);
    open_call("init");
    close_call();
    return INIT_RESULT;
}

static void log_set_callbacks(const SCOREP_SubstratePluginCallbacks* callbacks, size_t size)
{
    host = callbacks;
    open_call("set_callbacks");
    number("size", size);
    for (size_t i = 0; i < size / sizeof(void*); i++)
        if (!((void* const*)callbacks)[i])
            abort();
    if (!host->SCOREP_GetExperimentDirName())
        abort();
    close_call();
}

/* An entry after the last event that a host supports is never called. */
static void unknown_event(void)
{
    abort();
}

static uint32_t log_get_event_functions(SCOREP_Substrates_Mode mode, SCOREP_Substrates_Callback** functions)
{
    static SCOREP_Substrates_Callback tables[2][EVENTS > 83 ? EVENTS : 83];
    fill_tables(tables[0], tables[1]);
    if (OLD_HOST)
    {
        SCOREP_Substrates_Callback try_lock = tables[mode][SCOREP_EVENT_IO_TRY_LOCK];
        tables[mode][SCOREP_EVENT_IO_TRY_LOCK] = tables[mode][SCOREP_EVENT_IO_RELEASE_LOCK];
        tables[mode][SCOREP_EVENT_IO_RELEASE_LOCK] = try_lock;
    }
    if (EVENTS > 83)
        tables[mode][EVENTS - 1] = unknown_event;
    *functions = tables[mode];
    open_call("get_event_functions");
    number("mode", mode);
    number("num_events", EVENTS);
    close_call();
    return EVENTS;
}

static void log_assign_id(size_t id)
{
    plugin_id = id;
    open_call("assign_id");
    number("id", id);
    close_call();
}

/* Checks the communication of the processes in a program that has several. */
static void check_ipc(void)
{
    const uint64_t mine[2] = { 1, 2 };
    uint64_t all[2] = { 0, 0 };
    const int count = 8;
    if (host->SCOREP_Ipc_Barrier() || host->SCOREP_Ipc_Bcast(all, 2, SCOREP_IPC_UINT64_T, 0) || all[0])
        abort();
    if (host->SCOREP_Ipc_Allgather(mine, all, 2, SCOREP_IPC_UINT64_T) || memcmp(mine, all, sizeof all))
        abort();
    all[1] = 7;
    if (host->SCOREP_Ipc_Gatherv(mine + 1, 8, all, &count, SCOREP_IPC_BYTE, 0) || all[0] != 2 || all[1] != 7)
        abort();
    if (host->SCOREP_Ipc_Allreduce(mine, all, 2, SCOREP_IPC_UINT64_T, SCOREP_IPC_SUM) || memcmp(mine, all, sizeof all))
        abort();
}

static void log_init_mpp(void)
{
    mpp = 1;
    if (host->SCOREP_Ipc_GetSize() == 1)
        check_ipc();
    open_call("init_mpp");
    number("size", (uint64_t)host->SCOREP_Ipc_GetSize());
    number("rank", (uint64_t)host->SCOREP_Ipc_GetRank());
    text("experiment_dir_set", host->SCOREP_GetExperimentDirName() ? "yes" : "no");
    close_call();
}

static void log_finalize(void)
{
    open_call("finalize");
    close_call();
    fclose(out);
}

static void log_create_location(const struct SCOREP_Location* location, const struct SCOREP_Location* parent)
{
    if (host->SCOREP_Location_GetData(location, plugin_id))
        abort();
    host->SCOREP_Location_SetData(location, plugin_id, (void*)location);
    open_call("create_location");
    location_of("location", location);
    text("name", host->SCOREP_Location_GetName(location));
    number("type", host->SCOREP_Location_GetType(location));
    location_of("parent", parent);
    if (mpp)
        number("global_id", host->SCOREP_Location_GetGlobalId(location));
    close_call();
}

static void log_activate(const struct SCOREP_Location* location, const struct SCOREP_Location* parent, uint32_t count)
{
    open_call("activate_cpu_location");
    location_of("location", location);
    location_of("parent", parent);
    number("fork_sequence_count", count);
    close_call();
}

static void log_deactivate(const struct SCOREP_Location* location, const struct SCOREP_Location* parent)
{
    open_call("deactivate_cpu_location");
    location_of("location", location);
    location_of("parent", parent);
    close_call();
}

static void log_delete_location(const struct SCOREP_Location* location)
{
    open_call("delete_location");
    location_of("location", location);
    number("global_id", host->SCOREP_Location_GetGlobalId(location));
    text("name", host->SCOREP_Location_GetName(location));
    close_call();
}

static void task_call(const char* call, const struct SCOREP_Location* location, SCOREP_TaskHandle task)
{
    open_call(call);
    location_of("location", location);
    number("task", (uint64_t)(uintptr_t)task);
    close_call();
}

static void log_task_create(const struct SCOREP_Location* location, SCOREP_TaskHandle task)
{
    task_call("core_task_create", location, task);
}

static void log_task_complete(const struct SCOREP_Location* location, SCOREP_TaskHandle task)
{
    task_call("core_task_complete", location, task);
}

static void dump_arena(const char* when)
{
    if (NO_ARENA)
        return;
    char path[4096];
    snprintf(path, sizeof path, "%s.%s.arena", getenv("KYMO_LOG"), when);
    FILE* file = fopen(path, "w");
    if (!file || fwrite(arena, 1, highest + 4096, file) != highest + 4096 || fclose(file))
        abort();
}

static void log_pre_unify(void)
{
    open_call("pre_unify");
    number("arena_size", highest + 4096);
    dump_arena("pre_unify");
    close_call();
}

static void log_write_data(void)
{
    uint64_t (*resolution)(void) = (uint64_t(*)(void))dlsym(RTLD_DEFAULT, "SCOREP_Timer_GetClockResolution");
    open_call("write_data");
    number("arena_size", highest + 4096);
    if (resolution)
        number("clock_resolution", resolution());
    dump_arena("write_data");
    close_call();
}

static bool log_get_requirement(SCOREP_Substrates_RequirementFlag flag)
{
    open_call("get_requirement");
    number("flag", flag);
    close_call();
    return REQUIRES && flag == SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY;
}

static void log_dump_manifest(FILE* manifest, const char* source, const char* target)
{
    open_call("dump_manifest");
    close_call();
    if (source[0] != '/' || strcmp(target, host->SCOREP_GetExperimentDirName()))
        abort();
    host->SCOREP_ConfigManifestSectionHeader(manifest, TEXT(NAME));
    host->SCOREP_ConfigManifestSectionEntry(manifest, "log", "%d lines of %s, %.2f each", 7, "text", 0.25);
}

/* ---- Definitions ---- */

static const char* const kinds[] = {
    "ANY", "CALLING_CONTEXT", "GROUP", "INTERIM_COMMUNICATOR", "INTERRUPT_GENERATOR", "LOCATION", "LOCATION_GROUP",
    "LOCATION_PROPERTY", "METRIC", "PARADIGM", "PARAMETER", "REGION", "RMA_WINDOW", "SAMPLING_SET",
    "SAMPLING_SET_RECORDER", "SOURCE_CODE_LOCATION", "SOURCE_FILE", "STRING", "SYSTEM_TREE_NODE",
    "SYSTEM_TREE_NODE_PROPERTY", "CARTESIAN_TOPOLOGY", "CARTESIAN_COORDS", "IO_FILE", "IO_FILE_PROPERTY", "IO_HANDLE",
    "IO_PARADIGM",
};

static void write_region(SCOREP_RegionHandle handle)
{
    number("id", host->SCOREP_RegionHandle_GetId(handle));
    text("name", host->SCOREP_RegionHandle_GetName(handle));
    text("canonical_name", host->SCOREP_RegionHandle_GetCanonicalName(handle));
    text("file", host->SCOREP_RegionHandle_GetFileName(handle));
    number("begin_line", host->SCOREP_RegionHandle_GetBeginLine(handle));
    number("end_line", host->SCOREP_RegionHandle_GetEndLine(handle));
    number("region_type", host->SCOREP_RegionHandle_GetType(handle));
    number("paradigm", host->SCOREP_RegionHandle_GetParadigmType(handle));
}

static void write_metric(SCOREP_MetricHandle handle)
{
    text("name", host->SCOREP_MetricHandle_GetName(handle));
    number("value_type", host->SCOREP_MetricHandle_GetValueType(handle));
    number("mode", host->SCOREP_MetricHandle_GetMode(handle));
    number("source_type", host->SCOREP_MetricHandle_GetSourceType(handle));
    number("profiling_type", host->SCOREP_MetricHandle_GetProfilingType(handle));
}

static void write_sampling_set(SCOREP_SamplingSetHandle handle)
{
    const SCOREP_MetricHandle* metrics = host->SCOREP_SamplingSetHandle_GetMetricHandles(handle);
    fputs(",\"metrics\":[", out);
    for (unsigned i = 0; i < host->SCOREP_SamplingSetHandle_GetNumberOfMetrics(handle); i++)
        fprintf(out, "%s%u", i ? "," : "", metrics[i]);
    putc(']', out);
    number("occurrence", host->SCOREP_SamplingSetHandle_GetMetricOccurrence(handle));
    number("scoped", host->SCOREP_SamplingSetHandle_IsScoped(handle));
    number("scope", host->SCOREP_SamplingSetHandle_GetScope(handle));
    number("class", host->SCOREP_SamplingSetHandle_GetSamplingSetClass(handle));
}

static void write_public(SCOREP_AnyHandle handle, SCOREP_HandleType type)
{
    switch (type)
    {
    case SCOREP_HANDLE_TYPE_STRING:
        text("value", host->SCOREP_StringHandle_Get(handle));
        break;
    case SCOREP_HANDLE_TYPE_REGION:
        write_region(handle);
        break;
    case SCOREP_HANDLE_TYPE_METRIC:
        write_metric(handle);
        break;
    case SCOREP_HANDLE_TYPE_SAMPLING_SET:
        write_sampling_set(handle);
        break;
    case SCOREP_HANDLE_TYPE_PARAMETER:
        text("name", host->SCOREP_ParameterHandle_GetName(handle));
        number("parameter_type", host->SCOREP_ParameterHandle_GetType(handle));
        break;
    case SCOREP_HANDLE_TYPE_PARADIGM:
        text("name", host->SCOREP_ParadigmHandle_GetName(handle));
        number("class", host->SCOREP_ParadigmHandle_GetClass(handle));
        number("paradigm", host->SCOREP_ParadigmHandle_GetType(handle));
        break;
    case SCOREP_HANDLE_TYPE_SOURCE_FILE:
        text("name", host->SCOREP_SourceFileHandle_GetName(handle));
        break;
    case SCOREP_HANDLE_TYPE_CALLING_CONTEXT:
        number("region", host->SCOREP_CallingContextHandle_GetRegion(handle));
        number("parent", host->SCOREP_CallingContextHandle_GetParent(handle));
        break;
    default:
        break;
    }
}

static void write_base(const char* base)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.bases", getenv("KYMO_LOG"));
    FILE* file = fopen(path, "a");
    if (!file || fprintf(file, "%p\n", (const void*)base) < 0 || fclose(file))
        abort();
}

static void log_new_definition_handle(SCOREP_AnyHandle handle, SCOREP_HandleType type)
{
    size_t length = 96;
    if (type == SCOREP_HANDLE_TYPE_STRING)
    {
        const char* string = host->SCOREP_StringHandle_Get(handle);
        if (NO_ARENA)
            write_base(string - 24 - handle);
        else if (!arena)
            arena = string - 24 - handle;
        else if (string != arena + handle + 24)
            abort();
        length = 24 + strlen(string) + 1;
        some_string = handle;
    }
    if (handle > highest)
        highest = handle;
    open_call("new_definition_handle");
    number("handle", handle);
    text("type", kinds[type]);
    number("type_id", type);
    write_public(handle, type);
    fputs(",\"raw\":\"", out);
    for (size_t i = 0; i < length && !NO_ARENA; i++)
        fprintf(out, "%02x", (unsigned char)arena[handle + i]);
    putc('"', out);
    close_call();
}

static void late_delete_location(const struct SCOREP_Location* location)
{
    (void)location;
    host->SCOREP_SourceFileHandle_GetName(some_string);
}

/* The name is a macro, so the entry is spelled with one more level of expansion. */
#define ENTRY(name) SCOREP_SUBSTRATE_PLUGIN_ENTRY(name)

ENTRY(NAME)
{
    SCOREP_SubstratePluginInfo info;
    memset(&info, 0, sizeof info);
    info.plugin_version = VERSION;
    info.init = log_init;
    info.assign_id = log_assign_id;
    info.init_mpp = log_init_mpp;
    info.finalize = log_finalize;
    info.create_location = log_create_location;
    info.activate_cpu_location = log_activate;
    info.deactivate_cpu_location = log_deactivate;
    info.delete_location = AFTER_WRITE_DATA ? late_delete_location : log_delete_location;
    info.pre_unify = log_pre_unify;
    info.write_data = log_write_data;
    info.core_task_create = log_task_create;
    info.core_task_complete = log_task_complete;
    info.new_definition_handle = log_new_definition_handle;
    info.get_event_functions = log_get_event_functions;
    info.set_callbacks = log_set_callbacks;
    info.get_requirement = log_get_requirement;
    info.dump_manifest = log_dump_manifest;
    return info;
}
