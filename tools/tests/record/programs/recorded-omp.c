/* What the program of the recording `omp` of Score-P did, as its events tell. */
#include <omp.h>

static int fib(int n) {
    int a, b;
    if (n < 2)
        return n;
    #pragma omp task shared(a)
    a = fib(n - 1);
    #pragma omp task shared(b)
    b = fib(n - 2);
    #pragma omp taskwait
    return a + b;
}

int main(void) {
    int sum = 0, result = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 0; round < 3; round++) {
        #pragma omp parallel num_threads(3)
        {
            #pragma omp for schedule(dynamic)
            for (int i = 0; i < 12; i++) {
                omp_set_lock(&lock);
                sum++;
                omp_unset_lock(&lock);
            }
            #pragma omp critical
            sum++;
            #pragma omp barrier
            #pragma omp single
            result = fib(5);
        }
    }
    return sum != 45 || result != 5;
}
