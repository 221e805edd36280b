/* `warpgrade grade`: finds the submissions, grades each, writes the reports.
 *
 * What a submission is like never ends the command early: with several files, one that cannot be
 * read or names no exercise is an error on standard error and the others are graded. The exit code
 * is the worst of all files. */
#include "grader/cli/command.h"
#include "grader/cli/learn/grade_folder.h"
#include "grader/cli/learn/learn_cli.h"
#include "grader/cli/learn/watch.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/grade/grade.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are refused unread; up to here they are graded, as compile errors. */
#define READ_MAX_BYTES ((size_t)64 << 20)

enum { MAX_FILES = 10000, MAX_MEMORY_MB = 1 << 20 };

struct loaded {
    struct exercise **exercises;
    size_t count, capacity;
};

struct grade_command {
    struct grade_options options;
    const char *exercise; /* -e */
    struct report_output *outputs;
    size_t output_count, output_capacity;
    char **arguments;
    size_t argument_count;
    enum color_choice color;
    bool verbose;
    bool timing;
    bool times;
    bool no_record;
    bool watches;
    /* while it runs */
    struct grade_session *session;
    struct loaded loaded;
    struct report **reports; /* one for each submission, also where it was not graded */
    size_t report_count, report_capacity;
    const struct report **graded; /* those that were */
    size_t graded_count, graded_capacity;
    enum status worst;
    struct progress progress;
    size_t looked_at;               /* files, submissions or not */
    struct watch *watch;            /* of the round, where one is watched */
    struct text changed;            /* since the last attempt */
    struct learn_settings settings; /* where no FILE is given */
    char *own_file;                 /* theirs */
    bool has_language, has_engine;  /* said by an option */
};

/* ---- options --------------------------------------------------------------------------------- */

