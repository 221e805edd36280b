/* Which instructions await what global memory answers, each counted as a piece of code of its own,
 * or all as one. */
#include "tests/support/launch.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/sass/load_use.h"

#include <stdlib.h>
#include <time.h>

enum { MANY_MOVES = 30000, SECONDS = 10 };

/* How many pieces await any: each instruction is one, or all together are. */
static unsigned awaited_in(const char *body, unsigned registers, bool apart) {
    cleanup_text struct text ptx = {0}; /* the program's names point into it */
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a;\n.reg .u32 %%r<%u>;\n"
                         ".reg .pred %%p;\nld.param.u64 %%a, [p];\n%s\nret;\n}\n",
                registers, body);
    struct ptx_module *module;
    struct program *program;
    struct error error;
    if (ptx_parse(text_string(&ptx), ptx.length, &module, &error) != STATUS_OK ||
        program_decode(module, &module->functions[0], "k.cu", 0, &program, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    cleanup_free uint32_t *regions = mem_calloc(program->length, sizeof *regions);
    for (uint32_t pc = 0; pc < program->length && apart; pc++)
        regions[pc] = pc;
    uint32_t *waits = load_use_find(program, regions);
    unsigned count = waits[program->length];
    free(waits);
    program_free(program);
    ptx_module_free(module);
    return count;
}

#define LOAD "ld.global.u32 %r1, [%a];\n"

static void readers_of_loads_await_them(void **state) {
    (void)state;
    static const struct {
        const char *name, *body;
        unsigned apart, together;
    } rows[] = {
        {"a sum", LOAD "add.u32 %r2, %r1, 1;\n", 1, 1},
        {"a sum of a sum", LOAD "add.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;\n", 1, 1},
        {"two sums", LOAD "add.u32 %r2, %r1, 1;\nadd.u32 %r3, %r1, 2;\n", 2, 1},
        {"an atomic", "atom.global.add.u32 %r1, [%a], 1;\nadd.u32 %r2, %r1, 1;\n", 1, 1},
        {"a reduction", "red.global.add.u32 [%a], 1;\nadd.u32 %r2, %r3, 1;\n", 0, 0},
        {"shared memory", "ld.shared.u32 %r1, [0];\nadd.u32 %r2, %r1, 1;\n", 0, 0},
        {"a move by itself", LOAD "mov.u32 %r2, %r1;\n", 0, 0},
        {"moves", LOAD "mov.u32 %r2, %r1;\nmov.u32 %r3, %r2;\nadd.u32 %r4, %r3, 1;\n", 1, 1},
        {"moves written backwards",
         LOAD "LOOP:\nadd.u32 %r4, %r3, 1;\nmov.u32 %r3, %r2;\nmov.u32 %r2, %r1;\n"
              "setp.lt.u32 %p, %r4, 9;\n@%p bra LOOP;\n",
         1, 1},
        {"moves in a circle",
         LOAD "LOOP:\nmov.u32 %r3, %r2;\nmov.u32 %r2, %r3;\nmov.u32 %r3, %r1;\n"
              "setp.lt.u32 %p, %r2, 9;\n@%p bra LOOP;\n",
         1, 1},
        {"a store goes down to the end", LOAD "st.global.u32 [%a+4], %r1;\n", 0, 0},
        {"a store before a barrier", LOAD "st.global.u32 [%a+4], %r1;\nbar.sync 0;\n", 1, 1},
        {"a store in a loop",
         "LOOP:\n" LOAD "st.global.u32 [%a+4], %r1;\nsetp.lt.u32 %p, %r5, 9;\n@%p bra LOOP;\n", 1,
         1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        unsigned apart = awaited_in(rows[i].body, 10, true);
        unsigned together = awaited_in(rows[i].body, 10, false);
        if (apart != rows[i].apart || together != rows[i].together)
            fail_msg("%s: %u pieces, %u where all is one", rows[i].name, apart, together);
    }
}

/* Each pass over the code once found one more of them. */
static void moves_written_backwards_are_soon_followed(void **state) {
    (void)state;
    struct text body = {0};
    text_append(&body, LOAD "LOOP:\n");
    text_printf(&body, "add.u32 %%r0, %%r%d, 1;\n", MANY_MOVES);
    for (int i = MANY_MOVES; i > 1; i--)
        text_printf(&body, "mov.u32 %%r%d, %%r%d;\n", i, i - 1);
    text_append(&body, "setp.lt.u32 %p, %r0, 9;\n@%p bra LOOP;\n");
    clock_t begin = clock();
    assert_int_equal(awaited_in(text_string(&body), MANY_MOVES + 1, true), 1);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    text_free(&body);
    if (seconds > SECONDS)
        fail_msg("%g seconds", seconds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_of_loads_await_them),
        cmocka_unit_test(moves_written_backwards_are_soon_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
