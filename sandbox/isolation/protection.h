/* How this process keeps submissions in, for reports. */
#ifndef WARPGRADE_SANDBOX_ISOLATION_PROTECTION_H
#define WARPGRADE_SANDBOX_ISOLATION_PROTECTION_H

#include "sandbox/base/protection.h"

/* Of the runs of this process; asks the machine the first time, as jail_check() does. */
struct protection protection_current(void);

#endif
