/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with MPI as Score-P 8.x measures it: mpirun -np N ranks PLUGIN DIRECTORY CASE.
 *
 * The plugin communicates through real MPI, over a duplicate of MPI_COMM_WORLD. Messages and
 * collective operations are real, and their events have the time of the real clock. Each rank has a
 * main thread and a second one, regions of its own, and the communicators MPI_COMM_WORLD,
 * MPI_COMM_SELF and one made by a split. Each rank prints the number of events of each of its
 * locations on standard output: `events LOCATION COUNT`.
 */
#include "../host.h"

#include <mpi.h>
#include <pthread.h>
#include <time.h>

enum
{
    ROUNDS = 50,
    PAIRS = 2000,
    NO_ROOT = -1,
    MPI_PARADIGM = SCOREP_PARADIGM_MPI,
    MPI_LOCATIONS = 4,
    MPI_GROUP = 5,
    MPI_SELF = 6,
};

static uint64_t tick(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Records and counts an event: RECORD(location, MPI_SEND, MpiSend, further arguments). */
#define RECORD(location, number, type, ...)                                 \
    do                                                                      \
    {                                                                       \
        (location)->events++;                                               \
        EVENT(number, type, (location), tick() __VA_OPT__(, ) __VA_ARGS__); \
    } while (0)

/* ---- Communication of the plugin ---- */

static MPI_Comm ipc;
static int initialised;

static MPI_Datatype mpi_type(SCOREP_Ipc_Datatype type)
{
    const MPI_Datatype types[] = { MPI_BYTE, MPI_CHAR, MPI_UNSIGNED_CHAR, MPI_INT, MPI_UNSIGNED, MPI_INT32_T, MPI_UINT32_T,
                                   MPI_INT64_T, MPI_UINT64_T, MPI_DOUBLE };
    if (type >= sizeof types / sizeof types[0])
        FAIL("there is no data type %d", (int)type);
    return types[type];
}

static MPI_Op mpi_operation(SCOREP_Ipc_Operation operation)
{
    const MPI_Op operations[] = { MPI_BAND, MPI_BOR, MPI_MIN, MPI_MAX, MPI_SUM };
    if (operation >= sizeof operations / sizeof operations[0])
        FAIL("there is no operation %d", (int)operation);
    return operations[operation];
}

static int result(int status) { return status == MPI_SUCCESS ? 0 : 1; }

static int send(const void* buffer, int count, SCOREP_Ipc_Datatype type, int to)
{
    return result(MPI_Send(buffer, count, mpi_type(type), to, 0, ipc));
}

static int receive(void* buffer, int count, SCOREP_Ipc_Datatype type, int from)
{
    return result(MPI_Recv(buffer, count, mpi_type(type), from, 0, ipc, MPI_STATUS_IGNORE));
}

static int barrier(void) { return result(MPI_Barrier(ipc)); }

static int bcast(void* buffer, int count, SCOREP_Ipc_Datatype type, int root)
{
    return result(MPI_Bcast(buffer, count, mpi_type(type), root, ipc));
}

static int gather(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, int root)
{
    return result(MPI_Gather(from, count, mpi_type(type), to, count, mpi_type(type), root, ipc));
}

/* The start of each rank's part; only the root uses it. */
static int* displacements(const int* counts, int root)
{
    int* all = calloc((size_t)ranks, sizeof *all);
    for (int of = 1; rank == root && of < ranks; of++)
        all[of] = all[of - 1] + counts[of - 1];
    return all;
}

static int gatherv(const void* from, int count, void* to, const int* counts, SCOREP_Ipc_Datatype type, int root)
{
    int* starts = displacements(counts, root);
    const int status = MPI_Gatherv(from, count, mpi_type(type), to, counts, starts, mpi_type(type), root, ipc);
    free(starts);
    return result(status);
}

static int allgather(const void* from, void* to, int count, SCOREP_Ipc_Datatype type)
{
    return result(MPI_Allgather(from, count, mpi_type(type), to, count, mpi_type(type), ipc));
}

static int reduce(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, SCOREP_Ipc_Operation operation, int root)
{
    return result(MPI_Reduce(from, to, count, mpi_type(type), mpi_operation(operation), root, ipc));
}

static int allreduce(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, SCOREP_Ipc_Operation operation)
{
    return result(MPI_Allreduce(from, to, count, mpi_type(type), mpi_operation(operation), ipc));
}

static int scatter(const void* from, void* to, int count, SCOREP_Ipc_Datatype type, int root)
{
    return result(MPI_Scatter(from, count, mpi_type(type), to, count, mpi_type(type), root, ipc));
}

static int scatterv(const void* from, const int* counts, void* to, int count, SCOREP_Ipc_Datatype type, int root)
{
    int* starts = displacements(counts, root);
    const int status = MPI_Scatterv(from, counts, starts, mpi_type(type), to, count, mpi_type(type), root, ipc);
    free(starts);
    return result(status);
}

static void give_functions(void)
{
    callbacks.SCOREP_Ipc_Send = send;
    callbacks.SCOREP_Ipc_Recv = receive;
    callbacks.SCOREP_Ipc_Barrier = barrier;
    callbacks.SCOREP_Ipc_Bcast = bcast;
    callbacks.SCOREP_Ipc_Gather = gather;
    callbacks.SCOREP_Ipc_Gatherv = gatherv;
    callbacks.SCOREP_Ipc_Allgather = allgather;
    callbacks.SCOREP_Ipc_Reduce = reduce;
    callbacks.SCOREP_Ipc_Allreduce = allreduce;
    callbacks.SCOREP_Ipc_Scatter = scatter;
    callbacks.SCOREP_Ipc_Scatterv = scatterv;
}

/* ---- Definitions ---- */

struct communicator
{
    MPI_Comm mpi;
    uint32_t handle, unified;
    const char* name;
};

static struct communicator world, self, half;

/* Defines a communicator during the run: its root and number are set after the announcement. */
static void announce_communicator(struct communicator* communicator, uint32_t parent, uint32_t root, uint32_t id)
{
    int size, own;
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, 64);
    MPI_Comm_size(communicator->mpi, &size);
    MPI_Comm_rank(communicator->mpi, &own);
    set_word(handle, 24, parent);
    set_word(handle, 28, MPI_PARADIGM);
    announce(handle, SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR);
    const uint32_t payload[] = { (uint32_t)size, (uint32_t)own, 0, root, id, 0 };
    memcpy(arena + handle + 40, payload, sizeof payload);
    communicator->handle = handle;
    RECORD(&locations[0], COMM_CREATE, CommCreate, handle);
}

