/* The cause of a wrong answer by name; grader/diagnose decides, this file launches.
 *
 * Three failing cases are looked at: the smallest, where a cause shows plainly and little has to be
 * executed; the first of the report, which the student reads; and the largest that is cheap, which
 * tells causes apart that are the same where there is one block or one element. Where none or
 * several causes explain all of them, up to three more follow, the last ones of the report first,
 * because those that are drawn have sizes without a pattern. The
 * submission is launched once more in each, because the judge keeps no results. All bounds are
 * counts, so that the same seed names the same cause on every machine.
 *
 * Of submissions with host code the wrong solutions are left out: nvcc needs seconds for each. */
#include "grader/grade/grade_cause.h"

#include "grader/cases/schedule.h"
#include "grader/grade/program/grade_program.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALWAYS = 3, LOOKED_AT = 6 };
/* Thread instructions of a case that is looked at, and of the one that is to be large. */
#define MOST_INSTRUCTIONS  UINT64_C(8000000)
#define CHEAP_INSTRUCTIONS UINT64_C(4000000)

static bool has_error(const struct report_case *the_case) {
    for (size_t i = 0; i < the_case->hazard_count; i++)
        if (the_case->hazards[i].severity == SEVERITY_ERROR)
            return true;
    return false;
}

static bool is_eligible(const struct report_case *the_case) {
    return (the_case->verdict == VERDICT_WRONG_ANSWER ||
            the_case->verdict == VERDICT_NONDETERMINISTIC) &&
           the_case->difference.present && !the_case->found_on_card && the_case->has_counters &&
           the_case->counters.thread_instructions <= MOST_INSTRUCTIONS;
}

static uint64_t work_of(const struct report_case *the_case) {
    return the_case->counters.thread_instructions;
}

static void add_case(size_t chosen[LOOKED_AT], size_t *count, size_t index) {
    for (size_t i = 0; i < *count; i++)
        if (chosen[i] == index)
            return;
    if (index != SIZE_MAX && *count < LOOKED_AT)
        chosen[(*count)++] = index;
}

static size_t choose_cases(const struct report_case *cases, size_t count, size_t chosen[LOOKED_AT],
                           size_t *first) {
    size_t smallest = SIZE_MAX, largest = SIZE_MAX, chosen_count = 0;
    *first = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!is_eligible(&cases[i]))
            continue;
        if (*first == SIZE_MAX)
            *first = i;
        if (smallest == SIZE_MAX || work_of(&cases[i]) < work_of(&cases[smallest]))
            smallest = i;
        if (work_of(&cases[i]) <= CHEAP_INSTRUCTIONS &&
            (largest == SIZE_MAX || work_of(&cases[i]) > work_of(&cases[largest])))
            largest = i;
    }
    add_case(chosen, &chosen_count, smallest);
    add_case(chosen, &chosen_count, *first);
    add_case(chosen, &chosen_count, largest);
    for (size_t i = count; i-- > 0;)
        if (is_eligible(&cases[i]) && work_of(&cases[i]) <= CHEAP_INSTRUCTIONS)
            add_case(chosen, &chosen_count, i);
    return chosen_count;
}

/* One case while it is looked at. */
struct looked {
    struct plan_launch launch;
    char *before, *after;
    const struct oracle_answer *answer;
    struct view_evidence evidence;
};

/* Launches the submission in one order of blocks and warps; false where it did not end. */
static bool launch_once(const struct grade_run *run, struct looked *looked, uint64_t seed) {
    struct engine_result result;
    memcpy(looked->after, looked->before, looked->launch.data_length);
    struct engine_launch launch =
        grade_request(run, &looked->launch, looked->after, grade_case_budget(run, looked->answer));
    struct worker_limits limits = grade_limits(run);
    launch.seed = seed;
    enum status status = exercise_has_host_code(run->exercise)
                             ? grade_program_run(run, &launch, &limits, &result, NULL)
                             : engine_run(&launch, &limits, &result, NULL);
    if (status != STATUS_OK)
        return false;
    bool ended = result.end == ENGINE_COMPLETED;
    engine_result_free(&result);
    return ended;
}

