// A program with regions, a parameter and a counter of its own. Nothing is linked: `kymo record`
// loads the library that records them, and without it the calls do nothing.

#include <kymo/user.h>
#include <stdio.h>

static double improve(double guess) {
    KYMO_REGION("improve");
    return (guess + 2 / guess) / 2;
}

static double solve(int iterations) {
    KYMO_FUNCTION();
    KYMO_PARAMETER_INT64("iterations", iterations);
    double guess = 1;
    for (int i = 0; i < iterations; i++) {
        guess = improve(guess);
        KYMO_COUNTER_DOUBLE("residual", "1", guess * guess - 2);
    }
    return guess;
}

int main(void) {
    printf("%.6f\n", solve(5));
    return 0;
}
