// Functions and user regions, called a known number of times: heat in a rod, N steps over 16 cells.
#include <kymo/user.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 16 };
static double rod[CELLS];

static double flux(int cell) {
    return rod[cell - 1] - rod[cell];
}

void step(void) {
    double sum = 0;
    for (int cell = 1; cell < CELLS; cell++) sum += flux(cell);
    rod[CELLS / 2] += sum / 2 + 1;
}

int main(int count, char **arguments) {
    int steps = count > 1 ? atoi(arguments[1]) : 10;
    KYMO_REGION_DEFINE(phase);
    KYMO_REGION_BEGIN(phase, "warm up");
    KYMO_PARAMETER_INT64("steps", steps);
    KYMO_REGION_END(phase);
    for (int i = 0; i < steps; i++) {
        KYMO_REGION("iteration");
        step();
        KYMO_COUNTER_DOUBLE("heat", "K", rod[CELLS / 2]);
    }
    KYMO_RECORDING_OFF();
    step();
    KYMO_RECORDING_ON();
    printf("%d steps\n", steps);
    fprintf(stderr, "done\n");
    return 3;
}
