/* What `similarity` writes, of a class that is made up: the table, the JSON and the page. */
#include "grader/similarity/show.h"
#include "sandbox/base/memory.h"
#include "tests/golden/golden_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char left_text[] = "// warpgrade: dot\n__global__ void dot(int n)\n{\n    int mine = n;\n"
                          "    use(mine);\n    use(7);\n}\n";
static char right_text[] =
    "__global__ void dot(int n)\r\n{\r\n    use(7);\r\n\r\n    int x = n; // "
    "</td><script>alert(1)</script>\r\n    use(x);\r\n}";

static char *names[] = {"ada", "<b>ben\x1b[2J\xe2\x80\xae", "=cy"};
static char *problems[] = {NULL, NULL, "kernel.cu does not compile: <i>one error</i>\n::error::x"};

static struct similarity_item items[] = {
    {.origin = "class", .file = "ada.cu", .text = left_text, .length = sizeof left_text - 1},
    {.origin = "<last>.sqlite",
     .file = "b.cu",
     .text = right_text,
     .length = sizeof right_text - 1,
     .role = SIMILARITY_EARLIER},
    {.origin = "class", .file = "cy.cu", .text = right_text, .length = sizeof right_text - 1}};

static struct similarity_word words[] = {{"// <script>alert(2)</script>", 3, 4}};
static struct similarity_lines lines[] = {{4, 5}, {5, 6}, {6, 3}};
static size_t clusters[] = {1, 1, 1};

static struct similarity_pair pairs[] = {{.left = 0,
                                          .right = 1,
                                          .score = 0.875,
                                          .share = 1,
                                          .rarity = 0.9,
                                          .bits = 83.25,
                                          .word_bits = 4,
                                          .words = words,
                                          .word_count = 1,
                                          .words_shared = 2,
                                          .lines = lines,
                                          .line_count = 3,
                                          .cluster = 1},
                                         {.left = 0,
                                          .right = 2,
                                          .score = 0.25,
                                          .share = 0.5,
                                          .rarity = 0.6,
                                          .bits = 20,
                                          .by_tokens = true}};

typedef void writer(const struct similarity_report *report, struct text *out);

static void write_plainly(const struct similarity_report *report, struct text *out) {
    similarity_write_text(report, false, out);
}

static void write_in(enum language language, writer *write, struct text *out) {
    char exercise[] = "dot", unknown[] = "";
    struct similarity_class classes[] = {{.exercise = exercise, .items = items, .item_count = 3},
                                         {.exercise = unknown}};
    struct exercise *exercises[] = {(struct exercise *)(void *)classes, NULL}; /* known, or not */
    char notes[] = "class/\x1b[31mbig.cu is too large\n";
    struct similarity_set set = {.classes = classes,
                                 .count = 2,
                                 .exercises = exercises,
                                 .notes = {notes, sizeof notes - 1, sizeof notes}};
    struct similarity_result results[] = {{.pairs = pairs,
                                           .pair_count = 2,
                                           .found = 1,
                                           .compared = 2,
                                           .clusters = clusters,
                                           .cluster_count = 1,
                                           .problems = problems,
                                           .submissions = 2,
                                           .typical_bits = 12,
                                           .too_small = true},
                                          {0}};
    for (size_t i = 0; i < 3; i++)
        items[i].student = names[i];
    const struct similarity_report report = {
        .set = &set, .results = results, .threshold = 0.5, .language = language};
    write(&report, out);
}

static void write_with(writer *write, struct text *out) {
    write_in(LANGUAGE_EN, write, out);
}

static void test_text(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    write_with(write_plainly, &out);
    golden_compare("similarity", "tiny", "txt", &out);
}

static void test_json(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    write_with(similarity_write_json, &out);
    golden_compare("similarity", "tiny", "json", &out);
}

static void test_page(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    write_with(similarity_write_html, &out);
    assert_null(strstr(text_string(&out), "<script"));
    golden_cut_style(&out);
    golden_compare("similarity", "tiny", "html", &out);
}

/* Only the students' words and the compiler's are English there. */
static void test_page_in_chinese(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    write_in(LANGUAGE_ZH, similarity_write_html, &out);
    golden_cut_style(&out);
    golden_compare("similarity", "chinese", "html", &out);
}

static void test_lines_out_of_order_say_where_they_agree(void **state) {
    (void)state;
    size_t count, agreeing = 0, moved = 0, left = 0, right = 0;
    struct similarity_row *rows = similarity_align(&pairs[0], 7, 7, &count);
    for (size_t i = 0; i < count; i++) {
        agreeing += rows[i].agree;
        moved += rows[i].left_elsewhere != 0;
        if (rows[i].left) /* each line once, in its order */
            assert_int_equal(rows[i].left, ++left);
        if (rows[i].right)
            assert_int_equal(rows[i].right, ++right);
    }
    assert_int_equal(agreeing, 2);
    assert_int_equal(moved, 1);
    assert_int_equal(left, 7);
    assert_int_equal(right, 7);
    free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_in_chinese),
        cmocka_unit_test(test_lines_out_of_order_say_where_they_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
