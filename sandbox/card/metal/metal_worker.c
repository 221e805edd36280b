/* The worker that drives a card for a program: opens it, answers the program's dialog, and reports.
 * What host code does wrong with memory and copies is found here as for a simulated card; of
 * kernels a card says only what has stopped them. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/worker/entry.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REQUEST_MAX = 256 << 20 }; /* with the buffers of a task */

/* CUdevice_attribute, beside those of driver.h */
enum {
    BUS_BITS = 37,
    THREADS_PER_SM = 39,
    SHARED_PER_SM = 81,
    REGISTERS_PER_SM = 82,
    SINGLE_TO_DOUBLE = 87,
    SHARED_PER_BLOCK = 97,
    BLOCKS_PER_SM = 106,
    SHARED_RESERVED = 111,
};

static card_act *const own[WIRE_CALL_COUNT] = {
#define OWN(id) [WIRE_##id] = metal_do_##id,
#include "sandbox/card/metal/metal.def"
#undef OWN
};

static uint32_t attribute(const struct metal *metal, int which) {
    int value = 0;
    return metal->driver.cuDeviceGetAttribute(&value, which, metal->device) == DRIVER_OK &&
                   value > 0
               ? (uint32_t)value
               : 0;
}

enum card_error metal_do_HELLO(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    const struct metal *metal = card->metal;
    if (request->head.argument[0] != WIRE_VERSION)
        return CARD_INVALID_VALUE;
    struct wire_device device = {.memory_bytes = card->capacity_bytes,
                                 .l2_bytes = attribute(metal, DEVICE_L2_BYTES),
                                 .shared_per_block = attribute(metal, SHARED_PER_BLOCK),
                                 .shared_per_sm = attribute(metal, SHARED_PER_SM),
                                 .shared_reserved = attribute(metal, SHARED_RESERVED),
                                 .major = attribute(metal, DEVICE_CAPABILITY_MAJOR),
                                 .minor = attribute(metal, DEVICE_CAPABILITY_MINOR),
                                 .sms = attribute(metal, DEVICE_MULTIPROCESSORS),
                                 .clock_khz = attribute(metal, DEVICE_CLOCK_KHZ),
                                 .memory_clock_khz = attribute(metal, DEVICE_MEMORY_CLOCK_KHZ),
                                 .bus_bits = attribute(metal, BUS_BITS),
                                 .registers_per_sm = attribute(metal, REGISTERS_PER_SM),
                                 .threads_per_sm = attribute(metal, THREADS_PER_SM),
                                 .blocks_per_sm = attribute(metal, BLOCKS_PER_SM),
                                 .single_to_double = attribute(metal, SINGLE_TO_DOUBLE),
                                 .is_real = 1};
    metal->driver.cuDeviceGetName(device.name, sizeof device.name - 1, metal->device);
    text_append_bytes(&reply->bytes, (const char *)&device, sizeof device);
    reply->head.value[0] = WIRE_WINDOW;
    return CARD_OK;
}

static unsigned char *map_window(uint64_t *arena_bytes) {
    struct stat file;
    if (fstat(WIRE_SHARED, &file) != 0 || file.st_size < WIRE_WINDOW)
        return NULL;
    *arena_bytes = (uint64_t)file.st_size - WIRE_WINDOW;
    void *mapped =
        mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED, 0);
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* A program that ends in the middle of a call must not take with it what was found. */
static void ignore_broken_pipe(void) {
    signal(SIGPIPE, SIG_IGN);
}

/* A fault that the program did not wait for is one all the same. */
static void await_rest(struct card *card) {
    if (!card->fault && card->result.launches)
        metal_await_all(card);
}

static void serve(struct card *card, const struct card_setup *setup, int program) {
    size_t total = 0;
    char *bytes = mem_alloc(WIRE_INLINE_MAX + 1);
    card->metal->driver.cuDeviceTotalMem_v2(&total, card->metal->device);
    card->capacity_bytes = total;
    card->newest_target = 10 * attribute(card->metal, DEVICE_CAPABILITY_MAJOR) +
                          attribute(card->metal, DEVICE_CAPABILITY_MINOR);
    metal_put(&card->metal->streams, 0, NULL);
    if (setup->has_task)
        card_task_begin(card, &setup->task);
    if (card->metal->times)
        metal_busy_begin(card);
    while (card_answer(card, program, bytes, own))
        ;
    free(bytes);
    await_rest(card);
    metal_busy_end(card);
    if (!card->fault)
        metal_notes_take(card, true);
}

/* The response goes where the entry writes it: the descriptor is given back. */
static int run(const struct worker_entry *entry, struct text *response) {
    const struct protocol_message *request = worker_request(entry);
    struct card_setup *setup = mem_zalloc(sizeof *setup);
    struct card *card = mem_zalloc(sizeof *card);
    struct metal *metal = mem_zalloc(sizeof *metal);
    int program = -1, output = dup(STDOUT_FILENO), messages = dup(STDERR_FILENO);
    bool is_open = false;
    card->window = map_window(&card->arena_bytes);
    if (!card->window || output < 0 || messages < 0 || !card_wire_decode_setup(request, setup)) {
        fputs("the setup is not valid\n", stderr);
        return WORKER_EXIT_REFUSED;
    }
    metal->channel = worker_channel(entry);
    card->common = &setup->launch;
    card->real = &metal_real;
    card->metal = metal;
    if (!metal_printed_begin(metal) || !metal_open(metal, &program, &is_open))
        return WORKER_EXIT_REFUSED;
    card->ends_ms = clock_ms() + setup->launch.wall_seconds * 1e3; /* opening may take long */
    if (is_open)
        serve(card, setup, program);
    card_report(card, response);
    fflush(NULL);
    return dup2(output, STDOUT_FILENO) == STDOUT_FILENO &&
                   dup2(messages, STDERR_FILENO) == STDERR_FILENO
               ? 0
               : WORKER_EXIT_REFUSED;
}

const struct worker_role metal_role = {.name = "metal",
                                       .profile = JAIL_GPU,
                                       .request_max = REQUEST_MAX,
                                       .prepare = ignore_broken_pipe,
                                       .run = run};
