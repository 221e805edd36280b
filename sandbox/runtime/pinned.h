/* The host's pinned memory, and which of it copies may still use, and of managed memory kernels.
 * Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_PINNED_H
#define WARPGRADE_SANDBOX_RUNTIME_PINNED_H

#include "sandbox/runtime/runtime.h"

/* From cudaHostAlloc() or cudaHostRegister() until it is freed or no longer registered.
 * `whole_pages`: nothing else is on its first and last page. */
void pinned_add(void *start, size_t bytes, bool whole_pages);
void pinned_remove(void *start);
bool pinned_contains(const void *start, size_t bytes);

/* The stream's last work is a copy from there, or `writes` there: until the host has waited for it,
 * an access to it is reported to the card, once. */
cudaError_t guard_add(void *start, size_t bytes, bool writes);
/* Likewise of managed memory that a launch uses, as the card says. */
void guard_close(const struct wire_guard *pages);
void guard_end(uint64_t number);
/* The host has the system read or write there, which sees closed pages as none: what an access of
 * the host's own would be told by a fault. */
void guard_use(const void *start, size_t bytes, bool writes);
/* The library itself is about to use the memory. */
void guard_lift(const void *start, size_t bytes);

#endif
