/* What other rooms say, in Chinese: every advice, counter and part of the time has its row, and
 * what is put into a sentence stays. */
#include "reports/translate.h"

#include "sandbox/base/error.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *english, const char *expected) {
    cleanup_free char *chinese = translate_string(LANGUAGE_ZH, english);
    assert_string_equal(chinese, expected);
    cleanup_free char *same = translate_string(LANGUAGE_EN, english);
    assert_string_equal(same, english);
}

static void what_is_put_in_stays(void **state) {
    (void)state;
    check("a b.cu does not compile: an error in line 3: identifier \"x\" is undefined",
          "a b.cu 编译失败：第 3 行有错误：identifier \"x\" is undefined");
    check("k in a.cu is not a kernel: it is not declared __global__",
          "a.cu 中的 k 不是核函数：没有声明为 `__global__`");
    check("the kernel saxpy takes 4 arguments, 1 was given; parameter 2 has 8 bytes",
          "核函数 saxpy 有 4 个参数，给出了 1 个；第 2 个参数有 8 字节");
}

static void a_sentence_within_a_sentence_is_translated(void **state) {
    (void)state;
    check("Line 7: Did you mean threadIdx? Case matters.",
          "第 7 行：是不是想写 `threadIdx`？大小写有区别。");
    check("lanes 0-15 (mask 0x0000ffff) execute this warp-level operation and its mask also names "
          "lanes 16-31 (mask 0xffff0000), which went past it without executing it and left the "
          "kernel",
          "通道 (lane) 0-15（掩码 0x0000ffff）执行这个线程束 (warp) 级操作，而掩码还指明了"
          "通道 (lane) 16-31（掩码 0xffff0000），它们没有执行就绕过了它，并离开了核函数");
    check("thread (0, 0, 0) and 31 more of block (0, 0, 0) wait for flag[0], which stays 0; 1 "
          "thread has left the kernel. No thread of the block is left that could change it",
          "线程块 (0, 0, 0) 的线程 (0, 0, 0) 以及另外 31 个在等待 flag[0] 的改变，而它一直是 "
          "0；1 个线程已离开核函数。线程块中再没有线程能够改变它");
    check("thread (0, 0, 0) of block (1, 0, 0) waits at grid.sync(), to which 3 of 4 blocks have "
          "come; 2 threads wait at line 8 and 1 thread has left the kernel. No thread of the grid "
          "is left that could come to it",
          "线程块 (1, 0, 0) 的线程 (0, 0, 0) 在等待 `grid.sync()`（整个网格的屏障）：4 "
          "个线程块中到了 3 "
          "个；2 个线程停在第 8 行，1 个线程已离开核函数。网格中再没有线程能够到达那里");
}

static void a_settings_file_is_blamed_in_chinese(void **state) {
    (void)state;
    check("engine: expected sim, cuda or auto, found \"gpu\"",
          "engine：应为 sim, cuda 或 auto，而写的是\"gpu\"");
    check("engine: expected sim, cuda or auto, found nothing",
          "engine：应为 sim, cuda 或 auto，而这里是空的");
    check("warpgrade.yaml: expected a mapping of keys to values, found a list",
          "warpgrade.yaml：应为“键: 值”的形式，而写的是列表");
    check(
        "did you mean dot? `warpgrade list` shows the exercises. `-e EXERCISE` says which exercise "
        "dto.cu is for.",
        "是不是想写 `dot`？`warpgrade list` 列出所有题目。用 `-e EXERCISE` 说明 dto.cu "
        "是哪道题目的。");
}

static void what_has_no_row_stays(void **state) {
    (void)state;
    struct text out = {0};
    assert_false(translate_append(&out, LANGUAGE_ZH, "no such sentence is anywhere"));
    assert_string_equal(text_string(&out), "no such sentence is anywhere");
    text_free(&out);
    check("", "");
    check("%s%n%2$s", "%s%n%2$s");
}

static void a_buffer_is_cut_between_characters(void **state) {
    (void)state;
    char room[16] = "latency", hint[8] = "DRAM";
    translate_in_place(LANGUAGE_EN, room, sizeof room);
    assert_string_equal(room, "latency");
    translate_in_place(LANGUAGE_ZH, room, sizeof room);
    assert_string_equal(room, "延迟");
    translate_in_place(LANGUAGE_ZH, hint, sizeof hint); /* 12 bytes */
    assert_string_equal(hint, "设备");
    struct error error = {.message = "there is no exercise x", .hint = "did you mean dot?"};
    translate_error(LANGUAGE_ZH, &error);
    assert_string_equal(error.message, "没有题目 x");
    assert_string_equal(error.hint, "是不是想写 `dot`？");
}

/* ---- completeness ---------------------------------------------------------------------------- */

static const char *const must[] = {
#define SLIP(code, sign, advice)         advice,
#define SLIP_OUTSIDE(code, sign, advice) advice,
#define SLIP_NVCC(said, sign, advice)    advice,
#include "sandbox/build/slips.def"
#undef SLIP
#undef SLIP_OUTSIDE
#undef SLIP_NVCC
#define COUNTER(id, kind, metric, summary) summary,
#include "sandbox/base/counter.def"
#undef COUNTER
#define COST_PART(id, label, summary) label,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

static void every_advice_and_counter_is_translated(void **state) {
    (void)state;
    size_t missing = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(must); i++) {
        cleanup_text struct text out = {0};
        if (translate_append(&out, LANGUAGE_ZH, must[i]))
            continue;
        fprintf(stderr, "reports/translate.def has no row for: %s\n", must[i]);
        missing++;
    }
    assert_int_equal(missing, 0);
}

/* Blanks of a row: "%s", or "%2$s". */
static size_t count_blanks(const char *row) {
    size_t count = 0;
    for (const char *at = row; (at = strchr(at, '%')) != NULL; at++)
        count += at[1] == 's' || (isdigit((unsigned char)at[1]) && strchr("0123456789$", at[2]));
    return count;
}

static void no_row_asks_for_what_is_not_there(void **state) {
    (void)state;
    static const struct {
        const char *english, *chinese;
    } rows[] = {
#define TRANSLATION(en, zh) {en, zh},
#include "reports/translate.def"
#undef TRANSLATION
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        if (count_blanks(rows[i].chinese) > count_blanks(rows[i].english) ||
            count_blanks(rows[i].english) > 16)
            fail_msg("%s", rows[i].chinese);
        for (size_t j = 0; j < i; j++)
            if (strcmp(rows[i].english, rows[j].english) == 0)
                fail_msg("twice: %s", rows[i].english);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_in_stays),
        cmocka_unit_test(a_sentence_within_a_sentence_is_translated),
        cmocka_unit_test(a_settings_file_is_blamed_in_chinese),
        cmocka_unit_test(what_has_no_row_stays),
        cmocka_unit_test(a_buffer_is_cut_between_characters),
        cmocka_unit_test(every_advice_and_counter_is_translated),
        cmocka_unit_test(no_row_asks_for_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
