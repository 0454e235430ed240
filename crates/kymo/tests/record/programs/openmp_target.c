/* OpenMP's constructs for devices, of which there is none: counts by construct. */
#include <stdio.h>

#define SIZE 1000

static double values[SIZE];

static void add(void)
{
#pragma omp target map(tofrom : values)
    for (int place = 0; place < SIZE; place++)
        values[place] += place;
}

int main(void)
{
    for (int time = 0; time < 4; time++)
        add();
#pragma omp target data map(tofrom : values)
    {
        add();
#pragma omp target update from(values)
#pragma omp target update to(values)
    }
#pragma omp target enter data map(to : values)
#pragma omp target exit data map(delete : values)
#pragma omp target nowait map(tofrom : values)
    values[0] = 1;
#pragma omp taskwait
    printf("%.0f\n", values[SIZE - 1] + values[0]);
    return 0;
}
