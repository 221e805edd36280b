/* Sessions against a driver without a card (tests/cuda/fake_card.c), in the real jail. */
#include "card.h"

#include "sandbox/base/clock.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct cuda_session *session; /* of the tests that leave it alive */

static int open_shared(void **state) {
    (void)state;
    session = open_session(0, CUDA_UNTRUSTED);
    return 0;
}

static int close_shared(void **state) {
    (void)state;
    cuda_session_close(session);
    return 0;
}

static void test_completes(void **state) {
    (void)state;
    for (uint64_t placement = 0; placement < 20; placement++) {
        struct try_launch try;
        try_fill(&try, "copy");
        try.launch.placement = placement;
        try.launch.time = try.launch.flush_l2 = placement % 2;
        try_run(session, &try);
        assert_int_equal(try.result.end, CUDA_COMPLETED);
        assert_int_equal(try.result.hazard_count, 0);
        assert_memory_equal(try.data, try.data + OUT_OFFSET / 4, ELEMENTS * 4);
        assert_true(try.result.dialog_ms > 0);
        assert_true(try.result.event_ms <= try.result.dialog_ms);
        assert_true(placement % 2 || try.result.event_ms == 0);
        cuda_result_free(&try.result);
    }
}

/* What kernels do that leaves the session usable, and what is said about it. */
static void test_verdicts(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        enum cuda_end end;
        int hazard; /* -1: none */
        const char *says;
    } cases[] = {
        {"past_end", CUDA_COMPLETED, HAZARD_OUT_OF_BOUNDS,
         "past its end changed, the nearest in out[100]"},
        {"before", CUDA_COMPLETED, HAZARD_OUT_OF_BOUNDS,
         "before its start changed, the nearest in out[-1]"},
        {"write_input", CUDA_COMPLETED, HAZARD_WRITE_TO_INPUT, "1 element, the first is in[1]"},
        {"refuse_701", CUDA_REFUSED, HAZARD_INVALID_LAUNCH, "more registers or shared memory"},
        {"refuse_1", CUDA_REFUSED, HAZARD_INVALID_LAUNCH, "does not accept the launch"},
        {"refuse_2", CUDA_MEMORY, -1, "not enough free memory"},
        {"refuse_4711", CUDA_DIED, -1, "CUDA error 4711"},
        {"missing", CUDA_REFUSED, -1, "does not load the machine code"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct try_launch try;
        if (!cuda_session_is_alive(session)) { /* the case before was its last */
            cuda_session_close(session);
            session = open_session(0, CUDA_UNTRUSTED);
        }
        try_fill(&try, cases[i].kernel);
        try_run(session, &try);
        if (try.result.end != cases[i].end)
            fail_msg("%s: end %d: %s", cases[i].kernel, (int)try.result.end, try.result.message);
        assert_int_equal(try.result.hazard_count, cases[i].hazard >= 0);
        if (cases[i].hazard >= 0)
            assert_int_equal(try.result.hazards[0].kind, cases[i].hazard);
        const char *said =
            try.result.hazard_count ? try.result.hazards[0].message : try.result.message;
        if (!strstr(said, cases[i].says))
            fail_msg("%s: %s", cases[i].kernel, said);
        assert_int_equal(cuda_session_is_alive(session), cases[i].end != CUDA_DIED);
        cuda_result_free(&try.result);
    }
}

/* An argument that is the contents of a variable is copied there and is no parameter. */
static void test_fills_constants(void **state) {
    (void)state;
    struct try_launch try;
    try_fill(&try, "constants");
    strcpy(try.arguments[0].name, "x");
    try.arguments[0].constant = true;
    try.arguments[0].count = try.arguments[1].count = try.arguments[2].scalar = 64;
    try_run(session, &try);
    assert_int_equal(try.result.end, CUDA_COMPLETED);
    assert_int_equal(try.result.hazard_count, 0);
    assert_memory_equal(try.data, try.data + OUT_OFFSET / 4, 64 * sizeof(float));
    cuda_result_free(&try.result);
    try_fill(&try, "constants");
    strcpy(try.arguments[0].name, "x");
    try.arguments[0].constant = true; /* 100 elements for a variable of 64 */
    try_run(session, &try);
    assert_int_equal(try.result.end, CUDA_REFUSED);
    assert_int_equal(try.result.hazards[0].kind, HAZARD_INVALID_LAUNCH);
    assert_non_null(strstr(try.result.hazards[0].message, "__constant__ variable is smaller"));
    cuda_result_free(&try.result);
}

/* A module's variables and what stood in the card's memory are gone in the next run. */
static void test_leaves_nothing(void **state) {
    (void)state;
    struct try_launch try;
    for (int i = 0; i < 3; i++) {
        try_fill(&try, "count");
        try_quietly(session, &try);
        assert_true(try.data[OUT_OFFSET / 4] == 1);
    }
    try_fill(&try, "scribble");
    try_quietly(session, &try);
    assert_int_equal(try.result.hazards[0].kind, HAZARD_OUT_OF_BOUNDS);
    try_fill(&try, "search");
    try_quietly(session, &try);
    assert_int_equal(try.result.end, CUDA_COMPLETED);
    assert_true(try.data[OUT_OFFSET / 4] == 0);
}

