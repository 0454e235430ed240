/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols that plugins look for in a shared Score-P; up to 7.x without those of newer events.
 * To be preloaded. */
void SCOREP_MpiSend(void);
void SCOREP_MpiSend(void) {}

#if SINCE_8
void SCOREP_CommCreate(void);
void SCOREP_CommCreate(void) {}
#endif
