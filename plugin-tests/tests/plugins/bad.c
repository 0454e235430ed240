/* SPDX-License-Identifier: BSD-3-Clause */
/* A substrate plugin that makes forbidden calls inside a callback. Compiled with -DNAME=… and -DBAD= the number of the deed:
 * 1 allocates, 2 frees, 3 locks, 4 enters the system, in ENTER_REGION and SAMPLE; 5 allocates when a definition is announced;
 * 0 does none of it. */
#define _GNU_SOURCE
#include <kymo/substrate.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* volatile memory;
static volatile pid_t parent;

static void misbehave(void)
{
    switch (BAD)
    {
    case 1:
        memory = malloc(64);
        break;
    case 2:
        free(memory);
        memory = NULL;
        break;
    case 3:
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        break;
    case 4:
        /* Twice: both are to be seen, and both must work. */
        parent = getppid();
        if (parent <= 0 || parent != getppid())
            abort();
        break;
    default:
        break;
    }
}

static void enter(struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle region, uint64_t* metrics)
{
    (void)location, (void)timestamp, (void)region, (void)metrics;
    misbehave();
}

static void sample(struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle context,
                   SCOREP_CallingContextHandle previous, uint32_t distance, SCOREP_InterruptGeneratorHandle generator,
                   uint64_t* metrics)
{
    (void)location, (void)timestamp, (void)context, (void)previous, (void)distance, (void)generator, (void)metrics;
    misbehave();
}

static void announce(SCOREP_AnyHandle handle, SCOREP_HandleType type)
{
    (void)handle, (void)type;
    if (BAD == 5)
        memory = malloc(64);
}

static uint32_t get_event_functions(SCOREP_Substrates_Mode mode, SCOREP_Substrates_Callback** functions)
{
    static SCOREP_Substrates_Callback table[2][SCOREP_SUBSTRATES_NUM_EVENTS];
    if (mode == SCOREP_SUBSTRATES_RECORDING_ENABLED)
    {
        table[mode][SCOREP_EVENT_ENTER_REGION] = (SCOREP_Substrates_Callback)enter;
        table[mode][SCOREP_EVENT_SAMPLE] = (SCOREP_Substrates_Callback)sample;
    }
    *functions = table[mode];
    return SCOREP_SUBSTRATES_NUM_EVENTS;
}

#define ENTRY(name) SCOREP_SUBSTRATE_PLUGIN_ENTRY(name)

ENTRY(NAME)
{
    SCOREP_SubstratePluginInfo info;
    memset(&info, 0, sizeof info);
    info.plugin_version = 2;
    info.new_definition_handle = announce;
    info.get_event_functions = get_event_functions;
    memory = malloc(32);
    return info;
}