static void test_prints(void **state) {
    (void)state;
    struct try_launch try;
    for (int i = 0; i < 2; i++) {
        try_fill(&try, "print");
        try_run(session, &try);
        assert_string_equal(text_string(&try.result.printed), "value 100\n");
        assert_false(try.result.printed_cut);
        cuda_result_free(&try.result);
    }
}

/* An input is compared piece by piece; this one differs at the end of its fourth. */
static void test_last_of_many(void **state) {
    (void)state;
    enum { MANY = 1 << 20 };
    struct try_launch try;
    cleanup_free float *data = mem_zalloc((size_t)2 * MANY * sizeof *data);
    try_fill(&try, "write_last");
    try.launch.data = data;
    try.launch.data_length = (size_t)2 * MANY * sizeof *data;
    try.arguments[0].count = try.arguments[1].count = try.arguments[2].scalar = MANY;
    try.arguments[1].data_offset = MANY * sizeof *data;
    try_run(session, &try);
    assert_int_equal(try.result.end, CUDA_COMPLETED);
    assert_int_equal(try.result.hazard_count, 1);
    assert_string_equal(try.result.hazards[0].variable, "in[1048575]");
    assert_int_equal(try.result.hazards[0].count, 1);
    cuda_result_free(&try.result);
}

/* A buffer with a rule is made on the card, compared there, and not read back. */
static void test_rules(void **state) {
    (void)state;
    static const char *const kernels[] = {"copy", "write_input"};
    for (size_t i = 0; i < 2; i++) {
        struct try_launch try;
        try_fill(&try, kernels[i]);
        try.arguments[0].fill = (struct engine_fill){.kind = ENGINE_FILL_UNIFORM, .high = 1};
        try.data[0] = 42;
        try_quietly(session, &try);
        assert_int_equal(try.result.end, CUDA_COMPLETED);
        assert_true(try.data[0] == 42);
        unsigned char filled[4] = {0x11, 0x11, 0x11, 0x11};
        assert_memory_equal(&try.data[OUT_OFFSET / 4], filled, 4);
        assert_int_equal(try.result.hazard_count, i);
        if (i == 1)
            assert_string_equal(try.result.hazards[0].variable, "in[1]");
    }
}

