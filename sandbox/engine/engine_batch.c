/* engine_run_batch(): several launches in one worker; see engine.h.
 *
 * As in engine.c the data stands in one sealed memfd, here with a page-aligned region for each
 * launch, and is copied back when the worker is dead. What the worker says is hostile: an answer
 * counts only as a whole, an entry only once, and each result is decoded as a single one is. A
 * kernel that broke out of the simulator could answer for the launches after its own; it could
 * have answered anything for those in workers of their own, too. */
#include "sandbox/engine/engine.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/probe_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct regions {
    size_t offsets[ENGINE_MAX_BATCH];
    size_t total;
};

static bool lay_out(const struct engine_batch_entry *entries, size_t count,
                    struct regions *regions) {
    *regions = (struct regions){.total = 0};
    for (size_t i = 0; i < count; i++) {
        size_t end;
        regions->offsets[i] = regions->total;
        if (__builtin_add_overflow(regions->total, entries[i].launch.data_length, &end) ||
            __builtin_add_overflow(end, (size_t)PAGE - 1, &end))
            return false;
        regions->total = end & ~(size_t)(PAGE - 1);
    }
    return true;
}

static int share_data(const struct engine_batch_entry *entries, size_t count,
                      const struct regions *regions) {
    cleanup_fd int descriptor = memfd_create("warpgrade-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)regions->total) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (!file_write_at(descriptor, entries[i].launch.data, entries[i].launch.data_length,
                           regions->offsets[i]))
            return -1;
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return -1;
    return steal_fd(&descriptor);
}

static json_t *encode(const struct engine_batch_entry *entries, size_t count,
                      const struct regions *regions, double wall_seconds) {
    json_t *launches = json_array();
    for (size_t i = 0; i < count; i++) {
        struct engine_launch timed = entries[i].launch;
        timed.wall_seconds = wall_seconds;
        size_t after = entries[i].after < i ? entries[i].after : ENGINE_MAX_BATCH;
        json_array_append_new(launches, json_pack("{s:o, s:o, s:o, s:I, s:o}", "launch",
                                                  engine_wire_encode_launch(&timed), "offset",
                                                  protocol_bits(regions->offsets[i]), "length",
                                                  protocol_bits(entries[i].launch.data_length),
                                                  "after", (json_int_t)after, "at_most",
                                                  protocol_bits(entries[i].at_most)));
    }
    return json_pack("{s:o}", "launches", launches);
}

/* One result of the answer; the printed text begins at *printed of the bulk part. */
static bool take_result(const json_t *object, const struct protocol_message *message,
                        size_t *printed, struct engine_batch_entry *entries, size_t count) {
    const char *culprit;
    struct protocol_reader reader = protocol_read(object);
    size_t index = protocol_unsigned(&reader, "entry", count - 1);
    size_t length = protocol_unsigned(&reader, "printed", ENGINE_PRINTED_MAX);
    const json_t *control = protocol_object(&reader, "result");
    if (!protocol_end(&reader) || entries[index].done || length > message->bulk_length - *printed ||
        !engine_wire_decode_result(control, &entries[index].result, &culprit))
        return false;
    if (!probe_wire_are_wanted(&entries[index].launch, &entries[index].result)) {
        engine_result_free(&entries[index].result);
        return false;
    }
    entries[index].done = true;
    text_append_bytes(&entries[index].result.printed, message->bulk + *printed, length);
    *printed += length;
    return entries[index].result.end == ENGINE_COMPLETED;
}

bool engine_wire_decode_batch(const char *response, size_t length,
                              struct engine_batch_entry *entries, size_t count) {
    cleanup_message struct protocol_message message;
    if (!protocol_parse(response, length, &message))
        return false;
    struct protocol_reader reader = protocol_read(message.control);
    const json_t *results = protocol_array(&reader, "results", count);
    if (!results || !protocol_end(&reader))
        return false;
    size_t printed = 0;
    for (size_t i = 0; i < json_array_size(results); i++)
        if (!take_result(json_array_get(results, i), &message, &printed, entries, count))
            return false;
    return printed == message.bulk_length;
}

static bool read_back(int descriptor, const struct regions *regions,
                      struct engine_batch_entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (entries[i].done && !file_read_at(descriptor, entries[i].launch.data,
                                             entries[i].launch.data_length, regions->offsets[i]))
            return false;
    return true;
}

static void forget_results(struct engine_batch_entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        engine_result_free(&entries[i].result);
        entries[i].done = false;
    }
}

enum status engine_run_batch(struct engine_batch_entry *entries, size_t count,
                             const struct worker_limits *limits, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        entries[i].done = false;
        entries[i].result = (struct engine_result){0};
    }
    struct regions regions;
    if (count == 0 || count > ENGINE_MAX_BATCH || !lay_out(entries, count, &regions))
        return error_set(error, STATUS_INVALID, "a batch of %zu launches, at most %d", count,
                         ENGINE_MAX_BATCH);
    cleanup_fd int data_fd = share_data(entries, count, &regions);
    if (data_fd < 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot share %zu bytes with a worker: %s",
                         regions.total, strerror(errno));
    cleanup_text struct text request = {0};
    struct worker_limits full = worker_limits_resolve(limits);
    protocol_frame(&request, encode(entries, count, &regions, full.wall_seconds),
                   entries[0].launch.ptx, entries[0].launch.ptx_length);
    struct worker_spec spec = {.role = "batch",
                               .request = request.data,
                               .request_length = request.length,
                               .data_fd = data_fd,
                               .limits = full,
                               .profile = JAIL_SIMULATOR};
    struct worker_result worker;
    enum status status = worker_run(&spec, &worker, error);
    if (status == STATUS_OK && (worker.end != WORKER_EXITED ||
                                !engine_wire_decode_batch(text_string(&worker.response),
                                                          worker.response.length, entries, count) ||
                                !read_back(data_fd, &regions, entries, count)))
        forget_results(entries, count);
    worker_result_free(&worker);
    return status;
}
