/* What is known of the program's own memory without asking it: blocks of the C library's heap, and
 * its variables. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_HOST_MEMORY_H
#define WARPGRADE_SANDBOX_RUNTIME_HOST_MEMORY_H

#include <stddef.h>

/* The bytes of the heap's block that begins there; SIZE_MAX: it is none, or cannot be known. */
size_t host_block_bytes(const void *start);

/* Hands every word that the program's variables hold, or blocks of the heap that can be reached
 * from them, to `take`. For the program's end: takes what it needs of time and memory. */
void host_each_reachable(void (*take)(size_t word, void *data), void *data);

#endif
