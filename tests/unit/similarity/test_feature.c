/* What two texts of PTX have in common: all, where they differ in what says nothing of the
 * algorithm, and less where they compute something else. */
#include "grader/similarity/feature.h"
#include "grader/similarity/source.h"
#include "tests/support/launch.h"

#include <string.h>

#define KERNEL(body)                                                                               \
    ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0, "     \
    ".param .u32 k_param_1)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<8>;\n" body    \
    "ret;\n}\n"

static const char original[] =
    KERNEL("ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\n"
           "mov.u32 %r2, %tid.x;\nadd.s32 %r3, %r2, %r1;\nmul.lo.s32 %r4, %r2, 7;\n"
           "setp.gt.s32 %p1, %r3, 31;\n@%p1 bra $L_END;\n"
           "mul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
           "st.global.u32 [%rd3], %r3;\n$L_END:\n");

static struct feature_set features_of(const char *ptx) {
    struct graph graph;
    struct feature_set set = {0};
    struct error error = {0};
    if (graph_read(ptx, strlen(ptx), NULL, "k.cu", &graph, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    feature_of_graph(&graph, &set);
    graph_free(&graph);
    return set;
}

static size_t count_shared(const struct feature_set *left, const struct feature_set *right) {
    size_t count = 0;
    for (size_t i = 0; i < left->count; i++)
        count += feature_set_has(right, left->items[i].key);
    return count;
}

/* How many of the features of the original the other one has, in percent. */
static size_t percent_shared(const char *other) {
    struct feature_set left = features_of(original), right = features_of(other);
    size_t shared = count_shared(&left, &right), all = left.count;
    feature_set_free(&left);
    feature_set_free(&right);
    return 100 * shared / all;
}

static void test_registers_and_order_do_not_matter(void **state) {
    (void)state;
    assert_int_equal(percent_shared(original), 100);
    assert_int_equal(
        percent_shared(KERNEL(
            "mov.u32 %r20, %tid.x;\nmul.lo.s32 %r9, %r20, 7;\nld.param.u32 %r11, [k_param_1];\n"
            "add.s32 %r3, %r11, %r20;\nld.param.u64 %rd5, [k_param_0];\n"
            "setp.gt.s32 %p3, %r3, 31;\n@%p3 bra $L_ELSEWHERE;\n"
            "mul.wide.s32 %rd2, %r9, 4;\nadd.s64 %rd3, %rd2, %rd5;\n"
            "st.global.u32 [%rd3], %r3;\n$L_ELSEWHERE:\n")),
        100);
}

static void test_spelling_of_the_compiler_does_not_matter(void **state) {
    (void)state;
    assert_int_equal(/* a move, another sign, a mirrored and negated comparison */
                     percent_shared(KERNEL(
                         "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd4, %rd1;\n"
                         "ld.param.u32 %r1, [k_param_1];\nmov.u32 %r2, %tid.x;\nmov.u32 %r5, %r2;\n"
                         "add.u32 %r3, %r5, %r1;\nmul.lo.u32 %r4, %r5, 7;\n"
                         "setp.lt.s32 %p1, %r3, 32;\n@!%p1 bra $L_END;\n"
                         "mul.wide.u32 %rd2, %r4, 4;\nadd.u64 %rd3, %rd4, %rd2;\n"
                         "st.global.s32 [%rd3], %r3;\n$L_END:\n")),
                     100);
}

static void test_constants_matter(void **state) {
    (void)state;
    size_t shared = percent_shared(
        KERNEL("ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\n"
               "mov.u32 %r2, %tid.x;\nadd.s32 %r3, %r2, %r1;\nmul.lo.s32 %r4, %r2, 9;\n"
               "setp.gt.s32 %p1, %r3, 63;\n@%p1 bra $L_END;\n"
               "mul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
               "st.global.u32 [%rd3], %r3;\n$L_END:\n"));
    assert_in_range(shared, 20, 80);
}

static void test_hostile_moves_end(void **state) {
    (void)state;
    cleanup_text struct text body = {0};
    for (int i = 0; i < 800; i++) /* a hundred ways from each register to the next, and no end */
        text_printf(&body, "mov.u32 %%r%d, %%r%d;\n", i % 8, i % 8 + 1);
    cleanup_text struct text ptx = {0};
    text_append(&ptx, ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                      ".reg .b32 %r<32>;\n");
    text_append(&ptx, text_string(&body));
    text_append(&ptx, "ret;\n}\n");
    struct feature_set set = features_of(text_string(&ptx));
    assert_true(set.count > 0);
    feature_set_free(&set);
}

static void test_too_many_instructions_are_refused(void **state) {
    (void)state;
    cleanup_text struct text ptx = {0};
    struct graph graph;
    struct error error = {0};
    text_append(&ptx, ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                      ".reg .b32 %r<32>;\n");
    for (int i = 0; i <= GRAPH_MAX_NODES; i++)
        text_append(&ptx, "add.u32 %r1, %r2, %r3;\n");
    text_append(&ptx, "ret;\n}\n");
    assert_int_equal(graph_read(text_string(&ptx), ptx.length, NULL, "k.cu", &graph, &error),
                     STATUS_INVALID);
    assert_non_null(strstr(error.message, "too many to be compared"));
    graph_free(&graph);
    assert_int_equal(graph_read("no PTX", 6, NULL, "k.cu", &graph, &error), STATUS_INVALID);
    graph_free(&graph);
}

static struct feature_set runs_of(const char *text) {
    struct feature_set set = {0};
    source_runs(text, strlen(text), &set);
    return set;
}

static void test_runs_see_neither_names_nor_comments(void **state) {
    (void)state;
    struct feature_set left = runs_of("int count = total * 2; // doubled\nif (count > 5) count++;");
    struct feature_set right = runs_of("int n=sum/* twice */*2u;if(n>5)n++ ;");
    assert_true(left.count > 4);
    assert_int_equal(count_shared(&left, &right), left.count);
    feature_set_free(&left);
    feature_set_free(&right);
}

static void test_words_are_rare_names_comments_and_habits(void **state) {
    (void)state;
    static const char text[] = "// Beware of the tail  \nint idx = wobble + i;   \n\"unfinished";
    struct feature_set set = {0};
    source_words(text, sizeof text - 1, &set);
    assert_int_equal(set.count, 5); /* comment, wobble, string, two lines that end in spaces */
    for (size_t i = 0; i < set.count; i++)
        assert_in_range(set.items[i].offset + set.items[i].length, 1, sizeof text - 1);
    feature_set_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_and_order_do_not_matter),
        cmocka_unit_test(test_spelling_of_the_compiler_does_not_matter),
        cmocka_unit_test(test_constants_matter),
        cmocka_unit_test(test_hostile_moves_end),
        cmocka_unit_test(test_too_many_instructions_are_refused),
        cmocka_unit_test(test_runs_see_neither_names_nor_comments),
        cmocka_unit_test(test_words_are_rare_names_comments_and_habits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