/* Launches until the result is wrong, which may need another order. */
static bool look_at(const struct grade_run *run, size_t index, const struct report_case *the_case,
                    struct looked *looked, struct diagnosis *diagnosis) {
    uint64_t secret = plan_schedule_seed(run->plan, index);
    bool depends = the_case->verdict == VERDICT_NONDETERMINISTIC;
    looked->before = mem_zalloc(looked->launch.data_length + 1);
    looked->after = mem_zalloc(looked->launch.data_length + 1);
    plan_fill(run->plan, index, PLAN_SUBMISSION, &looked->launch, looked->before);
    looked->evidence = (struct view_evidence){.exercise = run->exercise,
                                              .launch = &looked->launch,
                                              .before = looked->before,
                                              .after = looked->after,
                                              .reference_launch = &looked->answer->launch,
                                              .expected = looked->answer->data,
                                              .constants = run->kernel->constants,
                                              .constant_count = run->kernel->constant_count,
                                              .depends_on_order = diagnosis->depends_on_order,
                                              .language = run->session->options.language};
    for (unsigned i = 0; i < (depends ? GRADE_SCHEDULES : 1); i++) {
        if (!launch_once(run, looked, schedule_seed(secret, i)))
            return false;
        if (diagnosis_look(diagnosis, the_case->name, &looked->evidence))
            return true;
    }
    return false;
}

static void diagnose_case(const struct grade_run *run, size_t index,
                          const struct report_case *the_case, struct diagnosis *diagnosis) {
    struct looked looked = {0};
    bool is_first = diagnosis->case_count == 0;
    if (grade_bind(run, index, &looked.launch, NULL) != STATUS_OK)
        return;
    if (oracle_ask(run->session->oracle, run->reference, run->plan, index, run->kernel->constants,
                   run->kernel->constant_count, run->threads, &looked.answer, NULL) == STATUS_OK) {
        if (looked.answer->valid && look_at(run, index, the_case, &looked, diagnosis)) {
            grade_try_experiments(run, index, looked.answer, the_case->name, &looked.evidence,
                                  diagnosis);
            if (!exercise_has_host_code(run->exercise))
                grade_try_mistakes(run, index, is_first, &looked.evidence, diagnosis);
        }
        oracle_release(run->session->oracle, looked.answer);
    }
    free(looked.before);
    free(looked.after);
    plan_launch_free(&looked.launch);
}

static bool has_verdict(const struct report_case *cases, size_t count, enum verdict verdict) {
    for (size_t i = 0; i < count; i++)
        if (cases[i].verdict == verdict)
            return true;
    return false;
}

void grade_name_cause(const struct grade_run *run, struct report_case *cases, size_t count) {
    size_t chosen[LOOKED_AT], first;
    for (size_t i = 0; i < count; i++)
        if (has_error(&cases[i]))
            return;
    size_t chosen_count = choose_cases(cases, count, chosen, &first);
    struct diagnosis diagnosis;
    if (!run->session->simulates || !chosen_count)
        return;
    diagnosis_begin(run->exercise, has_verdict(cases, count, VERDICT_PASS), &diagnosis);
    diagnosis.depends_on_order = has_verdict(cases, count, VERDICT_NONDETERMINISTIC);
    for (size_t i = 0; i < chosen_count; i++)
        if (i < ALWAYS || diagnosis_is_open(&diagnosis))
            diagnose_case(run, chosen[i], &cases[chosen[i]], &diagnosis);
    diagnosis_conclude(&diagnosis, run->session->options.language, cases[first].name,
                       &cases[first].cause);
    diagnosis_free(&diagnosis);
}

void grade_name_large_only(const struct grade_run *run, struct report_case *cases, size_t checked) {
    struct report_case *speed = &cases[checked];
    if (checked == 0 || checked == run->plan->case_count || speed->cause.present ||
        speed->verdict != VERDICT_WRONG_ANSWER)
        return;
    for (size_t i = 0; i < checked; i++)
        if (cases[i].verdict != VERDICT_PASS)
            return;
    diagnosis_name(CAUSE_LARGE_ONLY, run->session->options.language,
                   mem_printf(WORDS(run->session->options.language, wrong_when_large), checked),
                   &speed->cause);
}
