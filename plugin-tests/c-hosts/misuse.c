/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Drives the plugin in documented and undocumented orders: misuse PLUGIN DIRECTORY CASE.
 *
 * Whatever the plugin does, a case ends with the exit status 7, unless it aborts on purpose. Some
 * cases imitate hosts that no release matches: broken ones or future ones.
 */
#include "host.h"

static void documented(void)
{
    begin();
    pairs(&locations[0], 100);
    end();
}

/* ---- Early and late ---- */

static void before_init_mpp(void)
{
    start(library);
    create(0, "Master thread");
    program_begin();
    pairs(&locations[0], 60);
    create(1, "second");
    pairs(&locations[1], 20);
    init_mpp();
    pairs(&locations[0], 40);
    end();
}

static void after_program_end(void)
{
    begin();
    pairs(&locations[0], 100);
    program_end();
    pairs(&locations[0], 10);
    write_everything();
    finish();
}

static void after_write_data(void)
{
    begin();
    pairs(&locations[0], 100);
    program_end();
    write_everything();
    pairs(&locations[0], 10);
    region("late", 1, 1);
    create(1, "late");
    pairs(&locations[1], 10);
    finish();
}

static void after_finalize(void)
{
    documented();
    pairs(&locations[0], 10);
    region("late", 1, 1);
    program_end();
    write_everything();
    CALL(finalize);
}

/* ---- Unknown or missing things ---- */

static void unknown_location(void)
{
    static struct SCOREP_Location stranger = { .id = 9, .name = "stranger" };
    begin();
    pairs(&locations[0], 50);
    pairs(&stranger, 50);
    pairs(NULL, 5);
    CALL(activate_cpu_location, &stranger, NULL, 1);
    CALL(deactivate_cpu_location, &stranger, NULL);
    CALL(core_task_create, &stranger, NULL);
    pairs(&locations[0], 50);
    end();
    CALL(delete_location, &stranger);
}

static const char* no_name(uint32_t handle)
{
    (void)handle;
    return NULL;
}

static const char* no_location_name(const struct SCOREP_Location* location)
{
    (void)location;
    return NULL;
}

static void null_names(void)
{
    callbacks.SCOREP_RegionHandle_GetName = no_name;
    callbacks.SCOREP_RegionHandle_GetCanonicalName = no_name;
    callbacks.SCOREP_RegionHandle_GetFileName = no_name;
    callbacks.SCOREP_MetricHandle_GetName = no_name;
    callbacks.SCOREP_StringHandle_Get = no_name;
    callbacks.SCOREP_Location_GetName = no_location_name;
    documented();
}

static void null_callbacks(void)
{
    memset(&callbacks, 0, sizeof callbacks);
    documented();
}

/* Only the functions for locations are missing. */
static void null_location_callbacks(void)
{
    callbacks.SCOREP_Location_GetData = NULL;
    callbacks.SCOREP_Location_SetData = NULL;
    callbacks.SCOREP_Location_GetId = NULL;
    callbacks.SCOREP_Location_GetGlobalId = NULL;
    documented();
}

static void short_table(void)
{
    /* The table ends after the location functions; the bytes after it are not functions. */
    static struct
    {
        void* functions[20];
        uintptr_t after[33];
    } table;
    memcpy(table.functions, &callbacks, sizeof table.functions);
    memset(table.after, 0x5a, sizeof table.after);
    load(library);
    plugin.init();
    CALL(set_callbacks, (const SCOREP_SubstratePluginCallbacks*)&table, sizeof table.functions);
    get_functions();
    define();
    CALL(assign_id, 0);
    create(0, "Master thread");
    program_begin();
    init_mpp();
    pairs(&locations[0], 100);
    end();
}

static void null_table(void)
{
    load(library);
    plugin.init();
    CALL(set_callbacks, NULL, 0);
    get_functions();
    define();
    CALL(assign_id, 0);
    create(0, "Master thread");
    program_begin();
    init_mpp();
    pairs(&locations[0], 100);
    end();
}

