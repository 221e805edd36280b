/* Which lines are stored together, and what those cost device memory that are not. */
#include "tests/support/model.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/writeback_locality.h"

enum { LINES = 4096, COLUMNS = 64 };

/* The share of lines that go back alone where a block stores `lines` lines side by side, and the
 * next one as many `pitch` lines on, until all are stored. */
static double lone_share(size_t lines, size_t pitch) {
    struct writeback_locality pieces = {0};
    cleanup_free uint32_t *storers = mem_calloc(LINES, sizeof *storers);
    for (size_t block = 0; block < LINES / lines; block++) {
        size_t place = block * pitch, first = place % LINES + place / LINES * lines;
        for (size_t i = 0; i < lines; i++)
            writeback_locality_note(&pieces, storers, LINES, first + i, block);
    }
    return writeback_locality_lone_share(&pieces);
}

static void lines_of_columns_are_stored_alone(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t lines, pitch;
        double lone;
    } rows[] = {
        {"all in a row", 2, 2, 0},
        {"a line a block", 1, 1, 0},
        {"columns of a line", 1, COLUMNS, 1},
        {"columns of two lines", 2, COLUMNS, 0},
        {"neighbours eight blocks later", 1, LINES / 8, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        double lone = lone_share(rows[i].lines, rows[i].pitch);
        if (fabs(lone - rows[i].lone) > 0.01)
            fail_msg("%s: %g", rows[i].name, lone);
    }
}

/* Memory beyond the last line belongs to nothing, nor is a line again that its block has stored. */
static void lines_are_noted_once_and_within_bounds(void **state) {
    (void)state;
    struct writeback_locality pieces = {0};
    uint32_t storers[3] = {0};
    writeback_locality_note(&pieces, storers, 3, 2, 9); /* its neighbour would be number 3 */
    writeback_locality_note(&pieces, storers, 3, 3, 9);
    writeback_locality_note(&pieces, storers, 3, SIZE_MAX, 9);
    writeback_locality_note(&pieces, storers, 3, 2, 9);
    assert_int_equal(pieces.lines, 1);
    assert_true(writeback_locality_lone_share(&pieces) == 0);
}

/* Clocks of device memory for blocks that store a line each, `pitch` lines apart. */
static double stored_clocks(unsigned pitch) {
    enum { ALL = MODEL_ELEMENTS / 32 };
    struct device_profile device = few;
    device.l2_bytes = 1 << 16;
    struct text body = {0};
    text_printf(&body,
                "mul.lo.u32 %%r1, %%b, %u;\nrem.u32 %%r2, %%r1, %u;\ndiv.u32 %%r3, %%r1, %u;\n"
                "add.u32 %%r2, %%r2, %%r3;\nmad.lo.u32 %%r2, %%r2, 32, %%l;\n"
                "mul.wide.u32 %%x, %%r2, 4;\nadd.s64 %%x, %%x, %%a;\nst.global.u32 [%%x], %%l;",
                pitch, ALL, ALL);
    double clocks = busy_clocks(&device, PART_dram, text_string(&body), ALL, 32);
    text_free(&body);
    return clocks;
}

static void columns_cost_device_memory_more(void **state) {
    (void)state;
    double ratio = stored_clocks(256) / stored_clocks(1);
    if (fabs(ratio - 1.18) > 0.03)
        fail_msg("columns of lines take %g times as long", ratio);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_columns_are_stored_alone),
        cmocka_unit_test(lines_are_noted_once_and_within_bounds),
        cmocka_unit_test(columns_cost_device_memory_more),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
