/* Is the named cause of a wrong answer the right one? Every wrong solution that the exercises have
 * (mutants with the verdict wrong-answer or nondeterministic) is graded while its exercise does not
 * know it, so that none explains itself, and the cause that is named is compared with the one that
 * the exercise's YAML labels it with.
 *
 *     bench_causes [--check] [EXERCISE ...]
 *
 * A cause is right where it is the label; where a wrong solution without a label is given one, or
 * is given the description of another mistake, that is wrong. Where no value is compared, because
 * the verdict's own message says what is wrong (the host computed the result, or freed it), there
 * is no cause to look for: such answers are listed, and not counted. The bar: 70 % right, and at
 * most 3 % wrong. Exit status 1: below it (--check), or something cannot be graded; 77: no compiler
 * here. */
#include "grader/grade/grade.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, SKIPPED = 77, SEED = 1 };
#define RIGHT_BAR 0.70
#define WRONG_BAR 0.03

struct tally {
    size_t answers, named, right, wrong, labelled;
    size_t said;              /* by the message of the verdict: not among the answers */
    size_t by_mistake, large; /* of the right ones: named by another mutant; at the large size */
    double slowest_ms;
    char slowest[128];
};

static const struct report_cause *find_cause(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].cause.present)
            return &report->cases[i].cause;
    return NULL;
}

static bool is_compared(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].difference.present)
            return true;
    return false;
}

static bool has_error(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].verdict == VERDICT_HAZARD)
            return true;
    return false;
}

static void count_answer(const char *id, const struct exercise_mutant *mutant,
                         const struct report *report, struct tally *tally) {
    const struct report_cause *cause = find_cause(report);
    const char *label = cause_infos[mutant->cause].name;
    bool right = cause && label && cause->id && strcmp(cause->id, label) == 0;
    if (!is_compared(report)) {
        printf("%-6s %-24s %s\n", "said", id, mutant->name);
        tally->said++;
        return;
    }
    tally->answers++;
    tally->labelled += label != NULL;
    tally->named += cause != NULL;
    tally->right += right;
    tally->wrong += cause && !right;
    tally->by_mistake += right && cause->is_mistake;
    tally->large += right && mutant->cause == CAUSE_LARGE_ONLY;
    if (report->wall_ms > tally->slowest_ms) {
        tally->slowest_ms = report->wall_ms;
        snprintf(tally->slowest, sizeof tally->slowest, "%s %s", id, mutant->name);
    }
    printf("%-6s %-24s %-26s %-22s %s%s%s%s\n",
           !cause  ? "-"
           : right ? "right"
                   : "WRONG",
           id, mutant->name, label ? label : "(no label)",
           !cause      ? ""
           : cause->id ? cause->id
                       : "(a mistake)",
           cause && cause->is_mistake ? " by mistake: "
           : cause                    ? ": "
                                      : "",
           cause && cause->is_mistake ? cause->text
           : cause                    ? cause->evidence
                                      : "",
           has_error(report) ? " [has a hazard]" : "");
    fflush(stdout);
}

/* Grades mutant `index` of an exercise that does not have it. */
static enum status grade_mutant(struct grade_session *session, struct exercise *exercise,
                                size_t index, struct tally *tally, struct error *error) {
    struct exercise_mutant mutant = exercise->mutants[index];
    struct exercise_mutant *others = exercise->mutants;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = mutant.file};
    enum status status = file_read(mutant.file, FILE_MAX, &text, &source.length, error);
    if (status != STATUS_OK)
        return status;
    source.text = text;
    memmove(&others[index], &others[index + 1],
            (exercise->mutant_count - index - 1) * sizeof *others);
    exercise->mutant_count--;
    struct report *report;
    status = grade_submission(session, exercise, &source, &report, error);
    memmove(&others[index + 1], &others[index], (exercise->mutant_count - index) * sizeof *others);
    others[index] = mutant;
    exercise->mutant_count++;
    if (status == STATUS_OK) {
        count_answer(exercise->id, &mutant, report, tally);
        report_free(report);
    }
    return status;
}

static enum status measure(const char *id, struct tally *tally, struct error *error) {
    struct grade_options options = {.engine = GRADE_ENGINE_SIM, .has_seed = true, .seed = SEED};
    struct exercise *exercise;
    struct grade_session *session;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    status = grade_open(&options, &session, error);
    for (size_t i = 0; i < exercise->mutant_count && status == STATUS_OK; i++)
        if (exercise->mutants[i].verdict == VERDICT_WRONG_ANSWER ||
            exercise->mutants[i].verdict == VERDICT_NONDETERMINISTIC)
            status = grade_mutant(session, exercise, i, tally, error);
    if (status == STATUS_OK)
        grade_close(session);
    exercise_free(exercise);
    return status;
}

static double share(size_t part, size_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

int main(int argc, char **argv) {
    int code, first = 1;
    if (worker_main(argc, argv, &code))
        return code;
    bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    first += check;
    struct error error = {0};
    struct tally tally = {0};
    char **ids = argv + first;
    size_t count = (size_t)(argc - first);
    enum status status = count ? STATUS_OK : exercise_ids(&ids, &count, &error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = measure(ids[i], &tally, &error);
    if (status != STATUS_OK) {
        fprintf(stderr, "bench_causes: %s\n", error.message);
        return status == STATUS_ENVIRONMENT ? SKIPPED : 1;
    }
    printf("%zu wrong answers: %zu with a label; %zu named, %zu right (%.1f %%; %zu by another "
           "mistake, %zu at the large size), %zu wrong (%.1f %%)\n%zu more whose message says "
           "it\nslowest grade: %.0f ms, %s\n",
           tally.answers, tally.labelled, tally.named, tally.right,
           100 * share(tally.right, tally.answers), tally.by_mistake, tally.large, tally.wrong,
           100 * share(tally.wrong, tally.answers), tally.said, tally.slowest_ms, tally.slowest);
    return check && (share(tally.right, tally.answers) < RIGHT_BAR ||
                     share(tally.wrong, tally.answers) > WRONG_BAR);
}
