/* The proof of an exercise, row by row; see validate.h. Everything is graded exactly as a student's
 * submission is: an exercise that is proved here behaves so in class. */
#include "grader/validate.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"
#include "grader/grade_private.h"
#include "grader/plan.h"
#include "grader/schedule.h"
#include "grader/score.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 20 };

/* What a submission is expected to end with. The skeleton of an exercise about a bug falls to the
 * check that the YAML names, as a mutant does, and is below the pass mark as every skeleton. */
enum expectation { EXPECT_FULL, EXPECT_FAIL, EXPECT_UNTOUCHED, EXPECT_MUTANT };

static void add_row(struct validate_result *result, const struct exercise *exercise,
                    const char *subject, char *expected, char *found, bool proved) {
    *mem_push(&result->rows, &result->count, &result->capacity) =
        (struct validate_row){.exercise = mem_strdup(exercise->id),
                              .subject = mem_strdup(subject),
                              .expected = expected,
                              .found = found,
                              .proved = proved};
    result->failed += !proved;
}

/* ---- submissions ----------------------------------------------------------------------------- */

static bool has_hazard(const struct report *report, enum hazard_kind kind) {
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++)
            if (report->cases[i].hazards[j].kind == kind &&
                report->cases[i].hazards[j].severity == SEVERITY_ERROR)
                return true;
    return false;
}

static char *describe_found(const struct report *report) {
    struct text out = {0};
    text_append(&out, verdict_infos[report->verdict].name);
    for (unsigned kind = 0; kind < HAZARD_COUNT; kind++)
        if (has_hazard(report, (enum hazard_kind)kind))
            text_printf(&out, ", %s", hazard_infos[kind].name);
    text_append(&out, "; ");
    if (report->build_message || report->verdict == VERDICT_INTERNAL_ERROR) {
        text_append(&out, report->message);
        return text_steal(&out);
    }
    report_append_points(&out, report->score);
    text_append(&out, " of ");
    report_append_points(&out, report->max_score);
    return text_steal(&out);
}

static char *describe_expected(enum expectation expectation, const struct exercise_mutant *mutant) {
    if (expectation == EXPECT_FULL)
        return mem_strdup("pass; full score");
    if (expectation == EXPECT_FAIL)
        return mem_strdup("below the pass mark");
    if (mutant->has_hazard)
        return mem_printf("%s, %s", verdict_infos[mutant->verdict].name,
                          hazard_infos[mutant->hazard].name);
    return mem_strdup(verdict_infos[mutant->verdict].name);
}

/* For the reason that it is wrong, not because it could not be judged. */
static bool is_below_mark(const struct report *report) {
    return !report->passed && grade_exit_status(report) == STATUS_BELOW_MARK &&
           !report->build_message;
}

static bool falls_as_meant(const struct report *report, const struct exercise_mutant *mutant) {
    return report->verdict == mutant->verdict && report->score < report->max_score &&
           (!mutant->has_hazard || has_hazard(report, mutant->hazard));
}

static bool is_proved(const struct report *report, enum expectation expectation,
                      const struct exercise_mutant *mutant) {
    switch (expectation) {
    case EXPECT_FULL:
        return report->passed && report->verdict == VERDICT_PASS &&
               report->score >= report->max_score;
    case EXPECT_FAIL:
        return is_below_mark(report);
    case EXPECT_UNTOUCHED:
        return is_below_mark(report) && falls_as_meant(report, mutant);
    case EXPECT_MUTANT:
        return falls_as_meant(report, mutant);
    }
    return false;
}

static enum status validate_source(struct grade_session *session, const struct exercise *exercise,
                                   const char *subject, const struct grade_source *source,
                                   enum expectation expectation,
                                   const struct exercise_mutant *mutant,
                                   struct validate_result *result, struct error *error) {
    struct report *report;
    enum status status = grade_submission(session, exercise, source, &report, error);
    if (status != STATUS_OK)
        return status;
    add_row(result, exercise, subject, describe_expected(expectation, mutant),
            describe_found(report), is_proved(report, expectation, mutant));
    result->rows[result->count - 1].is_mutant = expectation == EXPECT_MUTANT;
    report_free(report);
    return STATUS_OK;
}

