/* The numbers of a finding go to the card, which makes sentences of them. */
#include "sandbox/runtime/host/report.h"

#include "sandbox/runtime/host/host_memory.h"
#include "sandbox/runtime/shared.h"

#include <stdatomic.h>

static void report(enum wire_report what, uint32_t site, uint64_t a, uint64_t b, uint64_t c) {
    struct link_call call = {.call = WIRE_REPORT, .site = site, .argument = {what, a, b, c}};
    link_do(&call);
}

void report_direction(const void *to, const void *from, size_t bytes, int kind) {
    if (!to || !from)
        report(WIRE_REPORT_NULL, 0, bytes, !to, 0);
    else
        report(WIRE_REPORT_DIRECTION, 0, (uint64_t)kind, (uintptr_t)to, (uintptr_t)from);
}

void report_fill(const void *to, size_t bytes) {
    report(WIRE_REPORT_FILL, 0, bytes, (uintptr_t)to, 0);
}

void report_free(const void *pointer, bool is_host) {
    report(WIRE_REPORT_FREE, 0, (uintptr_t)pointer, is_host, 0);
}

void report_host_side(const void *start, size_t bytes, bool is_written) {
    const struct shared_range *shared = shared_find(start, 1);
    size_t room = shared ? (size_t)(shared->start + shared->bytes - (const char *)start)
                         : host_block_bytes(start);
    if (bytes > room)
        report(WIRE_REPORT_HOST_SIDE, 0, bytes, room, is_written);
}

void report_variable(size_t bytes, size_t offset, size_t size) {
    report(WIRE_REPORT_VARIABLE, 0, bytes, offset, size);
}

/* ---- errors that nobody looks at --------------------------------------------------------------
 */

static atomic_bool has_failed; /* since the last look */

/* Every call answers them once a kernel has failed; that is a finding by itself. */
static bool is_sticky(cudaError_t error) {
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchTimeout ||
           error == cudaErrorAssert || error == cudaErrorNotSupported ||
           (error >= cudaErrorHardwareStackError && error <= cudaErrorLaunchFailure);
}

void report_failure(cudaError_t error, uint32_t site, bool is_launch) {
    if (is_sticky(error))
        return;
    atomic_store(&has_failed, true);
    report(WIRE_REPORT_FAILURE, site, (uint64_t)error, is_launch, 0);
}

void report_look(cudaError_t error) {
    if (!atomic_load(&has_failed))
        return;
    if (error == cudaSuccess)
        atomic_store(&has_failed, false);
    report(WIRE_REPORT_LOOK, 0, (uint64_t)error, 0, 0);
}