static void unknown_handles(void)
{
    static const uint32_t handles[] = { 0, 4, 7, 8192, 8193, 0x3ffffc, 0xfffffffc, 0xffffffff };
    begin();
    struct SCOREP_Location* main = &locations[0];
    for (unsigned i = 0; i < sizeof handles / sizeof handles[0]; i++)
    {
        const uint32_t h = handles[i];
        EVENT(ENTER_REGION, EnterRegion, main, now++, h, NULL);
        EVENT(EXIT_REGION, ExitRegion, main, now++, h, NULL);
        EVENT(SAMPLE, Sample, main, now++, h, h, 1, h, NULL);
        EVENT(CALLING_CONTEXT_ENTER, CallingContextEnter, main, now++, h, h, 1, NULL);
        EVENT(CALLING_CONTEXT_EXIT, CallingContextExit, main, now++, h, h, 1, NULL);
        EVENT(MPI_SEND, MpiSend, main, now++, -5, h, h, h);
        EVENT(MPI_COLLECTIVE_END, MpiCollectiveEnd, main, now++, h, -9, 77, h, h);
        EVENT(RMA_PUT, RmaPut, main, now++, h, h, h, h);
        EVENT(RMA_GROUP_SYNC, RmaGroupSync, main, now++, 99, h, h);
        EVENT(TRIGGER_COUNTER_UINT64, TriggerCounterUint64, main, now++, h, h);
        EVENT(TRIGGER_PARAMETER_STRING, TriggerParameterString, main, now++, h, h);
        EVENT(THREAD_FORK_JOIN_TEAM_BEGIN, ThreadForkJoinTeamBegin, main, now++, h, h, h);
        EVENT(IO_CREATE_HANDLE, IoCreateHandle, main, now++, h, h, h, h);
        EVENT(IO_DELETE_FILE, IoDeleteFile, main, now++, h, h);
        EVENT(IO_OPERATION_BEGIN, IoOperationBegin, main, now++, h, h, h, h, h, h);
        EVENT(EXIT_REWIND_REGION, ExitRewindRegion, main, now++, h, true);
    }
    pairs(main, 100);
    end();
}

static void unknown_definitions(void)
{
    begin();
    const uint32_t known = string("known");
    static const uint32_t bad_kinds[] = { 0, 26, 27, 255, 256, 0x80000000, 0xffffffff };
    for (unsigned i = 0; i < sizeof bad_kinds / sizeof bad_kinds[0]; i++)
        announce(known, bad_kinds[i]);
    /* A string and a region announced as every other kind, and handles without a definition. */
    for (uint32_t kind = 1; kind < 26; kind++)
    {
        announce(known, kind);
        announce(work, kind);
        announce(0, kind);
        announce(0xfffffff8, kind);
        announce(7, kind);
    }
    pairs(&locations[0], 100);
    end();
}

static void lying_definitions(void)
{
    begin();
    /* Lengths, counts and lists that lead out of the arena or around in circles. */
    const uint32_t text = string("text");
    set_word(text, 20, 0xffffffff);
    const uint32_t crowd = place(SCOREP_HANDLE_TYPE_GROUP, 40);
    set_word(crowd, 20, 5);
    set_word(crowd, 24, text);
    memset(arena + crowd + 32, 0xff, 8);
    announce(crowd, SCOREP_HANDLE_TYPE_GROUP);
    const uint32_t node = place(SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE, 56);
    set_word(node, 20, node);
    set_word(node, 28, 0xfffffff0);
    announce(node, SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE);
    const uint32_t topology = place(SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY, 36);
    set_word(topology, 32, 0xffffffff);
    announce(topology, SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY);
    const uint32_t interim = place(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, 64);
    set_word(interim, 24, interim);
    set_word(interim, 28, 6);
    set_word(interim, 4, 0xfffffff8);
    announce(interim, SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR);
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_IO_HANDLE, 60);
    set_word(handle, 20, 12345);
    set_word(handle, 24, 0xfffffff8);
    set_word(handle, 40, handle);
    announce(handle, SCOREP_HANDLE_TYPE_IO_HANDLE);
    pairs(&locations[0], 100);
    end();
}

/* ---- Directories ---- */

static void null_directory(void)
{
    directory = NULL;
    documented();
}

/* The path of the directory leads through a file. */
static void impossible_directory(void)
{
    directory = "/dev/null/experiment";
    documented();
}

static void vanishing_directory(void)
{
    static const char* const names[] = { "1", "2", "3", "4", "5", "6", "7" };
    char command[4200];
    begin();
    for (uint32_t id = 1; id <= 7; id++)
        pairs(create(id, names[id - 1]), 10);
    pairs(&locations[0], 100);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0)
        FAIL("the directory cannot be removed");
    end();
}

/* Waits until the first full piece is in the event file. */
static void await_event_file(void)
{
    char path[4200];
    struct stat file;
    snprintf(path, sizeof path, "%s/kymo/traces/0.evt", directory);
    for (int looks = 0; stat(path, &file) != 0 || file.st_size == 0; looks++)
    {
        if (looks == 120000)
            FAIL("no event file");
        usleep(1000);
    }
}

/* Event files that are moved away while they are written. */
static void vanishing_event_files(void)
{
    char command[4200];
    begin();
    pairs(&locations[0], 20000);
    await_event_file();
    snprintf(command, sizeof command, "mv '%s/kymo/traces/0.evt' '%s/moved'", directory, directory);
    if (system(command) != 0)
        FAIL("the event file cannot be moved");
    pairs(&locations[0], 20000);
    end();
}

/* An event file that is removed when all events are recorded. */
static void vanished_event_files(void)
{
    char command[4200];
    begin();
    pairs(&locations[0], 20000);
    await_event_file();
    snprintf(command, sizeof command, "rm '%s/kymo/traces/0.evt'", directory);
    if (system(command) != 0)
        FAIL("the event file cannot be removed");
    end();
}

/* ---- Calls that are made twice, out of order, or not at all ---- */

