/* Addresses of a real card's memory, which a process could have, too: they are kept free here, so
 * that they mean one thing, and who reads one gets the segmentation fault that it is on metal.
 * Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_HOST_PLACE_H
#define WARPGRADE_SANDBOX_RUNTIME_HOST_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* False: the process has something there. Of addresses that no process has there is nothing to do.
 */
bool place_keep(uint64_t address, uint64_t bytes);
/* Does it lie on pages that are kept? */
bool place_is_kept(uint64_t address);

#endif
