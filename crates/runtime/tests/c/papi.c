/*
 * A libpapi with known counts: the n-th read of an event set of a thread gives n for FAKE_READS, 2n
 * for FAKE_TWICE, and n/2 W for FAKE_POWER, which is of another component. FAKE_BUSY exists, but
 * cannot be added. As in PAPI, a thread has one running set of each component, and has registered.
 */
#include <stdlib.h>
#include <string.h>

#define SETS 64
#define RELEASE 0x07000000

struct info {
    unsigned code;
    char symbol[1024], short_description[64], long_description[1024];
    int component;
    char unit[64];
    int location, data_type, value_type;
};

enum { READS, TWICE, POWER, BUSY, EVENTS };
static const char* const NAMES[EVENTS] = {"FAKE_READS", "FAKE_TWICE", "FAKE_POWER", "FAKE_BUSY"};
enum { INVALID = -1, NO_EVENT = -7, RUNNING = -10, NOT_RUNNING = -9, DISABLED = -25 };

static struct set {
    int events[8], count;
    long long reads;
    int runs, component;
} sets[SETS];
static int used = 1, is_initialised, has_threads;
static __thread int is_registered, running[2];

int PAPI_library_init(int release)
{
    is_initialised = release == RELEASE;
    return is_initialised ? release : INVALID;
}

int PAPI_thread_init(unsigned long (*id)(void))
{
    has_threads = is_initialised && id() != 0;
    return has_threads ? 0 : INVALID;
}

int PAPI_register_thread(void)
{
    is_registered = has_threads;
    return 0;
}

int PAPI_unregister_thread(void)
{
    is_registered = 0;
    return 0;
}

int PAPI_event_name_to_code(const char* name, int* code)
{
    for (*code = 0; *code < EVENTS; ++*code)
        if (strcmp(name, NAMES[*code]) == 0)
            return 0;
    return NO_EVENT;
}

int PAPI_get_event_info(int code, struct info* info)
{
    strcpy(info->short_description, code == POWER ? "power" : "reads");
    info->component = code == POWER;
    strcpy(info->unit, code == POWER ? "W" : "");
    info->data_type = code == POWER ? 2 : 0;
    info->value_type = code == POWER;
    return 0;
}

const char* PAPI_get_component_info(int number)
{
    return number ? "power" : "perf_event";
}

const char* PAPI_strerror(int error)
{
    return error == NO_EVENT ? "Event does not exist" : error == DISABLED ? "Component is disabled" : "Other";
}

int PAPI_create_eventset(int* set)
{
    *set = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
    memset(&sets[*set], 0, sizeof *sets);
    return *set < SETS ? 0 : INVALID;
}

int PAPI_add_named_event(int set, const char* name)
{
    int code, found = PAPI_event_name_to_code(name, &code);
    if (found < 0 || code == BUSY)
        return found < 0 ? found : DISABLED;
    sets[set].component = code == POWER;
    sets[set].events[sets[set].count++] = code;
    return 0;
}

int PAPI_start(int set)
{
    if (!is_registered || running[sets[set].component])
        return RUNNING;
    return running[sets[set].component] = sets[set].runs = 1, 0;
}

int PAPI_read(int set, long long* values)
{
    if (!is_registered || !sets[set].runs)
        return NOT_RUNNING;
    long long n = ++sets[set].reads;
    double power = 0.5 * n;
    for (int i = 0; i < sets[set].count; i++)
        switch (sets[set].events[i]) {
        case READS: values[i] = n; break;
        case TWICE: values[i] = 2 * n; break;
        default: memcpy(&values[i], &power, sizeof power);
        }
    return 0;
}

int PAPI_stop(int set, long long* values)
{
    int result = PAPI_read(set, values);
    running[sets[set].component] = sets[set].runs = 0;
    return result;
}

int PAPI_cleanup_eventset(int set)
{
    return sets[set].runs ? RUNNING : 0;
}

int PAPI_destroy_eventset(int* set)
{
    return *set = -1, 0;
}
