/* The sim workers' roles: the other side of engine_run() and engine_run_batch(). A file of its own,
 * so that a worker's program holds nothing that starts workers. */
#include "sandbox/engine/engine.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/probe_wire.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/worker/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { REQUEST_MAX = 256 << 20 };

static int refuse(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    return WORKER_EXIT_REFUSED;
}

static void cut_printed(struct engine_result *result) {
    if (result->printed.length > ENGINE_PRINTED_MAX) {
        result->printed.length = ENGINE_PRINTED_MAX;
        result->printed_cut = true;
    }
}

/* A launch allocates and frees what the one before it did, and twice as much where it is repeated.
 * The heap's beginning is one that is used: registers of resident blocks, mostly. */
static void keep_pages(void) {
    worker_expect_heap(64 << 20, 4 << 20);
}

static int run_launch(const struct worker_entry *entry, struct text *response) {
    const struct protocol_message *request = worker_request(entry);
    const struct worker_data data = worker_data(entry);
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch launch;
    cleanup_free struct engine_probe *probes = mem_calloc(ENGINE_MAX_ELEMENTS, sizeof *probes);
    if (!engine_wire_decode_launch(request->control, data.length, arguments, &device, &launch) ||
        !probe_wire_decode_probes(request->control, probes))
        return refuse("the launch is not valid");
    launch.probes = probes;
    if (launch.threads == 0)
        launch.threads = worker_processors(entry);
    launch.data = data.bytes;
    launch.data_length = data.length;
    /* The simulated GPU may want a C string; nothing follows the bulk part but text's NUL. */
    launch.ptx = request->bulk;
    launch.ptx_length = request->bulk_length;
    struct engine_result result = {0};
    sim_run(&launch, &result);
    cut_printed(&result);
    protocol_frame(response, engine_wire_encode_result(&result), text_string(&result.printed),
                   result.printed.length);
    engine_result_free(&result);
    return 0;
}

const struct worker_role engine_sim_role = {.name = "sim",
                                            .profile = JAIL_SIMULATOR,
                                            .request_max = REQUEST_MAX,
                                            .maps_data = true,
                                            .prepare = keep_pages,
                                            .run = run_launch};

/* ---- batches --------------------------------------------------------------------------------- */

struct launch_batch {
    struct worker_data data; /* of all launches */
    struct sim_module *module;
    unsigned threads;
    json_t *results;
    struct text printed;
    bool clean[ENGINE_MAX_BATCH];        /* and another order may matter */
    uint64_t executed[ENGINE_MAX_BATCH]; /* thread instructions */
    double started_ms;
};

/* Of the time that a batch has, so that not all of it is lost where the rest takes longer. */
#define SHARE_OF_TIME 0.25

/* Results of which the order of blocks or warps may decide: as grader/cases/schedule.c asks, or
 * more. */
static bool invites_other_orders(const struct engine_result *result) {
    return result->hazard_count == 0 &&
           (result->order_sensitive || result->counters.atomic_requests > 0);
}

static bool exceeded_budget(const struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++)
        if (result->hazards[i].kind == HAZARD_INSTRUCTION_BUDGET)
            return true;
    return false;
}

static bool has_time(const struct launch_batch *batch, double wall_seconds) {
    double used_seconds = (clock_ms() - batch->started_ms) / 1e3;
    return wall_seconds <= 0 || used_seconds < SHARE_OF_TIME * wall_seconds;
}

static bool is_left_out(const struct launch_batch *batch, size_t index, size_t after,
                        uint64_t at_most) {
    return after < index && (!batch->clean[after] || (at_most && batch->executed[after] > at_most));
}

/* False where the batch ends: the entry is not valid, or it did not complete in good time. */
static bool run_entry(struct launch_batch *batch, const json_t *object, size_t index) {
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch launch;
    struct protocol_reader reader = protocol_read(object);
    const json_t *control = protocol_object(&reader, "launch");
    size_t offset = protocol_hex(&reader, "offset"), length = protocol_hex(&reader, "length");
    size_t after = protocol_unsigned(&reader, "after", ENGINE_MAX_BATCH);
    uint64_t at_most = protocol_hex(&reader, "at_most");
    if (!protocol_end(&reader) || offset > batch->data.length ||
        length > batch->data.length - offset ||
        !engine_wire_decode_launch(control, length, arguments, &device, &launch) ||
        launch.probe_count)
        return false;
    if (is_left_out(batch, index, after, at_most))
        return true;
    if (launch.threads == 0)
        launch.threads = batch->threads;
    launch.data = length ? (char *)batch->data.bytes + offset : NULL;
    launch.data_length = length;
    struct engine_result result = {0};
    sim_launch(batch->module, &launch, &result);
    bool completed = result.end == ENGINE_COMPLETED;
    bool goes_on = !exceeded_budget(&result) && has_time(batch, launch.wall_seconds);
    if (completed) {
        cut_printed(&result);
        batch->clean[index] = invites_other_orders(&result);
        batch->executed[index] = result.counters.thread_instructions;
        json_array_append_new(batch->results,
                              json_pack("{s:I, s:I, s:o}", "entry", (json_int_t)index, "printed",
                                        (json_int_t)result.printed.length, "result",
                                        engine_wire_encode_result(&result)));
        text_append_bytes(&batch->printed, text_string(&result.printed), result.printed.length);
    }
    engine_result_free(&result);
    return completed && goes_on;
}

static int run_batch(const struct worker_entry *entry, struct text *response) {
    const struct protocol_message *request = worker_request(entry);
    struct launch_batch batch = {
        .data = worker_data(entry), .threads = worker_processors(entry), .started_ms = clock_ms()};
    struct protocol_reader reader = protocol_read(request->control);
    const json_t *entries = protocol_array(&reader, "launches", ENGINE_MAX_BATCH);
    if (!entries || !protocol_end(&reader))
        return refuse("the batch is not valid");
    batch.module = sim_prepare(request->bulk, request->bulk_length);
    batch.results = json_array();
    for (size_t i = 0; i < json_array_size(entries); i++)
        if (!run_entry(&batch, json_array_get(entries, i), i))
            break;
    sim_module_free(batch.module);
    protocol_frame(response, json_pack("{s:o}", "results", batch.results),
                   text_string(&batch.printed), batch.printed.length);
    text_free(&batch.printed);
    return 0;
}

const struct worker_role engine_batch_role = {.name = "batch",
                                              .profile = JAIL_SIMULATOR,
                                              .request_max = REQUEST_MAX,
                                              .maps_data = true,
                                              .prepare = keep_pages,
                                              .run = run_batch};
