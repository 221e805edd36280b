/* `warpgrade hint [EXERCISE]`: the next step, and what it is about; what was shown is remembered in
 * the record, so that each call shows one more. */
#include "grader/cli/learn/grade_folder.h"
#include "grader/cli/learn/learn_cli.h"

#include "grader/learn/hint.h"
#include "reports/message.h"
#include "reports/terminal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>
#include <unistd.h>

struct arguments {
    const char *id;
    bool all;
    enum language language;
    bool has_language;
    enum color_choice color;
    bool guessed; /* neither the user nor the folder has named the exercise */
};

static const struct argp_option options[] = {
    {"all", 'a', NULL, 0, "all that were shown, and no further one", 0},
    {"lang", 'l', "en|zh", 0, "language of the hints (default: en, or the folder's)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'a':
        arguments->all = true;
        return 0;
    case 'l':
        arguments->language = command_language_option(state, value);
        arguments->has_language = true;
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->id)
            argp_error(state, "one EXERCISE at a time, please");
        arguments->id = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The exercise named, else the folder's, else the one that was graded last. Caller frees. */
static enum status choose(struct arguments *arguments, char **id, struct error *error) {
    struct learn_settings settings = {0};
    struct learn_overview overview;
    enum status status = STATUS_OK;
    *id = mem_strdup(arguments->id);
    if (!*id && file_exists(LEARN_SETTINGS_FILE)) {
        status = grade_folder_settings(&settings, error);
        *id = mem_strdup(settings.exercise);
        if (!arguments->has_language)
            arguments->language = settings.language;
        learn_settings_free(&settings);
        return status;
    }
    if (*id)
        return STATUS_OK;
    status = learn_overview_load(&overview, error);
    const struct learn_standing *last =
        status == STATUS_OK ? learn_standings_latest(&overview.standings) : NULL;
    *id = last ? mem_strdup(last->id) : NULL;
    arguments->guessed = last;
    learn_overview_free(&overview);
    if (status == STATUS_OK && !*id) {
        status = error_set(error, STATUS_INVALID, "which EXERCISE? Nothing was graded here yet");
        error_hint(error, "`warpgrade hint EXERCISE` names one, `warpgrade next` says what to "
                          "start with.");
    }
    return status;
}

static void append_hint(const struct terminal *t, const struct learn_hints *hints, size_t index) {
    const struct learn_hint *hint = &hints->items[index];
    bool zh = t->language == LANGUAGE_ZH;
    terminal_printf(t, PEN_BOLD, zh ? "提示 %zu / %zu" : "hint %zu of %zu", index + 1,
                    hints->count);
    if (hint->why) {
        terminal_print(t, PEN_DIM, zh ? "，针对 " : ", for ");
        terminal_foreign(t, PEN_DIM, hint->why);
    }
    terminal_print(t, PEN_PLAIN, "\n  ");
    terminal_wrap(t, PEN_PLAIN, hint->text, 2, 2);
}

static void append_none(const struct terminal *t, const char *id, const struct learn_record *record,
                        size_t count) {
    bool zh = t->language == LANGUAGE_ZH;
    const struct learn_attempt *last = learn_last(record);
    if (last && last->passed && last->score >= last->max_score)
        terminal_printf(t, PEN_PLAIN,
                        zh ? "已得满分。`warpgrade show %s --solution` 显示调优的解法。\n"
                           : "Full marks: there is nothing left to hint at. `warpgrade show %s "
                             "--solution` shows the tuned solution.\n",
                        id);
    else if (count)
        terminal_printf(
            t, PEN_PLAIN,
            zh ? "没有更多提示了；`warpgrade hint %s --all` 再次列出，评一次新的尝试会有新的"
                 "提示。\n"
               : "There are no further hints; `warpgrade hint %s --all` lists them "
                 "again, and a new attempt may have others.\n",
            id);
    else
        terminal_printf(
            t, PEN_PLAIN,
            zh ? "还没有提示；先评一次：`warpgrade grade`，或看题目：`warpgrade show %s`。\n"
               : "There are no hints yet: grade an attempt, or read `warpgrade show "
                 "%s`.\n",
            id);
}

static void append_steps(const struct terminal *t, const struct exercise *exercise,
                         const struct arguments *arguments) {
    struct learn_record record;
    struct learn_hints hints;
    cleanup_free char *folder = learn_folder();
    learn_read(folder, exercise->id, &record);
    learn_hints_of(exercise, &record, arguments->language, &hints);
    size_t next = 0, shown = 0;
    while (next < hints.count && hints.items[next].is_shown)
        next++;
    for (size_t i = 0; arguments->all && i < hints.count; i++)
        if (hints.items[i].is_shown) {
            append_hint(t, &hints, i);
            shown++;
        }
    if (!arguments->all && next < hints.count) {
        append_hint(t, &hints, next);
        learn_append_hint(folder, exercise->id, hints.items[next].key);
    } else if (!shown) {
        append_none(t, exercise->id, &record, hints.count);
    }
    learn_hints_free(&hints);
    learn_record_free(&record);
}

int command_hint(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "[EXERCISE]",
        .doc = "One hint more each time: for what your last attempt failed at, then in general, "
               "then what to do about it. Never the solution.",
        .children = command_home_children};
    struct arguments arguments = {0};
    struct error error = {0};
    cleanup_text struct text out = {0};
    cleanup_free char *id = NULL;
    struct exercise *exercise;
    command_parse(&parser, argc, argv, &arguments);
    enum status status = choose(&arguments, &id, &error);
    if (status == STATUS_OK)
        status = exercise_find(id, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    unsigned width = command_terminal_width();
    const struct terminal t = {.out = &out,
                               .color = command_color(arguments.color, STDOUT_FILENO),
                               .width = width ? width : TERMINAL_WIDTH,
                               .language = arguments.language};
    if (arguments.guessed)
        terminal_printf(&t, PEN_BOLD, "%s%s", exercise->id, WORDS(t.language, colon));
    append_steps(&t, exercise, &arguments);
    exercise_free(exercise);
    learn_print(&out);
    return STATUS_OK;
}
