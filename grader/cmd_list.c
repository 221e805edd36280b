/* `warpgrade list`: the exercises, grouped by their first topic.
 *
 * An exercise that does not load is reported and left out; the others are listed all the same, and
 * the exit code tells a script that something is wrong. */
#include "grader/base/memory.h"
#include "grader/command.h"
#include "grader/exercise.h"
#include "grader/exercise_schema.h"
#include "grader/exercise_show.h"
#include "reports/escape.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_JSON = 256, OPTION_SCHEMA, OPTION_KEYS };

struct arguments {
    enum { LIST_TEXT, LIST_JSON, LIST_SCHEMA, LIST_KEYS } form;
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "the list as JSON", 0},
    {"lang", 'l', "en|zh", 0, "language of the titles (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {"schema", OPTION_SCHEMA, NULL, 0, "the JSON Schema of exercise.yaml, and no list", 1},
    {"keys", OPTION_KEYS, NULL, 0, "the keys of exercise.yaml as Markdown tables, and no list", 1},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->form = LIST_JSON;
        return 0;
    case OPTION_SCHEMA:
        arguments->form = LIST_SCHEMA;
        return 0;
    case OPTION_KEYS:
        arguments->form = LIST_KEYS;
        return 0;
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "list takes no arguments; `warpgrade show %s` shows one exercise", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int compare_topics(const void *a, const void *b) {
    const struct exercise *const *first = a, *const *second = b;
    int order = strcmp((*first)->topics[0], (*second)->topics[0]);
    return order ? order : strcmp((*first)->id, (*second)->id);
}

static void write_text(struct exercise *const *exercises, size_t count, enum language language,
                       bool color, struct text *out) {
    int width = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(exercises[i]->id) > width)
            width = (int)strlen(exercises[i]->id);
    for (size_t i = 0; i < count; i++) {
        const char *topic = exercises[i]->topics[0], *title = exercises[i]->title[language];
        if (i == 0 || strcmp(topic, exercises[i - 1]->topics[0]) != 0) {
            text_printf(out, "%s%s", i ? "\n" : "", color ? "\033[1m" : "");
            escape_terminal(out, topic, strlen(topic), true);
            text_printf(out, "%s\n", color ? "\033[0m" : "");
        }
        text_printf(out, "  %-*s  ", width, exercises[i]->id);
        escape_terminal(out, title, strlen(title), true);
        text_append_char(out, '\n');
    }
    if (count)
        text_append(out, "\n`warpgrade show EXERCISE` shows one, `warpgrade new EXERCISE` starts "
                         "it.\n");
    else
        text_append(out, "there are no exercises\n");
}

static json_t *exercise_json(const struct exercise *exercise) {
    cleanup_text struct text signature = {0};
    exercise_show_signature(exercise, &signature);
    json_t *topics = json_array();
    for (size_t i = 0; i < exercise->topic_count; i++)
        json_array_append_new(topics, json_string(exercise->topics[i]));
    return json_pack("{s:s, s:{s:s, s:s}, s:o, s:s, s:s, s:I, s:f, s:f}", "id", exercise->id,
                     "title", "en", exercise->title[LANGUAGE_EN], "zh",
                     exercise->title[LANGUAGE_ZH], "topics", topics, "kernel", exercise->kernel,
                     "signature", text_string(&signature), "cases",
                     (json_int_t)(exercise->case_count + exercise->generated_count), "max_score",
                     exercise->max_score, "pass_mark_percent", exercise->pass_mark_percent);
}

static void write_json(struct exercise *const *exercises, size_t count, struct text *out) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, exercise_json(exercises[i]));
    json_t *root = json_pack("{s:i, s:o}", "schema", 1, "exercises", list);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    escape_json(out, dump, strlen(dump));
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}

static int list_exercises(const struct arguments *arguments, struct text *out) {
    char **ids;
    size_t id_count, count = 0;
    struct error error = {0};
    enum status status = exercise_ids(&ids, &id_count, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    struct exercise **exercises = mem_calloc(id_count, sizeof *exercises);
    int code = STATUS_OK;
    for (size_t i = 0; i < id_count; i++) {
        status = exercise_find(ids[i], &exercises[count], &error);
        if (status == STATUS_OK)
            count++;
        else
            code = command_fail(status, &error);
        free(ids[i]);
    }
    free(ids);
    qsort(exercises, count, sizeof(struct exercise *), compare_topics);
    if (arguments->form == LIST_JSON)
        write_json(exercises, count, out);
    else
        write_text(exercises, count, arguments->language,
                   command_color(arguments->color, STDOUT_FILENO), out);
    for (size_t i = 0; i < count; i++)
        exercise_free(exercises[i]);
    free(exercises);
    return code;
}

int command_list(int argc, char **argv) {
    static const struct argp parser = {
        .options = options, .parser = parse_option, .doc = "The exercises, grouped by topic."};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    cleanup_text struct text out = {0};
    int code = STATUS_OK;
    if (arguments.form == LIST_SCHEMA)
        schema_write_json(&out);
    else if (arguments.form == LIST_KEYS)
        schema_write_markdown(&out);
    else
        code = list_exercises(&arguments, &out);
    fputs(text_string(&out), stdout);
    return code;
}
