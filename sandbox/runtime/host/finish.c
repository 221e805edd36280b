/* The program ends by itself: its variables are looked through for pointers to device memory, which
 * then is no leak. That is done before static objects are destroyed, which may free it or only
 * forget it; the end is said after them, because a program's destructors run before its libraries'.
 * A program that is ended by a signal, or by _exit(), does not come here. */
#include "sandbox/runtime/host/host_memory.h"
#include "sandbox/runtime/pinned.h"

#include <pthread.h>

struct found {
    uint64_t addresses[4096];
    size_t count;
};

static void tell(struct found *found) {
    struct link_call call = {.call = WIRE_REACHABLE,
                             .sent = found->addresses,
                             .sent_bytes = found->count * sizeof *found->addresses};
    if (found->count)
        link_do(&call);
    found->count = 0;
}

static void take(size_t word, void *data) {
    struct found *found = data;
    bool is_simulated = word >> 44 && !(word >> 53); /* sim_block_address(); managed memory, too */
    if (!is_simulated && !place_is_kept(word))
        return;
    found->addresses[found->count++] = word;
    if (found->count == sizeof found->addresses / sizeof *found->addresses)
        tell(found);
}

void finish_look(void) {
    struct found found = {.count = 0};
    guard_lift(NULL, SIZE_MAX);
    host_each_reachable(take, &found);
    condition_each(take, &found); /* a program has no way to free them but with their graph */
    tell(&found);
}

__attribute__((destructor)) static void finish(void) {
    if (link_is_used())
        link_ask(WIRE_END, 0, 0, 0, NULL);
}
