/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the host that Rust cannot define: one takes variable arguments, the other must keep its name in the
 * dynamic symbol table whatever the Rust linker does with the rest of the program. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

uint64_t kymo_replay_clock_resolution = 0;

/* Ticks per second of the recorded clock; exported by kymo-replay, hidden in kymo-replay-static. */
uint64_t SCOREP_Timer_GetClockResolution(void);
uint64_t SCOREP_Timer_GetClockResolution(void)
{
    return kymo_replay_clock_resolution;
}

/* One file of the experiment directory in its manifest: name, then a description in printf format. */
void kymo_replay_manifest_entry(FILE* out, const char* fileName, const char* descriptionFormatString, ...);
void kymo_replay_manifest_entry(FILE* out, const char* fileName, const char* descriptionFormatString, ...)
{
    va_list arguments;
    fprintf(out, "* `%s`: ", fileName);
    va_start(arguments, descriptionFormatString);
    vfprintf(out, descriptionFormatString, arguments);
    va_end(arguments);
    fputc('\n', out);
}
