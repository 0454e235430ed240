/* SPDX-License-Identifier: BSD-3-Clause */
/* A substrate plugin that communicates in every way the interface has, with every type, operation and root, and ends the program
 * where a result is wrong. Compiled with -DNAME=… ; it reads
 *   KYMO_IPC_SIZE   the number of ranks there should be
 *   KYMO_IPC_OUT    a path: each rank writes its number of checks to <path>.<rank>
 *   KYMO_IPC_CASE   something wrong to do instead, see `wrong`. */
#define _GNU_SOURCE
#include <kymo/substrate.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    MOST_RANKS = 64,
    TYPES = 10,
    OPERATIONS = 5,
    MANY = 1200, /* more bytes than are sent without a receiver, of types with more than three */
};

static SCOREP_SubstratePluginCallbacks host;
static int size, rank;
static long checks;

static void check(int truth, const char* format, ...)
{
    if (truth)
    {
        checks++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ipc: rank %d of %d: ", rank, size);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* ---- Elements of any type ---- */

static size_t bytes_of(unsigned type)
{
    static const size_t sizes[TYPES] = { 1, 1, 1, 4, 4, 4, 4, 8, 8, 8 };
    return sizes[type];
}

static int is_signed(unsigned type)
{
    return type == SCOREP_IPC_CHAR || type == SCOREP_IPC_INT || type == SCOREP_IPC_INT32_T || type == SCOREP_IPC_INT64_T
           || type == SCOREP_IPC_DOUBLE;
}

#define OF_TYPE(type, statement)                                          \
    switch (type)                                                         \
    {                                                                     \
    case SCOREP_IPC_CHAR: { typedef signed char T; statement; break; }    \
    case SCOREP_IPC_INT:                                                  \
    case SCOREP_IPC_INT32_T: { typedef int32_t T; statement; break; }     \
    case SCOREP_IPC_UNSIGNED:                                             \
    case SCOREP_IPC_UINT32_T: { typedef uint32_t T; statement; break; }   \
    case SCOREP_IPC_INT64_T: { typedef int64_t T; statement; break; }     \
    case SCOREP_IPC_UINT64_T: { typedef uint64_t T; statement; break; }   \
    case SCOREP_IPC_DOUBLE: { typedef double T; statement; break; }       \
    default: { typedef unsigned char T; statement; break; }               \
    }

static void put(unsigned type, void* buffer, int at, long value)
{
    OF_TYPE(type, ((T*)buffer)[at] = (T)value)
}

static long get(unsigned type, const void* buffer, int at)
{
    long value = 0;
    OF_TYPE(type, value = (long)((const T*)buffer)[at])
    return value;
}

/* The value of element `at` of a rank. */
static long value(unsigned type, int of, int at)
{
    const long small = (of * 7 + at * 3 + 1) % 50;
    return is_signed(type) && at % 2 ? -small : small;
}

static void fill(unsigned type, void* buffer, int of, int count)
{
    for (int at = 0; at < count; at++)
        put(type, buffer, at, value(type, of, at));
}

/* Checks every element of a buffer. */
static void expect(const char* what, unsigned type, const char* buffer, int of, int count)
{
    for (int at = 0; at < count; at++)
        check(get(type, buffer, at) == value(type, of, at), "%s, type %u: element %d of rank %d is %ld, not %ld", what, type, at,
              of, get(type, buffer, at), value(type, of, at));
}

static const char GUARD[8] = { 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a };

static char* room(unsigned type, int count)
{
    char* buffer = malloc(bytes_of(type) * (size_t)count + sizeof GUARD);
    memset(buffer, 0x5a, bytes_of(type) * (size_t)count + sizeof GUARD);
    return buffer;
}

static void release(unsigned type, char* buffer, int count)
{
    check(memcmp(buffer + bytes_of(type) * (size_t)count, GUARD, sizeof GUARD) == 0, "wrote past the end of a buffer");
    free(buffer);
}

#define DO(call) check((call) == 0, #call " failed")

/* ---- The thirteen functions ---- */

/* Every rank sends two small messages to every other rank before any rank receives one. */
static void small_messages(unsigned type)
{
    char* buffer = room(type, 3);
    for (int round = 0; round < 2; round++)
    {
        for (int to = 0; to < size; to++)
        {
            fill(type, buffer, rank + round, 3 - round);
            if (to != rank)
                DO(host.SCOREP_Ipc_Send(buffer, 3 - round, type, to));
        }
    }
    for (int from = size - 1; from >= 0; from--)
    {
        for (int round = 0; round < 2 && from != rank; round++)
        {
            memset(buffer, 0, bytes_of(type) * 3);
            DO(host.SCOREP_Ipc_Recv(buffer, 3 - round, type, from));
            expect("recv", type, buffer, from + round, 3 - round);
        }
    }
    release(type, buffer, 3);
}

/* Each pair in turn, there and back. */
static void large_messages(unsigned type)
{
    char* buffer = room(type, MANY);
    for (int from = 0; from < size; from++)
    {
        for (int to = 0; to < size; to++)
        {
            if (from != to && rank == from)
            {
                fill(type, buffer, from, MANY);
                DO(host.SCOREP_Ipc_Send(buffer, MANY, type, to));
            }
            if (from != to && rank == to)
            {
                memset(buffer, 0, bytes_of(type) * MANY);
                DO(host.SCOREP_Ipc_Recv(buffer, MANY, type, from));
                expect("recv", type, buffer, from, MANY);
            }
        }
    }
    release(type, buffer, MANY);
}

/* Many more than a socket holds, to a rank that receives none of them at first. */
static void flood(void)
{
    enum { MESSAGES = 3000 };
    int number;
    if (size == 1)
        return;
    if (rank == 1)
        for (number = 0; number < MESSAGES; number++)
            DO(host.SCOREP_Ipc_Send(&number, 1, SCOREP_IPC_INT, 0));
    DO(host.SCOREP_Ipc_Barrier());
    for (int expected = 0; rank == 0 && expected < MESSAGES; expected++)
    {
        DO(host.SCOREP_Ipc_Recv(&number, 1, SCOREP_IPC_INT, 1));
        check(number == expected, "message %d came in the place of %d", number, expected);
    }
}

static void path_of(char* path, const char* what, int of)
{
    snprintf(path, 4096, "%s.%s%d", getenv("KYMO_IPC_OUT"), what, of);
}

/* After a barrier, every rank has completed the calls before it. */
static void barriers(void)
{
    char path[4096];
    usleep((useconds_t)(size - rank) * 3000);
    path_of(path, "before.", rank);
    FILE* mark = fopen(path, "w");
    check(mark && fclose(mark) == 0, "cannot write %s", path);
    DO(host.SCOREP_Ipc_Barrier());
    for (int of = 0; of < size; of++)
    {
        path_of(path, "before.", of);
        check(access(path, F_OK) == 0, "rank %d has not come to the barrier", of);
    }
    DO(host.SCOREP_Ipc_Barrier());
}

static void bcast(unsigned type, int root, int count)
{
    char* buffer = room(type, count);
    if (rank == root)
        fill(type, buffer, root, count);
    DO(host.SCOREP_Ipc_Bcast(buffer, count, type, root));
    expect("bcast", type, buffer, root, count);
    release(type, buffer, count);
}

static void gather(unsigned type, int root, int count)
{
    char *own = room(type, count), *all = rank == root ? room(type, count * size) : NULL;
    fill(type, own, rank, count);
    DO(host.SCOREP_Ipc_Gather(own, all, count, type, root));
    for (int of = 0; all && of < size; of++)
        expect("gather", type, all + (size_t)of * (size_t)count * bytes_of(type), of, count);
    if (all)
        release(type, all, count * size);
    release(type, own, count);
}

/* Ranks have different numbers of elements, some none. */
static int uneven(int of, int count)
{
    return of * count % 5;
}

static void gatherv(unsigned type, int root, int count)
{
    int counts[MOST_RANKS], sum = 0;
    for (int of = 0; of < size; of++)
        sum += counts[of] = uneven(of, count);
    char *own = room(type, counts[rank]), *all = rank == root ? room(type, sum) : NULL;
    fill(type, own, rank, counts[rank]);
    DO(host.SCOREP_Ipc_Gatherv(own, counts[rank], all, rank == root ? counts : NULL, type, root));
    size_t at = 0;
    for (int of = 0; all && of < size; at += (size_t)counts[of++] * bytes_of(type))
        expect("gatherv", type, all + at, of, counts[of]);
    if (all)
        release(type, all, sum);
    release(type, own, counts[rank]);
}

static void allgather(unsigned type, int count)
{
    char *own = room(type, count), *all = room(type, count * size);
    fill(type, own, rank, count);
    DO(host.SCOREP_Ipc_Allgather(own, all, count, type));
    for (int of = 0; of < size; of++)
        expect("allgather", type, all + (size_t)of * (size_t)count * bytes_of(type), of, count);
    release(type, all, count * size);
    release(type, own, count);
}

static long combined(unsigned operation, long a, long b)
{
    switch (operation)
    {
    case SCOREP_IPC_BAND:
        return a & b;
    case SCOREP_IPC_BOR:
        return a | b;
    case SCOREP_IPC_MIN:
        return a < b ? a : b;
    case SCOREP_IPC_MAX:
        return a > b ? a : b;
    default:
        return a + b;
    }
}

static void expect_combined(unsigned type, unsigned operation, const char* buffer, int count)
{
    for (int at = 0; at < count; at++)
    {
        char one[8];
        put(type, one, 0, value(type, 0, at));
        for (int of = 1; of < size; of++)
            put(type, one, 0, combined(operation, get(type, one, 0), value(type, of, at)));
        check(get(type, buffer, at) == get(type, one, 0), "type %u, operation %u: element %d is %ld, not %ld", type, operation, at,
              get(type, buffer, at), get(type, one, 0));
    }
}

static void reduce(unsigned type, unsigned operation, int root, int count)
{
    char *own = room(type, count), *all = room(type, count);
    fill(type, own, rank, count);
    DO(host.SCOREP_Ipc_Reduce(own, rank == root ? all : NULL, count, type, operation, root));
    if (rank == root)
        expect_combined(type, operation, all, count);
    DO(host.SCOREP_Ipc_Allreduce(own, all, count, type, operation));
    expect_combined(type, operation, all, count);
    release(type, all, count);
    release(type, own, count);
}

static void scatter(unsigned type, int root, int count)
{
    char *own = room(type, count), *all = rank == root ? room(type, count * size) : NULL;
    for (int of = 0; all && of < size; of++)
        fill(type, all + (size_t)of * (size_t)count * bytes_of(type), of, count);
    DO(host.SCOREP_Ipc_Scatter(all, own, count, type, root));
    expect("scatter", type, own, rank, count);
    if (all)
        release(type, all, count * size);
    release(type, own, count);
}

static void scatterv(unsigned type, int root, int count)
{
    int counts[MOST_RANKS], sum = 0;
    for (int of = 0; of < size; of++)
        sum += counts[of] = uneven(of, count);
    char *own = room(type, counts[rank]), *all = rank == root ? room(type, sum) : NULL;
    size_t at = 0;
    for (int of = 0; all && of < size; at += (size_t)counts[of++] * bytes_of(type))
        fill(type, all + at, of, counts[of]);
    DO(host.SCOREP_Ipc_Scatterv(all, rank == root ? counts : NULL, own, counts[rank], type, root));
    expect("scatterv", type, own, rank, counts[rank]);
    if (all)
        release(type, all, sum);
    release(type, own, counts[rank]);
}

static void of_type(unsigned type)
{
    static const int counts[] = { 0, 1, 3, MANY };
    small_messages(type);
    large_messages(type);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    {
        allgather(type, counts[i]);
        for (int root = 0; root < size; root++)
        {
            bcast(type, root, counts[i]);
            gather(type, root, counts[i]);
            scatter(type, root, counts[i]);
            gatherv(type, root, counts[i]);
            scatterv(type, root, counts[i]);
        }
    }
    for (unsigned operation = 0; operation < OPERATIONS; operation++)
        for (int root = 0; root < size; root++)
            if (type != SCOREP_IPC_DOUBLE || operation >= SCOREP_IPC_MIN)
                reduce(type, operation, root, 5);
}

static void everything(void)
{
    for (unsigned type = 0; type < TYPES; type++)
        of_type(type);
    flood();
    barriers();
}

/* ---- Something wrong ---- */

static void wrong(const char* what)
{
    static char large[5000];
    int number = rank, all[MOST_RANKS] = { 0 };
    if (strcmp(what, "dies") == 0)
    {
        if (rank == 1)
            _exit(5);
        host.SCOREP_Ipc_Barrier();
    }
    else if (strcmp(what, "dies-before-receive") == 0)
    {
        if (rank == 1)
            _exit(5);
        host.SCOREP_Ipc_Send(large, sizeof large, SCOREP_IPC_CHAR, 1);
    }
    else if (strcmp(what, "other-size") == 0)
        host.SCOREP_Ipc_Gather(large, large, rank == 1 ? 3 : 4, SCOREP_IPC_CHAR, 0);
    else if (strcmp(what, "other-length") == 0)
    {
        if (rank == 0)
            host.SCOREP_Ipc_Recv(all, 2, SCOREP_IPC_INT, 1);
        else if (rank == 1)
            host.SCOREP_Ipc_Send(&number, 1, SCOREP_IPC_INT, 0);
    }
    else if (strcmp(what, "other-part") == 0)
    {
        for (int of = 0; of < size; of++)
            all[of] = 2;
        host.SCOREP_Ipc_Gatherv(large, rank == 1 ? 3 : 2, large, all, SCOREP_IPC_CHAR, 0);
    }
    else if (strcmp(what, "other-function") == 0)
    {
        if (rank == 1)
            host.SCOREP_Ipc_Bcast(&number, 1, SCOREP_IPC_INT, 0);
        else
            host.SCOREP_Ipc_Barrier();
    }
    else if (strcmp(what, "other-root") == 0)
        host.SCOREP_Ipc_Bcast(&number, 1, SCOREP_IPC_INT, rank == 1 ? 1 : 0);
    else if (strcmp(what, "other-type") == 0)
        host.SCOREP_Ipc_Allgather(&number, all, 1, rank == 1 ? SCOREP_IPC_UNSIGNED : SCOREP_IPC_INT);
    else if (strcmp(what, "no-rank") == 0)
        host.SCOREP_Ipc_Send(&number, 1, SCOREP_IPC_INT, size);
    else if (strcmp(what, "no-root") == 0)
        host.SCOREP_Ipc_Bcast(&number, 1, SCOREP_IPC_INT, -1);
    else if (strcmp(what, "no-type") == 0)
        host.SCOREP_Ipc_Bcast(&number, 1, 10, 0);
    else if (strcmp(what, "no-operation") == 0)
        host.SCOREP_Ipc_Allreduce(large, large, 1, SCOREP_IPC_DOUBLE, SCOREP_IPC_BOR);
    else if (strcmp(what, "silence") == 0)
    {
        if (rank == 0)
            host.SCOREP_Ipc_Recv(&number, 1, SCOREP_IPC_INT, 1);
        host.SCOREP_Ipc_Barrier();
    }
    else if (strcmp(what, "both-send") == 0 && rank < 2)
    {
        /* Small ones leave at once, large ones wait for their receivers. */
        host.SCOREP_Ipc_Send(&number, 1, SCOREP_IPC_INT, 1 - rank);
        host.SCOREP_Ipc_Recv(&number, 1, SCOREP_IPC_INT, 1 - rank);
        host.SCOREP_Ipc_Send(large, sizeof large, SCOREP_IPC_CHAR, 1 - rank);
        host.SCOREP_Ipc_Recv(large, sizeof large, SCOREP_IPC_CHAR, 1 - rank);
    }
    else if (strcmp(what, "left-over") == 0 && rank == 1)
        host.SCOREP_Ipc_Send(&number, 1, SCOREP_IPC_INT, 0);
}

/* ---- The plugin ---- */

/* Makes the directory of rank 1 before the link can appear, some time after init_mpp. */
static void make_directory(void)
{
    const char *what = getenv("KYMO_IPC_CASE"), *name = host.SCOREP_GetExperimentDirName();
    const char* own = strrchr(name, '.');
    if (what && strcmp(what, "makes-directory") == 0 && own && strcmp(own, ".rank1") == 0)
        mkdir(name, 0777);
}

static void set_callbacks(const SCOREP_SubstratePluginCallbacks* callbacks, size_t length)
{
    memcpy(&host, callbacks, length < sizeof host ? length : sizeof host);
    make_directory();
}

static void init_mpp(void)
{
    const char *expected = getenv("KYMO_IPC_SIZE"), *what = getenv("KYMO_IPC_CASE");
    size = host.SCOREP_Ipc_GetSize();
    rank = host.SCOREP_Ipc_GetRank();
    check(size <= MOST_RANKS && (!expected || size == atoi(expected)), "there are %d ranks, not %s", size, expected);
    check(rank >= 0 && rank < size, "there is no such rank");
    if (what)
        wrong(what);
    else
        everything();
}

static void enter(struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle region, uint64_t* metrics)
{
    const char* what = getenv("KYMO_IPC_CASE");
    (void)location, (void)timestamp, (void)region, (void)metrics;
    if (size && what && strcmp(what, "in-event") == 0)
        host.SCOREP_Ipc_Barrier();
}

static SCOREP_Substrates_Callback functions[SCOREP_SUBSTRATES_NUM_EVENTS];

static uint32_t get_event_functions(SCOREP_Substrates_Mode mode, SCOREP_Substrates_Callback** all)
{
    functions[SCOREP_EVENT_ENTER_REGION] = (SCOREP_Substrates_Callback)enter;
    *all = functions;
    return mode == 0 ? SCOREP_SUBSTRATES_NUM_EVENTS : 0;
}

static bool get_requirement(SCOREP_Substrates_RequirementFlag flag)
{
    return flag == SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY;
}

static void between(void)
{
    if (!getenv("KYMO_IPC_CASE"))
        allgather(SCOREP_IPC_UINT64_T, MANY);
}

static void finalize(void)
{
    char path[4096];
    between();
    path_of(path, "", rank);
    FILE* out = fopen(path, "w");
    if (!out || fprintf(out, "%ld\n", checks) < 0 || fclose(out) != 0)
        exit(1);
}

#define ENTRY_OF(name) SCOREP_SUBSTRATE_PLUGIN_ENTRY(name)
ENTRY_OF(NAME)
{
    SCOREP_SubstratePluginInfo info = { .plugin_version = 2,
                                        .set_callbacks = set_callbacks,
                                        .get_event_functions = get_event_functions,
                                        .get_requirement = get_requirement,
                                        .init_mpp = init_mpp,
                                        .pre_unify = between,
                                        .write_data = between,
                                        .finalize = finalize };
    return info;
}
