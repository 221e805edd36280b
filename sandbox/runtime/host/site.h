/* Call sites: where a program's own code has called the library, so that findings can name lines of
 * the host. A site is a number, from 1; 0 is unknown. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_SITE_H
#define WARPGRADE_SANDBOX_RUNTIME_SITE_H

#include "sandbox/runtime/wire.h"

#include <stddef.h>

/* The site of the program's call that we are in. The same way to the same place is the same number.
 */
uint32_t site_here(void);
/* From a signal's handler: where it interrupted the program; 0 where that cannot be known. */
uint32_t site_here_at_last(void);
/* What the card must be told of a site: offsets of the calls into the program's file, innermost
 * first. Returns their number; 0: there is no such site. */
size_t site_frames(uint32_t site, uint64_t frames[WIRE_SITE_FRAMES]);

#endif
