/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A function of the host that Rust cannot define: it must keep its name in the dynamic symbol table
 * whatever the Rust linker does with the rest of the program.
 */
#include <stdint.h>

uint64_t kymo_replay_clock_resolution = 0;

/* Ticks per second of the recorded clock; exported by kymo-replay, hidden in kymo-replay-static. */
uint64_t SCOREP_Timer_GetClockResolution(void);
uint64_t SCOREP_Timer_GetClockResolution(void)
{
    return kymo_replay_clock_resolution;
}
