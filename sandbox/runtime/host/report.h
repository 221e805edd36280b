/* What the library itself notices of the host, told to the card, which keeps the findings. Private
 * to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_REPORT_H
#define WARPGRADE_SANDBOX_RUNTIME_REPORT_H

#include "sandbox/runtime/link.h"

/* A copy whose pointers are not where its kind says, or null. */
void report_direction(const void *to, const void *from, size_t bytes, int kind);
/* A memset of memory that is not the card's. */
void report_fill(const void *to, size_t bytes);
/* Memory of the host, or managed, that is no allocation; by cudaFreeHost() or by cudaFree(). */
void report_free(const void *pointer, bool is_host);
/* The host's side of a copy that is about to be done: says so where it is known to be too small. */
void report_host_side(const void *start, size_t bytes, bool is_written);
/* A copy past the end of a variable of the device. */
void report_variable(size_t bytes, size_t offset, size_t size);

/* A call that failed, and that the program has asked for its error: for cudaGetLastError()
 * (cudaSuccess), or by the error's number. */
void report_failure(cudaError_t error, uint32_t site, bool is_launch);
void report_look(cudaError_t error);

#endif
