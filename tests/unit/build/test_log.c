/* Compiler logs and PTX as texts, also ones that no compiler would write. */
#include "sandbox/base/memory.h"
#include "sandbox/build/diagnostics.h"
#include "sandbox/build/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const char source[] = "one\n\ttwo;\nthree\n";

static void test_logs(void **state) {
    (void)state;
    static const struct {
        const char *log;
        const char *expected; /* "severity file:line:column text|" for each */
    } cases[] = {
        {"", ""},
        {"d.cu(2): error: bad\n  \ttwo;\n  \t^\n\n1 error detected in the compilation of \"x\".\n",
         "0 d.cu:2:2 bad|"},
        {"/tmp/x/d.cu(2): warning #177-D: v\n  \ttwo;\n   ^\n", "1 d.cu:2:2 v|"},
        {"d.cu(2): error: other line\n  int two;\n      ^\n", "0 d.cu:2:0 other line|"},
        {"d.cu(1): error: a\n          argument types are: (int)\n  one\n  ^\n"
         "          detected during b\n\n",
         "0 d.cu:1:1 a argument types are: (int) detected during b|"},
        {"d.cu(1): catastrophic error: stop\nCompilation terminated.\n", "0 d.cu:1:0 stop|"},
        {"d.cu(1): error: a\nd.cu(3): note #3-D: b\n  three\n    ^\n",
         "0 d.cu:1:0 a|2 d.cu:3:3 b|"},
        {"At end of source: error: expected a \"}\"\n", "0 d.cu:3:0 expected a \"}\"|"},
        {"nvrtc: error: invalid value\n", "0 :0:0 invalid value|"},
        {"nvcc fatal   : Unknown option\n", "0 :0:0 Unknown option|"},
        {"d.cu:1:10: fatal error: x.h: No such file or directory\n    1 | #include <x.h>\n"
         "      |          ^~~~~\ncompilation terminated.\n",
         "0 d.cu:1:10 x.h: No such file or directory|"},
        {"d.cu(7): error: static assertion failed with \"size\nbad\"\n",
         "0 d.cu:7:0 static assertion failed with \"size bad\"|"},
        {"d.cu(99999999999999999999): error: huge\n", ""},
        {"d.cu(1: error: x\nd.cu(): error: x\n(1): error: no file\nprose\n", ""},
        {"a(b)(3).cu(4): error: odd name\n", "0 a(b)(3).cu:4:0 odd name|"},
        {"warning: /tmp/d.cu(2): Warning: Cannot store\n", "1 d.cu:2:0 Cannot store|"},
        {"/usr/bin/ld: /tmp/d.o: in function `main':\n/tmp/x/d.cu:3: undefined reference to "
         "`f(int)'\n"
         "collect2: error: ld returned 1 exit status\n",
         "0 d.cu:3:0 undefined reference to `f(int)'|"},
        {"/usr/bin/ld: /lib/Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to "
         "`main'\ncollect2: error: ld returned 1 exit status\n",
         "0 :0:0 undefined reference to `main'|"},
        {": undefined reference to `x'\n", "0 :0:0 undefined reference to `x'|"},
        {"/usr/bin/ld: cannot find -lfoo\ncollect2: error: ld returned 1 exit status\n", ""},
        {"Remark: The warnings can be suppressed with \"-diag-suppress\"\n", ""},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct diagnostic_list list = {0};
        cleanup_text struct text shown = {0};
        diagnostics_parse(cases[i].log, "d.cu", source, &list);
        for (size_t j = 0; j < list.count; j++)
            text_printf(&shown, "%d %s:%u:%u %s|", (int)list.items[j].severity, list.items[j].file,
                        list.items[j].line, list.items[j].column, list.items[j].text);
        assert_string_equal(text_string(&shown), cases[i].expected);
        free(list.items);
    }
}

static void test_long_logs(void **state) {
    (void)state;
    struct text log = {0};
    text_append(&log, "d.cu(1): error: ");
    text_append_repeated(&log, 'x', 100000);
    text_append(&log, "\n");
    for (int i = 0; i < 10000; i++)
        text_append(&log, "d.cu(1): warning: w\n");
    struct diagnostic_list list = {0};
    diagnostics_parse(log.data, "d.cu", source, &list);
    assert_int_equal(strlen(list.items[0].text), sizeof list.items[0].text - 1);
    diagnostics_cap(&list, 200);
    assert_int_equal(list.count, 200);
    free(list.items);
    text_free(&log);
}

