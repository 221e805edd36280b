/* The worker's side of worker.c: reading the request that the supervisor sends. */
#include "sandbox/worker/worker.h"

#include <errno.h>
#include <unistd.h>

bool worker_read_request(size_t max_bytes, struct text *request) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || request->length + (size_t)(got > 0 ? got : 0) > max_bytes)
            return false;
        if (got == 0)
            return true;
        text_append_bytes(request, buffer, (size_t)got);
    }
}
