/* Bytes as a kernel (kernel_text.c), launched as a grade does: checked on one host thread and on
 * three, and whole launches with a device profile, of all blocks and of a sample of them. The first
 * byte chooses the grid. Nothing may crash, run on beyond its budget or differ between numbers of
 * threads. */
#include "fuzz.h"
#include "fuzz_result.h"
#include "kernel_text.h"

#include "sandbox/simgpu/launch/simgpu.h"

#include <string.h>

enum { BUDGET = 60000, BYTES = 4 * KERNEL_WORDS };

static void run(const struct text *ptx, unsigned shape, unsigned threads, bool device,
                uint64_t sample, struct engine_result *result) {
    static const unsigned blocks[] = {1, 2, 3, 8, 24, 64}, sizes[] = {1, 32, 48, 64, 96, 256};
    uint32_t data[2 * KERNEL_WORDS];
    struct engine_argument arguments[] = {
        {.is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = KERNEL_WORDS, .rank = 1},
        {.is_buffer = true, .type = ELEMENT_u32, .name = "b", .count = KERNEL_WORDS, .rank = 1},
        {.type = ELEMENT_u32, .name = "n", .scalar = KERNEL_WORDS},
    };
    arguments[0].shape[0] = arguments[1].shape[0] = KERNEL_WORDS;
    arguments[1].data_offset = BYTES;
    arguments[1].uninitialized = shape % 5 == 0;
    for (unsigned i = 0; i < 2 * KERNEL_WORDS; i++)
        data[i] = i % 7;
    struct engine_launch launch = {.ptx = ptx->data,
                                   .ptx_length = ptx->length,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {blocks[shape % 6], 1, 1},
                                   .block = {sizes[shape / 6 % 6], 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 3,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .seed = shape,
                                   .budget = BUDGET,
                                   .threads = threads,
                                   .no_checks = device,
                                   .device = device ? fuzz_device() : NULL,
                                   .registers = device ? 32 : 0,
                                   .arrays_in_registers = device && shape % 2,
                                   .sample_budget = sample};
    sim_run(&launch, result);
    fuzz_check(result, BUDGET);
    fuzz_demand(result->end == ENGINE_COMPLETED, result->message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct engine_result one, other;
    struct text ptx = {0};
    if (size < 2)
        return 0;
    kernel_text(data + 1, size - 1, &ptx);
    run(&ptx, data[0], 1, true, 0, &one);
    engine_result_free(&one);
    run(&ptx, data[0], 1, true, 4096, &one);
    engine_result_free(&one);
    run(&ptx, data[0], 1, false, 0, &one);
    run(&ptx, data[0], 3, false, 0, &other);
    fuzz_compare(&one, &other);
    engine_result_free(&one);
    engine_result_free(&other);
    text_free(&ptx);
    return 0;
}
