/* For the driver of an exercise: what the exercise passes to the function that a student wrote.
 * The card's worker has it; a host pointer gets a copy. */
#include "sandbox/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

enum { TASK_ARGUMENTS = 64, ALIGNED = 256 };

static struct {
    void *host;
    uint64_t bytes;
} buffers[TASK_ARGUMENTS];

static uint64_t argument(unsigned number, uint64_t *bytes) {
    struct link_call call = {.call = WIRE_TASK_ARGUMENT, .argument = {number}};
    if (number >= TASK_ARGUMENTS || link_do(&call) != cudaSuccess)
        link_give_up("the exercise passes no argument %u", number + 1);
    *bytes = call.value[1];
    return call.value[0];
}

API void *__warpgrade_device_buffer(unsigned number) {
    uint64_t bytes, address = argument(number, &bytes);
    if (!place_keep(address, bytes))
        link_give_up("the program has something where the card has argument %u", number + 1);
    return (void *)(uintptr_t)address;
}

API void *__warpgrade_host_buffer(unsigned number) {
    uint64_t bytes;
    argument(number, &bytes);
    void *host;
    if (posix_memalign(&host, ALIGNED, bytes + 1) != 0)
        link_give_up("there is no memory for argument %u", number + 1);
    buffers[number].host = host;
    buffers[number].bytes = bytes;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t part = bytes - at < WIRE_WINDOW ? bytes - at : WIRE_WINDOW;
        struct link_call call = {.call = WIRE_TASK_READ,
                                 .argument = {number, at, part},
                                 .taken = (char *)host + at,
                                 .taken_bytes = part};
        if (link_do(&call) != cudaSuccess)
            link_give_up("argument %u is no host pointer", number + 1);
        at += part;
    }
    return host;
}

API void __warpgrade_value(unsigned number, void *to, size_t bytes) {
    uint64_t ignored, bits = argument(number, &ignored);
    memcpy(to, &bits, bytes < sizeof bits ? bytes : sizeof bits);
}

/* What the host's buffers hold when the function returns is what counts. */
API int __warpgrade_returned(void) {
    char *copy = malloc(WIRE_WINDOW);
    for (unsigned i = 0; copy && i < TASK_ARGUMENTS; i++)
        for (uint64_t at = 0; buffers[i].host && at < buffers[i].bytes;) {
            uint64_t left = buffers[i].bytes - at;
            uint64_t part = left < WIRE_WINDOW ? left : WIRE_WINDOW;
            char *from = (char *)buffers[i].host + at;
            memcpy(copy, from, part); /* here it may trip over a guard, and not inside of a call */
            struct link_call call = {.call = WIRE_TASK_RETURN,
                                     .argument = {i, at, part, (uintptr_t)from},
                                     .put = copy,
                                     .put_bytes = part};
            link_do(&call);
            at += part;
        }
    free(copy);
    synchronize();
    link_ask(WIRE_TASK_END, 0, 0, 0, NULL);
    return 0;
}
