/*
 * TAU trace format: the interface of TAU's trace input library, for libkymo_ttf.
 *
 * Written from a description of that interface, so that programs written for TAU's library build and link unchanged.
 *
 *     cc program.c -I<kymo>/include -L<kymo>/lib -lkymo_ttf
 *
 * A handle belongs to one thread at a time; handles do not concern each other. A handle that is NULL, closed, or of the wrong kind is
 * an error of the call. Errors that have something to say say it on standard error.
 */
#ifndef _TAU_TF_H_
#define _TAU_TF_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef signed char        x_int8;
typedef short              x_int16;
typedef int                x_int32;
typedef long long          x_int64;
typedef unsigned char      x_uint8;
typedef unsigned short     x_uint16;
typedef unsigned int       x_uint32;
typedef unsigned long long x_uint64;

typedef void* Ttf_FileHandleT;

/*
 * Callbacks. Their results are ignored. They have to return: no longjmp and no exception of C++ may leave one. Times are ticks, of
 * DefClkPeriod seconds each, since the first record of the file (may be below zero), or as they are in the file:
 * Ttf_SetSubtractFirstTimestamp. Names stay valid until the handle is closed, those of threads until the callback returns. Names of
 * states and user events have quotes around them.
 */
typedef int ( *Ttf_DefClkPeriodT )( void* userData, double clkPeriod );

typedef int ( *Ttf_DefThreadT )( void* userData, unsigned int nodeToken, unsigned int threadToken, const char* threadName );

typedef int ( *Ttf_DefStateGroupT )( void* userData, unsigned int stateGroupToken, const char* stateGroupName );

/* Groups that begin with something else than a state are never announced, but states may be in them. */
typedef int ( *Ttf_DefStateT )( void* userData, unsigned int stateToken, const char* stateName, unsigned int stateGroupToken );

/* The trace of a thread was closed. May come again. */
typedef int ( *Ttf_EndTraceT )( void* userData, unsigned int nodeToken, unsigned int threadToken );

typedef int ( *Ttf_EnterStateT )( void* userData, double time,
                                  unsigned int nodeToken, unsigned int threadToken, unsigned int stateToken );
typedef int ( *Ttf_LeaveStateT )( void* userData, double time,
                                  unsigned int nodeToken, unsigned int threadToken, unsigned int stateToken );

/* The thread of the partner is not in the file: it is always 0. */
typedef int ( *Ttf_SendMessageT )( void* userData, double time,
                                   unsigned int sourceNodeToken, unsigned int sourceThreadToken,
                                   unsigned int destinationNodeToken, unsigned int destinationThreadToken,
                                   unsigned int messageSize, unsigned int messageTag, unsigned int messageComm );
typedef int ( *Ttf_RecvMessageT )( void* userData, double time,
                                   unsigned int sourceNodeToken, unsigned int sourceThreadToken,
                                   unsigned int destinationNodeToken, unsigned int destinationThreadToken,
                                   unsigned int messageSize, unsigned int messageTag, unsigned int messageComm );

/* monotonicallyIncreasing: 1 if values only grow, else mostly 0. */
typedef int ( *Ttf_DefUserEventT )( void* userData, unsigned int userEventToken, const char* userEventName,
                                    int monotonicallyIncreasing );
typedef int ( *Ttf_EventTriggerT )( void* userData, double time,
                                    unsigned int nodeToken, unsigned int threadToken, unsigned int userEventToken,
                                    long long userEventValue );

/* What a program wants to be told: NULL if nothing. */
typedef struct Ttf_Callbacks
{
    void*              UserData;
    Ttf_DefClkPeriodT  DefClkPeriod;
    Ttf_DefThreadT     DefThread;
    Ttf_DefStateGroupT DefStateGroup;
    Ttf_DefStateT      DefState;
    Ttf_EndTraceT      EndTrace;
    Ttf_EnterStateT    EnterState;
    Ttf_LeaveStateT    LeaveState;
    Ttf_SendMessageT   SendMessage;
    Ttf_RecvMessageT   RecvMessage;
    Ttf_DefUserEventT  DefUserEvent;
    Ttf_EventTriggerT  EventTrigger;
} Ttf_CallbacksT;

/* Opens a trace and its event file. NULL if one of them cannot be read. */
Ttf_FileHandleT Ttf_OpenFileForInput( const char* trc, const char* edf );

/* The same under the name that the manual of TAU's library has for it. */
Ttf_FileHandleT TtfOpenFileForInput( const char* trc, const char* edf );

/* Whether times count from the first record of the file on, as they do unless this says otherwise. */
void Ttf_SetSubtractFirstTimestamp( Ttf_FileHandleT file, int subtract );

/* Has no effect: reading never waits. */
void Ttf_SetNonBlocking( Ttf_FileHandleT file, int nonBlocking );

/*
 * Goes to a record, counted from 0; to the end if position is 0; to so many records before the end if it is negative. The new position.
 * 0 if that is the new position, or if it would lie before the first record, and then nothing changed.
 */
int Ttf_AbsSeek( Ttf_FileHandleT file, int position );

/* Goes so many records forward. The new position, or 0 as above; Ttf_RelSeek( file, 0 ) tells the position. */
int Ttf_RelSeek( Ttf_FileHandleT file, int distance );

/*
 * Reads up to numberOfEvents records, at most 1024, and calls what they mean. The number of records that were read; 0 at the end of the
 * file, which may still grow. -1 if the event file cannot be read or lacks an event, the records before which were told, or if reading
 * failed; errno says which: that of the system, EINVAL for a file that is not what it should be, EBADF for a handle that is none, EBUSY in a
 * callback of the same file.
 */
int Ttf_ReadNumEvents( Ttf_FileHandleT file, Ttf_CallbacksT callbacks, int numberOfEvents );

/* Closes a file. The handle, or NULL if there was nothing to close. */
Ttf_FileHandleT Ttf_CloseFile( Ttf_FileHandleT file );

#ifdef __cplusplus
}
#endif

#include "TAU_tf_writer.h"

#endif
