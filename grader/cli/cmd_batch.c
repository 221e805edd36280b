/* `warpgrade batch`: fetches and grades every repository of a course.
 *
 * Progress goes to standard error when that is a terminal, the summary to standard output. A broken
 * repository never ends the run; it is named in the summary and shows in the exit code. */
#include "grader/cli/batch/cluster_arguments.h"
#include "grader/cli/command.h"
#include "grader/cli/progress.h"

#include "grader/batch/batch.h"
#include "grader/batch/batch_summary.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_JOBS = 64, BY_SIGNAL = 128 + SIGINT };

struct batch_command {
    struct batch_options options;
    const char **only;
    size_t only_count, only_capacity;
    enum color_choice color;
    const char *since; /* as written; the course's time zone says what it means */
    struct cluster_arguments cluster;
};

enum { OPTION_ONLY = 256, OPTION_SEED, OPTION_COLOR, OPTION_SINCE, OPTION_ALL, OPTION_DRY_RUN };

static const struct argp_option options[] = {
    {"only", OPTION_ONLY, "STUDENT", 0, "grades only this student; may be given several times", 0},
    {"since", OPTION_SINCE, "TIME", 0,
     "grades only what was committed since: 2026-10-02, or 2026-10-02T12:00:00+02:00", 0},
    {"all", OPTION_ALL, NULL, 0,
     "grades again what the gradebook has already; one that was interrupted is completed", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0,
     "reads the repositories and says what would be graded; judges and writes nothing", 0},
    {"output", 'o', "DIR", 0, "where reports and grades.csv go; default: as the course says", 0},
    {"seed", OPTION_SEED, "N", 0,
     "reproduces a run; default: that of an interrupted run, the course's, else a secret one", 0},
    {"jobs", 'j', "N", 0, "submissions judged at the same time; default: as many as there are CPUs",
     0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct batch_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->cluster;
        return 0;
    case OPTION_ONLY:
        *mem_push(&command->only, &command->only_count, &command->only_capacity) = argument;
        return 0;
    case OPTION_SINCE:
        command->since = argument;
        return 0;
    case OPTION_ALL:
        command->options.all = true;
        return 0;
    case OPTION_DRY_RUN:
        command->options.dry_run = true;
        return 0;
    case 'o':
        if (!*argument)
            argp_error(state, "--output takes a folder");
        command->options.output = argument;
        return 0;
    case OPTION_SEED:
        command->options.seed = command_seed_option(state, argument);
        command->options.has_seed = true;
        return 0;
    case 'j':
        command->options.jobs =
            (unsigned)command_number_option(state, "--jobs", argument, 1, MAX_JOBS);
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        if (command->options.course)
            argp_error(state, "one course at a time");
        command->options.course = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which course? COURSE.yaml says students and exercises");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *list_keys(void) {
    struct text out = {0};
    course_append_keys(&out);
    text_append(
        &out,
        "\nA repository is a path, file://, https:// or ssh://. Its files are read from "
        "git's objects; nothing is checked out. Only what is new since the last run is judged. "
        "Results: OUTPUT/index.html (the class), OUTPUT/STUDENT/EXERCISE.html, .txt and "
        ".json, OUTPUT/STUDENT/summary.txt, OUTPUT/grades.csv, totals.csv and junit.xml, "
        "and every attempt in the gradebook.\n\n"
        "With --cluster slurm, submissions are judged by job arrays, many to a task; tasks and "
        "this program meet in GRADEBOOK.cluster/, a folder closed to others that is removed at the "
        "end. Each node needs this warpgrade under the same path: a task runs `warpgrade "
        "batch-task FOLDER NUMBER` there, on as many processors as Slurm gives it "
        "(--cluster-option=--cpus-per-task=N). Lost nodes and requeued tasks cost time, and no "
        "grade. Ctrl-C cancels the tasks.\n\n"
        "A run that was interrupted is completed by the next one for the whole class: with the "
        "same "
        "seed, and where it had --all, without grading once more what it graded already. Runs with "
        "--only or --since in between change nothing of that. A seed that was named by --seed is "
        "gone on with by the same --seed only.\n\n"
        "Exit status: 0 every submission was read and graded, whatever its score; 1 some "
        "repositories could not be read or some submissions not be judged, the rest is "
        "graded; 2 wrong usage, course or exercise; 3 this machine cannot grade, or another "
        "batch of this course is running; 130 ended "
        "by Ctrl-C: the same command goes on.");
    return text_steal(&out);
}

/* The table of keys is the parser's own. */
static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? list_keys() : (char *)(uintptr_t)text;
}

static const struct argp_child children[] = {
    {&cluster_argp, 0, "A cluster:", 5}, COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    options,
    parse_option,
    "COURSE.yaml",
    "Fetches and grades every repository of a course. A repository that cannot be read is named "
    "in the summary and in grades.csv; the others are graded.\v-",
    children,
    filter_help,
    NULL};

static volatile sig_atomic_t ended;

static void end_run(int number) {
    (void)number;
    ended = 1;
}

/* The first Ctrl-C lets the run write what it has; another one ends it at once. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = end_run, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void show_progress(void *context, const struct batch *batch,
                          const struct batch_counts *counts, size_t student) {
    struct progress *progress = context;
    cleanup_free char *label = mem_printf("%zu running, %zu failing%s%s", counts->running,
                                          counts->failed, *counts->note ? ", " : "", counts->note);
    progress->total = counts->students;
    if (student != SIZE_MAX && progress->terminal) {
        cleanup_text struct text line = {0};
        progress_clear(progress);
        batch_progress_line(batch, student, counts, &line);
        fputs(text_string(&line), stderr);
    }
    progress_item(progress, counts->students_done, label);
    progress->label = NULL;
}

static void print_summary(const struct batch_command *command, const struct batch *batch) {
    struct text summary = {0};
    batch_summary(batch, command_color(command->color, STDOUT_FILENO), &summary);
    fputs(text_string(&summary), stdout);
    fflush(stdout);
    text_free(&summary);
}

int command_batch(int argc, char **argv) {
    struct batch_command command = {0};
    struct error error = {0};
    command_parse(&parser, argc, argv, &command);
    command.options.only = command.only;
    command.options.only_count = command.only_count;
    command.options.ended = &ended;
    command.options.since = command.since;
    command.options.cluster = cluster_arguments_options(&command.cluster);
    struct batch *batch = NULL;
    enum status status = batch_open(&command.options, &batch, &error);
    if (status == STATUS_OK) {
        struct progress progress;
        catch_signals();
        progress_begin(&progress, 0, "students", "");
        status = batch_run(batch, show_progress, &progress, &error);
        progress_clear(&progress);
        print_summary(&command, batch);
    }
    int code = status == STATUS_OK ? (int)batch_status(batch) : command_fail(status, &error);
    if (batch && batch_was_ended(batch))
        _exit(BY_SIGNAL); /* what is still being judged ends with this process */
    batch_close(batch);
    cluster_arguments_free(&command.cluster);
    free(command.only);
    return code;
}
