/* How far the simulated GPU's matrix products are from a card's: gpu_products [COUNT]
 *
 * What order a card adds products in, and how many bits it keeps meanwhile, PTX leaves open. Random
 * matrices are multiplied on both, and the difference is taken in units of the last place of
 * |c| + sum |a_i b_i|, which is what a bound on rounding errors is made of; the same product of
 * absolute values gives that sum. Exit code 77: no card. */
#include "driver.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/launch/simgpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGISTERS = 16, SKIPPED = 77, COUNT = 4000 };
enum element { ELEMENT_half, ELEMENT_bfloat, ELEMENT_single };

/* Registers of a, b and c (and of d, which is as c); `most`: units of the last
 * place; an H200 was seen at 2.0 (k = 4) to 3.8 (k = 16), and below 1 where the sum is a half. */
static const struct product {
    const char *mnemonic;
    unsigned a, b, c;
    enum element factor, sum;
    double most;
} products[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, ELEMENT_half, ELEMENT_single,
     3.5},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, ELEMENT_half, ELEMENT_single,
     4.5},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 2, 1, 2, ELEMENT_half, ELEMENT_half, 1},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, ELEMENT_half, ELEMENT_half, 1},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, ELEMENT_bfloat, ELEMENT_single,
     3.5},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, ELEMENT_bfloat, ELEMENT_single,
     4.5},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, ELEMENT_single, ELEMENT_single,
     2.5},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, ELEMENT_single, ELEMENT_single,
     3.5},
};
enum { PRODUCTS = sizeof products / sizeof *products };

static void list(struct text *ptx, const char *name, unsigned count) {
    text_append(ptx, "{");
    for (unsigned i = 0; i < count; i++)
        text_printf(ptx, "%s%s%u", i ? ", " : "", name, i);
    text_append(ptx, "}");
}

/* One product a block: register r of a lane is word [block][r][lane]. */
static void write_ptx(const struct product *product, struct text *ptx) {
    unsigned in = product->a + product->b + product->c;
    text_printf(ptx,
                ".version 8.0\n.target sm_80\n.address_size 64\n"
                ".visible .entry k(.param .u64 pi, .param .u64 po)\n{\n"
                ".reg .b32 t, n, a<8>, b<8>, c<8>, d<8>;\n.reg .b64 i, o, w;\n"
                "ld.param.u64 i, [pi];\nld.param.u64 o, [po];\nmov.u32 n, %%ctaid.x;\n"
                "mul.wide.u32 w, n, %u;\nadd.s64 i, i, w;\nmul.wide.u32 w, n, %u;\n"
                "add.s64 o, o, w;\nmov.u32 t, %%tid.x;\nmul.wide.u32 w, t, 4;\nadd.s64 i, i, w;\n"
                "add.s64 o, o, w;\n",
                in * 128, product->c * 128);
    unsigned at = 0;
    const unsigned counts[] = {product->a, product->b, product->c};
    for (unsigned operand = 0; operand < 3; operand++)
        for (unsigned i = 0; i < counts[operand]; i++, at += 128)
            text_printf(ptx, "ld.global.u32 %c%u, [i+%u];\n", "abc"[operand], i, at);
    text_printf(ptx, "%s ", product->mnemonic);
    list(ptx, "d", product->c);
    text_append(ptx, ", ");
    list(ptx, "a", product->a);
    text_append(ptx, ", ");
    list(ptx, "b", product->b);
    text_append(ptx, ", ");
    list(ptx, "c", product->c);
    text_append(ptx, ";\n");
    for (unsigned i = 0; i < product->c; i++)
        text_printf(ptx, "st.global.u32 [o+%u], d%u;\n", i * 128, i);
    text_append(ptx, "ret;\n}\n");
}

/* Signs and fractions at random, exponents of 2^-6 to 2^6. */
static uint32_t random_element(enum element element, uint64_t random) {
    uint32_t fraction = (uint32_t)random, sign = (uint32_t)(random >> 63);
    uint32_t scale = (uint32_t)(random >> 40) % 13;
    if (element == ELEMENT_half)
        return sign << 15 | (scale + 9) << 10 | (fraction & 0x3ff);
    if (element == ELEMENT_bfloat)
        return sign << 15 | (scale + 121) << 7 | (fraction & 0x7f);
    return sign << 31 | (scale + 121) << 23 | (fraction & 0x7fffff);
}

static uint32_t random_register(enum element element, uint64_t random) {
    uint32_t low = random_element(element, random);
    if (element == ELEMENT_single)
        return low;
    return low | random_element(element, mix_word(random, 1)) << 16;
}

static uint32_t absolute(enum element element, uint32_t bits) {
    return bits & (element == ELEMENT_single ? 0x7fffffff : 0x7fff7fff);
}

