/* `warpgrade list`: the exercises, grouped by their first topic, and the tracks that put them in an
 * order; or one track.
 *
 * An exercise that does not load is reported and left out, as are the tracks when one does not; the
 * others are still listed, and the exit code tells a script that something is wrong. */
#include "grader/cli/command.h"
#include "grader/cli/exercise_show.h"
#include "grader/cli/home_show.h"
#include "grader/cli/learn/learn_cli.h"
#include "grader/cli/track_show.h"
#include "grader/exercise/exercise.h"
#include "grader/exercise/exercise_schema.h"
#include "reports/escape.h"
#include "reports/translate.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_JSON = 256, OPTION_COURSE, OPTION_SCHEMA, OPTION_KEYS };

struct arguments {
    enum { LIST_TEXT, LIST_JSON, LIST_SCHEMA, LIST_KEYS } form;
    enum schema_object schema;
    const char *track; /* NULL: all exercises */
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "the list as JSON", 0},
    {"course", OPTION_COURSE, "TRACK", 0,
     "the exercises of one track, in the order to work through them", 0},
    {"lang", 'l', "en|zh", 0, "language of the titles (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {"schema", OPTION_SCHEMA, "exercise|track", OPTION_ARG_OPTIONAL,
     "the JSON Schema of exercise.yaml (default) or of a track, and no list", 1},
    {"keys", OPTION_KEYS, NULL, 0, "the keys of both as Markdown tables, and no list", 1},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->form = LIST_JSON;
        return 0;
    case OPTION_COURSE:
        arguments->track = value;
        return 0;
    case OPTION_SCHEMA:
        arguments->form = LIST_SCHEMA;
        arguments->schema = SCHEMA_exercise;
        if (value && strcmp(value, "track") == 0)
            arguments->schema = SCHEMA_track;
        else if (value && strcmp(value, "exercise") != 0)
            argp_error(state, "--schema: expected exercise or track, found %s", value);
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

/* A mark for each exercise where there is a record; the column is not there else. */
static void write_text(struct exercise *const *exercises, size_t count,
                       const struct learn_standings *standings, enum language language, bool color,
                       struct text *out) {
    bool marks = learn_standings_is_begun(standings);
    int width = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(exercises[i]->id) > width)
            width = (int)strlen(exercises[i]->id);
    for (size_t i = 0; i < count; i++) {
        const char *topic = exercises[i]->topics[0], *title = exercises[i]->title[language];
        if (i == 0 || strcmp(topic, exercises[i - 1]->topics[0]) != 0) {
            text_printf(out, "%s%s", i ? "\n" : "", color ? "\033[1m" : "");
            cleanup_free char *heading = translate_string(language, topic);
            escape_terminal(out, heading, strlen(heading), true);
            text_printf(out, "%s\n", color ? "\033[0m" : "");
        }
        text_append(out, "  ");
        if (marks) {
            learn_append_mark(learn_standings_get(standings, exercises[i]->id), color, out);
            text_append_char(out, ' ');
        }
        text_printf(out, "%-*s  ", width, exercises[i]->id);
        escape_terminal(out, title, strlen(title), true);
        text_append_char(out, '\n');
    }
    if (!count)
        text_append(out, language == LANGUAGE_ZH ? "没有题目\n" : "there are no exercises\n");
}

/* What to type next. */
static void write_advice(const struct tracks *tracks, const struct learn_standings *standings,
                         size_t count, enum language language, struct text *out) {
    static const char *const exercise[LANGUAGE_COUNT] = {
        [LANGUAGE_EN] = "\n`warpgrade show EXERCISE` shows one, `warpgrade new EXERCISE` starts "
                        "it.\n",
        [LANGUAGE_ZH] = "\n`warpgrade show 练习名` 查看题目，`warpgrade new 练习名` 开始做题。\n",
    };
    static const char *const track[LANGUAGE_COUNT] = {
        [LANGUAGE_EN] = "`warpgrade list --course TRACK` shows a track in its order.\n",
        [LANGUAGE_ZH] = "`warpgrade list --course 路线名` 按顺序列出一条学习路线。\n",
    };
    if (count)
        text_append(out, exercise[language]);
    if (tracks->count)
        text_append(out, track[language]);
    if (learn_standings_is_begun(standings))
        text_append(out, language == LANGUAGE_ZH
                             ? "✓ 通过，• 做过；`warpgrade next` 告诉你接下来做什么。\n"
                             : "✓ passed, • begun; `warpgrade next` says what to do next.\n");
}

static json_t *exercise_json(const struct exercise *exercise) {
    static const char *const kinds[EXERCISE_KIND_COUNT] = {"kernel", "host", "program"};
    cleanup_text struct text signature = {0};
    exercise_show_signature(exercise, &signature);
    json_t *topics = json_array();
    for (size_t i = 0; i < exercise->topic_count; i++)
        json_array_append_new(topics, json_string(exercise->topics[i]));
    return json_pack("{s:s, s:{s:s, s:s}, s:o, s:s, s:s, s:s, s:I, s:f, s:f, s:b}", "id",
                     exercise->id, "title", "en", exercise->title[LANGUAGE_EN], "zh",
                     exercise->title[LANGUAGE_ZH], "topics", topics, "kind", kinds[exercise->kind],
                     "kernel", exercise->kernel, "signature", text_string(&signature), "cases",
                     (json_int_t)(exercise->case_count + exercise->generated_count), "max_score",
                     exercise->max_score, "pass_mark_percent", exercise->pass_mark_percent,
                     "has_reference", exercise->has_reference);
}

