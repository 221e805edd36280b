/* `warpgrade author mutate`: how good the cases of an exercise are. A solution that passes is
 * broken in one place at a time; what still passes is either no mistake at all, or one that no case
 * shows. */
#include "grader/cli/author/author_cli.h"
#include "grader/cli/progress.h"

#include "grader/author/survey.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct totals {
    size_t outcomes[OPERATOR_COUNT][SURVEY_OUTCOME_COUNT];
};

struct arguments {
    const char *exercise, *file;
    bool tuned, reference, all;
    struct grade_options grade;
    struct progress progress;
    struct totals totals;
};

enum { OPTION_TUNED = 256, OPTION_REFERENCE, OPTION_ALL, OPTION_SEED };

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0,
     "the exercise; default: the one that the file's first comment names, else its name", 0},
    {"tuned", OPTION_TUNED, NULL, 0, "break the exercise's tuned kernel, in place of a file", 0},
    {"reference", OPTION_REFERENCE, NULL, 0,
     "break the exercise's reference: a mutant is caught where the tuned kernel no longer agrees "
     "with it",
     0},
    {"all", OPTION_ALL, NULL, 0, "both, of all exercises or of the one given", 0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'e':
        arguments->exercise = value;
        return 0;
    case OPTION_TUNED:
        arguments->tuned = true;
        return 0;
    case OPTION_REFERENCE:
        arguments->reference = true;
        return 0;
    case OPTION_ALL:
        arguments->all = arguments->tuned = arguments->reference = true;
        return 0;
    case OPTION_SEED:
        arguments->grade.seed = command_seed_option(state, value);
        arguments->grade.has_seed = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file)
            argp_error(state, "one FILE at a time");
        arguments->file = value;
        return 0;
    case ARGP_KEY_END: {
        bool ours = arguments->tuned || arguments->reference;
        if (ours == (arguments->file != NULL))
            argp_error(state, "either a FILE, or --tuned, --reference or --all");
        else if (ours && !arguments->all && !arguments->exercise)
            argp_error(state, "of which exercise? -e EXERCISE");
        return 0;
    }
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_line(const struct text *line) {
    cleanup_text struct text safe = {0};
    escape_terminal(&safe, text_string(line), line->length, false);
    fputs(text_string(&safe), stdout);
}

static void print_survivors(const struct exercise *exercise, const char *file,
                            const struct survey *survey) {
    for (size_t i = 0; i < survey->mutations.count; i++) {
        const struct survey_row *row = &survey->rows[i];
        if (row->outcome != SURVEY_SURVIVED)
            continue;
        cleanup_text struct text line = {0};
        text_printf(&line, "%s, %s line %u, %s: %s\n", exercise->id, file_base_name(file),
                    row->mutation->line, mutation_operators[row->mutation->made_by].name,
                    row->mutation->change);
        if (row->found)
            text_printf(&line, "    would be caught by %s\n", row->found);
        print_line(&line);
    }
    fflush(stdout);
}

static void print_totals(const struct totals *totals) {
    size_t sums[SURVEY_OUTCOME_COUNT] = {0};
    printf("\n%-20s %6s %12s %6s %7s %9s\n", "operator", "made", "not compiled", "equal", "caught",
           "survived");
    for (unsigned i = 0; i <= OPERATOR_COUNT; i++) {
        const size_t *row = i < OPERATOR_COUNT ? totals->outcomes[i] : sums;
        size_t made = 0;
        for (unsigned j = 0; j < SURVEY_OUTCOME_COUNT; j++) {
            made += row[j];
            if (i < OPERATOR_COUNT)
                sums[j] += row[j];
        }
        if (made)
            printf("%-20s %6zu %12zu %6zu %7zu %9zu\n",
                   i < OPERATOR_COUNT ? mutation_operators[i].name : "all", made,
                   row[SURVEY_NO_COMPILE], row[SURVEY_EQUAL], row[SURVEY_CAUGHT],
                   row[SURVEY_SURVIVED]);
    }
}

