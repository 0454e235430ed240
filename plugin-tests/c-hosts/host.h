/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest host that imitates Score-P 8.x: definitions in an arena as in real hosts, one
 * process, a few locations. Hosts with several ranks put their own functions into `callbacks`.
 *
 * Programs that include it call the plugin's functions themselves, in any order that they test; the
 * functions below are the parts of the documented order. Unlike a real host, it accepts unknown
 * handles and returns null or 0 for them.
 */
#ifndef KYMO_C_HOST_H
#define KYMO_C_HOST_H

#define _GNU_SOURCE
#include <kymo/substrate.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAIL(...) (fprintf(stderr, "host: " __VA_ARGS__), fputc('\n', stderr), exit(99))
#define UNUSED __attribute__((unused))
/* Calls a function of the plugin if the plugin has it. */
#define CALL(function, ...)                \
    do                                     \
    {                                      \
        if (plugin.function)               \
            plugin.function(__VA_ARGS__);  \
    } while (0)

/* Bytes for definitions; a host with many definitions defines it before it includes this file. */
#ifndef HOST_ARENA
#define HOST_ARENA (1 << 18)
#endif

enum
{
    ARENA = HOST_ARENA,
    MOST_LOCATIONS = 16
};

struct SCOREP_Location
{
    uint32_t id;
    uint32_t type;
    const char* name;
    void* data;
    uint32_t definition;
    uint64_t events;
};

static SCOREP_SubstratePluginInfo plugin;
static SCOREP_Substrates_Callback tables[2][SCOREP_SUBSTRATES_NUM_EVENTS];
static struct SCOREP_Location locations[MOST_LOCATIONS] = { { 0, 0, "Master thread", NULL, 0, 0 } };
static const char* directory;
static int mpp, rank, ranks = 1;
static uint64_t now = 1000;

/* ---- Definitions ---- */

static _Alignas(8) unsigned char arena[ARENA];
static unsigned char kinds[ARENA / 4];
static uint32_t next_handle = 8192;
static uint32_t counts[32];

static uint32_t word(uint32_t handle, uint32_t at)
{
    uint32_t value;
    memcpy(&value, arena + handle + at, sizeof value);
    return value;
}

static void set_word(uint32_t handle, uint32_t at, uint32_t value)
{
    memcpy(arena + handle + at, &value, sizeof value);
}

static int is_kind(uint32_t handle, uint32_t kind)
{
    return handle % 4 == 0 && handle < ARENA && kinds[handle / 4] == kind;
}

/* Allocates a definition; the caller announces it when its fields are set. */
static uint32_t place(uint32_t kind, uint32_t size)
{
    const uint32_t handle = next_handle;
    next_handle += (size + 7) & ~7u;
    if (next_handle > ARENA)
        FAIL("the arena is full");
    set_word(handle, 16, counts[kind]++);
    kinds[handle / 4] = (unsigned char)kind;
    return handle;
}

static uint32_t announce(uint32_t handle, uint32_t kind)
{
    CALL(new_definition_handle, handle, kind);
    return handle;
}

static uint32_t string(const char* text)
{
    const uint32_t length = (uint32_t)strlen(text);
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_STRING, 24 + length + 1);
    set_word(handle, 20, length);
    memcpy(arena + handle + 24, text, length + 1);
    return announce(handle, SCOREP_HANDLE_TYPE_STRING);
}

static uint32_t empty, group, program, work, counter;

static UNUSED uint32_t region(const char* name, uint32_t type, uint32_t paradigm)
{
    const uint32_t text = string(name);
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_REGION, 56);
    set_word(handle, 20, text);
    set_word(handle, 24, text);
    set_word(handle, 28, empty);
    set_word(handle, 32, type);
    set_word(handle, 48, paradigm);
    return announce(handle, SCOREP_HANDLE_TYPE_REGION);
}

static UNUSED uint32_t location_definition(struct SCOREP_Location* location)
{
    const uint32_t name = string(location->name);
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_LOCATION, 56);
    memset(arena + handle + 24, 0xff, 8);
    set_word(handle, 32, name);
    set_word(handle, 36, location->type);
    set_word(handle, 40, 17);
    set_word(handle, 44, group);
    location->definition = handle;
    return announce(handle, SCOREP_HANDLE_TYPE_LOCATION);
}

