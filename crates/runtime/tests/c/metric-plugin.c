/*
 * A metric plugin of Score-P with known values. RUN_PER and SYNC are its kind; NAME is its name.
 *
 * It has the metrics `one` and `two`, and `both` for the two. Every call for a value counts for the
 * metric of a thread: the n-th one gives n for `one`, and -n as a signed number for `two`. Each
 * second call has no optional value. Asynchronous values are their own times: at each call the time
 * of the call and that of the call before or, for `two`, the two in the opposite order. If
 * PLUGIN_LOG is set, the calls of the plugin are appended to this file.
 *
 * The second thread is sent SIGUSR2 in its fifth call for a value (RAISES_AT_EVENT), or when the
 * metric is added for it (RAISES_AT_BEGIN).
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION 1
#endif
#ifndef DELTA
#define DELTA 0
#endif

struct properties {
    char *name, *description;
    int mode, value_type, base;
    int64_t exponent;
    char* unit;
};

struct pair {
    uint64_t time, value;
};

struct info {
    uint32_t version;
    int run_per, sync;
    uint64_t delta;
    int32_t (*initialize)(void);
    void (*finalize)(void);
    struct properties* (*get_event_info)(char*);
    int32_t (*add_counter)(char*);
    uint64_t (*get_current_value)(int32_t);
    bool (*get_optional_value)(int32_t, uint64_t*);
    void (*set_clock_function)(uint64_t (*)(void));
    uint64_t (*get_all_values)(int32_t, struct pair**);
    void (*synchronize)(bool, int);
    uint64_t reserved[92];
};

struct counter {
    int is_two;
    int64_t calls;
    uint64_t last;
};

static struct counter counters[64];
static int used;
static uint64_t (*now)(void);
static uint64_t begin;

static void note(const char* what)
{
    const char* name = getenv("PLUGIN_LOG");
    FILE* file = name ? fopen(name, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", what);
        fclose(file);
    }
}

static int32_t initialize(void)
{
    note("initialize");
    begin = now ? now() : 0;
#ifdef FAILS
    return 3;
#else
    return 0;
#endif
}

static void finalize(void)
{
    note("finalize");
}

/* As a C++ library that destroys objects that it needs. */
__attribute__((destructor)) static void destroy(void)
{
    if (begin)
        note("destructor");
}

static void fill(struct properties* metric, const char* name, int value_type)
{
    metric->name = strdup(name);
    metric->description = value_type ? strdup("the first") : NULL;
    metric->mode = 4;
    metric->value_type = value_type;
    metric->base = 1;
    metric->exponent = value_type ? 3 : 0;
    metric->unit = value_type ? strdup("J") : NULL;
}

static struct properties* get_event_info(char* name)
{
    struct properties* list = calloc(3, sizeof *list);
    int both = strcmp(name, "both") == 0, count = 0;
    if (both || strcmp(name, "one") == 0)
        fill(&list[count++], "one", 1);
    if (both || strcmp(name, "two") == 0)
        fill(&list[count++], "two", 0);
    if (strcmp(name, "broken") == 0)
        fill(&list[count++], "broken", 1);
    return list;
}

static int32_t add_counter(char* name)
{
    note(name);
    if (strcmp(name, "broken") == 0)
        return -1;
    int number = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
    counters[number].is_two = strcmp(name, "two") == 0;
    counters[number].last = begin;
#ifdef RAISES_AT_BEGIN
    if (number == 1)
        raise(SIGUSR2);
#endif
    return number;
}

static uint64_t next(int32_t id)
{
    struct counter* counter = &counters[id];
    counter->calls++;
    return counter->is_two ? -counter->calls : counter->calls;
}

static uint64_t get_current_value(int32_t id)
{
#ifdef RAISES_AT_EVENT
    if (id == 1 && counters[id].calls == 4)
        raise(SIGUSR2);
#endif
    return next(id);
}

static bool get_optional_value(int32_t id, uint64_t* value)
{
    *value = next(id);
    return counters[id].calls % 2;
}

static void set_clock_function(uint64_t (*clock)(void))
{
    now = clock;
}

static uint64_t get_all_values(int32_t id, struct pair** pairs)
{
    struct counter* counter = &counters[id];
    uint64_t time = now();
    struct pair* list = malloc(3 * sizeof *list);
    int first = counter->is_two;
    list[first].time = list[first].value = counter->last + 1;
    list[!first].time = list[!first].value = time;
    /* A time before the measurement. */
    list[2].time = list[2].value = 1;
    counter->last = time;
    *pairs = list;
#ifdef OLD
    return 3;
#else
    return 2;
#endif
}

static void synchronize(bool is_responsible, int point)
{
    char text[] = "synchronize ? ?";
    text[12] = is_responsible ? 'y' : 'n';
    text[14] = '0' + point;
    note(text);
}

#define JOIN(first, name, last) first##name##last
#define ENTRY(name) JOIN(SCOREP_MetricPlugin_, name, _get_info)

struct info ENTRY(NAME)(void)
{
    return (struct info){
        .version = VERSION,
        .run_per = RUN_PER,
        .sync = SYNC,
        .delta = DELTA,
        .initialize = initialize,
        .finalize = finalize,
        .get_event_info = get_event_info,
#ifndef LACKS_ADD
        .add_counter = add_counter,
#endif
        .get_current_value = get_current_value,
        .get_optional_value = get_optional_value,
        .set_clock_function = set_clock_function,
        .get_all_values = get_all_values,
        .synchronize = synchronize,
    };
}
