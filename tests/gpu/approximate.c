/* How far the simulated GPU's approximate functions are from a card's: gpu_approximate [--every N]
 *
 * Each function of approximate.def is computed of all its inputs, or of every N-th, by the card and
 * by the executor that a launch would use, called directly: a launch a chunk would take hours. A
 * process for each CPU takes every n-th chunk. Fails where a difference is above the table's.
 * Exit code 77: no card. */
#include "driver.h"

#include "sandbox/base/error.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/launch/link.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 1 << 20, BLOCK = 256, MAX_PROCESSES = 16, SKIPPED = 77 };
enum float_type { TYPE_f32, TYPE_f16, TYPE_bf16 };

#define ANY (-1)
static const struct function {
    const char *mnemonic;
    enum float_type type;
    float domain;
    double most, absolute; /* ANY: no bound */
} functions[] = {
#define APPROXIMATE(mnemonic, type, domain, most, absolute)                                        \
    {mnemonic, TYPE_##type, domain, most, absolute},
#include "approximate.def"
};
#undef APPROXIMATE
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* The worst of one process, or of all. */
struct worst {
    int64_t apart;
    double absolute;
    uint32_t at, absolute_at; /* inputs */
    uint32_t card, simulated; /* results at `at` */
    uint64_t compared, differing, nan_differs;
    uint32_t nan_at;
};

static unsigned bits_of(const struct function *function) {
    return function->type == TYPE_f32 ? 32 : 16;
}

static float decode(const struct function *function, uint32_t bits) {
    float value;
    _Float16 half;
    uint16_t low = (uint16_t)bits;
    if (function->type == TYPE_f16) {
        memcpy(&half, &low, sizeof half);
        return (float)half;
    }
    if (function->type == TYPE_bf16)
        bits <<= 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Representable numbers in order, -0 beside 0. */
static int64_t order_of(const struct function *function, uint32_t bits) {
    uint32_t sign = (uint32_t)1 << (bits_of(function) - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

/* out[i] = function(start + i * every) */
static void write_ptx(const struct function *function, struct text *ptx) {
    bool narrow = function->type != TYPE_f32;
    text_printf(ptx,
                ".version 8.0\n.target sm_%s\n.address_size 64\n"
                ".visible .entry k(.param .u64 po, .param .u32 ps, .param .u32 pe)\n{\n"
                ".reg .b32 i, n, t, x, y, s, e;\n.reg .b16 h, g;\n.reg .f32 a, b;\n"
                ".reg .b64 o, w;\nld.param.u64 o, [po];\nld.param.u32 s, [ps];\n"
                "ld.param.u32 e, [pe];\nmov.u32 i, %%ctaid.x;\nmov.u32 n, %%ntid.x;\n"
                "mov.u32 t, %%tid.x;\nmad.lo.u32 i, i, n, t;\nmad.lo.u32 x, i, e, s;\n",
                function->type == TYPE_bf16 ? "90" : "80");
    if (narrow)
        text_printf(ptx, "cvt.u16.u32 h, x;\n%s g, h;\ncvt.u32.u16 y, g;\n", function->mnemonic);
    else
        text_printf(ptx, "mov.b32 a, x;\n%s b, a;\nmov.b32 y, b;\n", function->mnemonic);
    text_append(ptx, "mul.wide.u32 w, i, 4;\nadd.s64 w, o, w;\nst.global.u32 [w], y;\nret;\n}\n");
}

/* ---- the simulated side ---------------------------------------------------------------------- */

struct simulated {
    struct ptx_module *module;
    struct program *program;
    const struct insn *insn; /* the function */
    struct warp warp;        /* of which arithmetic looks at its registers alone */
};

static bool simulated_open(const struct text *ptx, struct simulated *simulated) {
    struct error error;
    const struct ptx_function *kernel;
    *simulated = (struct simulated){0};
    if (ptx_parse(text_string(ptx), ptx->length, &simulated->module, &error) != STATUS_OK ||
        ptx_find_kernel(simulated->module, "k", &kernel, &error) != STATUS_OK ||
        program_decode(simulated->module, kernel, "", 0, &simulated->program, &error) !=
            STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    program_link(simulated->program);
    for (size_t pc = 0; pc < simulated->program->length; pc++)
        if (simulated->program->code[pc].cost == COST_SFU)
            simulated->insn = &simulated->program->code[pc];
    size_t bytes = simulated->program->functions[simulated->program->kernel].register_bytes;
    simulated->warp.bases[0] = aligned_alloc(64, (bytes + 127) / 64 * 64);
    simulated->warp.bases[1] = simulated->program->constants;
    return simulated->insn && simulated->warp.bases[0];
}

static void simulated_close(struct simulated *simulated) {
    free(simulated->warp.bases[0]);
    program_free(simulated->program);
    ptx_module_free(simulated->module);
}

/* The results of 32 inputs. */
static void simulate(struct simulated *simulated, bool narrow, uint32_t start, uint32_t every,
                     uint32_t results[WARP_LANES]) {
    struct warp *warp = &simulated->warp;
    const struct insn *insn = simulated->insn;
    void *from = lane_vector(warp, insn->operands[1]), *to = lane_vector(warp, insn->operands[0]);
    FOR_EACH_LANE(lane) {
        uint32_t x = start + lane * every;
        if (narrow)
            ((uint16_t *)from)[lane] = (uint16_t)x;
        else
            ((uint32_t *)from)[lane] = x;
    }
    insn->execute(warp, insn, ALL_LANES);
    FOR_EACH_LANE(lane)
    results[lane] = narrow ? ((uint16_t *)to)[lane] : ((uint32_t *)to)[lane];
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void compare(const struct function *function, uint32_t input, uint32_t card,
                    uint32_t simulated, struct worst *worst) {
    float x = decode(function, input);
    if (function->domain > 0 && !(fabsf(x) <= function->domain))
        return;
    worst->compared++;
    if (card == simulated)
        return;
    float real = decode(function, card), ours = decode(function, simulated);
    if (real != real && ours != ours)
        return;
    worst->differing++;
    if (real != real || ours != ours) {
        worst->nan_differs++;
        worst->nan_at = input;
        return;
    }
    int64_t apart = llabs(order_of(function, card) - order_of(function, simulated));
    if (apart > worst->apart) {
        worst->apart = apart;
        worst->at = input;
        worst->card = card;
        worst->simulated = simulated;
    }
    double absolute = fabs((double)real - (double)ours);
    if (absolute > worst->absolute) {
        worst->absolute = absolute;
        worst->absolute_at = input;
    }
}

static void merge(struct worst *into, const struct worst *from) {
    into->compared += from->compared;
    into->differing += from->differing;
    into->nan_differs += from->nan_differs;
    if (from->nan_differs)
        into->nan_at = from->nan_at;
    if (from->apart > into->apart) {
        into->apart = from->apart;
        into->at = from->at;
        into->card = from->card;
        into->simulated = from->simulated;
    }
    if (from->absolute > into->absolute) {
        into->absolute = from->absolute;
        into->absolute_at = from->absolute_at;
    }
}

/* ---- the card -------------------------------------------------------------------------------- */

struct part {
    unsigned number, of;
    uint32_t every;
};

static struct driver driver;
static gpu_pointer memory;

static bool run_chunk(void *kernel, uint32_t start, uint32_t every, uint32_t *results) {
    void *parameters[] = {&memory, &start, &every};
    return driver.cuLaunchKernel(kernel, CHUNK / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, parameters,
                                 NULL) == 0 &&
           driver.cuMemcpyDtoH_v2(results, memory, sizeof *results * CHUNK) == 0;
}

static bool measure(const struct function *function, const struct part *part, uint32_t *results,
                    struct worst *worst) {
    cleanup_text struct text ptx = {0};
    struct simulated simulated;
    void *module, *kernel;
    write_ptx(function, &ptx);
    if (!simulated_open(&ptx, &simulated) ||
        driver_load_module(&driver, text_string(&ptx), function->mnemonic, &module) != 0 ||
        driver.cuModuleGetFunction(&kernel, module, "k") != 0)
        return false;
    uint64_t inputs = ((uint64_t)1 << bits_of(function)) / part->every;
    bool ran = true, narrow = bits_of(function) == 16;
    for (uint64_t chunk = part->number; chunk * CHUNK < inputs && ran; chunk += part->of) {
        uint32_t start = (uint32_t)(chunk * CHUNK * part->every);
        uint64_t rest = inputs - chunk * CHUNK;
        ran = run_chunk(kernel, start, part->every, results);
        for (uint32_t i = 0; i < CHUNK && i < rest && ran; i += WARP_LANES) {
            uint32_t ours[WARP_LANES];
            simulate(&simulated, narrow, start + i * part->every, part->every, ours);
            for (uint32_t lane = 0; lane < WARP_LANES && i + lane < rest; lane++)
                compare(function, start + (i + lane) * part->every, results[i + lane], ours[lane],
                        worst);
        }
    }
    driver.cuModuleUnload(module);
    simulated_close(&simulated);
    return ran;
}

static int run_part(const struct part *part, struct worst *worst) {
    int device;
    void *context;
    uint32_t *results = mem_calloc(CHUNK, sizeof *results);
    if (!driver_load(&driver, &device) || driver.cuCtxCreate_v2(&context, 0, device) != 0 ||
        driver.cuMemAlloc_v2(&memory, sizeof *results * CHUNK) != 0)
        return SKIPPED;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (!measure(&functions[i], part, results, &worst[i]))
            return 1;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool report(const struct function *function, const struct worst *worst) {
    bool within = (function->most < 0 || (double)worst->apart <= function->most) &&
                  (function->absolute < 0 || worst->absolute <= function->absolute) &&
                  worst->nan_differs == 0;
    char domain[32] = "all";
    if (function->domain > 0)
        snprintf(domain, sizeof domain, "|x| <= %.9g", (double)function->domain);
    printf("%-20s %-18s %10lld apart at 0x%08x (card 0x%08x, simulated 0x%08x), %.4g absolute at "
           "0x%08x; %.4f %% of %llu differ%s",
           function->mnemonic, domain, (long long)worst->apart, worst->at, worst->card,
           worst->simulated, worst->absolute, worst->absolute_at,
           100.0 * (double)worst->differing / (double)(worst->compared ? worst->compared : 1),
           (unsigned long long)worst->compared, within ? "\n" : "  FAILED\n");
    if (worst->nan_differs)
        printf("    %llu are NaN for one of the two only, 0x%08x among them\n",
               (unsigned long long)worst->nan_differs, worst->nan_at);
    return within && worst->compared > 0;
}

int main(int argc, char **argv) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct part part = {.of = cpus < 1               ? 1
                              : cpus > MAX_PROCESSES ? MAX_PROCESSES
                                                     : (unsigned)cpus,
                        .every = 1};
    if (argc == 3 && strcmp(argv[1], "--every") == 0)
        part.every = (uint32_t)strtoul(argv[2], NULL, 10);
    if ((argc != 1 && argc != 3) || part.every == 0) {
        fprintf(stderr, "usage: gpu_approximate [--every N]\n");
        return 2;
    }
    struct worst *worst = mmap(NULL, sizeof *worst * FUNCTIONS * MAX_PROCESSES,
                               PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[MAX_PROCESSES];
    if (worst == MAP_FAILED)
        return 2;
    for (part.number = 0; part.number < part.of; part.number++)
        if ((children[part.number] = fork()) == 0)
            _exit(run_part(&part, worst + (size_t)part.number * FUNCTIONS));
    int code = 0;
    for (unsigned i = 0; i < part.of; i++) {
        int status = 0;
        if (children[i] < 0 || waitpid(children[i], &status, 0) < 0 || !WIFEXITED(status))
            code = 1;
        else if (WEXITSTATUS(status) && code != SKIPPED)
            code = WEXITSTATUS(status);
    }
    if (code)
        return code;
    unsigned failed = 0;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        struct worst all = {0};
        for (unsigned p = 0; p < part.of; p++)
            merge(&all, &worst[(size_t)p * FUNCTIONS + i]);
        failed += !report(&functions[i], &all);
    }
    printf("%d functions, %u failed\n", FUNCTIONS, failed);
    return failed ? 1 : 0;
}
