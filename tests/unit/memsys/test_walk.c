/* How long a warp is on its way beside its arithmetic and its loads: guards, branches, parameters,
 * special registers. Each test changes what one of them takes, and counts how often it is paid. */
#include "tests/support/model.h"

enum { MORE = 100 };

static double clocks_of_one(const struct device_profile *device, const char *body) {
    return clocks_on(device, body, 1, 32);
}

/* Two guards, of which the second one computes with the first one's predicate. */
static void a_guard_waits_for_its_predicate(void **state) {
    (void)state;
    struct device_profile slow = h200;
    slow.predicate_cycles += MORE;
    static const char guards[] = "setp.eq.u32 %p, %l, 77;\n@%p ret;\nsetp.eq.u32 %q, %l, 78;\n"
                                 "or.pred %p, %p, %q;\n@%p ret;\nst.global.u32 [%a], %l;";
    double found = clocks_of_one(&slow, guards) - clocks_of_one(&h200, guards);
    if (fabs(found - 2 * MORE) > 1)
        fail_msg("%g clocks more for two guards, not %d", found, 2 * MORE);
    static const char values[] = "setp.eq.u32 %p, %l, 77;\nselp.u32 %r1, 1, 2, %p;\n"
                                 "st.global.u32 [%a], %r1;";
    found = clocks_of_one(&slow, values) - clocks_of_one(&h200, values);
    if (found != 0)
        fail_msg("%g clocks more for a predicate that guards nothing", found);
}

/* A branch over more than is predicated, which all lanes take or none does; the kernel's end is one
 * that goes on. */
static void branches_cost_more_where_they_are_taken(void **state) {
    (void)state;
    static const struct {
        unsigned lane;
        double taken, passed;
    } rows[] = {{0, 0, 2 * MORE}, {10000, MORE, MORE}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct device_profile taken = h200, passed = h200;
        taken.jump_cycles += MORE;
        passed.branch_cycles += MORE;
        passed.jump_cycles += MORE;
        struct text body = {0};
        text_printf(&body, "mov.u32 %%r1, %%l;\nsetp.lt.u32 %%p, %%l, %u;\n@%%p bra DONE;\n",
                    rows[i].lane);
        for (unsigned j = 0; j < 20; j++)
            text_printf(&body, "mad.lo.u32 %%r1, %%r1, %%r1, %%r1;\n");
        text_printf(&body, "DONE:\nst.global.u32 [%%a], %%r1;");
        double base = clocks_of_one(&h200, text_string(&body));
        double jumped = clocks_of_one(&taken, text_string(&body)) - base;
        double gone_on = clocks_of_one(&passed, text_string(&body)) - base - jumped;
        text_free(&body);
        if (fabs(jumped - rows[i].taken) > 1 || fabs(gone_on - rows[i].passed) > 1)
            fail_msg("%zu: %g clocks more for a jump, %g for going on", i, jumped, gone_on);
    }
}

/* The pointer is loaded with the special register at the beginning, but after a guard that comes
 * before its first use. */
static void parameters_are_loaded_behind_guards(void **state) {
    (void)state;
    double free = clocks_of_one(&h200, "st.global.u32 [%a], %l;");
    double guarded =
        clocks_of_one(&h200, "setp.eq.u32 %p, %l, 77;\n@%p ret;\nst.global.u32 [%a], %l;");
    double guard = h200.predicate_cycles + h200.branch_cycles;
    if (guarded - free < guard + 25 || guarded - free > guard + 40)
        fail_msg("%g clocks more for a guard of %g and a parameter after it", guarded - free,
                 guard);
    double twice =
        clocks_of_one(&h200, "setp.eq.u32 %p, %l, 77;\n@%p ret;\nst.global.u32 [%a], %l;\n"
                             "setp.eq.u32 %p, %l, 78;\n@%p ret;\n"
                             "st.global.u32 [%a+128], %l;");
    if (twice - guarded > guard + 15)
        fail_msg("%g clocks more for another guard after which nothing is loaded", twice - guarded);
}

/* One unit reads the special registers and parameters of all warps. */
static void warps_take_turns_for_special_registers(void **state) {
    (void)state;
    enum { WARPS = 32 };
    struct device_profile slow = h200;
    slow.warp_start_cycles = 0;
    slow.constant_cycles = MORE;
    double alone = clocks_on(&slow, "st.global.u32 [%a], %l;", 1, 32),
           all = clocks_on(&slow, "st.global.u32 [%a], %l;", 1, 32 * WARPS);
    double turns = (all - alone) / ((WARPS - 1) * MORE);
    if (turns < 1.9 || turns > 5)
        fail_msg("a warp takes %g turns for a register and a parameter", turns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_waits_for_its_predicate),
        cmocka_unit_test(branches_cost_more_where_they_are_taken),
        cmocka_unit_test(parameters_are_loaded_behind_guards),
        cmocka_unit_test(warps_take_turns_for_special_registers),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