static double decode(enum element element, uint32_t bits, unsigned half) {
    float value;
    _Float16 narrow;
    if (element == ELEMENT_half) {
        uint16_t part = (uint16_t)(bits >> 16 * half);
        memcpy(&narrow, &part, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool simulate(const struct text *ptx, uint32_t *in, size_t in_words, uint32_t *out,
                     size_t out_words, unsigned count) {
    size_t in_bytes = (4 * in_words + 255) / 256 * 256, bytes = in_bytes + 4 * out_words;
    cleanup_free unsigned char *data = mem_zalloc(bytes);
    memcpy(data, in, 4 * in_words);
    struct engine_argument arguments[2] = {
        {.is_buffer = true, .type = ELEMENT_u32, .name = "in", .count = in_words},
        {.is_buffer = true,
         .type = ELEMENT_u32,
         .name = "out",
         .count = out_words,
         .data_offset = in_bytes},
    };
    struct engine_launch launch = {.ptx = text_string(ptx),
                                   .ptx_length = ptx->length,
                                   .kernel = "k",
                                   .grid = {count, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 2,
                                   .data = data,
                                   .data_length = bytes,
                                   .no_checks = true};
    struct engine_result result;
    sim_run(&launch, &result);
    bool ran = result.end == ENGINE_COMPLETED && result.hazard_count == 0;
    if (!ran)
        fprintf(stderr, "simulated: %s\n",
                result.hazard_count ? result.hazards[0].message : result.message);
    memcpy(out, data + in_bytes, 4 * out_words);
    engine_result_free(&result);
    return ran;
}

static bool run_on_card(const struct driver *driver, const struct text *ptx, uint32_t *in,
                        size_t in_words, uint32_t *out, size_t out_words, unsigned count) {
    void *module, *kernel;
    gpu_pointer from, to;
    if (driver_load_module(driver, text_string(ptx), "product", &module) != 0 ||
        driver->cuModuleGetFunction(&kernel, module, "k") != 0 ||
        driver->cuMemAlloc_v2(&from, 4 * in_words) != 0 ||
        driver->cuMemAlloc_v2(&to, 4 * out_words) != 0)
        return false;
    void *parameters[] = {&from, &to};
    bool ran =
        driver->cuMemcpyHtoD_v2(from, in, 4 * in_words) == 0 &&
        driver->cuLaunchKernel(kernel, count, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) == 0 &&
        driver->cuMemcpyDtoH_v2(out, to, 4 * out_words) == 0;
    driver->cuMemFree_v2(from);
    driver->cuMemFree_v2(to);
    driver->cuModuleUnload(module);
    return ran;
}

/* The worst difference, in units of the last place of the sum of magnitudes. */
static double worst_difference(const struct product *product, const uint32_t *card,
                               const uint32_t *ours, const uint32_t *sums, size_t words,
                               size_t *differing) {
    double worst = 0, unit = product->sum == ELEMENT_half ? 0x1p-10 : 0x1p-23;
    for (size_t i = 0; i < words; i++)
        for (unsigned half = 0; half < (product->sum == ELEMENT_half ? 2u : 1u); half++) {
            double sum = decode(product->sum, sums[i], half);
            double difference =
                fabs(decode(product->sum, card[i], half) - decode(product->sum, ours[i], half));
            *differing += difference > 0;
            worst = fmax(worst, difference / (sum * unit));
        }
    return worst;
}

static bool measure(const struct driver *driver, const struct product *product, unsigned count) {
    cleanup_text struct text ptx = {0};
    unsigned registers = product->a + product->b + product->c;
    size_t in_words = (size_t)count * registers * 32, out_words = (size_t)count * product->c * 32;
    cleanup_free uint32_t *in = mem_calloc(in_words, sizeof *in);
    cleanup_free uint32_t *card = mem_calloc(out_words, sizeof *card);
    cleanup_free uint32_t *ours = mem_calloc(out_words, sizeof *ours);
    cleanup_free uint32_t *sums = mem_calloc(out_words, sizeof *sums);
    write_ptx(product, &ptx);
    for (size_t i = 0; i < in_words; i++) {
        bool factor = i / 32 % registers < product->a + product->b;
        in[i] = random_register(factor ? product->factor : product->sum, mix_word(1, i + 1));
    }
    if (!run_on_card(driver, &ptx, in, in_words, card, out_words, count) ||
        !simulate(&ptx, in, in_words, ours, out_words, count))
        return false;
    for (size_t i = 0; i < in_words; i++) {
        bool factor = i / 32 % registers < product->a + product->b;
        in[i] = absolute(factor ? product->factor : product->sum, in[i]);
    }
    if (!simulate(&ptx, in, in_words, sums, out_words, count))
        return false;
    size_t differing = 0;
    size_t elements = out_words * (product->sum == ELEMENT_half ? 2 : 1);
    double worst = worst_difference(product, card, ours, sums, out_words, &differing);
    bool within = worst <= product->most;
    printf("%-52s %7.3f units of the last place of |c| + sum |a b|; %.2f %% of %zu differ%s\n",
           product->mnemonic, worst, 100.0 * (double)differing / (double)elements, elements,
           within ? "" : "  FAILED");
    return within;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : COUNT, failed = 0;
    struct driver driver;
    void *context;
    int device;
    if (count == 0 || argc > 2) {
        fprintf(stderr, "usage: gpu_products [COUNT]\n");
        return 2;
    }
    if (!driver_load(&driver, &device) || driver.cuCtxCreate_v2(&context, 0, device) != 0)
        return SKIPPED;
    for (unsigned i = 0; i < PRODUCTS; i++)
        failed += !measure(&driver, &products[i], count);
    printf("%d products, %u failed\n", PRODUCTS, failed);
    return failed ? 1 : 0;
}