enum {
    OPTION_ENGINE = 256,
    OPTION_SEED,
    OPTION_CASES,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_LANG,
    OPTION_DEVICE,
    OPTION_COLOR,
    OPTION_TIMING,
    OPTION_TIMES,
    OPTION_NO_RECORD,
    OPTION_WATCH
};

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0,
     "the exercise; default: the one that the first comment names, else the file's name", 0},
    {"engine", OPTION_ENGINE, "sim|cuda|auto", 0,
     "where kernels run; auto is the simulated GPU and, where there is a real one, that as well: "
     "for the speed, and for the checks once more",
     0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {"cases", OPTION_CASES, "GLOB", 0, "only the cases with such names", 0},
    {"report", 'r', "FORMAT=FILE", 0,
     "writes a report, may be given several times; FILE - is standard output", 0},
    {"jobs", 'j', "N", 0, "cases run at the same time; default: as many as there are CPUs", 0},
    {"time-limit", OPTION_TIME, "S", 0, "seconds that a case may take", 0},
    {"memory-limit", OPTION_MEMORY, "MB", 0, "MiB that a case may use", 0},
    {"lang", OPTION_LANG, "en|zh", 0, "language of titles and hints", 0},
    {"device", OPTION_DEVICE, "ID|FILE", 0,
     "device profile for the speed case; default: the exercise's; `warpgrade profile "
     "--list-devices` lists them",
     0},
    {"timing", OPTION_TIMING, NULL, 0, "in text, where the time of the grading went", 0},
    {"times", OPTION_TIMES, NULL, 0,
     "JSON with the times that grading took, which `warpgrade report junit` writes later; without "
     "them the same seed gives the same bytes",
     0},
    {"watch", OPTION_WATCH, NULL, 0,
     "grades again each time the file is saved, and draws the report in place", 0},
    {"no-record", OPTION_NO_RECORD, NULL, 0,
     "leaves nothing in your own record, from which `next`, `progress` and `list` tell what is "
     "done",
     0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {"verbose", 'v', NULL, 0, "passing cases in full, with counters", 0},
    {0}};

static void parse_report(struct argp_state *state, struct grade_command *command,
                         const char *text) {
    struct report_output output;
    if (report_output_parse(state, text, &output))
        *mem_push(&command->outputs, &command->output_count, &command->output_capacity) = output;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grade_command *command = state->input;
    struct grade_options *grade = &command->options;
    switch (key) {
    case 'e':
        command->exercise = argument;
        return 0;
    case OPTION_ENGINE:
        if (!grade_engine_from_name(argument, &grade->engine))
            argp_error(state, "--engine takes sim, cuda or auto, not \"%s\"", argument);
        command->has_engine = true;
        return 0;
    case OPTION_SEED:
        grade->seed = command_seed_option(state, argument);
        grade->has_seed = true;
        return 0;
    case OPTION_CASES:
        grade->cases = argument;
        return 0;
    case 'r':
        parse_report(state, command, argument);
        return 0;
    case 'j':
        grade->jobs = (unsigned)command_number_option(state, "--jobs", argument, 1, 64);
        return 0;
    case OPTION_TIME:
        grade->time_limit_seconds = command_seconds_option(state, "--time-limit", argument);
        return 0;
    case OPTION_MEMORY:
        grade->memory_limit_bytes =
            (uint64_t)command_number_option(state, "--memory-limit", argument, 1, MAX_MEMORY_MB)
            << 20;
        return 0;
    case OPTION_LANG:
        grade->language = command_language_option(state, argument);
        command->has_language = true;
        return 0;
    case OPTION_DEVICE:
        grade->device = argument;
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case OPTION_TIMING:
        command->timing = true;
        return 0;
    case OPTION_TIMES:
        command->times = true;
        return 0;
    case OPTION_WATCH:
        command->watches = true;
        return 0;
    case OPTION_NO_RECORD:
        command->no_record = true;
        return 0;
    case 'v':
        command->verbose = true;
        return 0;
    case ARGP_KEY_ARGS:
        command->arguments = state->argv + state->next;
        command->argument_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return 0; /* the settings of this folder say what is graded */
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    options,
    parse_option,
    "[FILE|DIR ...]",
    "Grades CUDA kernels: compiles each submission, runs it on the exercise's cases, compares with "
    "the reference and looks for memory and synchronisation errors. A folder stands for the .cu "
    "files in it that name an exercise. Without arguments warpgrade.yaml of this folder, which "
    "`warpgrade new` writes, says what is graded.\v"
    "Exit status: 0 all passed, 1 one is below its pass mark, 2 usage or exercise error, 3 this "
    "machine cannot grade.",
    children,
    report_output_help,
    NULL};

/* ---- submissions ----------------------------------------------------------------------------- */

static void note_status(struct grade_command *command, enum status status) {
    if (status > command->worst)
        command->worst = status;
}

static void note_error(struct grade_command *command, enum status status, struct error *error) {
    progress_clear(&command->progress);
    if (command->watch)
        watch_begin_output(command->watch);
    command_fail_in(command->options.language, status, error);
    note_status(command, status);
}

static void add_report(struct grade_command *command, struct report *report) {
    *mem_push(&command->reports, &command->report_count, &command->report_capacity) = report;
}

/* What could not be graded has its place in the reports, where CI systems look for it. */
static void add_not_graded(struct grade_command *command, const char *path,
                           const struct exercise *exercise, const struct error *error) {
    add_report(command, grade_not_graded(path, exercise, command->options.language,
                                         VERDICT_INTERNAL_ERROR, error->message, error->hint));
}

static const struct exercise *find_loaded(const struct loaded *loaded, const char *id) {
    for (size_t i = 0; i < loaded->count; i++)
        if (strcmp(loaded->exercises[i]->id, id) == 0)
            return loaded->exercises[i];
    return NULL;
}

static enum status load_exercise(struct loaded *loaded, const char *id,
                                 const struct exercise **exercise, struct error *error) {
    struct exercise *fresh;
    if ((*exercise = find_loaded(loaded, id)))
        return STATUS_OK;
    enum status status = exercise_find(id, &fresh, error);
    if (status != STATUS_OK)
        return status;
    *mem_push(&loaded->exercises, &loaded->count, &loaded->capacity) = fresh;
    *exercise = fresh;
    return STATUS_OK;
}

/* -e, else what the submission says itself. Caller frees. */
static char *submission_exercise(const struct grade_command *command, const char *path,
                                 const char *text, size_t length) {
    return command->exercise ? mem_strdup(command->exercise)
                             : exercise_id_from_submission(path, text, length);
}

/* *exercise stays NULL where there is none of that name. */
static enum status grade_text(struct grade_command *command, const char *path, const char *text,
                              size_t length, const struct exercise **exercise,
                              struct error *error) {
    cleanup_free char *id = submission_exercise(command, path, text, length);
    enum status status = load_exercise(&command->loaded, id, exercise, error);
    if (status != STATUS_OK) {
        if (error && !command->exercise) {
            cleanup_free char *hint = mem_strdup(error->hint);
            error_hint(error, "%s%s`-e EXERCISE` says which exercise %s is for.", hint,
                       *hint ? " " : "", path);
        }
        return status;
    }
    struct grade_source source = {.file = path, .text = text, .length = length};
    struct report *report;
    status = grade_submission(command->session, *exercise, &source, &report, error);
    if (status != STATUS_OK)
        return status;
    note_status(command, grade_exit_status(report));
    add_report(command, report);
    *mem_push(&command->graded, &command->graded_count, &command->graded_capacity) = report;
    return STATUS_OK;
}

static void grade_file(struct grade_command *command, const char *path) {
    struct error error = {0};
    cleanup_free char *text = NULL;
    size_t length;
    const struct exercise *exercise = NULL;
    progress_item(&command->progress, command->looked_at++, file_base_name(path));
    enum status status = file_read_foreign(path, READ_MAX_BYTES, &text, &length, &error);
    if (status != STATUS_OK && !error.hint[0])
        grade_folder_hint(path, &error);
    if (status == STATUS_OK)
        status = grade_text(command, path, text, length, &exercise, &error);
    if (status == STATUS_OK)
        return;
    note_error(command, status, &error);
    add_not_graded(command, path, exercise, &error);
}

static int is_cuda_source(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 3 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 3, ".cu") == 0;
}

/* In a folder only files that name an exercise are submissions: a helper.cu is none. */
static bool names_exercise(const struct grade_command *command, const char *path) {
    cleanup_free char *text = NULL;
    size_t length = 0;
    if (command->exercise)
        return true;
    if (file_read_foreign(path, READ_MAX_BYTES, &text, &length, NULL) != STATUS_OK)
        length =
            0; /* its name decides; where it is a submission's, grading it says what is wrong */
    cleanup_free char *named = exercise_id_from_source(text ? text : "", length);
    if (named)
        return true;
    cleanup_free char *id = submission_exercise(command, path, text ? text : "", length);
    char **ids;
    size_t count;
    bool known = false;
    if (exercise_ids(&ids, &count, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        known |= strcmp(ids[i], id) == 0;
        free(ids[i]);
    }
    free(ids);
    return known;
}

static void grade_directory(struct grade_command *command, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, is_cuda_source, alphasort);
    struct error error = {0};
    if (count < 0) {
        enum status status = error_set(&error, STATUS_INVALID, "cannot read the folder %s: %s",
                                       path, strerror(errno));
        note_error(command, status, &error);
        add_not_graded(command, path, NULL, &error);
        return;
    }
    size_t submissions = 0, before = command->looked_at;
    command->progress.total += (size_t)count;
    for (int i = 0; i < count; i++) {
        command->looked_at = before + (size_t)i;
        cleanup_free char *file = strcmp(path, ".") == 0 ? mem_strdup(entries[i]->d_name)
                                                         : file_join(path, entries[i]->d_name);
        free(entries[i]);
        if (submissions >= MAX_FILES || !names_exercise(command, file))
            continue;
        submissions++;
        grade_file(command, file);
    }
    free(entries);
    if (submissions)
        return;
    enum status status =
        count
            ? error_set(&error, STATUS_INVALID,
                        "none of the %d .cu files in the folder %s names an exercise", count, path)
            : error_set(&error, STATUS_INVALID, "there is no .cu file in the folder %s", path);
    error_hint(&error, "a submission's first comment says `// warpgrade: EXERCISE`, or its name is "
                       "EXERCISE.cu; `warpgrade list` lists the exercises.");
    note_error(command, status, &error);
    add_not_graded(command, path, NULL, &error);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void write_output(struct grade_command *command, const struct report_output *output,
                         const struct report *const *reports, size_t count) {
    const struct report_looks looks = {.color = command->color,
                                       .verbose = command->verbose,
                                       .timing = command->timing,
                                       .times = command->times};
    struct error error = {0};
    enum status status = report_output_write(output, &looks, reports, count, &error);
    if (status != STATUS_OK)
        note_error(command, status, &error);
}

/* Text goes to standard output unless a text report was asked for by name or another report goes
 * there. It leaves out what was not graded, of which standard error has said why. */
static bool has_own_text(const struct grade_command *command) {
    const struct report_format *text = report_format_find("text");
    for (size_t i = 0; i < command->output_count; i++)
        if (command->outputs[i].format == text || file_is_standard_output(command->outputs[i].path))
            return false;
    return command->graded_count > 0;
}

static void write_reports(struct grade_command *command) {
    for (size_t i = 0; i < command->output_count; i++)
        write_output(command, &command->outputs[i], (const struct report *const *)command->reports,
                     command->report_count);
    if (has_own_text(command))
        write_output(command, &(struct report_output){report_format_find("text"), "-"},
                     command->graded, command->graded_count);
}

/* Several files of one exercise are a class's, not attempts of one student. */
static bool is_only_one(const struct grade_command *command, const struct report *report) {
    size_t count = 0;
    for (size_t i = 0; i < command->graded_count; i++)
        count += strcmp(command->graded[i]->exercise, report->exercise) == 0;
    return count == 1;
}

/* A student's attempts are whole gradings. What has changed since the last one is said of a single
 * file, below its report. */
static void keep_record(struct grade_command *command) {
    bool color = command_color(command->color, STDOUT_FILENO);
    if (command->no_record || command->options.cases)
        return;
    for (size_t i = 0; i < command->graded_count; i++)
        if (is_only_one(command, command->graded[i]))
            learn_note_report(command->graded[i], color, &command->changed);
}

/* Who grades what `new` has written sees many failures and no reason. */
static void note_untouched(const struct grade_command *command) {
    cleanup_free char *skeleton = NULL;
    size_t length;
    if (command->graded_count != 1 || !has_own_text(command))
        return;
    const struct report *report = command->graded[0];
    const struct exercise *exercise = find_loaded(&command->loaded, report->exercise);
    cleanup_text struct text out = {0};
    if (!exercise ||
        file_read(exercise->skeleton, READ_MAX_BYTES, &skeleton, &length, NULL) != STATUS_OK ||
        !report->source || report->source_length != length ||
        memcmp(report->source, skeleton, length) != 0)
        return;
    text_printf(&out,
                command->options.language == LANGUAGE_ZH
                    ? "  下一步     文件与 `warpgrade new` 写出的一样：`warpgrade show %s --lang "
                      "zh` 说明要写什么\n"
                    : "  next       the file is as `warpgrade new` wrote it: `warpgrade show %s` "
                      "says what to write\n",
                exercise->id);
    learn_print(&out);
}

/* What was found of the submissions; what is kept for all of them stays. */
static void forget_reports(struct grade_command *command) {
    for (size_t i = 0; i < command->report_count; i++)
        report_free(command->reports[i]);
    command->report_count = command->graded_count = command->looked_at = 0;
    command->worst = STATUS_OK;
    text_clear(&command->changed);
}

static void release(struct grade_command *command) {
    forget_reports(command);
    free(command->reports);
    free(command->graded);
    for (size_t i = 0; i < command->loaded.count; i++)
        exercise_free(command->loaded.exercises[i]);
    free(command->loaded.exercises);
    free(command->outputs);
    free(command->own_file);
    text_free(&command->changed);
    learn_settings_free(&command->settings);
    grade_close(command->session);
}

/* No FILE is given: what the folder's settings say, where no option says otherwise. */
static enum status use_settings(struct grade_command *command, struct error *error) {
    struct grade_options *grade = &command->options;
    const struct learn_settings *settings = &command->settings;
    enum status status = grade_folder_settings(&command->settings, error);
    if (!command->has_language)
        grade->language = settings->language;
    if (status != STATUS_OK)
        return status;
    command->own_file = mem_printf("%s.cu", settings->exercise);
    command->arguments = &command->own_file;
    command->argument_count = 1;
    if (!command->exercise)
        command->exercise = settings->exercise;
    if (settings->engine && !command->has_engine)
        grade_engine_from_name(settings->engine, &grade->engine);
    if (!grade->device)
        grade->device = settings->device;
    return STATUS_OK;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void grade_all(struct grade_command *command) {
    progress_begin(&command->progress, command->argument_count, "files", "cases");
    for (size_t i = 0; i < command->argument_count; i++) {
        const char *path = command->arguments[i];
        if (is_folder(path))
            grade_directory(command, path);
        else
            grade_file(command, path);
    }
    progress_clear(&command->progress);
    keep_record(command);
}

static void print_all(void *context) {
    struct grade_command *command = context;
    write_reports(command);
    note_untouched(command);
    if (command->graded_count == 1 && has_own_text(command))
        learn_print(&command->changed);
}

static void grade_round(void *context, struct watch *watch) {
    struct grade_command *command = context;
    forget_reports(command);
    command->watch = watch;
    grade_all(command);
}

/* One file, named or the folder's own. */
static void watch_one(struct grade_command *command) {
    const struct watch_work work = {.grade = grade_round,
                                    .print = print_all,
                                    .context = command,
                                    .language = command->options.language,
                                    .color = command_color(command->color, STDOUT_FILENO),
                                    .whole = command->verbose};
    struct error error = {0};
    enum status status = STATUS_OK;
    if (command->argument_count != 1 || is_folder(command->arguments[0]))
        status = error_set(&error, STATUS_INVALID, "--watch takes one FILE");
    else
        status = watch_file(command->arguments[0], &work, &error);
    command->watch = NULL;
    if (status != STATUS_OK)
        note_error(command, status, &error);
}

int command_grade(int argc, char **argv) {
    struct grade_command command = {0};
    struct error error = {0};
    command_parse(&parser, argc, argv, &command);
    command.options.progress = progress_part;
    command.options.progress_context = &command.progress;
    enum status status = command.argument_count ? STATUS_OK : use_settings(&command, &error);
    command.options.only_one = command.argument_count == 1 && !is_folder(command.arguments[0]);
    if (status == STATUS_OK)
        status = grade_open(&command.options, &command.session, &error);
    if (status != STATUS_OK) {
        note_error(&command, status, &error);
        if (!command.argument_count)
            add_not_graded(&command, LEARN_SETTINGS_FILE, NULL, &error);
        for (size_t i = 0; i < command.argument_count; i++)
            add_not_graded(&command, command.arguments[i], NULL, &error);
        command.argument_count = 0;
    }
    if (command.watches && status == STATUS_OK) {
        watch_one(&command);
    } else {
        grade_all(&command);
        print_all(&command);
    }
    status = command.worst;
    release(&command);
    return (int)status;
}
