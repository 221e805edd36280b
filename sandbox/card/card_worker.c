/* The card's worker: answers what comes over the socket, until that is closed, and then reports.
 *
 * On the other side is a stranger's process. A request that is none ends the dialog: who sends one
 * is no library of ours, and what the card has found until then is reported all the same. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/worker/entry.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)WIRE_SOCKET == (int)JAIL_DATA_FD && (int)WIRE_SHARED == (int)JAIL_SHARED_FD,
               "the jail gives both processes these descriptors");
_Static_assert((int)WIRE_PARAMETERS_MAX == (int)SIM_MAX_PARAMETERS &&
                   (int)WIRE_PARAMETER_BYTES_MAX == (int)SIM_MAX_PARAMETER_BYTES,
               "the library has room for every kernel's parameters");

enum { REQUEST_MAX = 256 << 20 }; /* with the buffers of a task */

static unsigned char *window; /* mapped before the jail closes; of the whole process */
static uint64_t arena_bytes;  /* after it */

static void map_window(void) {
    struct stat file;
    if (fstat(WIRE_SHARED, &file) != 0 || file.st_size < WIRE_WINDOW)
        return;
    void *mapped =
        mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED, 0);
    window = mapped == MAP_FAILED ? NULL : mapped;
    arena_bytes = (uint64_t)file.st_size - WIRE_WINDOW;
    /* A program that ends in the middle of a call must not take with it what was found. */
    signal(SIGPIPE, SIG_IGN);
    worker_expect_heap(64 << 20, 4 << 20);
}

enum card_error card_do_HELLO(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    const struct device_profile *profile = card->common->device;
    if (request->head.argument[0] != WIRE_VERSION)
        return CARD_INVALID_VALUE;
    struct wire_device device = {
        .memory_bytes = card->capacity_bytes,
        .l2_bytes = (uint64_t)profile->l2_bytes,
        .shared_per_block = (uint64_t)profile->shared_bytes_per_block,
        .shared_per_sm = (uint64_t)profile->shared_bytes_per_sm,
        .shared_reserved = (uint64_t)profile->shared_reserved_bytes,
        .major = (uint32_t)profile->compute_capability / 10,
        .minor = (uint32_t)profile->compute_capability % 10,
        .sms = (uint32_t)profile->multiprocessors,
        .clock_khz = (uint32_t)(profile->clock_mhz * 1e3),
        .bus_bits = (uint32_t)profile->memory_bus_bits,
        .memory_clock_khz = (uint32_t)profile->memory_clock_mhz * 1000,
        .registers_per_sm = (uint32_t)profile->registers_per_sm,
        .threads_per_sm = (uint32_t)profile->warps_per_sm * 32,
        .blocks_per_sm = (uint32_t)profile->blocks_per_sm,
        .single_to_double = (uint32_t)(profile->fp32_lanes / profile->fp64_lanes),
    };
    snprintf(device.name, sizeof device.name, "%s", profile->name);
    text_append_bytes(&reply->bytes, (const char *)&device, sizeof device);
    reply->head.value[0] = WIRE_WINDOW;
    return CARD_OK;
}

/* ---- the dialog -------------------------------------------------------------------------------
 */

static card_act *const calls[WIRE_CALL_COUNT] = {
#define CALL(id, what) [WIRE_##id] = card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
};

/* False at the end, or after an error. */
static bool read_all(int socket, void *bytes, size_t length) {
    for (char *at = bytes; length;) {
        ssize_t got = read(socket, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* Printed text, the device and the exercise's data are there after a fault, too. */
static bool answers_faults(uint32_t call) {
    return call == WIRE_HELLO || call == WIRE_MISSING || call == WIRE_SITE || call == WIRE_FAULT ||
           call == WIRE_RESET || call == WIRE_END || call == WIRE_ASSERTED ||
           (call >= WIRE_TASK_ARGUMENT && call <= WIRE_TASK_END);
}

bool card_answer(struct card *card, int socket, char *bytes, card_act *const *own) {
    struct card_request request = {.bytes = bytes};
    struct card_reply reply = {0};
    if (!read_all(socket, &request.head, sizeof request.head) ||
        request.head.call >= WIRE_CALL_COUNT || request.head.inline_bytes > WIRE_INLINE_MAX ||
        !read_all(socket, bytes, request.head.inline_bytes))
        return false;
    bytes[request.head.inline_bytes] = '\0';
    card->site = request.head.site <= card->site_count ? request.head.site : 0;
    card->result.used = true;
    enum card_error fault = answers_faults(request.head.call) ? CARD_OK : card->fault;
    enum card_error error = CARD_OK;
    card_act *act = own ? own[request.head.call] : NULL;
    if (!fault || request.head.call == WIRE_SYNCHRONIZE)
        error = (act ? act : calls[request.head.call])(card, &request, &reply);
    reply.head.error = fault ? fault : error;
    reply.head.inline_bytes = (uint32_t)reply.bytes.length;
    bool sent = file_write_all(socket, &reply.head, sizeof reply.head) &&
                file_write_all(socket, text_string(&reply.bytes), reply.bytes.length);
    text_free(&reply.bytes);
    return sent;
}

static void count_leaks(struct card *card) {
    for (size_t i = 0; i < card->block_count; i++) {
        const struct engine_block *block = &card->blocks[i];
        if (!card_is_live(card, i) || block->kind > ENGINE_BLOCK_MANAGED ||
            card_task_names(card, i))
            continue;
        card->result.leaked_blocks++;
        card->result.leaked_bytes += block->about.count;
    }
    card->result.modelled_ms = card->clock_ns * 1e-6;
    card->result.modelled_sum_ms = card->order ? card->order->sum_ns * 1e-6 : 0;
}

static void write_report(const struct card *card, struct text *response) {
    cleanup_text struct text bulk = {0};
    const struct text *computed = &card->result.task.computed;
    text_append_bytes(&bulk, card->task.task.data, card->task.task.data_length);
    text_append_bytes(&bulk, text_string(computed), computed->length);
    protocol_frame(response, card_wire_encode_report(&card->result), bulk.data, bulk.length);
}

void card_report(struct card *card, struct text *response) {
    count_leaks(card);
    checks_end(card);
    host_report_failures(card);
    sites_report(card);
    card_task_end(card);
    write_report(card, response);
}

static int run(const struct worker_entry *entry, struct text *response) {
    struct card_setup *setup = mem_zalloc(sizeof *setup);
    if (!window || !card_wire_decode_setup(worker_request(entry), setup)) {
        fputs("the setup is not valid\n", stderr);
        return WORKER_EXIT_REFUSED;
    }
    if (setup->launch.threads == 0)
        setup->launch.threads = worker_processors(entry);
    struct card *card = mem_zalloc(sizeof *card);
    card->common = &setup->launch;
    card->capacity_bytes = setup->capacity_bytes;
    card->window = window;
    card->arena_bytes = arena_bytes;
    card->ends_ms = clock_ms() + setup->launch.wall_seconds * 1e3;
    card->last_ms = clock_ms() + setup->launch.wall_seconds * LAUNCH_BUSY_MACHINE * 1e3;
    if (setup->has_task)
        card_task_begin(card, &setup->task);
    char *bytes = mem_alloc(WIRE_INLINE_MAX + 1);
    while (card_answer(card, worker_channel(entry), bytes, NULL))
        ;
    card_report(card, response);
    return 0;
}

const struct worker_role card_role = {.name = "card",
                                      .profile = JAIL_SIMULATOR,
                                      .request_max = REQUEST_MAX,
                                      .prepare = map_window,
                                      .run = run};
