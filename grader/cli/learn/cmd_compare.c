/* `warpgrade compare A.cu B.cu`: both are graded with the same seed on the simulated GPU, so that
 * every difference is the submissions'. Nothing is added to the record. */
#include "grader/cli/learn/compare_text.h"
#include "grader/cli/learn/learn_cli.h"

#include "grader/grade/grade.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_SEED = 256, OPTION_DEVICE, OPTION_JSON, WIDTH = 80 };

struct arguments {
    const char *files[2];
    const char *exercise;
    struct grade_options grade;
    bool json;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0,
     "the exercise; default: the one that A's first comment names, else A's name", 0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {"device", OPTION_DEVICE, "ID|FILE", 0, "device profile; default: the exercise's", 0},
    {"json", OPTION_JSON, NULL, 0, "as JSON", 0},
    {"lang", 'l', "en|zh", 0, "language (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'e':
        arguments->exercise = value;
        return 0;
    case OPTION_SEED:
        arguments->grade.seed = command_seed_option(state, value);
        arguments->grade.has_seed = true;
        return 0;
    case OPTION_DEVICE:
        arguments->grade.device = value;
        return 0;
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    case 'l':
        arguments->grade.language = command_language_option(state, value);
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "two files, A.cu and B.cu");
        else
            arguments->files[state->arg_num] = value;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "which two files? `warpgrade compare A.cu B.cu`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status grade_both(const struct arguments *arguments, struct grade_session *session,
                              struct report *reports[2], struct error *error) {
    cleanup_free char *first = NULL, *second = NULL;
    struct grade_source sources[2] = {{.file = arguments->files[0]}, {.file = arguments->files[1]}};
    char **texts[2] = {&first, &second};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++) {
        status = file_read_foreign(sources[i].file, GRADE_MAX_SOURCE_BYTES, texts[i],
                                   &sources[i].length, error);
        sources[i].text = *texts[i];
    }
    if (status != STATUS_OK)
        return status;
    struct exercise *exercise;
    cleanup_free char *id =
        arguments->exercise
            ? mem_strdup(arguments->exercise)
            : exercise_id_from_submission(sources[0].file, sources[0].text, sources[0].length);
    status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK) {
        if (!arguments->exercise)
            error_hint(error, "`-e EXERCISE` says which exercise the files are for.");
        return status;
    }
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++)
        status = grade_submission(session, exercise, &sources[i], &reports[i], error);
    exercise_free(exercise);
    return status;
}

static enum status compare(const struct arguments *arguments, struct text *out,
                           struct error *error) {
    struct grade_session *session;
    struct report *reports[2] = {NULL, NULL};
    enum status status = grade_open(&arguments->grade, &session, error);
    if (status != STATUS_OK)
        return status;
    status = grade_both(arguments, session, reports, error);
    const struct terminal t = {.out = out,
                               .color = command_color(arguments->color, STDOUT_FILENO),
                               .width = WIDTH,
                               .language = arguments->grade.language};
    if (status == STATUS_OK && arguments->json)
        compare_write_json(reports[0], reports[1], out);
    else if (status == STATUS_OK)
        compare_write_text(&t, reports[0], reports[1]);
    for (size_t i = 0; i < 2; i++)
        if (reports[i])
            report_free(reports[i]);
    grade_close(session);
    return status;
}

static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};

int command_compare(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "A.cu B.cu",
        .doc = "Grades two submissions of one exercise with the same data on the simulated GPU and "
               "shows where they differ: points, cases, and the counters of the speed case.\v"
               "Exit status: 0 compared, 2 usage or exercise error, 3 this machine cannot grade.",
        .children = children};
    struct arguments arguments = {.grade = {.engine = GRADE_ENGINE_SIM, .no_causes = true}};
    struct error error = {0};
    cleanup_text struct text out = {0};
    command_parse(&parser, argc, argv, &arguments);
    enum status status = compare(&arguments, &out, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.grade.language, status, &error);
    learn_print(&out);
    return STATUS_OK;
}
