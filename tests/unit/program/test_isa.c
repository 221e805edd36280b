/* What the rows of isa.def say of instructions: names, columns and the rows of other tables. */
#include "sandbox/simgpu/program/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct decoded_form look_up(const char *mnemonic) {
    struct decoded_form form;
    isa_lookup((struct ptx_span){mnemonic, (uint32_t)strlen(mnemonic)}, &form);
    return form;
}

static const struct isa_operation *operation_of(const char *mnemonic) {
    return &isa_operations[isa_forms[look_up(mnemonic).row].op];
}

static void test_keys_are_unique(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_form_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(isa_forms[i].key, isa_forms[j].key) == 0)
                fail_msg("two rows are called %s", isa_forms[i].key);
}

static void test_every_operation_has_a_row(void **state) {
    (void)state;
    for (unsigned op = OP_none + 1; op < OP_COUNT; op++)
        if (isa_row_of((enum isa_op)op) == FORM_NONE)
            fail_msg("operation %u has no row", op);
}

static void test_modifiers_are_no_part_of_the_row(void **state) {
    (void)state;
    assert_int_equal(isa_forms[look_up("ld.volatile.global.v4.f32").row].op, OP_ld);
    assert_int_equal(look_up("ld.volatile.global.v4.f32").modifiers.vector, 4);
    assert_int_equal(isa_forms[look_up("atom.global.cas.b32").row].op, OP_atomic_cas);
    assert_int_equal(isa_forms[look_up("mul.wide.s32").row].op, OP_mul_wide);
    assert_int_equal(look_up("mul.widest.s32").row, FORM_NONE);
    assert_int_equal(look_up("").row, FORM_NONE);
}

/* Both operators of one name are one operation: what asks for a compare-and-swap need not know
 * whether its result is read. */
static void test_atomics_share_their_operations(void **state) {
    (void)state;
    assert_int_equal(isa_forms[look_up("atom.shared.add.u32").row].op, OP_atomic_add);
    assert_int_equal(isa_forms[look_up("red.shared.add.u32").row].op, OP_atomic_add);
    assert_true(operation_of("atom.exch.b32")->traits & TRAIT_ORDERED);
    assert_false(operation_of("atom.add.u32")->traits & TRAIT_ORDERED);
}

static void test_fences_reach_as_far_as_they_say(void **state) {
    (void)state;
    assert_true(operation_of("membar.gl")->traits & TRAIT_BEYOND_BLOCK);
    assert_true(operation_of("membar.cta")->traits & TRAIT_OWN_BLOCK);
    assert_false(operation_of("membar.cta")->traits & TRAIT_BEYOND_BLOCK);
    assert_true(operation_of("fence.acq_rel.gpu")->traits & TRAIT_BEYOND_BLOCK);
    assert_int_equal(look_up("fence.acq_rel.cta").modifiers.scope, SCOPE_CTA);
}

static void test_columns(void **state) {
    (void)state;
    assert_int_equal(operation_of("add.cc.u32")->definedness, DEFINED_CARRY_OUT);
    assert_int_equal(operation_of("add.u32")->definedness, DEFINED_SUM);
    assert_int_equal(operation_of("st.global.u32")->results, RESULTS_NONE);
    assert_int_equal(operation_of("atom.cas.b32")->results, RESULTS_SECOND);
    assert_int_equal(operation_of("mbarrier.try_wait.shared.b64")->effect, EFFECT_WAIT);
    assert_int_equal(operation_of("mov.u32")->effect, EFFECT_NONE);
}

/* The first row with all its words, in whatever order. */
static void test_cost_rows_look_at_modifiers(void **state) {
    (void)state;
    uint16_t whole = look_up("cvt.rzi.s32.f32").cost_row;
    assert_int_not_equal(whole, COST_ROW_NONE);
    assert_int_equal(look_up("cvt.rzi.u32.f32").cost_row, whole);
    assert_int_not_equal(look_up("cvt.rn.f32.s32").cost_row, whole);
    assert_int_not_equal(look_up("div.approx.ftz.f32").cost_row, look_up("div.rn.f32").cost_row);
    assert_int_equal(look_up("copysign.f32").cost_row, COST_ROW_NONE);
    assert_int_equal(look_up("").cost_row, COST_ROW_NONE);
}

static void test_words_of_matrices(void **state) {
    (void)state;
    struct matrix_words words =
        look_up("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").modifiers.matrix;
    assert_int_equal(words.m, 16);
    assert_int_equal(words.n, 8);
    assert_int_equal(words.k, 16);
    assert_int_equal(words.type_count, 4);
    assert_false(words.column[0]);
    assert_true(words.column[1]);
    words = look_up("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16").modifiers.matrix;
    assert_int_equal(words.register_count, 4);
    assert_true(words.transpose);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_unique),
        cmocka_unit_test(test_every_operation_has_a_row),
        cmocka_unit_test(test_modifiers_are_no_part_of_the_row),
        cmocka_unit_test(test_atomics_share_their_operations),
        cmocka_unit_test(test_fences_reach_as_far_as_they_say),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_cost_rows_look_at_modifiers),
        cmocka_unit_test(test_words_of_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
