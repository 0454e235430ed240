/*
 * TAU trace format: writing. Included by TAU_tf.h; programs include that file.
 *
 * All functions except the two that return handles return 0, or -1 after an error, which is
 * reported on standard error.
 */
#ifndef _TAU_TF_WRITER_H_
#define _TAU_TF_WRITER_H_

#include "TAU_tf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a trace and its event file; existing files are overwritten. Returns NULL on failure. */
Ttf_FileHandleT Ttf_OpenFileForOutput( const char* trc, const char* edf );

/* Has no effect: the format has no field for it. Ticks are microseconds. */
int Ttf_DefClkPeriod( Ttf_FileHandleT file, double clkPeriod );

/*
 * Declares a thread, so that its trace is closed at the end. The format has no field for the name.
 */
int Ttf_DefThread( Ttf_FileHandleT file, unsigned int nodeId, unsigned int threadId, const char* name );

int Ttf_DefStateGroup( Ttf_FileHandleT file, const char* name, unsigned int groupId );
int Ttf_DefState( Ttf_FileHandleT file, unsigned int stateId, const char* name, unsigned int groupId );
int Ttf_DefUserEvent( Ttf_FileHandleT file, unsigned int eventId, const char* name, int monotonic );

int Ttf_EnterState( Ttf_FileHandleT file, x_uint64 time, unsigned int nodeId, unsigned int threadId, unsigned int stateId );
int Ttf_LeaveState( Ttf_FileHandleT file, x_uint64 time, unsigned int nodeId, unsigned int threadId, unsigned int stateId );

/*
 * A message is recorded on the thread that sends or receives it. The format stores 26 bits of the
 * size, 16 of the tag, and 6 of the communicator.
 */
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

/* Writes all buffered records to the file. */
int Ttf_FlushTrace( Ttf_FileHandleT file );

/* Closes the declared threads and the trace. Always returns NULL. */
Ttf_FileHandleT Ttf_CloseOutputFile( Ttf_FileHandleT file );

#ifdef __cplusplus
}
#endif

#endif
