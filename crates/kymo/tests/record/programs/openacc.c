/* OpenACC, with gcc's library on the host: counts by construct. */
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>

#define SIZE 1000

static double values[SIZE], sums[SIZE];

static void add(int times)
{
    for (int time = 0; time < times; time++)
    {
#pragma acc parallel loop present_or_copy(values)
        for (int place = 0; place < SIZE; place++)
            values[place] += place;
    }
}

static void* work(void* argument)
{
    add(5);
    return argument;
}

int main(void)
{
    acc_init(acc_device_host);
#pragma acc data copy(values) create(sums)
    {
        add(10);
#pragma acc kernels
        for (int place = 0; place < SIZE; place++)
            sums[place] = 2 * values[place];
#pragma acc update host(values)
#pragma acc update device(values)
    }
    for (int round = 0; round < 3; round++)
    {
#pragma acc enter data copyin(values)
#pragma acc exit data delete(values)
    }
    acc_copyin(values, sizeof(values));
    acc_delete(values, sizeof(values));
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%.0f\n", values[SIZE - 1]);
    return 0;
}
