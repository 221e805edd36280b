/* tools.cu on the simulated GPU: what it makes of a rule is what simgpu/state/lazy_buffer.c makes
 * of it, bit for bit, and its comparison finds what differs. */
#include "card.h"

#include "sandbox/cuda/tools.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/worker/worker.h"

enum { COUNT = 700, FOUND_OFFSET = 8192, BYTES = 8192 + 256 };

static struct build_result tools;

static struct engine_argument scalar(enum element_type type, const char *name, uint64_t bits) {
    struct engine_argument argument = {.type = type, .scalar = bits};
    snprintf(argument.name, sizeof argument.name, "%s", name);
    return argument;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void run_tool(const char *kernel, enum element_type type, const struct engine_fill *fill,
                     unsigned char *data, bool compares) {
    unsigned width = element_infos[type].bytes;
    struct engine_argument arguments[] = {
        {.is_buffer = true, .type = type, .name = "to", .count = COUNT},
        scalar(ELEMENT_u64, "count", COUNT),
        scalar(ELEMENT_i32, "kind", (uint64_t)fill->kind),
        scalar(ELEMENT_i32, "bytes", width),
        scalar(ELEMENT_i32, "is_float", element_infos[type].is_float),
        scalar(ELEMENT_i32, "drawn", fill->is_drawn ? element_infos[fill->drawn].bytes : 0),
        scalar(ELEMENT_u64, "seed", fill->seed),
        scalar(ELEMENT_f64, "low", bits_of(fill->low)),
        scalar(ELEMENT_f64, "high", bits_of(fill->high)),
        {.is_buffer = true,
         .type = ELEMENT_u64,
         .name = "found",
         .count = 2,
         .data_offset = FOUND_OFFSET},
    };
    struct engine_launch launch = {.ptx = tools.ptx,
                                   .ptx_length = tools.ptx_length,
                                   .kernel = kernel,
                                   .file_name = "tools.cu",
                                   .grid = {2, 1, 1},
                                   .block = {256, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = compares ? 10 : 9,
                                   .data = data,
                                   .data_length = BYTES,
                                   .threads = 1};
    struct engine_result result;
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED || result.hazard_count)
        fail_msg("%s: %s%s", kernel, result.message,
                 result.hazard_count ? result.hazards[0].message : "");
    engine_result_free(&result);
}

static void test_same_values(void **state) {
    (void)state;
    static const struct engine_fill fills[] = {
        {.kind = ENGINE_FILL_IOTA},
        {.kind = ENGINE_FILL_CONSTANT, .low = -3.7},
        {.kind = ENGINE_FILL_CONSTANT, .low = 1e300},
        {.kind = ENGINE_FILL_UNIFORM, .seed = 7, .low = -1, .high = 1},
        {.kind = ENGINE_FILL_UNIFORM, .seed = 99, .low = 0.1, .high = 1e7},
        {.kind = ENGINE_FILL_INTEGERS, .seed = 12345678901234, .low = -100, .high = 155},
        {.kind = ENGINE_FILL_WORDS, .seed = 3},
        {.kind = ENGINE_FILL_SORTED, .seed = 5, .low = -100, .high = 155},
        {.kind = ENGINE_FILL_SORTED, .seed = 6, .low = 0.1, .high = 1e7},
        {.kind = ENGINE_FILL_OFFSETS, .seed = 8, .high = 12345},
        {.kind = ENGINE_FILL_SORTED, .low = -1, .high = 1, .is_drawn = true, .drawn = ELEMENT_f32},
        {.kind = ENGINE_FILL_UNIFORM, .low = -1, .high = 1, .is_drawn = true, .drawn = ELEMENT_f32},
        {.kind = ENGINE_FILL_UNIFORM, .low = -1, .high = 1, .is_drawn = true, .drawn = ELEMENT_f16},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(fills); i++)
        for (unsigned type = 0; type < ELEMENT_COUNT; type++) {
            static _Alignas(256) unsigned char made[BYTES], expected[BYTES];
            struct engine_argument argument = {.is_buffer = true,
                                               .type = (enum element_type)type,
                                               .count = COUNT,
                                               .fill = fills[i]};
            size_t bytes = COUNT * element_infos[type].bytes;
            uint64_t filled[64] = {0};
            struct allocation allocation = {
                .argument = &argument, .bytes = expected, .length = bytes, .filled = filled};
            memset(made, 0xee, sizeof made);
            memset(expected, 0, sizeof expected);
            lazy_buffer_touch(&allocation, 0, bytes);
            run_tool(TOOLS_FILL, argument.type, &fills[i], made, false);
            if (memcmp(made, expected, bytes) != 0)
                fail_msg("rule %zu of %s differs", i, element_infos[type].name);
            assert_int_equal(made[bytes], 0xee);
            uint64_t *found = (uint64_t *)(void *)(made + FOUND_OFFSET);
            found[0] = 0, found[1] = UINT64_MAX;
            run_tool(TOOLS_COMPARE, argument.type, &fills[i], made, true);
            assert_int_equal(found[0], 0);
            made[element_infos[type].bytes * 500] ^= 1;
            made[element_infos[type].bytes * 33] ^= 128;
            run_tool(TOOLS_COMPARE, argument.type, &fills[i], made, true);
            assert_int_equal(found[0], 2);
            assert_int_equal(found[1], 33);
        }
}

/* Ascending, within the bounds, from one end to the other, and others for another seed. */
static void test_sorted_values(void **state) {
    (void)state;
    enum { MANY = 100000 };
    static const struct engine_fill fills[] = {
        {.kind = ENGINE_FILL_SORTED, .seed = 1, .low = -100000, .high = 100000},
        {.kind = ENGINE_FILL_OFFSETS, .seed = 1, .high = 100000},
    };
    static const uint64_t counts[] = {1, 2, 3, 7, 255, 257, MANY};
    static int32_t values[2][MANY];
    static uint64_t filled[MANY];
    for (size_t i = 0; i < ARRAY_LENGTH(fills) * ARRAY_LENGTH(counts); i++) {
        struct engine_argument argument = {.is_buffer = true,
                                           .type = ELEMENT_i32,
                                           .count = counts[i / ARRAY_LENGTH(fills)],
                                           .fill = fills[i % ARRAY_LENGTH(fills)]};
        uint64_t count = argument.count;
        for (unsigned seed = 0; seed < 2; seed++) {
            struct allocation allocation = {.argument = &argument,
                                            .bytes = (unsigned char *)values[seed],
                                            .length = count * sizeof(int32_t),
                                            .filled = filled};
            memset(filled, 0, sizeof filled);
            argument.fill.seed = 77 + seed;
            lazy_buffer_touch(&allocation, 0, allocation.length);
            assert_true(values[seed][0] >= argument.fill.low);
            assert_true(values[seed][count - 1] <= argument.fill.high);
            for (uint64_t j = 1; j < count; j++)
                assert_true(values[seed][j - 1] <= values[seed][j]);
        }
        if (argument.fill.kind == ENGINE_FILL_OFFSETS)
            assert_true(values[0][0] == 0 && (count == 1 || values[0][count - 1] == 100000));
        if (count != MANY)
            continue;
        double range = argument.fill.high - argument.fill.low;
        assert_true(values[0][count - 1] - values[0][0] > 0.999 * range);
        /* not as a formula has them: in the middle some hundredths of the range apart */
        assert_true(abs(values[0][MANY / 2] - values[1][MANY / 2]) > 1e-3 * range);
    }
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    if (tools_build("compute_80", &tools, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_values),
                                       cmocka_unit_test(test_sorted_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