/*
 * The first rank of a communicator numbers it: each rank counts the communicators in which it is
 * first.
 */
static void number_communicator(struct communicator* communicator, uint32_t parent)
{
    static uint32_t next;
    int own;
    uint32_t root_and_id[] = { (uint32_t)rank, next };
    MPI_Comm_rank(communicator->mpi, &own);
    next += own == 0;
    MPI_Bcast(root_and_id, 2, MPI_UINT32_T, 0, communicator->mpi);
    announce_communicator(communicator, parent, root_and_id[0], root_and_id[1]);
}

static uint32_t group_of(uint32_t type, uint32_t count, const uint64_t* members)
{
    const uint32_t handle = place(SCOREP_HANDLE_TYPE_GROUP, 40 + 8 * count);
    set_word(handle, 20, type);
    set_word(handle, 24, empty);
    set_word(handle, 32, count);
    memcpy(arena + handle + 40, members, 8 * (size_t)count);
    return announce(handle, SCOREP_HANDLE_TYPE_GROUP);
}

static uint32_t group_of_world(uint32_t type)
{
    uint64_t all[ranks];
    for (int of = 0; of < ranks; of++)
        all[of] = (uint64_t)of;
    return group_of(type, (uint32_t)ranks, all);
}

static uint32_t group_of_communicator(const struct communicator* communicator)
{
    int size;
    MPI_Group own, all;
    MPI_Comm_group(communicator->mpi, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(own, &size);
    int places[size], members[size];
    uint64_t ids[size];
    for (int of = 0; of < size; of++)
        places[of] = of;
    MPI_Group_translate_ranks(own, size, places, all, members);
    for (int of = 0; of < size; of++)
        ids[of] = (uint64_t)members[of];
    MPI_Group_free(&own);
    MPI_Group_free(&all);
    return group_of(MPI_GROUP, (uint32_t)size, ids);
}

/* Only the first rank of a communicator has its name. */
static uint32_t name_of(const struct communicator* communicator)
{
    int own;
    MPI_Comm_rank(communicator->mpi, &own);
    return own == 0 && communicator->name ? string(communicator->name) : 0;
}

/* Makes the unified communicator: it is not announced, but found through the one it is made of. */
static void unify(struct communicator* communicator, uint32_t members, uint32_t parent)
{
    const uint32_t name = name_of(communicator), handle = place(0, 44);
    set_word(handle, 20, members);
    set_word(handle, 24, members);
    set_word(handle, 28, name);
    set_word(handle, 32, parent);
    set_word(handle, 36, word(communicator->handle, 56));
    set_word(handle, 40, SCOREP_COMMUNICATOR_FLAG_CREATE_DESTROY_EVENTS);
    set_word(communicator->handle, 4, handle);
    communicator->unified = handle;
}

/* ---- Parts of the program ---- */

static void enter(struct SCOREP_Location* location, uint32_t handle)
{
    RECORD(location, ENTER_REGION, EnterRegion, handle, NULL);
}

static void leave(struct SCOREP_Location* location, uint32_t handle)
{
    RECORD(location, EXIT_REGION, ExitRegion, handle, NULL);
}

static void visit(struct SCOREP_Location* location, uint32_t handle)
{
    enter(location, handle);
    leave(location, handle);
}

static uint32_t mpi_init, mpi_send, mpi_recv, mpi_barrier, mpi_allreduce, mpi_bcast, mpi_split, mpi_finalize;

static void define_regions(void)
{
    mpi_init = region("MPI_Init", 1, MPI_PARADIGM);
    mpi_send = region("MPI_Send", 1, MPI_PARADIGM);
    mpi_recv = region("MPI_Recv", 1, MPI_PARADIGM);
    mpi_barrier = region("MPI_Barrier", 1, MPI_PARADIGM);
    mpi_allreduce = region("MPI_Allreduce", 1, MPI_PARADIGM);
    mpi_bcast = region("MPI_Bcast", 1, MPI_PARADIGM);
    mpi_split = region("MPI_Comm_split", 1, MPI_PARADIGM);
    mpi_finalize = region("MPI_Finalize", 1, MPI_PARADIGM);
}

static void begin_collective(uint32_t handle)
{
    enter(&locations[0], handle);
    RECORD(&locations[0], MPI_COLLECTIVE_BEGIN, MpiCollectiveBegin);
}

static void end_collective(uint32_t handle, const struct communicator* communicator, uint32_t type, int root, uint64_t bytes)
{
    RECORD(&locations[0], MPI_COLLECTIVE_END, MpiCollectiveEnd, communicator->handle, root, type, bytes, bytes);
    leave(&locations[0], handle);
}

static void begin_program(void)
{
    give_functions();
    start(library);
    define_regions();
    create(0, "Master thread");
    locations[0].events++;
    EVENT(PROGRAM_BEGIN, ProgramBegin, &locations[0], tick(), empty, 0, NULL, program, (uint64_t)getpid(), (uint64_t)getpid());
    /* Work before MPI is initialised. */
    enter(&locations[0], program);
    visit(&locations[0], work);
}

static void initialise_mpi(int* count, char*** arguments)
{
    begin_collective(mpi_init);
    if (MPI_Init(count, arguments) != MPI_SUCCESS || MPI_Comm_dup(MPI_COMM_WORLD, &ipc) != MPI_SUCCESS)
        FAIL("MPI cannot be initialised");
    initialised = 1;
    MPI_Comm_rank(ipc, &rank);
    MPI_Comm_size(ipc, &ranks);
    if (rank == 0)
        make_directory();
    mpp = 1;
    CALL(init_mpp);
    group_of_world(MPI_LOCATIONS);
    world = (struct communicator){ .mpi = MPI_COMM_WORLD, .name = "MPI_COMM_WORLD" };
    self = (struct communicator){ .mpi = MPI_COMM_SELF, .name = "MPI_COMM_SELF" };
    number_communicator(&world, 0);
    announce_communicator(&self, 0, (uint32_t)rank, 0);
    end_collective(mpi_init, &world, SCOREP_COLLECTIVE_CREATE_HANDLE, NO_ROOT, 0);
}

static void split(void)
{
    begin_collective(mpi_split);
    half = (struct communicator){ .name = rank % 2 ? "odd ranks" : "even ranks" };
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half.mpi);
    number_communicator(&half, world.handle);
    end_collective(mpi_split, &world, SCOREP_COLLECTIVE_CREATE_HANDLE, NO_ROOT, 0);
}

