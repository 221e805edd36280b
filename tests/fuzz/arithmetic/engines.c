/* Both engines behind engines.h. The card is driven directly (tests/gpu/driver.h), because the
 * worker of sandbox/cuda would take a process for each launch. */
#include "tests/fuzz/arithmetic/engines.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "tests/gpu/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN_BYTES = 8 * ARITHMETIC_WORDS, RESULT_BYTES = 8 * ARITHMETIC_RESULT_WORDS };

struct arithmetic_module {
    uint64_t seed;
    struct build_result built;
    struct sim_module *simulated;
    void *on_card; /* NULL until a kernel of it runs there */
};

static struct {
    struct driver driver;
    void *context;
    gpu_pointer memory;
} card;

/* FNV-1a by words. */
uint64_t arithmetic_hash(const struct arithmetic_result *result) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned i = 0; i < ARITHMETIC_RESULT_WORDS; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            hash = (hash ^ (result->words[i] >> 8 * byte & 255)) * 0x100000001b3u;
    return hash;
}

struct arithmetic_module *arithmetic_compile(uint64_t seed, unsigned first, unsigned count,
                                             unsigned target, unsigned limit, bool cached) {
    cleanup_text struct text source = {0};
    struct error error = {0};
    struct worker_limits limits = {.wall_seconds = 120};
    struct arithmetic_module *module = mem_zalloc(sizeof *module);
    arithmetic_source(seed, first, count, target, limit, &source);
    struct build_request request = {.file_name = "random.cu",
                                    .source = text_string(&source),
                                    .source_length = source.length,
                                    .architecture = target == 80 ? "compute_80" : "compute_90",
                                    .no_signature = true,
                                    .no_shapes = true,
                                    .no_cache = !cached};
    module->seed = seed;
    enum status status = build_compile(&request, &limits, &module->built, &error);
    if (status == STATUS_OK && module->built.compiled) {
        module->simulated = sim_prepare(module->built.ptx, module->built.ptx_length);
        return module;
    }
    fprintf(stderr, "seed %llu, kernels %u to %u: %s\n", (unsigned long long)seed, first,
            first + count - 1, status == STATUS_OK ? module->built.message : error.message);
    for (size_t i = 0; status == STATUS_OK && i < module->built.diagnostic_count && i < 5; i++)
        fprintf(stderr, "  line %u: %s\n", module->built.diagnostics[i].line,
                module->built.diagnostics[i].text);
    if (status == STATUS_OK)
        build_result_free(&module->built);
    free(module);
    return NULL;
}

void arithmetic_free(struct arithmetic_module *module) {
    if (!module)
        return;
    if (module->on_card)
        card.driver.cuModuleUnload(module->on_card);
    sim_module_free(module->simulated);
    build_result_free(&module->built);
    free(module);
}

bool arithmetic_simulate(struct arithmetic_module *module, unsigned number,
                         struct arithmetic_result *result) {
    static uint64_t data[ARITHMETIC_WORDS + ARITHMETIC_RESULT_WORDS];
    struct engine_argument arguments[3] = {
        {.is_buffer = true, .type = ELEMENT_u64, .name = "in", .count = ARITHMETIC_WORDS},
        {.is_buffer = true, .type = ELEMENT_u64, .name = "out", .count = ARITHMETIC_WORDS},
        {.is_buffer = true,
         .type = ELEMENT_u64,
         .name = "scratch",
         .count = ARITHMETIC_SCRATCH_WORDS},
    };
    arguments[0].read_only = true;
    arguments[1].data_offset = IN_BYTES;
    arguments[2].data_offset = (size_t)2 * IN_BYTES;
    memset(data, 0, sizeof data);
    arithmetic_input(module->seed, number, data);
    char name[16];
    snprintf(name, sizeof name, "k%u", number);
    struct engine_launch launch = {.kernel = name,
                                   .file_name = "random.cu",
                                   .grid = {1, 1, 1},
                                   .block = {ARITHMETIC_THREADS, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 3,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .seed = number,
                                   .threads = 1};
    struct engine_result ended;
    sim_launch(module->simulated, &launch, &ended);
    bool clean = ended.end == ENGINE_COMPLETED && ended.hazard_count == 0;
    if (!clean)
        fprintf(stderr, "seed %llu, kernel %u, simulated: %s (line %u)\n",
                (unsigned long long)module->seed, number,
                ended.hazard_count ? ended.hazards[0].message : ended.message,
                ended.hazard_count ? ended.hazards[0].line : ended.line);
    memcpy(result->words, data + ARITHMETIC_WORDS, RESULT_BYTES);
    engine_result_free(&ended);
    return clean;
}

unsigned arithmetic_open_card(void) {
    int device, major = 0, minor = 0;
    if (!driver_load(&card.driver, &device))
        return 0;
    card.driver.cuDeviceGetAttribute(&major, DEVICE_CAPABILITY_MAJOR, device);
    card.driver.cuDeviceGetAttribute(&minor, DEVICE_CAPABILITY_MINOR, device);
    if (card.driver.cuCtxCreate_v2(&card.context, 0, device) != 0 ||
        card.driver.cuMemAlloc_v2(&card.memory, IN_BYTES + RESULT_BYTES) != 0)
        return 0;
    return (unsigned)(10 * major + minor);
}

static int launch_on_card(struct arithmetic_module *module, const char *name, const uint64_t *in,
                          struct arithmetic_result *result) {
    void *function;
    gpu_pointer buffers[] = {card.memory, card.memory + IN_BYTES,
                             card.memory + (size_t)2 * IN_BYTES};
    void *parameters[] = {&buffers[0], &buffers[1], &buffers[2]};
    int code = card.driver.cuModuleGetFunction(&function, module->on_card, name);
    if (!code)
        code = card.driver.cuMemcpyHtoD_v2(buffers[0], in, IN_BYTES);
    if (!code)
        code = card.driver.cuMemsetD8_v2(buffers[1], 0, RESULT_BYTES);
    if (!code)
        code = card.driver.cuLaunchKernel(function, 1, 1, 1, ARITHMETIC_THREADS, 1, 1, 0, NULL,
                                          parameters, NULL);
    if (!code)
        code = card.driver.cuCtxSynchronize();
    if (!code)
        code = card.driver.cuMemcpyDtoH_v2(result->words, buffers[1], RESULT_BYTES);
    return code;
}

bool arithmetic_run_on_card(struct arithmetic_module *module, unsigned number,
                            struct arithmetic_result *result) {
    static uint64_t in[ARITHMETIC_WORDS];
    char name[16];
    snprintf(name, sizeof name, "k%u", number);
    if (!module->on_card &&
        driver_load_module(&card.driver, module->built.ptx, "random.cu", &module->on_card) != 0)
        return false;
    arithmetic_input(module->seed, number, in);
    int code = launch_on_card(module, name, in, result);
    if (code)
        fprintf(stderr, "seed %llu, kernel %u, on the card: %s\n", (unsigned long long)module->seed,
                number, driver_error_name(&card.driver, code));
    return code == 0;
}
