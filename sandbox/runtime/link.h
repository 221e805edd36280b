/* The way to the card: one call of wire.h after the other, from whichever thread. Private to the
 * library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_LINK_H
#define WARPGRADE_SANDBOX_RUNTIME_LINK_H

#include "sandbox/runtime/abi.h"
#include "sandbox/runtime/wire.h"

struct link_call {
    enum wire_call call;
    uint64_t argument[WIRE_ARGUMENTS];
    uint32_t site;    /* as of site.h; 0: where the program is calling us from */
    const void *sent; /* inline bytes */
    size_t sent_bytes;
    const void *put; /* into the window before ... */
    size_t put_bytes;
    void *taken; /* ... and out of it after the call */
    size_t taken_bytes;
    uint64_t value[2];
    void *received; /* room for the answer's inline bytes; more of them are dropped */
    size_t received_max, received_bytes;
};
/* The error that the card answers. Ends the program where there is no card any more. */
cudaError_t link_do(struct link_call *call);
/* The shortest form. */
cudaError_t link_ask(enum wire_call call, uint64_t a, uint64_t b, uint64_t c, uint64_t *value);
const struct wire_device *link_device(void);
/* Requests of this thread are of that stream from now on; 0: the default one. */
void link_set_stream(uint64_t number);
/* finish.c: when main() has returned, or exit() was called. */
void finish_look(void);
bool link_is_used(void); /* by any call until now */
/* False where the program was started by itself; says so on standard error. */
bool link_is_there(void);

/* Says what is the matter on standard error, and ends the program with 1. */
__attribute__((format(printf, 1, 2), noreturn)) void link_give_up(const char *format, ...);

#endif
