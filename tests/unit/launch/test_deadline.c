/* A launch whose time is over ends by itself, and says what it has found until then. */
#include "tests/support/launch.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct engine_result run_until(const char *body, unsigned blocks, unsigned threads,
                                      double seconds, double most_seconds) {
    static unsigned char data[LAUNCH_BYTES];
    cleanup_free char *text = mem_printf(
        PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a;\n.reg .u32 %%l, %%r<4>;\n"
                 ".reg .pred %%p;\nld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\n%s\nret;\n}\n",
        body);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = LAUNCH_BYTES / 4};
    struct engine_launch launch = {.ptx = text,
                                   .ptx_length = strlen(text),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {blocks, 1, 1},
                                   .block = {64, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = LAUNCH_BYTES,
                                   .budget = UINT64_MAX / 2,
                                   .threads = threads,
                                   .wall_seconds = seconds,
                                   .most_seconds = most_seconds};
    struct engine_result result;
    sim_run(&launch, &result);
    return result;
}

static struct engine_result run(const char *body, unsigned blocks, unsigned threads,
                                double seconds) {
    return run_until(body, blocks, threads, seconds, 0);
}

static void an_endless_loop_ends_with_its_hazards(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct engine_result result =
            run("st.global.u32 [%a], %l;\nadd.u32 %r1, %l, 1;\nagain:\nadd.u32 %r1, %r1, 3;\n"
                "bra again;",
                2, threads, 0.1);
        assert_int_equal(result.end, ENGINE_TIME_LIMIT);
        assert_true(result.hazard_count >= 1);
        for (size_t i = 0; i < result.hazard_count; i++)
            assert_int_equal(result.hazards[i].kind, HAZARD_GLOBAL_RACE);
        engine_result_free(&result);
    }
}

/* Nothing looks at the clock inside a block that has no loop. */
static void endlessly_many_blocks_end(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct engine_result result =
            run("add.u32 %r1, %l, 1;\nadd.u32 %r1, %r1, 1;", INT32_MAX, threads, 0.1);
        assert_int_equal(result.end, ENGINE_TIME_LIMIT);
        assert_int_equal(result.hazard_count, 0);
        engine_result_free(&result);
    }
}

static void a_launch_that_ends_in_time_is_as_without_a_limit(void **state) {
    (void)state;
    const char *body = "mad.wide.u32 %a, %l, 4, %a;\nst.global.u32 [%a], %l;";
    struct engine_result timed = run(body, 1, 1, 60), free_of_it = run(body, 1, 1, 0);
    assert_int_equal(timed.end, ENGINE_COMPLETED);
    assert_int_equal(timed.hazard_count, 0);
    assert_memory_equal(&timed.counters, &free_of_it.counters, sizeof timed.counters);
    engine_result_free(&timed);
    engine_result_free(&free_of_it);
}

static void stop_oneself(int signal_number) {
    (void)signal_number;
    raise(SIGSTOP);
}

/* A process that gets no processor while its launch's time passes: how much it has had at the end,
 * in milliseconds. It stops itself after 20 ms of processor time: how long another process would
 * take to stop it depends on how busy the machine is. */
static int had_ms(double seconds, double most_seconds, useconds_t away_us) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
        struct timespec used;
        signal(SIGPROF, stop_oneself);
        setitimer(ITIMER_PROF, &soon, NULL);
        struct engine_result result =
            run_until("again:\nadd.u32 %r1, %l, 3;\nbra again;", 1, 1, seconds, most_seconds);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        double ms = (double)used.tv_sec * 1e3 + (double)used.tv_nsec * 1e-6;
        _exit(result.end == ENGINE_TIME_LIMIT ? (int)fmin(ms / 10, 200) : 255);
    }
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
        usleep(away_us);
        kill(child, SIGCONT);
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 255);
    return WEXITSTATUS(status) * 10;
}

/* Once a right kernel "did not end" because other programs had the processors. */
static void a_busy_machine_takes_no_time_from_a_launch(void **state) {
    (void)state;
    assert_true(had_ms(0.3, 60, 400000) >= 290);
    assert_true(had_ms(0.3, 0.35, 400000) < 250);
    /* whether the sum of two such times is cut depends on the clock: once it never ended so */
    for (unsigned i = 0; i < 8; i++)
        assert_true(had_ms(0.1, 0.11 + 0.001 * i, 150000) < 90);
    assert_true(had_ms(0.3, 0, 400000) < 250);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_loop_ends_with_its_hazards),
        cmocka_unit_test(endlessly_many_blocks_end),
        cmocka_unit_test(a_launch_that_ends_in_time_is_as_without_a_limit),
        cmocka_unit_test(a_busy_machine_takes_no_time_from_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