/* A program that is linked with MPI and never initialises it. */
static void no_init_mpp(void)
{
    start(library);
    create(0, "Master thread");
    program_begin();
    pairs(&locations[0], 100);
    program_end();
}

static void write_data_without_init_mpp(void)
{
    no_init_mpp();
    mpp = 1;
    write_everything();
    finish();
}

static void no_finalization(void)
{
    begin();
    pairs(&locations[0], 100);
}

static void aborted(void)
{
    begin();
    pairs(&locations[0], 100);
    abort();
}

static void init_mpp_twice(void)
{
    begin();
    pairs(&locations[0], 50);
    CALL(init_mpp);
    pairs(&locations[0], 50);
    end();
}

static void create_location_twice(void)
{
    begin();
    pairs(&locations[0], 50);
    CALL(create_location, &locations[0], NULL);
    pairs(&locations[0], 50);
    end();
}

static void write_data_twice(void)
{
    begin();
    CALL(assign_id, 0);
    pairs(&locations[0], 100);
    program_end();
    CALL(pre_unify);
    write_everything();
    CALL(write_data);
    finish();
    CALL(finalize);
}

static void out_of_order(void)
{
    load(library);
    CALL(init_mpp);
    CALL(assign_id, 3);
    CALL(create_location, &locations[0], NULL);
    CALL(new_definition_handle, 8192, SCOREP_HANDLE_TYPE_STRING);
    CALL(pre_unify);
    CALL(write_data);
    CALL(finalize);
    get_functions();
    program_begin();
    pairs(&locations[0], 10);
    program_end();
    plugin.init();
    CALL(set_callbacks, &callbacks, sizeof callbacks);
    pairs(&locations[0], 10);
    CALL(delete_location, &locations[0]);
    pairs(&locations[0], 10);
}

static void init_twice(void)
{
    start(library);
    plugin.init();
    create(0, "Master thread");
    program_begin();
    init_mpp();
    pairs(&locations[0], 100);
    end();
}

static void deleted_too_early(void)
{
    begin();
    pairs(&locations[0], 100);
    CALL(delete_location, &locations[0]);
    pairs(&locations[0], 10);
    end();
}

static void times_backwards(void)
{
    begin();
    pairs(&locations[0], 50);
    now = 10;
    pairs(&locations[0], 50);
    now = 5000;
    end();
}

static void unknown_requirements(void)
{
    begin();
    for (unsigned flag = 1; flag < 40; flag++)
        if (plugin.get_requirement(flag))
            FAIL("flag %u is required", flag);
    if (plugin.get_requirement(0xffffffff))
        FAIL("an unknown flag is required");
    pairs(&locations[0], 100);
    end();
}

static void no_arguments(void)
{
    start(library);
    create(0, "Master thread");
    EVENT(PROGRAM_BEGIN, ProgramBegin, &locations[0], now++, 0, 4, NULL, 0, (uint64_t)getpid(), 0);
    init_mpp();
    pairs(&locations[0], 100);
    end();
}

/* ---- Metrics ---- */

static void strange_metrics(struct SCOREP_Location* location, uint64_t time, SCOREP_Substrates_WriteMetricsCb write)
{
    static const uint64_t values[300] = { 1, 2, 3 };
    write(location, time, counter, values);
    write(location, time, 0, values);
    write(location, time, 0xfffffffc, values);
    write(location, time, work, values);
    write(NULL, time, counter, values);
    write(location, time, counter, NULL);
}

static void metrics(void)
{
    uint64_t buffer[4] = { 0 };
    callbacks.SCOREP_Metric_WriteStrictlySynchronousMetrics = strange_metrics;
    callbacks.SCOREP_Metric_WriteAsynchronousMetrics = NULL;
    begin();
    for (int i = 0; i < 10; i++)
    {
        EVENT(ENTER_REGION, EnterRegion, &locations[0], now++, work, buffer);
        EVENT(EXIT_REGION, ExitRegion, &locations[0], now++, work, buffer);
    }
    EVENT(WRITE_POST_MORTEM_METRICS, WriteMetrics, &locations[0], now++, counter, NULL);
    end();
}

CASES(
    CASE(documented), CASE(before_init_mpp), CASE(after_program_end), CASE(after_write_data), CASE(after_finalize),
    CASE(unknown_location), CASE(null_names), CASE(null_callbacks), CASE(null_location_callbacks),
    CASE(short_table), CASE(null_table), CASE(unknown_handles), CASE(unknown_definitions), CASE(lying_definitions),
    CASE(null_directory), CASE(impossible_directory), CASE(vanishing_directory), CASE(vanishing_event_files), CASE(vanished_event_files), CASE(no_init_mpp),
    CASE(write_data_without_init_mpp), CASE(no_finalization), CASE(aborted), CASE(init_mpp_twice),
    CASE(create_location_twice), CASE(write_data_twice), CASE(out_of_order), CASE(init_twice),
    CASE(deleted_too_early), CASE(times_backwards), CASE(unknown_requirements), CASE(no_arguments), CASE(metrics))