static void write_json(struct exercise *const *exercises, size_t count, const struct track *tracks,
                       size_t track_count, struct text *out) {
    json_t *list = json_array(), *courses = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, exercise_json(exercises[i]));
    for (size_t i = 0; i < track_count; i++)
        json_array_append_new(courses, track_show_json(&tracks[i]));
    json_t *root = json_pack("{s:i, s:o, s:o}", "schema", 1, "exercises", list, "tracks", courses);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    escape_json(out, dump, strlen(dump));
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}

struct listing {
    struct exercise **exercises;
    size_t count;
    struct tracks tracks;
    bool has_tracks; /* all files of tracks loaded */
    struct learn_standings standings;
    struct homes_view homes;
    int code;
};

static enum status load_all(struct listing *listing, enum language language, struct error *error) {
    char **ids;
    size_t id_count;
    enum status status = exercise_ids(&ids, &id_count, error);
    if (status != STATUS_OK)
        return status;
    listing->exercises = mem_calloc(id_count + 1, sizeof *listing->exercises);
    if (homes_view_read(&listing->homes, NULL) != STATUS_OK)
        listing->homes = (struct homes_view){0}; /* the exercise that is wrong says so below */
    for (size_t i = 0; i < id_count; i++) {
        status = exercise_find(ids[i], &listing->exercises[listing->count], error);
        if (status == STATUS_OK)
            listing->count++;
        else
            listing->code = command_fail_in(language, status, error);
    }
    cleanup_free char *folder = learn_folder();
    learn_standings_read(folder, ids, id_count, &listing->standings);
    for (size_t i = 0; i < id_count; i++)
        free(ids[i]);
    free(ids);
    qsort(listing->exercises, listing->count, sizeof(struct exercise *), compare_topics);
    status = tracks_find(&listing->tracks, error);
    listing->has_tracks = status == STATUS_OK;
    if (!listing->has_tracks)
        listing->code = command_fail_in(language, status, error);
    return STATUS_OK;
}

/* The exercises of a track come first, in its order; the number of them. */
static size_t bring_forward(struct listing *listing, const struct track *track) {
    size_t placed = 0;
    for (size_t i = 0; i < track->step_count; i++)
        for (size_t j = placed; j < listing->count; j++) {
            if (strcmp(listing->exercises[j]->id, track->steps[i].id) != 0)
                continue;
            struct exercise *found = listing->exercises[j];
            listing->exercises[j] = listing->exercises[placed];
            listing->exercises[placed++] = found;
            break;
        }
    return placed;
}

static enum status write_list(const struct arguments *arguments, struct listing *listing,
                              struct text *out, struct error *error) {
    const struct track *track = NULL;
    bool color = command_color(arguments->color, STDOUT_FILENO);
    if (arguments->track && !listing->has_tracks)
        return STATUS_OK; /* what is wrong has been reported; whether this one exists is not known
                           */
    if (arguments->track) {
        enum status status = tracks_get(&listing->tracks, arguments->track, &track, error);
        if (status != STATUS_OK)
            return status;
    }
    size_t count = track ? bring_forward(listing, track) : listing->count;
    if (arguments->form == LIST_JSON) {
        write_json(listing->exercises, count, track ? track : listing->tracks.items,
                   track ? 1 : listing->tracks.count, out);
    } else if (track) {
        track_show_text(track, listing->exercises, count, &listing->standings, arguments->language,
                        color, out);
    } else {
        write_text(listing->exercises, count, &listing->standings, arguments->language, color, out);
        if (count && listing->tracks.count)
            text_append_char(out, '\n');
        track_show_overview(&listing->tracks, &listing->standings, arguments->language, color, out);
        write_advice(&listing->tracks, &listing->standings, count, arguments->language, out);
        home_show_notes(&listing->homes, arguments->language, out);
    }
    return STATUS_OK;
}

static int list_exercises(const struct arguments *arguments, struct text *out) {
    struct listing listing = {.code = STATUS_OK};
    struct error error = {0};
    enum status status = load_all(&listing, arguments->language, &error);
    if (status == STATUS_OK)
        status = write_list(arguments, &listing, out, &error);
    if (status != STATUS_OK)
        listing.code = command_fail_in(arguments->language, status, &error);
    for (size_t i = 0; i < listing.count; i++)
        exercise_free(listing.exercises[i]);
    free(listing.exercises);
    tracks_free(&listing.tracks);
    learn_standings_free(&listing.standings);
    homes_view_free(&listing.homes);
    return listing.code;
}

int command_list(int argc, char **argv) {
    static const struct argp parser = {.options = options,
                                       .parser = parse_option,
                                       .doc = "The exercises, grouped by topic, and the "
                                              "tracks that put them in an order.",
                                       .children = command_home_children};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    cleanup_text struct text out = {0};
    int code = STATUS_OK;
    if (arguments.form == LIST_SCHEMA)
        schema_write_json(arguments.schema, &out);
    else if (arguments.form == LIST_KEYS)
        schema_write_markdown(&out);
    else
        code = list_exercises(&arguments, &out);
    fputs(text_string(&out), stdout);
    return code;
}
