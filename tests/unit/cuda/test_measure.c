/* Measuring from end to end against a driver without a card (tests/cuda/fake_card.c), which does
 * what a kernel's name says: rounds, what ends them, and what cannot be true. */
#include "grader/grade/measure/grade_measure.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/session_private.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct error error;

/* Times of this machine's processor never become as steady as a card's. */
#define MEASURE_SECONDS 0.2

/* The speed case of a submission whose kernel has this name. */
struct trial {
    struct exercise *exercise;
    struct report *report;
    const struct report_case *speed;
};

static void start_trial_of(struct trial *trial, const char *id, const char *kernel) {
    if (exercise_find(id, &trial->exercise, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    free(trial->exercise->kernel);
    trial->exercise->kernel = mem_strdup(kernel);
}

static void start_trial(struct trial *trial, const char *kernel) {
    start_trial_of(trial, "whole-copy", kernel);
}

static enum status grade_source_of(struct trial *trial, const struct grade_options *options,
                                   const struct grade_source *source) {
    struct grade_session *session;
    if (grade_open(options, &session, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    grade_measure_shortly(session, MEASURE_SECONDS, 0);
    enum status status = grade_submission(session, trial->exercise, source, &trial->report, &error);
    trial->speed =
        status == STATUS_OK ? &trial->report->cases[trial->report->case_count - 1] : NULL;
    grade_close(session);
    return status;
}

static enum status grade_body(struct trial *trial, const struct grade_options *options,
                              const char *body) {
    cleanup_free char *text =
        mem_printf("extern \"C\" __global__ void %s(const int *in, int *out, int n) {\n%s\n}\n",
                   trial->exercise->kernel, body);
    const struct grade_source source = {.file = "copy.cu", .text = text, .length = strlen(text)};
    return grade_source_of(trial, options, &source);
}

static enum status grade_trial(struct trial *trial) {
    const struct grade_options options = {
        .engine = GRADE_ENGINE_CUDA, .has_seed = true, .seed = 3, .cases = "speed"};
    return grade_body(trial, &options, "out[n - 1] = in[n];");
}

static void end_trial(struct trial *trial) {
    report_free(trial->report);
    exercise_free(trial->exercise);
}

static void a_right_kernel_is_measured(void **state) {
    (void)state;
    struct trial trial;
    start_trial(&trial, "copy");
    if (grade_trial(&trial) != STATUS_OK)
        fail_msg("%s", error.message);
    const struct report_case *speed = trial.speed;
    const struct report_measured *measured = &speed->speed.measured;
    if (speed->verdict != VERDICT_PASS)
        fail_msg("%s", speed->message);
    assert_true(measured->present && measured->rounds >= 11);
    assert_string_equal(measured->card, "fake card 0");
    assert_int_equal(measured->sizes[0].value, 4096);
    assert_true(measured->ratio_to_tuned.present && measured->ratio_to_reference.present);
    assert_true(measured->ratio_to_tuned.low <= measured->ratio_to_tuned.median);
    assert_true(measured->ratio_to_tuned.median > 0.02 && measured->ratio_to_tuned.median < 50);
    assert_false(measured->fraction_of_baseline.present);
    assert_true(speed->time.present && speed->time.measured);
    assert_true(speed->time.ci_low_ms <= speed->time.median_ms);
    assert_true(measured->roof_ms > 0);
    assert_string_equal(trial.report->engine, "cuda");
    /* the counter does not matter here; the times are the card's */
    const struct report_threshold *thresholds = speed->speed.thresholds;
    assert_int_equal(thresholds[0].state, THRESHOLD_MET);
    assert_true(thresholds[0].measured && thresholds[1].measured);
    assert_int_equal(thresholds[1].state, THRESHOLD_MET);
    assert_int_equal(thresholds[2].state, THRESHOLD_UNDECIDED);
    end_trial(&trial);
}

/* What each does is seen in the launch that is timed, and ends the measuring. */
static const struct {
    const char *kernel;
    enum verdict verdict;
    const char *message;
} wrong[] = {
    {"search", VERDICT_WRONG_ANSWER, "in round 1 of the measuring"},
    {"past_end", VERDICT_HAZARD, ""},
    {"write_input", VERDICT_HAZARD, ""},
    {"count", VERDICT_WRONG_ANSWER, "1 of 4096 elements of out"},
    {"hang", VERDICT_TIME_LIMIT, ""},
    {"die", VERDICT_INTERNAL_ERROR, ""},
    {"long_event", VERDICT_INTERNAL_ERROR, ""},
};

static void wrong_kernels_end_the_measuring(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        struct trial trial;
        start_trial(&trial, wrong[i].kernel);
        trial.exercise->time_limit_seconds = 0.3;
        if (grade_trial(&trial) != STATUS_OK)
            fail_msg("%s: %s", wrong[i].kernel, error.message);
        if (trial.speed->verdict != wrong[i].verdict)
            fail_msg("%s: %s: %s", wrong[i].kernel, verdict_infos[trial.speed->verdict].name,
                     trial.speed->message);
        assert_non_null(strstr(trial.speed->message, wrong[i].message));
        assert_false(trial.speed->speed.measured.present);
        assert_true(trial.speed->score == 0);
        end_trial(&trial);
    }
}

/* Half of what the bound of 2048 terms allows, three times what drawn terms lose. */
static void sums_of_rounded_factors_are_refused(void **state) {
    (void)state;
    static const char *const kernels[] = {"copy", "rounded"};
    for (size_t i = 0; i < ARRAY_LENGTH(kernels); i++) {
        const struct grade_options options = {
            .engine = GRADE_ENGINE_CUDA, .has_seed = true, .seed = 3, .cases = "speed"};
        struct trial trial;
        start_trial_of(&trial, "long-sums", kernels[i]);
        cleanup_free char *text = mem_printf("extern \"C\" __global__ void %s(const float *in, "
                                             "float *out, int n) { out[n - 1] = in[n]; }\n",
                                             kernels[i]);
        const struct grade_source source = {
            .file = "sums.cu", .text = text, .length = strlen(text)};
        if (grade_source_of(&trial, &options, &source) != STATUS_OK)
            fail_msg("%s", error.message);
        if (trial.speed->verdict != (i ? VERDICT_WRONG_ANSWER : VERDICT_PASS))
            fail_msg("%s: %s", kernels[i], trial.speed->message);
        if (i && !strstr(trial.speed->message, "4096 of 4096 elements of out are less exact"))
            fail_msg("%s", trial.speed->message);
        end_trial(&trial);
    }
}

static void ask_for_bytes(struct trial *trial) {
    struct expr **bytes = &trial->exercise->measured.bytes;
    expr_free(*bytes);
    assert_int_equal(expr_parse("64 * 1048576", bytes, NULL), STATUS_OK);
}

/* 64 MiB in the microseconds of 16 KiB: no memory does that, and the tuned kernel does not. */
static void times_that_cannot_be_true_are_rejected(void **state) {
    (void)state;
    struct trial trial;
    start_trial(&trial, "copy");
    free(trial.exercise->tuned.kernel);
    trial.exercise->tuned.kernel = mem_strdup("slow");
    ask_for_bytes(&trial);
    if (grade_trial(&trial) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trial.speed->verdict, VERDICT_NONDETERMINISTIC);
    assert_non_null(strstr(trial.speed->message, "cannot be true"));
    assert_true(trial.speed->score == 0);
    end_trial(&trial);
}

/* Where the tuned kernel is as quick, the exercise asks for too many bytes. */
static void a_floor_that_the_tuned_kernel_beats_is_none(void **state) {
    (void)state;
    struct trial trial;
    start_trial(&trial, "copy");
    ask_for_bytes(&trial);
    if (grade_trial(&trial) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trial.speed->verdict, VERDICT_PASS);
    end_trial(&trial);
}

/* Is the exercise's fault, and said with its file. */
static void a_wrong_tuned_kernel_is_no_measure(void **state) {
    (void)state;
    struct trial trial = {.report = NULL};
    start_trial(&trial, "copy");
    free(trial.exercise->tuned.kernel);
    trial.exercise->tuned.kernel = mem_strdup("search");
    assert_int_equal(grade_trial(&trial), STATUS_INVALID);
    assert_non_null(
        strstr(error.message, "the tuned kernel of whole-copy is wrong at the measured"));
    assert_non_null(strstr(error.file, "tuned.cu"));
    end_trial(&trial);
}

/* The row of a table: what is right is timed, what is wrong once is no row. */
static void only_right_kernels_have_a_row(void **state) {
    (void)state;
    static const char *const kernels[] = {"copy", "count", "write_input"};
    const struct grade_options options = {.engine = GRADE_ENGINE_CUDA, .has_seed = true, .seed = 3};
    for (size_t i = 0; i < ARRAY_LENGTH(kernels); i++) {
        struct trial trial = {.report = NULL};
        struct grade_session *session;
        struct measured_row row;
        start_trial(&trial, kernels[i]);
        cleanup_free char *text = mem_printf("extern \"C\" __global__ void %s(const int *in, int "
                                             "*out, int n) { out[n - 1] = in[n]; }\n",
                                             kernels[i]);
        const struct grade_source source = {.file = "row.cu", .text = text, .length = strlen(text)};
        assert_int_equal(grade_open(&options, &session, &error), STATUS_OK);
        grade_measure_shortly(session, MEASURE_SECONDS, 0);
        enum status status = grade_measure_row(session, trial.exercise, &source, 5, &row, &error);
        assert_int_equal(status, i ? STATUS_INVALID : STATUS_OK);
        if (i == 0) {
            assert_true(row.own_ms > 0 && row.copy_bytes_per_second > 0);
            assert_true(row.baseline_ms == 0 && row.of_baseline == 0);
        } else if (i == 1) {
            assert_non_null(strstr(error.message, "1 of 4096 elements of out"));
        } else {
            assert_non_null(strstr(error.message, "the submission: "));
        }
        grade_close(session);
        exercise_free(trial.exercise);
    }
}

/* Kernels that the simulated GPU finds right, and what the card finds: by name, or by what only its
 * compiler reads. */
#define COPY "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i];"
static const struct {
    const char *kernel, *body;
    enum verdict verdict;
    const char *message;
} two_faced[] = {
    {"count", COPY, VERDICT_WRONG_ANSWER,
     "on fake card 0, though not on the simulated GPU: 1 of 256 elements of out"},
    {"past_end", COPY, VERDICT_HAZARD, "on fake card 0, though not on the simulated GPU: "},
    {"hang", COPY, VERDICT_TIME_LIMIT, "on fake card 0, though not on the simulated GPU: "},
    {"copy", "#if __CUDA_ARCH__ >= 900\n#error not here\n#endif\n" COPY, VERDICT_COMPILE_ERROR,
     "not here"},
};

/* --engine auto: who is right on the simulated GPU alone gets no points, and is not measured. */
static void both_engines_must_find_a_case_right(void **state) {
    (void)state;
    const struct grade_options options = {
        .engine = GRADE_ENGINE_AUTO, .has_seed = true, .seed = 3, .jobs = 2};
    for (size_t i = 0; i < ARRAY_LENGTH(two_faced); i++) {
        struct trial trial;
        start_trial(&trial, two_faced[i].kernel);
        trial.exercise->time_limit_seconds = 2;
        if (grade_body(&trial, &options, two_faced[i].body) != STATUS_OK)
            fail_msg("%s: %s", two_faced[i].kernel, error.message);
        const struct report_case *small = &trial.report->cases[0];
        if (small->verdict != two_faced[i].verdict)
            fail_msg("%s: %s: %s", two_faced[i].kernel, verdict_infos[small->verdict].name,
                     small->message);
        if (!strstr(small->message, two_faced[i].message))
            fail_msg("%s: %s", two_faced[i].kernel, small->message);
        assert_true(small->found_on_card && small->score == 0);
        assert_int_equal(trial.speed->verdict, VERDICT_SKIPPED);
        assert_false(trial.speed->speed.measured.present);
        assert_string_equal(trial.report->engine, "sim+cuda");
        end_trial(&trial);
    }
}

static void a_kernel_that_is_right_on_both_engines_is_measured(void **state) {
    (void)state;
    const struct grade_options options = {
        .engine = GRADE_ENGINE_AUTO, .has_seed = true, .seed = 3, .jobs = 2};
    struct trial trial;
    start_trial(&trial, "copy");
    if (grade_body(&trial, &options, COPY) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trial.report->cases[0].verdict, VERDICT_PASS);
    assert_true(trial.report->cases[0].has_counters && !trial.report->cases[0].found_on_card);
    if (trial.speed->verdict != VERDICT_PASS)
        fail_msg("%s", trial.speed->message);
    assert_true(trial.speed->speed.measured.present && trial.speed->speed.device_id);
    end_trial(&trial);
}

/* Columns of 2 rows each: more blocks than a grid can have at the sizes that are measured. */
static void constants_without_a_launch_are_the_submissions(void **state) {
    (void)state;
    const struct grade_options options = {
        .engine = GRADE_ENGINE_CUDA, .has_seed = true, .seed = 3, .cases = "speed"};
    struct trial trial;
    start_trial_of(&trial, "tall-grid", "copy");
    if (grade_body(&trial, &options, "#define ROWS 2\nout[n - 1] = in[n];") != STATUS_OK)
        fail_msg("%s", error.message);
    if (trial.speed->verdict != VERDICT_HAZARD)
        fail_msg("%s", trial.speed->message);
    assert_int_equal(trial.speed->hazards[0].kind, HAZARD_INVALID_LAUNCH);
    end_trial(&trial);
}

/* Where only the speed case is graded, the card's compiler is asked there first. */
static void a_kernel_that_the_card_cannot_have_is_no_fault_of_the_exercise(void **state) {
    (void)state;
    const struct grade_options options = {
        .engine = GRADE_ENGINE_AUTO, .has_seed = true, .seed = 3, .cases = "speed"};
    struct trial trial;
    start_trial(&trial, "copy");
    if (grade_body(&trial, &options, two_faced[3].body) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trial.speed->verdict, VERDICT_COMPILE_ERROR);
    assert_true(trial.speed->found_on_card && trial.speed->score == 0);
    end_trial(&trial);
}

/* A card that the compiler does not know is no card to --engine auto, and an error to cuda. */
static void an_old_card_is_left_alone(void **state) {
    (void)state;
    static const enum grade_engine engines[] = {GRADE_ENGINE_AUTO, GRADE_ENGINE_CUDA};
    setenv("CUDA_VISIBLE_DEVICES", "old", 1);
    cuda_cards_forget();
    for (size_t i = 0; i < ARRAY_LENGTH(engines); i++) {
        const struct grade_options options = {.engine = engines[i], .has_seed = true, .seed = 3};
        struct grade_session *session = NULL;
        enum status status = grade_open(&options, &session, &error);
        assert_int_equal(status, i ? STATUS_ENVIRONMENT : STATUS_OK);
        if (i) {
            assert_non_null(strstr(error.message, "no code for this card (sm_20)"));
            assert_null(strchr(error.message, '\n'));
        } else {
            assert_int_equal(grade_card_count(session), 0);
        }
        grade_close(session);
    }
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    cuda_cards_forget();
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    setenv("LD_LIBRARY_PATH", FAKE_CARD_FOLDER, 1);
    setenv("WARPGRADE_HOME", "tests/exercises/measured", 1);
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_kernel_is_measured),
        cmocka_unit_test(wrong_kernels_end_the_measuring),
        cmocka_unit_test(sums_of_rounded_factors_are_refused),
        cmocka_unit_test(times_that_cannot_be_true_are_rejected),
        cmocka_unit_test(a_floor_that_the_tuned_kernel_beats_is_none),
        cmocka_unit_test(a_wrong_tuned_kernel_is_no_measure),
        cmocka_unit_test(only_right_kernels_have_a_row),
        cmocka_unit_test(both_engines_must_find_a_case_right),
        cmocka_unit_test(a_kernel_that_is_right_on_both_engines_is_measured),
        cmocka_unit_test(constants_without_a_launch_are_the_submissions),
        cmocka_unit_test(a_kernel_that_the_card_cannot_have_is_no_fault_of_the_exercise),
        cmocka_unit_test(an_old_card_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
