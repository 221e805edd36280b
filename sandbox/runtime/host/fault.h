/* Private to the library: what link.c tells fault.c of itself. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_FAULT_H
#define WARPGRADE_SANDBOX_RUNTIME_FAULT_H

#include "sandbox/runtime/link.h"

/* Is this thread inside of a copy between the program's memory and the window? */
enum link_copying { LINK_COPIES_NOTHING, LINK_READS, LINK_WRITES };
enum link_copying link_copy_of_this_thread(void);

/* peer.c: the function of the driver that the program asked for last, in vain; "". */
const char *driver_function_not_found(void);

/* From a signal's handler: does without what another thread may hold. */
void link_do_at_last(struct link_call *call);

#endif
