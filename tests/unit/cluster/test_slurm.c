/* What Slurm's programs print, also where it is not what they print. */
#include "grader/cluster/process.h"
#include "grader/cluster/slurm.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct slurm_rows rows_of(const char *text) {
    struct slurm_rows rows = {0};
    slurm_read_queue(text, strlen(text), &rows);
    return rows;
}

static void a_queue_is_read(void **state) {
    (void)state;
    struct slurm_rows rows = rows_of("12|0|PENDING|Resources|\n"
                                     "12|1|RUNNING|None|n1\n"
                                     "12|2|OUT_OF_MEMORY|OutOfMemory|n[1-2]");
    assert_int_equal(rows.count, 3);
    assert_int_equal(rows.rows[0].job, 12);
    assert_int_equal(rows.rows[0].state, SLURM_PENDING);
    assert_string_equal(rows.rows[0].reason, "Resources");
    assert_string_equal(rows.rows[0].node, "");
    assert_int_equal(rows.rows[1].index, 1);
    assert_int_equal(rows.rows[1].state, SLURM_RUNNING);
    assert_string_equal(rows.rows[1].reason, "");
    assert_string_equal(rows.rows[1].node, "n1");
    assert_int_equal(rows.rows[2].state, SLURM_ENDED);
    assert_string_equal(rows.rows[2].word, "OUT_OF_MEMORY");
    free(rows.rows);
}

/* A user's hold is waited for; one that only an administrator takes away is an end. */
static void states_that_a_task_does_not_leave_are_ends(void **state) {
    (void)state;
    struct slurm_rows rows =
        rows_of("1|0|PENDING|JobHeldUser|\n1|1|PENDING|launch failed requeued held|\n"
                "1|2|PENDING|JobHoldMaxRequeue|\n1|3|NODE_FAIL|None|n1\n"
                "1|4|SUSPENDED|None|n1\n1|5|WHATEVER|None|n1\n");
    static const enum slurm_state wanted[] = {SLURM_PENDING, SLURM_ENDED,   SLURM_ENDED,
                                              SLURM_ENDED,   SLURM_RUNNING, SLURM_ENDED};
    assert_int_equal(rows.count, ARRAY_LENGTH(wanted));
    for (size_t i = 0; i < rows.count; i++)
        assert_int_equal(rows.rows[i].state, wanted[i]);
    free(rows.rows);
}

static void lines_that_are_no_rows_are_left_out(void **state) {
    (void)state;
    static const char *const lines[] = {
        "",
        "\n\n|||||\n",
        "squeue: error: Invalid user",
        "12|N/A|RUNNING|None|n1",
        "12|[0-3]|PENDING|None|",
        "-1|0|RUNNING|None|n1",
        "99999999999999999999999|0|RUNNING|None|n1",
        "1|99999999999|RUNNING|None|n1",
        "1|0|RUNNING|None",
        "1 |0|RUNNING|None|n1",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(lines); i++)
        assert_int_equal(rows_of(lines[i]).count, 0);
    cleanup_text struct text longest = {0};
    text_append(&longest, "1|0|RUNNING|");
    text_append_repeated(&longest, 'x', 5000);
    text_append(&longest, "|n1\n2|0|RUNNING|None|n1\n");
    struct slurm_rows rows = rows_of(text_string(&longest));
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.rows[0].job, 2);
    free(rows.rows);
}

static void names_hold_no_control_characters(void **state) {
    (void)state;
    struct slurm_rows rows = rows_of(
        "1|0|RUNNING|\033[2J\xe2\x80\xae|node-with-a-name-that-is-much-longer-than-any-node-"
        "has-and-then-some\n");
    assert_int_equal(rows.count, 1);
    assert_string_equal(rows.rows[0].reason, "?[2J???");
    assert_int_equal(strlen(rows.rows[0].node), sizeof rows.rows[0].node - 1);
    free(rows.rows);
}

static void a_job_is_a_number_with_or_without_a_cluster(void **state) {
    (void)state;
    uint64_t job;
    assert_true(slurm_read_job("4711\n", 5, &job) && job == 4711);
    assert_true(slurm_read_job("4711;east\n", 10, &job) && job == 4711);
    static const char *const wrong[] = {"", "\n", "0\n", "Submitted batch job 1\n", "-1\n", ";1\n"};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++)
        assert_false(slurm_read_job(wrong[i], strlen(wrong[i]), &job));
}

static void cards_are_asked_for_in_several_ways(void **state) {
    (void)state;
    static const char *const with[] = {"--gres=gpu:1", "--gpus=2", "--gpus-per-task=1", "-G1"};
    for (size_t i = 0; i < ARRAY_LENGTH(with); i++) {
        const char *const options[] = {"--partition=x", with[i]};
        assert_true(slurm_asks_for_cards(options, 2));
    }
    const char *const without[] = {"--partition=gpu", "--gres=tmpfs:1"};
    assert_false(slurm_asks_for_cards(without, 2));
}

/* Slurm would write it to the disks of the cluster. */
static void no_token_reaches_slurm(void **state) {
    (void)state;
    static const char *const argv[] = {"env", NULL};
    struct process *process;
    struct process_result result;
    setenv("WARPGRADE_GIT_TOKEN", "secret-1", 1);
    setenv("WARPGRADE_GIT_TOKEN_GIT_EXAMPLE_ORG", "secret-2", 1);
    setenv("WARPGRADE_HOME", "/kept", 1);
    assert_int_equal(process_start(argv, 60, &process, NULL), STATUS_OK);
    process_finish(process, &result);
    assert_null(strstr(result.output, "secret-"));
    assert_non_null(strstr(result.output, "WARPGRADE_HOME=/kept\n"));
    assert_non_null(strstr(result.output, "PATH="));
    process_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_is_read),
        cmocka_unit_test(states_that_a_task_does_not_leave_are_ends),
        cmocka_unit_test(lines_that_are_no_rows_are_left_out),
        cmocka_unit_test(names_hold_no_control_characters),
        cmocka_unit_test(a_job_is_a_number_with_or_without_a_cluster),
        cmocka_unit_test(cards_are_asked_for_in_several_ways),
        cmocka_unit_test(no_token_reaches_slurm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
