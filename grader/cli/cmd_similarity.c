/* `warpgrade similarity`: which submissions have more in common than chance gives. */
#include "grader/cli/command.h"

#include "grader/similarity/show.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BOOKS = 64, DEFAULT_LIMIT = 50, MOST_PAIRS = 100000 };

struct arguments {
    const char *places[MOST_BOOKS], *earlier[MOST_BOOKS];
    size_t place_count, earlier_count;
    const char *exercise, *json, *html;
    double threshold; /* 0: not given */
    size_t limit;
    unsigned jobs;
    enum color_choice color;
    bool has_language;
    enum language language;
};

enum {
    OPTION_THRESHOLD = 256,
    OPTION_EARLIER,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_LIMIT,
    OPTION_COLOR,
    OPTION_LANG
};

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0, "compare submissions to this exercise only", 0},
    {"threshold", OPTION_THRESHOLD, "PERCENT", 0,
     "from which score on a pair counts as found; default: the course's, else 50", 0},
    {"earlier", OPTION_EARLIER, "BOOK|DIR", 0,
     "submissions of an earlier year, compared with those of this one; may be repeated", 0},
    {"json", OPTION_JSON, "FILE", 0, "write all figures as JSON; - is standard output", 0},
    {"html", OPTION_HTML, "FILE", 0, "write a page with the sources side by side", 0},
    {"lang", OPTION_LANG, "LANG", 0, "the page's language, en or zh; default: the course's", 0},
    {"limit", OPTION_LIMIT, "N", 0, "keep the best N pairs of each exercise; default: 50", 0},
    {"jobs", 'j', "N", 0, "compile N submissions at a time; default: one a processor", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static const struct argp_child children[] = {COMMAND_JAIL_CHILD, {0}};

static double parse_percent(struct argp_state *state, const char *text) {
    char *end;
    double percent = strtod(text, &end);
    if (end == text || (*end && strcmp(end, "%") != 0) || !(percent > 0 && percent <= 100))
        argp_error(state, "--threshold %s: a percentage above 0 and up to 100 is expected", text);
    return percent / 100;
}

static void add_place(struct argp_state *state, const char **places, size_t *count,
                      const char *place) {
    if (*count == MOST_BOOKS)
        argp_error(state, "at most %d courses, books and folders", MOST_BOOKS);
    places[(*count)++] = place;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'e':
        arguments->exercise = value;
        return 0;
    case OPTION_THRESHOLD:
        arguments->threshold = parse_percent(state, value);
        return 0;
    case OPTION_EARLIER:
        add_place(state, arguments->earlier, &arguments->earlier_count, value);
        return 0;
    case OPTION_JSON:
        arguments->json = value;
        return 0;
    case OPTION_HTML:
        arguments->html = value;
        return 0;
    case OPTION_LIMIT:
        arguments->limit = (size_t)command_number_option(state, "--limit", value, 1, MOST_PAIRS);
        return 0;
    case 'j':
        arguments->jobs = (unsigned)command_number_option(state, "--jobs", value, 1, 64);
        return 0;
    case OPTION_LANG:
        arguments->has_language = true;
        arguments->language = command_language_option(state, value);
        return 0;
    case OPTION_COLOR:
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        add_place(state, arguments->places, &arguments->place_count, value);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what is to be compared? A course, a gradebook or a folder");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    "COURSE.yaml|BOOK|DIR ...",
    "Compares submissions to the same exercise by what the compiler makes of them, and ranks pairs "
    "by how improbable it is that they agree by chance. A course is compared by its gradebook; a "
    "folder holds STUDENT.cu or STUDENT/EXERCISE.cu for each submission. What is found is evidence "
    "for a person to look at; it says nothing of how it came about.\v"
    "Exit status: 0 compared, whatever was found; 2 wrong usage, course or gradebook; 3 this "
    "machine cannot compile.",
    children,
    NULL,
    NULL};

/* ---- what is compared ------------------------------------------------------------------------ */

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_course(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static enum status collect(const struct arguments *arguments, struct similarity_set *set,
                           double *threshold, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->place_count && status == STATUS_OK; i++) {
        const char *place = arguments->places[i];
        status =
            is_folder(place)   ? similarity_collect_folder(set, place, SIMILARITY_SUBMISSION, error)
            : is_course(place) ? similarity_collect_course(set, place, threshold, error)
                               : similarity_collect_book(set, place, SIMILARITY_SUBMISSION, error);
    }
    for (size_t i = 0; i < arguments->earlier_count && status == STATUS_OK; i++)
        status =
            is_folder(arguments->earlier[i])
                ? similarity_collect_folder(set, arguments->earlier[i], SIMILARITY_EARLIER, error)
                : similarity_collect_book(set, arguments->earlier[i], SIMILARITY_EARLIER, error);
    return status == STATUS_OK ? similarity_set_finish(set, error) : status;
}

/* ---- what is written ------------------------------------------------------------------------- */

static enum status write_json(const struct arguments *arguments,
                              const struct similarity_report *report, struct error *error) {
    cleanup_text struct text out = {0};
    similarity_write_json(report, &out);
    if (!file_is_standard_output(arguments->json))
        return file_write(arguments->json, text_string(&out), out.length, error);
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}

static enum status write_all(const struct arguments *arguments,
                             const struct similarity_report *report, struct error *error) {
    enum status status = STATUS_OK;
    cleanup_text struct text out = {0};
    if (arguments->html) {
        similarity_write_html(report, &out);
        status = file_write(arguments->html, text_string(&out), out.length, error);
        text_clear(&out);
    }
    if (status == STATUS_OK && arguments->json)
        status = write_json(arguments, report, error);
    if (status != STATUS_OK || (arguments->json && file_is_standard_output(arguments->json)))
        return status;
    similarity_write_text(report, command_color(arguments->color, STDOUT_FILENO), &out);
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}

static enum status compare(const struct arguments *arguments, const struct similarity_set *set,
                           double threshold, struct error *error) {
    const struct similarity_options chosen = {
        .threshold = threshold, .limit = arguments->limit, .jobs = arguments->jobs};
    struct similarity_result *results = mem_calloc(set->count + 1, sizeof *results);
    enum status status = STATUS_OK;
    size_t done = 0;
    for (; done < set->count && status == STATUS_OK; done++)
        status = similarity_compare(&set->classes[done], &chosen, &results[done], error);
    if (status == STATUS_OK) {
        const struct similarity_report report = {
            .set = set,
            .results = results,
            .threshold = threshold,
            .language = arguments->has_language ? arguments->language : set->language};
        status = write_all(arguments, &report, error);
    }
    for (size_t i = 0; i < done; i++)
        similarity_result_free(&set->classes[i], &results[i]);
    free(results);
    return status;
}

int command_similarity(int argc, char **argv) {
    struct arguments arguments = {.limit = DEFAULT_LIMIT};
    struct error error = {0};
    double threshold = SIMILARITY_DEFAULT_THRESHOLD;
    command_parse(&parser, argc, argv, &arguments);
    struct similarity_set set = {.only = arguments.exercise};
    enum status status = collect(&arguments, &set, &threshold, &error);
    if (arguments.threshold > 0)
        threshold = arguments.threshold;
    if (status == STATUS_OK)
        status = compare(&arguments, &set, threshold, &error);
    similarity_set_free(&set);
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