static void send_on(int value)
{
    const int to = (rank + 1) % ranks;
    enter(&locations[0], mpi_send);
    RECORD(&locations[0], MPI_SEND, MpiSend, to, world.handle, 17, sizeof value);
    MPI_Send(&value, 1, MPI_INT, to, 17, MPI_COMM_WORLD);
    leave(&locations[0], mpi_send);
}

static int receive_on(void)
{
    int value = -1;
    const int from = (rank + ranks - 1) % ranks;
    enter(&locations[0], mpi_recv);
    MPI_Recv(&value, 1, MPI_INT, from, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    RECORD(&locations[0], MPI_RECV, MpiRecv, from, world.handle, 17, sizeof value);
    leave(&locations[0], mpi_recv);
    return value;
}

/* A number travels around the ring and grows by one at each rank. */
static void ring(void)
{
    for (int round = 0; ranks > 1 && round < ROUNDS; round++)
    {
        if (rank == 0)
            send_on(round);
        const int value = receive_on();
        if (value != round + (rank + ranks - 1) % ranks)
            FAIL("rank %d got %d in round %d", rank, value, round);
        if (rank != 0)
            send_on(value + 1);
    }
}

static void collectives(void)
{
    int own = rank + 1, sum = 0, size;
    begin_collective(mpi_allreduce);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    end_collective(mpi_allreduce, &world, SCOREP_COLLECTIVE_ALLREDUCE, NO_ROOT, sizeof sum);
    if (sum != ranks * (ranks + 1) / 2)
        FAIL("rank %d got the sum %d", rank, sum);
    MPI_Comm_size(half.mpi, &size);
    begin_collective(mpi_bcast);
    MPI_Bcast(&own, 1, MPI_INT, size - 1, half.mpi);
    end_collective(mpi_bcast, &half, SCOREP_COLLECTIVE_BROADCAST, size - 1, sizeof own);
    begin_collective(mpi_barrier);
    MPI_Barrier(MPI_COMM_WORLD);
    end_collective(mpi_barrier, &world, SCOREP_COLLECTIVE_BARRIER, NO_ROOT, 0);
}

/* Regions that differ between ranks in number and order. */
static void own_regions(void)
{
    char name[64];
    for (int number = rank; number >= 0; number--)
    {
        snprintf(name, sizeof name, "region %d of rank %d", number, rank);
        visit(&locations[0], region(name, 1, 1));
    }
}

static void* second_thread(void* unused)
{
    create(1, "second thread");
    for (int pair = 0; pair < PAIRS; pair++)
        visit(&locations[1], work);
    CALL(deactivate_cpu_location, &locations[1], &locations[0]);
    return unused;
}

static void work_with_mpi(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, second_thread, NULL))
        FAIL("pthread_create");
    ring();
    pthread_join(thread, NULL);
    split();
    own_regions();
    collectives();
}