/* Ends that take the session with them; the next one works. */
static void test_deaths(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        enum cuda_end end;
        int hazard;
        const char *says;
    } cases[] = {
        {"fault_700", CUDA_FAULT, HAZARD_OUT_OF_BOUNDS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {"fault_716", CUDA_FAULT, HAZARD_MISALIGNED, "CUDA_ERROR_MISALIGNED_ADDRESS"},
        {"fault_719", CUDA_FAULT, HAZARD_TRAP, "CUDA_ERROR_LAUNCH_FAILED"},
        {"fault_714", CUDA_FAULT, HAZARD_STACK_OVERFLOW, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
        {"fault_999", CUDA_DIED, -1, "CUDA error 999"},
        {"hang", CUDA_HUNG, -1, "did not end within 0.3 s"},
        {"die", CUDA_DIED, -1, "signal 6"},
        {"long_event", CUDA_DIED, -1, "more time than passed"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct try_launch try;
        struct cuda_session *doomed = open_session(1, CUDA_UNTRUSTED);
        try_fill(&try, cases[i].kernel);
        try.launch.time = true;
        try.launch.wall_seconds = 0.3;
        try_quietly(doomed, &try);
        if (try.result.end != cases[i].end || !strstr(try.result.message, cases[i].says))
            fail_msg("%s: end %d: %s", cases[i].kernel, (int)try.result.end, try.result.message);
        assert_int_equal(try.result.hazard_count, cases[i].hazard >= 0);
        if (cases[i].hazard >= 0)
            assert_int_equal(try.result.hazards[0].kind, cases[i].hazard);
        assert_false(cuda_session_is_alive(doomed));
        try_quietly(doomed, &try); /* and says so */
        assert_int_equal(try.result.end, CUDA_DIED);
        cuda_session_close(doomed);
    }
}

/* An output that a rule made comes back. */
static void test_rule_of_output(void **state) {
    (void)state;
    struct try_launch try;
    try_fill(&try, "search");
    try.arguments[1].fill.kind = ENGINE_FILL_CONSTANT;
    try_quietly(session, &try);
    assert_int_equal(try.result.end, CUDA_COMPLETED);
    unsigned char filled[8] = {0, 0, 0, 0, 0x11, 0x11, 0x11, 0x11};
    assert_memory_equal(&try.data[OUT_OFFSET / 4], filled, 8);
    try.arguments[1].data_offset = DATA_BYTES - 4;
    assert_int_equal(cuda_session_run(session, &try.launch, &try.result, &error), STATUS_INVALID);
}

/* Unless it is not asked for; what was sent comes back all the same. */
static void test_outputs_that_are_left(void **state) {
    (void)state;
    struct try_launch try;
    for (unsigned has_rule = 0; has_rule < 2; has_rule++) {
        try_fill(&try, "copy");
        try.data[OUT_OFFSET / 4] = -1;
        try.launch.leave_outputs = true;
        if (has_rule)
            try.arguments[1].fill.kind = ENGINE_FILL_CONSTANT;
        try_quietly(session, &try);
        assert_int_equal(try.result.end, CUDA_COMPLETED);
        assert_true(try.data[OUT_OFFSET / 4] == (has_rule ? -1 : 1));
    }
    try.arguments[1].data_offset = DATA_BYTES; /* needs no place */
    try_quietly(session, &try);
    assert_int_equal(try.result.end, CUDA_COMPLETED);
}

/* Small and large launches in turns: every byte arrives, in files that are used again and in new
 * ones, by one thread and by several. */
static void test_lengths(void **state) {
    (void)state;
    static const size_t counts[] = {100, 3000000, 9000001, 3000000, 5, 9000001, 200};
    struct try_launch try;
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        size_t count = counts[i], half = (count * sizeof(float) / 256 + 1) * 256;
        cleanup_free float *data = mem_zalloc(2 * half);
        for (size_t j = 0; j < count; j++)
            data[j] = (float)(j % 9999991 + i);
        try_fill(&try, "copy");
        try.launch.data = data;
        try.launch.data_length = 2 * half;
        try.arguments[0].count = try.arguments[1].count = try.arguments[2].scalar = count;
        try.arguments[1].data_offset = half;
        try_quietly(session, &try);
        assert_int_equal(try.result.end, CUDA_COMPLETED);
        assert_int_equal(try.result.hazard_count, 0);
        assert_memory_equal(data, (char *)data + half, count * sizeof(float));
        assert_true(data[count - 1] == (float)((count - 1) % 9999991 + i));
    }
}

/* A child that has copies of our descriptors, as that which reads repositories, delays nothing. */
static void test_beside_a_child(void **state) {
    (void)state;
    static const char *const kernels[] = {"copy", "die", "hang"};
    for (size_t i = 0; i < ARRAY_LENGTH(kernels); i++) {
        struct cuda_session *watched = open_session(0, CUDA_UNTRUSTED);
        pid_t child = fork();
        if (child == 0) {
            sleep(60);
            _exit(0);
        }
        double start = clock_ms();
        struct try_launch try;
        try_fill(&try, kernels[i]);
        try.launch.wall_seconds = 0.2;
        try_quietly(watched, &try);
        cuda_session_close(watched);
        assert_true(clock_ms() - start < 4000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
}

static void test_refuses_wrong_launches(void **state) {
    (void)state;
    struct try_launch try;
    try_fill(&try, "copy");
    try.arguments[1].data_offset = DATA_BYTES;
    assert_int_equal(cuda_session_run(session, &try.launch, &try.result, &error), STATUS_INVALID);
    try_fill(&try, "copy");
    struct cuda_blas_call blas = {.routine = CUDA_BLAS_SAXPY};
    try.launch.blas = &blas;
    assert_int_equal(cuda_session_run(session, &try.launch, &try.result, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "not for submissions"));
}

/* cuBLAS is loaded by the sessions that ask for it, and by no others. */
static void test_blas_is_asked_for(void **state) {
    (void)state;
    const char *without, *with;
    struct cuda_session *plain = open_session(0, CUDA_TRUSTED);
    struct cuda_session *asking = open_session(0, CUDA_TRUSTED_BLAS);
    assert_false(cuda_session_has_blas(plain, &without));
    assert_non_null(strstr(without, "not asked for"));
    if (!cuda_session_has_blas(asking, &with)) /* the fake driver is not enough for it */
        assert_non_null(strstr(with, "cuBLAS "));
    assert_string_not_equal(with, without);
    cuda_session_close(plain);
    cuda_session_close(asking);
}

static void test_copy_and_clocks(void **state) {
    (void)state;
    double rate;
    struct cuda_clocks clocks;
    assert_int_equal(cuda_session_copy_ceiling(session, 1 << 20, &rate, &error), STATUS_OK);
    assert_true(rate > 1e6);
    assert_int_equal(cuda_session_clocks(session, &clocks, &error), STATUS_OK);
    assert_false(clocks.available);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    setenv("LD_LIBRARY_PATH", FAKE_CARD_FOLDER, 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_completes),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_fills_constants),
        cmocka_unit_test(test_leaves_nothing),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_rule_of_output),
        cmocka_unit_test(test_deaths),
        cmocka_unit_test(test_beside_a_child),
        cmocka_unit_test(test_refuses_wrong_launches),
        cmocka_unit_test(test_copy_and_clocks),
        cmocka_unit_test(test_blas_is_asked_for),
        cmocka_unit_test(test_last_of_many),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_outputs_that_are_left),
    };
    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
