// Heat in a plate, computed by four threads: the program of the tutorial (docs/start/tutorial.md).
//
//     cc -g -O2 -finstrument-functions -pthread -I include examples/heat/heat.c -o heat
//     kymo record -- ./heat
//
// The compiler instruments the functions; regions, parameter and counter are in the source. One
// thread has far more rows than the others, which the picture shows.

#include <kymo/user.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 180, COLUMNS = 20000, THREADS = 4, STEPS = 30 };

static double plate[2][ROWS][COLUMNS];
static double change[THREADS];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int waiting, round_number;

// Returns the first row of a thread. The last thread has half of the plate.
static int first_row(int thread) {
    return thread == THREADS ? ROWS - 1 : 1 + thread * (ROWS / 2) / (THREADS - 1);
}

static double relax_row(double (*from)[COLUMNS], double (*to)[COLUMNS], int row) {
    double sum = 0;
    for (int column = 1; column < COLUMNS - 1; column++) {
        to[row][column] =
            (from[row - 1][column] + from[row + 1][column] + from[row][column - 1] + from[row][column + 1]) / 4;
        double difference = to[row][column] - from[row][column];
        sum += difference * difference;
    }
    return sum;
}

static void relax(int thread, int step) {
    change[thread] = 0;
    for (int row = first_row(thread); row < first_row(thread + 1); row++)
        change[thread] += relax_row(plate[step % 2], plate[(step + 1) % 2], row);
}

static void wait_for_all(void) {
    pthread_mutex_lock(&mutex);
    int round = round_number;
    if (++waiting == THREADS) {
        waiting = 0;
        round_number++;
        pthread_cond_broadcast(&all_here);
    }
    while (round == round_number) pthread_cond_wait(&all_here, &mutex);
    pthread_mutex_unlock(&mutex);
}

static double total_change(void) {
    double sum = 0;
    for (int thread = 0; thread < THREADS; thread++) sum += change[thread];
    return sum;
}

static void *run(void *number) {
    int thread = (int)(size_t)number;
    KYMO_PARAMETER_INT64("rows", first_row(thread + 1) - first_row(thread));
    for (int step = 0; step < STEPS; step++) {
        KYMO_REGION("step");
        relax(thread, step);
        wait_for_all();
        if (thread == 0) KYMO_COUNTER_DOUBLE("change", "K^2", total_change());
        wait_for_all();
    }
    return NULL;
}

static void heat_edges(void) {
    // All of the memory is written, so that the system provides it here and not in the first step.
    memset(plate, 0, sizeof plate);
    for (int i = 0; i < COLUMNS; i++) plate[0][0][i] = plate[1][0][i] = 100;
}

int main(void) {
    pthread_t threads[THREADS];
    heat_edges();
    for (int i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)(size_t)i);
    run(0);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("after %d steps the last change was %.3f\n", STEPS, total_change());
    return 0;
}
