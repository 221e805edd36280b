/* Bytes as a kernel (kernel_text.c), launched in the ways of a grade and of `profile`: checked on
 * one host thread and on more, without checks, and with a device profile, of all blocks and of a
 * sample of them, all in one module. The first byte chooses the grid, the device, how the buffers
 * are filled and whether there are lines. Nothing may crash, run on beyond its budget or differ
 * between numbers of threads. */
#include "fuzz.h"
#include "fuzz_result.h"
#include "kernel_text.h"

#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/texture_image.h"

#include <string.h>

enum { BYTES = 4 * KERNEL_WORDS, BUDGET = 60000, THREAD_BUDGET = 40 };

struct memory {
    uint32_t words[2 * KERNEL_WORDS];
};

struct way {
    unsigned threads;
    bool no_checks;
    const struct device_profile *device;
    uint64_t sample;
};

/* With a device, buffers may be filled where they are touched, as those of the speed case are. */
static void choose_arguments(unsigned shape, bool device, struct engine_argument arguments[3]) {
    arguments[0] = arguments[1] = (struct engine_argument){
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = KERNEL_WORDS, .rank = 1};
    arguments[0].shape[0] = arguments[1].shape[0] = KERNEL_WORDS;
    arguments[1].name[0] = 'b';
    arguments[1].data_offset = BYTES;
    arguments[1].uninitialized = shape % 5 == 0;
    if (device && shape % 4 == 1)
        arguments[0].fill = (struct engine_fill){.kind = ENGINE_FILL_INTEGERS, .high = 6};
    arguments[2] =
        (struct engine_argument){.type = ELEMENT_u32, .name = "n", .scalar = KERNEL_WORDS};
}

/* As the kernel's handles (kernel_text.h). */
static void choose_textures(unsigned shape, struct engine_texture textures[KERNEL_TEXTURES]) {
    for (unsigned i = 0; i < KERNEL_TEXTURES; i++) {
        struct texture_sampler sampler = {.linear = false};
        sampler.address[0] = sampler.address[1] = (uint8_t)((shape + i) % 4);
        textures[i] = (struct engine_texture){
            .used = true,
            .is_surface = i % 2,
            .address = ADDRESS_OF(WINDOW_FIRST_VARIABLE + KERNEL_VARIABLES + i / 2),
            .image = {{1, 32, TEXEL_UNSIGNED}, {16, 16, 1, 1}, 2, 1, .pitch = 0},
            .sampler = sampler};
    }
}

static void run(struct sim_module *module, unsigned shape, const struct way *way,
                struct memory *memory, struct engine_result *result) {
    static const unsigned blocks[] = {1, 2, 3, 8, 24, 64}, sizes[] = {1, 32, 48, 64, 96, 256};
    struct engine_argument arguments[3];
    struct engine_texture textures[KERNEL_TEXTURES];
    choose_arguments(shape, way->device != NULL, arguments);
    choose_textures(shape, textures);
    for (unsigned i = 0; i < 2 * KERNEL_WORDS; i++)
        memory->words[i] = i % 7;
    struct dim3 grid = {blocks[shape % 6], 1, 1}, block = {sizes[shape / 6 % 6], 1, 1};
    struct engine_launch launch = {.kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = grid,
                                   .block = block,
                                   .arguments = arguments,
                                   .argument_count = 3,
                                   .textures = textures,
                                   .texture_count = KERNEL_TEXTURES,
                                   .data = memory->words,
                                   .data_length = sizeof memory->words,
                                   .keeps_data = way->device != NULL,
                                   .seed = shape,
                                   .budget = BUDGET + THREAD_BUDGET * grid.x * block.x,
                                   .threads = way->threads,
                                   .no_checks = way->no_checks,
                                   .device = way->device,
                                   .registers = way->device ? 32 : 0,
                                   .arrays_in_registers = way->device && shape % 2,
                                   .sample_budget = way->sample};
    sim_launch(module, &launch, result);
    fuzz_check(result, launch.budget);
    fuzz_demand(result->end == ENGINE_COMPLETED, result->message);
}

/* What is reported and computed does not depend on the number of host threads, and without a hazard
 * not on the checks. */
static void compare_threads(struct sim_module *module, unsigned shape) {
    struct memory memory, other_memory;
    struct engine_result one, other;
    unsigned threads = 2 + shape % 2;
    run(module, shape, &(struct way){.threads = 1}, &memory, &one);
    run(module, shape, &(struct way){.threads = threads}, &other_memory, &other);
    fuzz_compare(&one, &other);
    fuzz_demand(memcmp(&memory, &other_memory, sizeof memory) == 0, "threads change a buffer");
    engine_result_free(&other);
    run(module, shape, &(struct way){threads, .no_checks = true}, &other_memory, &other);
    if (one.hazard_count == 0) {
        fuzz_compare(&one, &other);
        fuzz_demand(memcmp(&memory, &other_memory, sizeof memory) == 0, "checks change a buffer");
    }
    engine_result_free(&one);
    engine_result_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct text ptx = {0};
    if (size < 2)
        return 0;
    kernel_text(data + 1, size - 1, fuzz_has_lines(data[0]), &ptx);
    struct sim_module *module = sim_prepare(ptx.data, ptx.length);
    const struct device_profile *device = fuzz_device(data[0] / 36);
    for (uint64_t sample = 0; sample <= 4096; sample += 4096) {
        struct memory memory;
        struct engine_result result;
        run(module, data[0], &(struct way){1, true, device, sample}, &memory, &result);
        engine_result_free(&result);
    }
    compare_threads(module, data[0]);
    sim_module_free(module);
    text_free(&ptx);
    return 0;
}