static enum status survey_file(struct arguments *arguments, struct grade_session *session,
                               const struct exercise *exercise, const char *file,
                               enum survey_role role, struct error *error) {
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = file};
    struct survey survey;
    enum status status = file_read(file, GRADE_MAX_SOURCE_BYTES, &text, &source.length, error);
    if (status != STATUS_OK)
        return status;
    source.text = text;
    status = survey_run(session, exercise, &source, role, &survey, error);
    progress_clear(&arguments->progress);
    if (status == STATUS_OK) {
        print_survivors(exercise, file, &survey);
        for (size_t i = 0; i < survey.mutations.count; i++)
            arguments->totals.outcomes[survey.rows[i].mutation->made_by][survey.rows[i].outcome]++;
    }
    survey_free(&survey);
    return status;
}

static enum status survey_exercise(struct arguments *arguments, struct grade_session *session,
                                   const char *id, struct error *error) {
    struct exercise *exercise;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    if (arguments->file)
        status =
            survey_file(arguments, session, exercise, arguments->file, SURVEY_SUBMISSION, error);
    if (arguments->tuned)
        status =
            survey_file(arguments, session, exercise, exercise->tuned.file, SURVEY_TUNED, error);
    if (status == STATUS_OK && arguments->reference)
        status = survey_file(arguments, session, exercise, exercise->reference.file,
                             SURVEY_REFERENCE, error);
    grade_forget(session);
    exercise_free(exercise);
    return status;
}

static enum status survey_all(struct arguments *arguments, struct grade_session *session,
                              struct error *error) {
    char **ids;
    size_t count;
    enum status status = exercise_ids(&ids, &count, error);
    if (status != STATUS_OK)
        return status;
    progress_begin(&arguments->progress, count, "exercises", "mutants");
    for (size_t i = 0; i < count; i++) {
        progress_item(&arguments->progress, i, ids[i]);
        if (status == STATUS_OK)
            status = survey_exercise(arguments, session, ids[i], error);
        free(ids[i]);
    }
    free(ids);
    return status;
}

static enum status survey_one(struct arguments *arguments, struct grade_session *session,
                              struct error *error) {
    cleanup_free char *text = NULL, *id = mem_strdup(arguments->exercise);
    size_t length;
    enum status status = STATUS_OK;
    if (!id)
        status = file_read(arguments->file, GRADE_MAX_SOURCE_BYTES, &text, &length, error);
    if (!id && status == STATUS_OK)
        id = exercise_id_from_submission(arguments->file, text, length);
    if (status != STATUS_OK)
        return status;
    progress_begin(&arguments->progress, 1, "files", "mutants");
    progress_item(&arguments->progress, 0, id);
    return survey_exercise(arguments, session, id, error);
}

int command_author_mutate(int argc, char **argv) {
    static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};
    static const struct argp parser = {
        options,
        parse_option,
        "FILE\n-e EXERCISE --tuned|--reference",
        "Breaks a solution that passes in one place at a time (a barrier less, a bound off by one, "
        "x for y, ...) and grades each of these mutants. Those that still pass are shown, with a "
        "case that would catch them where one is found; the table counts them by operator.\v"
        "Exit status: 0, however many survive; 2 where the solution itself does not pass.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.grade = {.engine = GRADE_ENGINE_SIM}};
    arguments.grade.progress = progress_part;
    arguments.grade.progress_context = &arguments.progress;
    struct error error = {0};
    struct grade_session *session;
    command_parse(&parser, argc, argv, &arguments);
    enum status status = grade_open(&arguments.grade, &session, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    status = arguments.all && !arguments.exercise ? survey_all(&arguments, session, &error)
                                                  : survey_one(&arguments, session, &error);
    progress_clear(&arguments.progress);
    print_totals(&arguments.totals);
    grade_close(session);
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
