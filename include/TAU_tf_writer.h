/*
 * TAU trace format: writing. Comes with TAU_tf.h, which programs include.
 *
 * All functions but the two that give handles return 0, or -1 if something went wrong; what is said on standard error.
 */
#ifndef _TAU_TF_WRITER_H_
#define _TAU_TF_WRITER_H_

#include "TAU_tf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a trace and its event file; existing files are overwritten. NULL if that fails. */
Ttf_FileHandleT Ttf_OpenFileForOutput( const char* trc, const char* edf );

/* Has no effect: the format has no place for it. Ticks are microseconds. */
int Ttf_DefClkPeriod( Ttf_FileHandleT file, double clkPeriod );

/* Declares a thread, so that its trace is closed at the end. The format has no place for the name. */
int Ttf_DefThread( Ttf_FileHandleT file, unsigned int nodeId, unsigned int threadId, const char* name );

int Ttf_DefStateGroup( Ttf_FileHandleT file, const char* name, unsigned int groupId );
int Ttf_DefState( Ttf_FileHandleT file, unsigned int stateId, const char* name, unsigned int groupId );
int Ttf_DefUserEvent( Ttf_FileHandleT file, unsigned int eventId, const char* name, int monotonic );

int Ttf_EnterState( Ttf_FileHandleT file, x_uint64 time, unsigned int nodeId, unsigned int threadId, unsigned int stateId );
int Ttf_LeaveState( Ttf_FileHandleT file, x_uint64 time, unsigned int nodeId, unsigned int threadId, unsigned int stateId );

/* A message stands on the thread that sends or receives it. Stored of it: 26 bits of the size, 16 of the tag, 6 of the communicator. */
int Ttf_SendMessage( Ttf_FileHandleT file, double time,
                     unsigned int sourceNode, unsigned int sourceThread,
                     unsigned int destinationNode, unsigned int destinationThread,
                     unsigned int size, unsigned int tag, unsigned int communicator );
int Ttf_RecvMessage( Ttf_FileHandleT file, double time,
                     unsigned int sourceNode, unsigned int sourceThread,
                     unsigned int destinationNode, unsigned int destinationThread,
                     unsigned int size, unsigned int tag, unsigned int communicator );

/* Values are stored as integers; the fraction is cut off. */
int Ttf_EventTrigger( Ttf_FileHandleT file, double time,
                      unsigned int nodeId, unsigned int threadId, unsigned int eventId, double value );
int Ttf_LongEventTrigger( Ttf_FileHandleT file, unsigned long long time,
                          unsigned int nodeId, unsigned int threadId, unsigned int eventId, unsigned long long value );

/* Writes everything so far. */
int Ttf_FlushTrace( Ttf_FileHandleT file );

/* Closes the declared threads and the trace. Always NULL. */
Ttf_FileHandleT Ttf_CloseOutputFile( Ttf_FileHandleT file );

#ifdef __cplusplus
}
#endif

#endif