static void test_cap_keeps_errors_with_their_notes(void **state) {
    (void)state;
    struct diagnostic_list list = {0};
    diagnostics_parse("d.cu(1): warning: a\nd.cu(1): note: of a\nd.cu(2): error: b\n"
                      "d.cu(2): note: of b\nd.cu(3): warning: c\n",
                      "d.cu", source, &list);
    assert_int_equal(list.count, 5);
    diagnostics_cap(&list, 3);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].text, "a");
    assert_string_equal(list.items[1].text, "b");
    assert_string_equal(list.items[2].text, "of b");
    free(list.items);
}

static void test_entries(void **state) {
    (void)state;
    static const struct {
        const char *ptx, *expected;
    } cases[] = {
        {"", ""},
        {".visible .entry dot(\n\t.param .u64 a,\n\t.param .u32 b\n)\n{",
         "dot dot(64-bit, 32-bit)|"},
        {".visible .entry _Z3dotPKf()\n{", "_Z3dotPKf dot()|"},
        {".entry _ZN2ns1a3dotEPf(\n\t.param .align 4 .b8 x[12]\n)",
         "_ZN2ns1a3dotEPf ns::a::dot(12 bytes)|"},
        {".weak .entry _Z3dotIfEvPT_(.param .f64 x)", "_Z3dotIfEvPT_ dot(64-bit)|"},
        {"// .entry fake(\n\t.entry indented(\n", "indented indented()|"},
        {".visible .entry\n\tbelow\n(\n.param .u64 a)", "below below(64-bit)|"},
        {".entryway x(", ""},
        {".entry _Z99dot(", "_Z99dot _Z99dot()|"},
        {".entry _ZN(", "_ZN _ZN()|"},
        {".entry ", " ()|"},
        {".entry a(.param", "a a()|"},
        {".entry a(.param .u99999999999999999999 x)", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct build_answer answer = {0};
        cleanup_text struct text shown = {0};
        cleanup_free char *exact = mem_strdup(cases[i].ptx); /* ASan sees the end */
        probe_entries(exact, &answer);
        for (size_t j = 0; j < answer.kernel_count; j++) {
            text_printf(&shown, "%s ", answer.kernels[j].lowered);
            build_kernel_describe(&answer.kernels[j], &shown);
            text_append(&shown, "|");
        }
        if (cases[i].expected)
            assert_string_equal(text_string(&shown), cases[i].expected);
        build_answer_free(&answer);
    }
}

/* Of each word in it the line was once gone back to its beginning. */
static void test_long_lines(void **state) {
    (void)state;
    enum { WORDS = 200000, SECONDS = 10 };
    cleanup_text struct text ptx = {0};
    struct build_answer answer = {0};
    text_append(&ptx, "//");
    for (int i = 0; i < WORDS; i++)
        text_append(&ptx, " .entry x");
    text_append(&ptx, "\n.entry y()\n");
    clock_t begin = clock();
    probe_entries(text_string(&ptx), &answer);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(answer.kernel_count, 1);
    assert_string_equal(answer.kernels[0].lowered, "y");
    build_answer_free(&answer);
    if (seconds > SECONDS)
        fail_msg("%g seconds", seconds);
}

static void test_answers(void **state) {
    (void)state;
    static const char ptx[] = ".global .align 8 .u64 __warpgrade_answer_10 = 7;\n"
                              ".global .align 8 .u64 __warpgrade_answer_1 = -3;\n"
                              ".global .align 8 .u64 __warpgrade_answer_2;\n"
                              ".global .align 8 .u64 __warpgrade_answer_3 = 18446744073709551615;\n"
                              ".global .align 1 .b8 __warpgrade_answer_4[3] = {1, 2, 300};\n"
                              ".global .align 1 .b8 __warpgrade_answer_5[3] = {118, 111\n"
                              "\tst.global.u64 [__warpgrade_answer_6], %rd1;\n";
    int64_t value;
    assert_true(probe_constant(ptx, 1, &value) && value == -3);
    assert_true(probe_constant(ptx, 10, &value) && value == 7);
    assert_true(probe_constant(ptx, 2, &value) && value == 0);
    assert_true(probe_constant(ptx, 3, &value) && value == -1);
    assert_false(probe_constant(ptx, 4, &value));
    assert_false(probe_constant(ptx, 7, &value));
    struct build_kernel kernel = {0};
    assert_false(probe_signature(ptx, 1, &kernel));
    assert_false(probe_signature(ptx, 4, &kernel));
    assert_false(probe_signature(ptx, 5, &kernel));
    struct text stripped = {0};
    text_append(&stripped, ptx);
    probe_strip(&stripped);
    assert_string_equal(stripped.data, "\tst.global.u64 [__warpgrade_answer_6], %rd1;\n");
    text_free(&stripped);
    probe_strip(&stripped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logs),
        cmocka_unit_test(test_long_logs),
        cmocka_unit_test(test_cap_keeps_errors_with_their_notes),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
