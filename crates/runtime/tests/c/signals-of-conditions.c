// Signals to a thread that waits for their condition, and to none.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, other = PTHREAD_COND_INITIALIZER;
static int rounds, is_waiting;

static void *wait_for_rounds(void *none)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 3; i++) {
        int before = rounds;
        is_waiting = 1;
        while (rounds == before) pthread_cond_wait(&wanted, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return none;
}

// The thread has released the mutex, so it waits.
static void signal_when_waited_for(void)
{
    for (int is_done = 0; !is_done;) {
        pthread_mutex_lock(&mutex);
        if (is_waiting) {
            is_waiting = 0;
            rounds++;
            is_done = 1;
            pthread_cond_signal(&wanted);
        }
        pthread_mutex_unlock(&mutex);
        if (!is_done) usleep(1000);
    }
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_rounds, NULL) != 0) return 1;
    for (int i = 0; i < 3; i++) {
        pthread_cond_broadcast(&other);
        signal_when_waited_for();
    }
    if (pthread_join(thread, NULL) != 0) return 1;
    puts("done");
    return 0;
}