static void end_program(void)
{
    /* Only a barrier: MPI is finalised after the plugin. */
    enter(&locations[0], mpi_finalize);
    MPI_Barrier(MPI_COMM_WORLD);
    leave(&locations[0], mpi_finalize);
    visit(&locations[0], work);
    leave(&locations[0], program);
    locations[0].events++;
    EVENT(PROGRAM_END, ProgramEnd, &locations[0], tick(), SCOREP_INVALID_EXIT_STATUS, program);
    CALL(deactivate_cpu_location, &locations[0], NULL);
}

static void name_things(void)
{
    char name[64];
    snprintf(name, sizeof name, "MPI Rank %d", rank);
    set_word(group, 20, string(name));
    for (int id = 0; id < 2; id++)
    {
        set_word(locations[id].definition, 24, (uint32_t)rank);
        set_word(locations[id].definition, 28, (uint32_t)id);
    }
    struct communicator* all[] = { &world, &self, &half };
    for (int of = 0; of < 3; of++)
        set_word(all[of]->handle, 20, name_of(all[of]));
}

static void end_measurement(void)
{
    name_things();
    CALL(pre_unify);
    const uint32_t own = group_of(MPI_SELF, 0, NULL), all = group_of_communicator(&world), some = group_of_communicator(&half);
    unify(&world, all, 0);
    unify(&self, own, 0);
    unify(&half, some, world.unified);
    CALL(write_data);
    finish();
    for (int id = 0; id < 2; id++)
        printf("events %llu %llu\n", (unsigned long long)((uint64_t)id << 32 | (uint32_t)rank),
               (unsigned long long)locations[id].events);
    fflush(stdout);
}

