// Four threads that count words and add each count to a table behind one mutex.
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

// Computes for about this many milliseconds.
__attribute__((noinline)) static void work(double milliseconds) {
    for (volatile long rest = (long)(milliseconds * 2500000); rest > 0; rest--) {
    }
}

__attribute__((noinline)) static void count_words(void) {
    work(2);
}

__attribute__((noinline)) static void add_to_table(void) {
    work(3);
}

static void *count_pages(void *unused) {
    for (int page = 0; page < 40; page++) {
        count_words();
        pthread_mutex_lock(&table);
        add_to_table();
        pthread_mutex_unlock(&table);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int number = 0; number < 4; number++)
        pthread_create(&threads[number], NULL, count_pages, NULL);
    for (int number = 0; number < 4; number++)
        pthread_join(threads[number], NULL);
}
