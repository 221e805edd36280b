/* Which atomics the assembler joins, against what ptxas 13.0 was seen to write for each of these
 * bodies: for sm_90 and for sm_75. */
#include "sandbox/base/text.h"
#include "sandbox/simgpu/ptx/ptx.h"
#include "sandbox/simgpu/sass/atomic_aggregation.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define APART   ATOMIC_APART
#define COUNTED ATOMIC_COUNTED
#define REDUCED ATOMIC_REDUCED
#define WHOLE   ATOMIC_TOGETHER_IF_WHOLE
#define KEEP    "\nmad.wide.u32 %x, %r1, 4, %a;\nst.global.u32 [%x], %r4;"

/* %a: a parameter; %r1: %tid.x; %r2: %ctaid.x */
static const struct row {
    const char *name, *body;
    enum atomic_merge on_90, on_75;
} rows[] = {
    {"a constant", "red.global.add.u32 [%a], 1;", COUNTED, COUNTED},
    {"a parameter", "ld.param.u32 %r3, [q];\nred.global.add.u32 [%a], %r3;", COUNTED, COUNTED},
    {"the block's number", "red.global.add.u32 [%a], %r2;", COUNTED, COUNTED},
    {"a constant of 64 bits", "red.global.add.u64 [%a], 1;", COUNTED, COUNTED},
    {"lanes' own", "red.global.add.u32 [%a], %r1;", REDUCED, WHOLE},
    {"lanes' own of 64 bits", "cvt.u64.u32 %x, %r1;\nred.global.add.u64 [%a], %x;", APART, APART},
    {"a result that nothing reads", "atom.global.add.u32 %r4, [%a], %r1;", REDUCED, WHOLE},
    {"a result, a constant", "atom.global.add.u32 %r4, [%a], 1;" KEEP, COUNTED, COUNTED},
    {"a result, lanes' own", "atom.global.add.u32 %r4, [%a], %r1;" KEEP, WHOLE, WHOLE},
    {"max", "red.global.max.s32 [%a], %r1;", REDUCED, WHOLE},
    {"xor of a constant", "red.global.xor.b32 [%a], 4;", REDUCED, WHOLE},
    {"max with a result", "atom.global.max.u32 %r4, [%a], %r1;" KEEP, APART, APART},
    {"min of 64 bits", "cvt.u64.u32 %x, %r1;\nred.global.min.u64 [%a], %x;", APART, APART},
    {"inc", "red.global.inc.u32 [%a], %r1;", APART, APART},
    {"exch", "atom.global.exch.b32 %r4, [%a], %r1;", APART, APART},
    {"cas", "atom.global.cas.b32 %r4, [%a], 0, %r1;", APART, APART},
    {"floats", "red.global.add.f32 [%a], 0f3f800000;", APART, APART},
    {"in shared memory, lanes' own", ".shared .b32 s;\nred.shared.add.u32 [s], %r1;", REDUCED,
     WHOLE},
    {"in shared memory, a result", ".shared .b32 s;\natom.shared.add.u32 %r4, [s], 1;" KEEP,
     COUNTED, COUNTED},
    {"a word for each block", "mad.wide.u32 %x, %r2, 4, %a;\nred.global.add.u32 [%x], 1;", COUNTED,
     COUNTED},
    {"a word for each lane", "mad.wide.u32 %x, %r1, 4, %a;\nred.global.add.u32 [%x], 1;", APART,
     APART},
    {"a word for each warp, which is not seen",
     "shr.u32 %r4, %r1, 5;\nmad.wide.u32 %x, %r4, 4, %a;\nred.global.add.u32 [%x], 1;", APART,
     APART},
    {"a place that is loaded",
     "ld.global.u32 %r4, [%a+8];\nmad.wide.u32 %x, %r4, 4, %a;\nred.global.add.u32 [%x], 1;",
     COUNTED, COUNTED},
    {"a place that is loaded by lanes",
     "mad.wide.u32 %x, %r1, 4, %a;\nld.global.u32 %r4, [%x];\nmad.wide.u32 %x, %r4, 4, %a;\n"
     "red.global.add.u32 [%x], 1;",
     APART, APART},
    {"some lanes", "setp.lt.u32 %p1, %r1, 16;\n@%p1 red.global.add.u32 [%a], 1;", COUNTED, COUNTED},
    {"after a branch",
     "and.b32 %r4, %r1, 7;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra out;\n"
     "red.global.add.u32 [%a], %r1;\nout:",
     REDUCED, WHOLE},
    {"a place by a predicate of lanes",
     "setp.lt.u32 %p1, %r1, 16;\nmov.u32 %r5, 0;\n@%p1 mov.u32 %r5, 7;\n"
     "mad.wide.u32 %x, %r5, 4, %a;\nred.global.add.u32 [%x], 1;",
     APART, APART},
    {"a place that some lanes load",
     "setp.lt.u32 %p1, %r1, 16;\nmov.u32 %r5, 0;\n@%p1 bra out;\nld.global.u32 %r5, [%a+4];\n"
     "st.global.u32 [%a+8], %r1;\nout:\nmad.wide.u32 %x, %r5, 4, %a;\nred.global.add.u32 [%x], 1;",
     APART, APART},
    {"a loop that lanes leave together",
     "mov.u32 %r6, 0;\nagain:\nmad.wide.u32 %x, %r6, 4, %a;\nred.global.add.u32 [%x], %r1;\n"
     "add.u32 %r6, %r6, 1;\nld.param.u32 %r3, [q];\nsetp.lt.u32 %p1, %r6, %r3;\n@%p1 bra again;",
     REDUCED, WHOLE},
    {"a loop that they leave apart",
     "mov.u32 %r6, 0;\nagain:\nmad.wide.u32 %x, %r6, 4, %a;\nred.global.add.u32 [%x], %r1;\n"
     "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r1;\n@%p1 bra again;",
     APART, APART},
};

static enum atomic_merge merge_of(const struct row *row, unsigned capability) {
    struct text ptx = {0};
    struct ptx_module *module;
    const struct ptx_function *kernel;
    struct program *program;
    struct error error = {0};
    text_printf(&ptx,
                ".version 8.0\n.target sm_80\n.address_size 64\n"
                ".visible .entry k(.param .u64 p, .param .u32 q)\n{\n.reg .u64 %%a, %%x;\n"
                ".reg .u32 %%r<10>;\n.reg .pred %%p<4>;\nld.param.u64 %%a, [p];\n"
                "mov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n%s\nret;\n}\n",
                row->body);
    if (ptx_parse(text_string(&ptx), ptx.length, &module, &error) != STATUS_OK ||
        ptx_find_kernel(module, "k", &kernel, &error) != STATUS_OK ||
        program_decode(module, kernel, "k.cu", 0, &program, &error) != STATUS_OK)
        fail_msg("%s: %s", row->name, error.message);
    uint8_t *merges = atomic_aggregation_find(program, capability);
    enum atomic_merge merge = ATOMIC_APART;
    for (uint32_t pc = 0; pc < program->length; pc++)
        if (program->code[pc].cost == COST_ATOMIC)
            merge = (enum atomic_merge)merges[pc];
    free(merges);
    program_free(program);
    ptx_module_free(module);
    text_free(&ptx);
    return merge;
}

static void test_what_ptxas_joins(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (merge_of(&rows[i], 90) != rows[i].on_90)
            fail_msg("%s, capability 9.0: %d", rows[i].name, merge_of(&rows[i], 90));
        if (merge_of(&rows[i], 75) != rows[i].on_75)
            fail_msg("%s, capability 7.5: %d", rows[i].name, merge_of(&rows[i], 75));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_ptxas_joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