/* ---- Cases ---- */

static int* argument_count;
static char*** argument_list;

static void whole(void)
{
    begin_program();
    initialise_mpi(argument_count, argument_list);
    work_with_mpi();
    end_program();
    end_measurement();
}

/* Linked with MPI, but never initialises it: Score-P stops after PROGRAM_END. */
static void no_init(void)
{
    begin_program();
    visit(&locations[0], work);
    EVENT(PROGRAM_END, ProgramEnd, &locations[0], tick(), SCOREP_INVALID_EXIT_STATUS, program);
    CALL(deactivate_cpu_location, &locations[0], NULL);
}

/* One rank calls MPI_Abort, and nothing ends in order. The ranks have recorded all their work by then:
 * without the first barrier, one that was still to leave the last collective was killed in it. */
static void gives_up(void)
{
    begin_program();
    initialise_mpi(argument_count, argument_list);
    work_with_mpi();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == ranks - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every rank is killed before init_mpp; rank N visits a region N + 1 times. */
static void dies_early(void)
{
    begin_program();
    MPI_Init(argument_count, argument_list);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int visits = 0; visits <= rank; visits++)
        visit(&locations[0], work);
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
}

/* Only the management calls, for plugins that communicate. */
static void communication(void)
{
    begin_program();
    initialise_mpi(argument_count, argument_list);
    end_program();
    half = self;
    end_measurement();
}

int main(int count, char** arguments)
{
    static const struct test_case cases[] = { CASE(whole), CASE(no_init), CASE(gives_up), CASE(dies_early), CASE(communication) };
    argument_count = &count;
    argument_list = &arguments;
    run_case(cases, sizeof cases / sizeof cases[0], count, arguments);
    if (initialised)
    {
        MPI_Comm_free(&ipc);
        MPI_Finalize();
    }
    return 0;
}
