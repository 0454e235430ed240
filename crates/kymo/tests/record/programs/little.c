/* A program that needs little memory: threads if it can create them, and a child with a status. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void)
{
}

static void* thread(void* argument)
{
    for (int call = 0; call < 50; call++)
        work();
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    pthread_attr_t small;
    int count = 0, status;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count < 3 && pthread_create(&threads[count], &small, thread, NULL) == 0)
        count++;
    while (count > 0)
        pthread_join(threads[--count], NULL);
    const pid_t child = fork();
    if (child == 0)
    {
        thread(NULL);
        exit(5);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 7 : 8;
}