static UNUSED void define(void)
{
    empty = string("");
    const uint32_t class = string("machine"), name = string("c-host");
    const uint32_t node = place(SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE, 56);
    set_word(node, 24, 1);
    set_word(node, 28, name);
    set_word(node, 32, class);
    announce(node, SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE);
    group = place(SCOREP_HANDLE_TYPE_LOCATION_GROUP, 40);
    set_word(group, 20, empty);
    set_word(group, 24, node);
    announce(group, SCOREP_HANDLE_TYPE_LOCATION_GROUP);
    program = region("c-host", 36, 0);
    work = region("work", 1, 1);
    location_definition(&locations[0]);
    const uint32_t metric_name = string("apples");
    const uint32_t metric = place(SCOREP_HANDLE_TYPE_METRIC, 72);
    set_word(metric, 20, metric_name);
    set_word(metric, 24, empty);
    set_word(metric, 28, 2);
    set_word(metric, 32, 4);
    set_word(metric, 36, 1);
    set_word(metric, 40, 1);
    set_word(metric, 56, empty);
    announce(metric, SCOREP_HANDLE_TYPE_METRIC);
    counter = place(SCOREP_HANDLE_TYPE_SAMPLING_SET, 64);
    set_word(counter, 32, 2);
    set_word(counter, 56, 1);
    set_word(counter, 60, metric);
    announce(counter, SCOREP_HANDLE_TYPE_SAMPLING_SET);
}

/* ---- Functions of the host ---- */

static const char* text_of(uint32_t handle)
{
    return is_kind(handle, SCOREP_HANDLE_TYPE_STRING) ? (const char*)arena + handle + 24 : NULL;
}