static enum status validate_file(struct grade_session *session, const struct exercise *exercise,
                                 const char *subject, const char *path,
                                 enum expectation expectation, const struct exercise_mutant *mutant,
                                 struct validate_result *result, struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    enum status status = file_read(path, SOURCE_MAX, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    struct grade_source source = {.file = path, .text = text, .length = length};
    return validate_source(session, exercise, subject, &source, expectation, mutant, result, error);
}

static enum status validate_stubs(struct grade_session *session, const struct exercise *exercise,
                                  struct validate_result *result, struct error *error) {
    static const char *const names[] = {"no-op", "zero", "copy"};
    for (unsigned stub = STUB_NOOP; stub <= STUB_COPY; stub++) {
        cleanup_free char *text = validate_stub_source(exercise, (enum validate_stub)stub);
        if (!text)
            continue;
        cleanup_free char *file = mem_printf("%s.cu", names[stub]);
        struct grade_source source = {.file = file, .text = text, .length = strlen(text)};
        enum status status = validate_source(session, exercise, names[stub], &source, EXPECT_FAIL,
                                             NULL, result, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* The tuned kernel may have a launch of its own: it is graded as if the exercise had it. */
static enum status validate_tuned(struct grade_session *session, const struct exercise *exercise,
                                  struct validate_result *result, struct error *error) {
    struct exercise as_tuned = *exercise;
    as_tuned.launch = exercise->tuned.launch;
    as_tuned.kernel = exercise->tuned.kernel;
    return validate_file(session, &as_tuned, "tuned", exercise->tuned.file, EXPECT_FULL, NULL,
                         result, error);
}

/* ---- the reference --------------------------------------------------------------------------- */

/* Two sessions' oracles with the same data but other schedules would be needed to ask twice, so
 * the second run is launched here. */
static enum status run_again(const struct oracle_kernel *kernel, const struct exercise *exercise,
                             const struct plan *plan, size_t index,
                             const struct oracle_answer *answer, bool *same, struct error *error) {
    cleanup_free char *data = mem_zalloc(answer->launch.data_length + 1);
    plan_fill(plan, index, PLAN_REFERENCE, &answer->launch, data);
    struct engine_launch launch = {.ptx = kernel->build.ptx,
                                   .ptx_length = kernel->build.ptx_length,
                                   .kernel = kernel->lowered,
                                   .file_name = file_base_name(exercise->reference.file),
                                   .grid = answer->launch.grid,
                                   .block = answer->launch.block,
                                   .shared_bytes = answer->launch.shared_bytes,
                                   .arguments = answer->launch.arguments,
                                   .argument_count = answer->launch.argument_count,
                                   .data = data,
                                   .data_length = answer->launch.data_length,
                                   .seed = schedule_seed(plan_schedule_seed(plan, index), 1)};
    struct worker_limits limits = {.wall_seconds = exercise->time_limit_seconds,
                                   .memory_bytes = exercise->memory_limit_bytes};
    struct engine_result result;
    enum status status = engine_run(&launch, &limits, &result, error);
    if (status != STATUS_OK)
        return status;
    *same = result.end == ENGINE_COMPLETED &&
            memcmp(data, answer->data, answer->launch.data_length) == 0;
    engine_result_free(&result);
    return STATUS_OK;
}

static enum status check_reference_case(struct grade_session *session,
                                        const struct oracle_kernel *kernel, const struct plan *plan,
                                        size_t index, struct text *problem, struct error *error) {
    const struct oracle_answer *answer;
    size_t count;
    cleanup_free struct expr_name *constants = oracle_constants(plan->exercise, &count);
    enum status status =
        oracle_ask(session->oracle, kernel, plan, index, constants, count, 0, &answer, error);
    if (status != STATUS_OK)
        return status;
    bool same = true;
    if (!answer->valid)
        text_printf(problem, "%s: %s", plan->cases[index].name, answer->message);
    else
        status = run_again(kernel, plan->exercise, plan, index, answer, &same, error);
    if (!same)
        text_printf(problem, "%s: another schedule gives another result", plan->cases[index].name);
    oracle_release(session->oracle, answer);
    return status;
}

static enum status validate_reference(struct grade_session *session,
                                      const struct exercise *exercise,
                                      struct validate_result *result, struct error *error) {
    struct oracle_kernel kernel;
    struct plan *plan;
    enum status status = plan_make(exercise, session->seed, NULL, &plan, error);
    if (status != STATUS_OK)
        return status;
    status = oracle_compile(exercise, &kernel, error);
    if (status == STATUS_OK) {
        struct text problem = {0};
        for (size_t i = 0; i < plan->case_count && status == STATUS_OK && !problem.length; i++)
            status = check_reference_case(session, &kernel, plan, i, &problem, error);
        bool proved = problem.length == 0;
        if (proved)
            text_printf(&problem, "clean on %zu cases", plan->case_count);
        char *found = text_steal(&problem);
        if (status == STATUS_OK)
            add_row(result, exercise, "reference", mem_strdup("clean, the same on any schedule"),
                    found, proved);
        else
            free(found);
        oracle_kernel_free(&kernel);
    }
    plan_free(plan);
    return status;
}

/* Points for speed mean something only where a right and slow kernel does not get them. */
static void validate_speed(const struct exercise *exercise, struct validate_result *result) {
    size_t slow = 0;
    if (exercise->points[GROUP_SPEED] <= 0)
        return;
    for (size_t i = 0; i < exercise->mutant_count; i++)
        slow += exercise->mutants[i].verdict == VERDICT_TOO_SLOW;
    add_row(result, exercise, "speed", mem_strdup("a mutant that is right and too slow"),
            slow ? mem_printf("%zu of them", slow) : mem_strdup("none"), slow != 0);
}

/* ---- the whole ------------------------------------------------------------------------------- */

enum status validate_exercise(struct grade_session *session, const struct exercise *exercise,
                              struct validate_result *result, struct error *error) {
    enum status status = validate_reference(session, exercise, result, error);
    if (status == STATUS_OK)
        status = validate_tuned(session, exercise, result, error);
    if (status == STATUS_OK)
        status = validate_file(session, exercise, "skeleton", exercise->skeleton,
                               exercise->has_untouched ? EXPECT_UNTOUCHED : EXPECT_FAIL,
                               &exercise->untouched, result, error);
    if (status == STATUS_OK)
        status = validate_stubs(session, exercise, result, error);
    if (status == STATUS_OK)
        validate_speed(exercise, result);
    for (size_t i = 0; i < exercise->mutant_count && status == STATUS_OK; i++) {
        const struct exercise_mutant *mutant = &exercise->mutants[i];
        cleanup_free char *subject = mem_printf("mutant %s", mutant->name);
        status = validate_file(session, exercise, subject, mutant->file, EXPECT_MUTANT, mutant,
                               result, error);
    }
    return status;
}

void validate_result_free(struct validate_result *result) {
    for (size_t i = 0; i < result->count; i++) {
        free(result->rows[i].exercise);
        free(result->rows[i].subject);
        free(result->rows[i].expected);
        free(result->rows[i].found);
    }
    free(result->rows);
    *result = (struct validate_result){0};
}
