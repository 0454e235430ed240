/*
 * TAU trace format: the interface of TAU's trace input library, implemented by libkymo_ttf.
 *
 * Written from a description of that interface, so that programs for TAU's library build and link
 * unchanged.
 *
 *     cc program.c -I<kymo>/include -L<kymo>/lib -lkymo_ttf
 *
 * A handle may be used by one thread at a time; different handles are independent. A handle that is
 * NULL, closed, or of the wrong kind makes the call fail. Error messages are printed on standard
 * error.
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
 * Callbacks. Their results are ignored. They must return: no longjmp and no C++ exception may leave
 * one. Times are ticks of DefClkPeriod seconds each, since the first record of the file (possibly
 * negative), or as they are in the file: see Ttf_SetSubtractFirstTimestamp. Names are valid until
 * the handle is closed, those of threads until the callback returns. Names of states and user
 * events are enclosed in quotes.
 */
typedef int ( *Ttf_DefClkPeriodT )( void* userData, double clkPeriod );

typedef int ( *Ttf_DefThreadT )( void* userData, unsigned int nodeToken, unsigned int threadToken, const char* threadName );

typedef int ( *Ttf_DefStateGroupT )( void* userData, unsigned int stateGroupToken, const char* stateGroupName );

/* Groups whose first member is not a state are never announced, but may contain states. */
typedef int ( *Ttf_DefStateT )( void* userData, unsigned int stateToken, const char* stateName, unsigned int stateGroupToken );

/* The trace of a thread was closed. May be called more than once for a thread. */
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

/* monotonicallyIncreasing: 1 if values only grow, otherwise usually 0. */
typedef int ( *Ttf_DefUserEventT )( void* userData, unsigned int userEventToken, const char* userEventName,
                                    int monotonicallyIncreasing );
typedef int ( *Ttf_EventTriggerT )( void* userData, double time,
                                    unsigned int nodeToken, unsigned int threadToken, unsigned int userEventToken,
                                    long long userEventValue );

/* The callbacks of a program. NULL callbacks are not called. */
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

/* Opens a trace and its event file. Returns NULL if one of them cannot be read. */
Ttf_FileHandleT Ttf_OpenFileForInput( const char* trc, const char* edf );

/* Like Ttf_OpenFileForInput; the manual of TAU's library uses this name. */
Ttf_FileHandleT TtfOpenFileForInput( const char* trc, const char* edf );

/* Sets whether times are relative to the first record of the file, which is the default. */
void Ttf_SetSubtractFirstTimestamp( Ttf_FileHandleT file, int subtract );

/* Has no effect: reading never waits. */
void Ttf_SetNonBlocking( Ttf_FileHandleT file, int nonBlocking );

/*
 * Moves to a record, counted from 0; to the end if position is 0; to -position records before the
 * end if it is negative. Returns the new position. Returns 0 also if that would be before the first
 * record; the position is then unchanged.
 */
int Ttf_AbsSeek( Ttf_FileHandleT file, int position );

/*
 * Moves forward by distance records. Returns the new position, or 0 like Ttf_AbsSeek; a distance of
 * 0 returns the current position.
 */
int Ttf_RelSeek( Ttf_FileHandleT file, int distance );

/*
 * Reads up to numberOfEvents records, at most 1024, and calls the callbacks for them. Returns the
 * number of records read; 0 at the end of the file, which may still grow; -1 if reading failed, or
 * if the event file cannot be read or lacks an event (after delivering the records before it).
 * errno is then that of the system, EINVAL for a malformed file, EBADF for an invalid handle, or
 * EBUSY in a callback of the same file.
 */
int Ttf_ReadNumEvents( Ttf_FileHandleT file, Ttf_CallbacksT callbacks, int numberOfEvents );

/* Closes a file. Returns the handle, or NULL if it was not open. */
Ttf_FileHandleT Ttf_CloseFile( Ttf_FileHandleT file );

#ifdef __cplusplus
}
#endif

#include "TAU_tf_writer.h"

#endif