#define GETTER(name, kind, type, value, otherwise)                                       \
    static type name(uint32_t handle)                                                    \
    {                                                                                    \
        return is_kind(handle, SCOREP_HANDLE_TYPE_##kind) ? (type)(value) : (otherwise); \
    }

GETTER(region_id, REGION, uint32_t, word(handle, 16), 0)
GETTER(region_name, REGION, const char*, text_of(word(handle, 20)), NULL)
GETTER(region_canonical_name, REGION, const char*, text_of(word(handle, 24)), NULL)
GETTER(region_file, REGION, const char*, text_of(word(handle, 36)), NULL)
GETTER(region_begin, REGION, SCOREP_LineNo, word(handle, 40), 0)
GETTER(region_end, REGION, SCOREP_LineNo, word(handle, 44), 0)
GETTER(region_type, REGION, SCOREP_RegionType, word(handle, 32), 0)
GETTER(region_paradigm, REGION, SCOREP_ParadigmType, word(handle, 48), 0)
GETTER(metric_value_type, METRIC, SCOREP_MetricValueType, word(handle, 36), 0)
GETTER(metric_name, METRIC, const char*, text_of(word(handle, 20)), NULL)
GETTER(metric_profiling, METRIC, SCOREP_MetricProfilingType, word(handle, 60), 0)
GETTER(metric_mode, METRIC, SCOREP_MetricMode, word(handle, 32), 0)
GETTER(metric_source, METRIC, SCOREP_MetricSourceType, word(handle, 28), 0)
GETTER(set_count, SAMPLING_SET, uint8_t, arena[handle + 56], 0)
GETTER(set_metrics, SAMPLING_SET, const SCOREP_MetricHandle*, arena + handle + 60, NULL)
GETTER(set_occurrence, SAMPLING_SET, SCOREP_MetricOccurrence, word(handle, 32), 0)
GETTER(set_is_scoped, SAMPLING_SET, bool, arena[handle + 20], false)
GETTER(set_scope, SAMPLING_SET, SCOREP_MetricScope, SCOREP_INVALID_METRIC_SCOPE, SCOREP_INVALID_METRIC_SCOPE)
GETTER(set_class, SAMPLING_SET, SCOREP_SamplingSetClass, word(handle, 36), 0)
GETTER(paradigm_class, PARADIGM, SCOREP_ParadigmClass, word(handle, 12), 0)
GETTER(paradigm_name, PARADIGM, const char*, text_of(word(handle, 16)), NULL)
GETTER(paradigm_type, PARADIGM, SCOREP_ParadigmType, word(handle, 8), 0)
GETTER(parameter_name, PARAMETER, const char*, text_of(word(handle, 20)), NULL)
GETTER(parameter_type, PARAMETER, SCOREP_ParameterType, word(handle, 24), 0)
GETTER(context_region, CALLING_CONTEXT, SCOREP_RegionHandle, word(handle, 44), 0)
GETTER(context_parent, CALLING_CONTEXT, SCOREP_CallingContextHandle, word(handle, 52), 0)
GETTER(source_file_name, SOURCE_FILE, const char*, text_of(word(handle, 20)), NULL)

static const char* directory_name(void) { return directory; }
static int ipc_size(void) { return ranks; }
static int ipc_rank(void) { return rank; }
static int ipc_barrier(void) { return 0; }

static int bytes_of(SCOREP_Ipc_Datatype type)
{
    static const int sizes[] = { 1, 1, 1, 4, 4, 4, 4, 8, 8, 8 };
    return sizes[type];
}

static int copied(const void* from, void* to, int count, SCOREP_Ipc_Datatype type)
{
    if (to && from != to)
        memmove(to, from, (size_t)count * (size_t)bytes_of(type));
    return 0;
}

static int no_peer(void) { FAIL("there is no other process"); }

static int ipc_bcast(void* buffer, int count, SCOREP_Ipc_Datatype type, int root)
{
    (void)buffer, (void)count, (void)type;
    return root ? no_peer() : 0;
}

static int ipc_gather(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, int root)
{
    return root ? no_peer() : copied(from, to, count, type);
}

static int ipc_gatherv(const void* from, int count, void* to, const int* counts, SCOREP_Ipc_Datatype type, int root)
{
    (void)counts;
    return root ? no_peer() : copied(from, to, count, type);
}

static int ipc_allgather(const void* from, void* to, int count, SCOREP_Ipc_Datatype type)
{
    return copied(from, to, count, type);
}

static int ipc_reduce(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, SCOREP_Ipc_Operation what, int root)
{
    (void)what;
    return root ? no_peer() : copied(from, to, count, type);
}

static int ipc_allreduce(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, SCOREP_Ipc_Operation what)
{
    (void)what;
    return copied(from, to, count, type);
}

static SCOREP_LocationType location_type(const struct SCOREP_Location* location) { return location->type; }
static const char* location_name(const struct SCOREP_Location* location) { return location->name; }
static uint32_t location_id(const struct SCOREP_Location* location) { return location->id; }

static uint64_t location_global_id(const struct SCOREP_Location* location)
{
    if (!mpp)
        FAIL("the plugin asked for a global id before init_mpp");
    return (uint64_t)location->id << 32 | (uint32_t)rank;
}

static void location_set_data(const struct SCOREP_Location* location, size_t id, void* data)
{
    (void)id;
    ((struct SCOREP_Location*)location)->data = data;
}

static void* location_get_data(const struct SCOREP_Location* location, size_t id)
{
    (void)id;
    return location->data;
}

static void no_metrics(struct SCOREP_Location* location, uint64_t time, SCOREP_Substrates_WriteMetricsCb write)
{
    (void)location, (void)time, (void)write;
}

static void no_asynchronous_metrics(struct SCOREP_Location* location, SCOREP_Substrates_WriteMetricsCb write)
{
    (void)location, (void)write;
}

static void manifest_header(FILE* out, const char* section) { fprintf(out, "\n## %s\n\n", section); }

static void manifest_entry(FILE* out, const char* file, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(out, "* `%s`: ", file);
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

static SCOREP_SubstratePluginCallbacks callbacks = {
    directory_name, ipc_size, ipc_rank, (void*)no_peer, (void*)no_peer, ipc_barrier, ipc_bcast, ipc_gather, ipc_gatherv,
    ipc_allgather, ipc_reduce, ipc_allreduce, ipc_gather, (void*)no_peer, location_type, location_name, location_id,
    location_global_id, location_set_data, location_get_data, context_region, context_parent, metric_value_type, metric_name,
    metric_profiling, metric_mode, metric_source, paradigm_class, paradigm_name, paradigm_type, parameter_name, parameter_type,
    region_id, region_name, region_canonical_name, region_file, region_begin, region_end, region_type, region_paradigm,
    set_count, set_metrics, set_occurrence, set_is_scoped, set_scope, set_class, source_file_name, text_of, no_metrics,
    no_metrics, no_asynchronous_metrics, manifest_header, manifest_entry,
};

/* Ticks per second of `now`; plugins find it by name. */
uint64_t SCOREP_Timer_GetClockResolution(void);
uint64_t SCOREP_Timer_GetClockResolution(void) { return 1000000000; }

/* ---- Parts of the life cycle ---- */

static UNUSED void load(const char* path)
{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        FAIL("%s", dlerror());
    SCOREP_SubstratePluginInfo (*entry)(void);
    *(void**)&entry = dlsym(library, "SCOREP_SubstratePlugin_kymo_get_info");
    if (!entry)
        FAIL("%s", dlerror());
    plugin = entry();
}

static UNUSED void get_functions(void)
{
    for (unsigned mode = 0; mode < 2; mode++)
    {
        SCOREP_Substrates_Callback* functions = NULL;
        const uint32_t count = plugin.get_event_functions(mode, &functions);
        for (uint32_t event = 0; event < count && event < SCOREP_SUBSTRATES_NUM_EVENTS; event++)
            tables[mode][event] = functions[event];
    }
}

static UNUSED void start(const char* path)
{
    load(path);
    if (plugin.init && plugin.init() != 0)
        FAIL("init failed");
    CALL(set_callbacks, &callbacks, sizeof callbacks);
    get_functions();
    define();
    CALL(assign_id, 0);
}

static UNUSED struct SCOREP_Location* create(uint32_t id, const char* name)
{
    struct SCOREP_Location* location = &locations[id];
    struct SCOREP_Location* parent = id ? &locations[0] : NULL;
    location->id = id;
    location->name = name;
    if (id)
        location_definition(location);
    CALL(create_location, location, parent);
    CALL(core_task_create, location, (SCOREP_TaskHandle)(uintptr_t)(4096 * (id + 1)));
    CALL(activate_cpu_location, location, parent, id);
    return location;
}

/*
 * Calls an event of the first table if the plugin has it. EVENT(ENTER_REGION, EnterRegion,
 * location, time, region, NULL)
 */
#define EVENT_IN(mode, number, type, ...)                                                \
    do                                                                                   \
    {                                                                                    \
        if (tables[mode][SCOREP_EVENT_##number])                                         \
            ((SCOREP_Substrates_##type##Cb)tables[mode][SCOREP_EVENT_##number])(__VA_ARGS__); \
    } while (0)
#define EVENT(number, type, ...) EVENT_IN(0, number, type, __VA_ARGS__)

static UNUSED void program_begin(void)
{
    EVENT(PROGRAM_BEGIN, ProgramBegin, &locations[0], now++, empty, 0, NULL, program, (uint64_t)getpid(), 0);
}

static UNUSED void program_end(void)
{
    EVENT(PROGRAM_END, ProgramEnd, &locations[0], now++, SCOREP_INVALID_EXIT_STATUS, program);
    CALL(deactivate_cpu_location, &locations[0], NULL);
}

/* Makes the directory and its manifest if the plugin requires it. */
static UNUSED void make_directory(void)
{
    char path[4096];
    if (directory && plugin.get_requirement && plugin.get_requirement(SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY))
    {
        mkdir(directory, 0777);
        snprintf(path, sizeof path, "%s/MANIFEST.md", directory);
        FILE* manifest = fopen(path, "w");
        if (manifest)
        {
            CALL(dump_manifest, manifest, "/", directory);
            fclose(manifest);
        }
    }
}

/* Makes the directory and announces the processes to the plugin. */
static UNUSED void init_mpp(void)
{
    make_directory();
    mpp = 1;
    CALL(init_mpp);
}

/* Records `count` pairs of enter and exit on a location. */
static UNUSED void pairs(struct SCOREP_Location* location, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
    {
        EVENT(ENTER_REGION, EnterRegion, location, now++, work, NULL);
        EVENT(EXIT_REGION, ExitRegion, location, now++, work, NULL);
    }
}

static UNUSED void write_everything(void)
{
    CALL(pre_unify);
    CALL(write_data);
}

static UNUSED void finish(void)
{
    for (uint32_t id = 0; id < MOST_LOCATIONS && locations[id].name; id++)
    {
        CALL(core_task_complete, &locations[id], (SCOREP_TaskHandle)(uintptr_t)(4096 * (id + 1)));
        CALL(delete_location, &locations[id]);
    }
    CALL(finalize);
}

/* ---- Cases ---- */

static const char* library;

/* The documented order up to the first event after init_mpp. */
static UNUSED void begin(void)
{
    start(library);
    create(0, "Master thread");
    program_begin();
    init_mpp();
}

/* The documented order from the end of the program on. */
static UNUSED void end(void)
{
    program_end();
    write_everything();
    finish();
}

struct test_case
{
    const char* name;
    void (*run)(void);
};

#define CASE(name) { #name, name }

/* The main function: runs the case that the last argument names and ends with status 7. */
#define CASES(...)                                                                  \
    int main(int count, char** arguments)                                           \
    {                                                                               \
        static const struct test_case cases[] = { __VA_ARGS__ };                    \
        return run_case(cases, sizeof cases / sizeof cases[0], count, arguments);   \
    }

static UNUSED int run_case(const struct test_case* cases, size_t length, int count, char** arguments)
{
    if (count != 4)
        FAIL("expected a plugin, a directory and a case");
    library = arguments[1];
    directory = arguments[2];
    for (size_t i = 0; i < length; i++)
    {
        if (strcmp(cases[i].name, arguments[3]) == 0)
        {
            cases[i].run();
            return 7;
        }
    }
    FAIL("there is no case %s", arguments[3]);
}

#endif /* KYMO_C_HOST_H */
