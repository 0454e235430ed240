/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A host whose threads call the plugin concurrently, for `cargo xtask sanitize`: threads
 * PLUGIN DIRECTORY CASE.
 *
 * Every thread announces its own location and regions, records, and gives up its location;
 * meanwhile the main thread calls init_mpp, and one thread still records while the measurement
 * ends. Like a real host, the program holds a lock only while it makes a definition: only the
 * plugin orders the other calls.
 */
#include "../../plugin-tests/c-hosts/host.h"

#include <pthread.h>

enum
{
    THREADS = 4,
    ROUNDS = 4000
};

static pthread_mutex_t definitions = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together, ready;
static volatile int stop;

static uint32_t own_region(const char* name)
{
    pthread_mutex_lock(&definitions);
    const uint32_t text = string(name);
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_REGION, 56);
    pthread_mutex_unlock(&definitions);
    set_word(handle, 20, text);
    set_word(handle, 24, text);
    set_word(handle, 28, empty);
    set_word(handle, 32, 1);
    set_word(handle, 48, 1);
    return announce(handle, SCOREP_HANDLE_TYPE_REGION);
}

static struct SCOREP_Location* own_location(uint32_t id)
{
    struct SCOREP_Location* location = &locations[id];
    location->id = id;
    location->name = "thread";
    pthread_mutex_lock(&definitions);
    location_definition(location);
    pthread_mutex_unlock(&definitions);
    CALL(create_location, location, &locations[0]);
    CALL(core_task_create, location, (SCOREP_TaskHandle)(uintptr_t)(4096 * (id + 1)));
    return location;
}

/* Records events of various kinds. */
static uint64_t record(struct SCOREP_Location* location, uint64_t time, uint32_t region, uint32_t round)
{
    EVENT(ENTER_REGION, EnterRegion, location, time++, region, NULL);
    EVENT(ENTER_REWIND_REGION, EnterRewindRegion, location, time++, region);
    EVENT(THREAD_ACQUIRE_LOCK, ThreadAcquireLock, location, time++, SCOREP_PARADIGM_PTHREAD, 1, round);
    EVENT(TRIGGER_COUNTER_UINT64, TriggerCounterUint64, location, time++, counter, round);
    EVENT(TRIGGER_PARAMETER_STRING, TriggerParameterString, location, time++, 0, empty);
    EVENT(THREAD_RELEASE_LOCK, ThreadReleaseLock, location, time++, SCOREP_PARADIGM_PTHREAD, 1, round);
    EVENT(EXIT_REWIND_REGION, ExitRewindRegion, location, time++, region, round % 50 == 0);
    EVENT(EXIT_REGION, ExitRegion, location, time++, region, NULL);
    return time;
}

static void* work_along(void* argument)
{
    const uint32_t id = (uint32_t)(uintptr_t)argument;
    uint64_t time = 2000;
    pthread_barrier_wait(&together);
    struct SCOREP_Location* location = own_location(id);
    /* No thread takes a lock between here and the next call, so nothing orders these calls. */
    pthread_barrier_wait(&ready);
    CALL(activate_cpu_location, location, &locations[0], id);
    for (uint32_t round = 0, region = work; round < ROUNDS; round++)
    {
        if (round % 500 == 0)
            region = own_region("region of a thread");
        time = record(location, time, round % 2 ? work : region, round);
    }
    CALL(deactivate_cpu_location, location, &locations[0]);
    /* The first of the threads outlives the measurement. */
    while (id == 1 && !stop)
        time = record(location, time, work, 1);
    return NULL;
}

static void threads(void)
{
    pthread_t handles[THREADS];
    start(library);
    create(0, "Master thread");
    program_begin();
    pthread_barrier_init(&together, NULL, THREADS + 1);
    pthread_barrier_init(&ready, NULL, THREADS);
    for (uintptr_t id = 1; id <= THREADS; id++)
        if (pthread_create(&handles[id - 1], NULL, work_along, (void*)id))
            FAIL("pthread_create");
    pthread_barrier_wait(&together);
    pairs(&locations[0], 100);
    init_mpp();
    pairs(&locations[0], ROUNDS);
    for (unsigned i = 1; i < THREADS; i++)
        pthread_join(handles[i], NULL);
    end();
    stop = 1;
    pthread_join(handles[0], NULL);
}

CASES(CASE(threads))
