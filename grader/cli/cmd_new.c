/* `warpgrade new EXERCISE [DIR]`: writes DIR/<id>.cu, the statement and the folder's settings, and
 * says what to do next. A folder has settings for one exercise: where it has some, they and the
 * statement beside them stay as they are.
 *
 * A student's file is the one thing here that cannot be had again: what exists is left alone unless
 * --force is given, also when it is a dangling symbolic link. */
#include "grader/cli/command.h"
#include "grader/cli/learn/learn_cli.h"
#include "grader/exercise/exercise.h"
#include "grader/learn/settings.h"
#include "reports/escape.h"
#include "reports/message.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SKELETON_BYTES = 1 << 20 };

struct arguments {
    const char *id;
    const char *directory;
    bool force;
    enum language language;
};

static const struct argp_option options[] = {
    {"force", 'f', NULL, 0, "overwrite a file that is there", 0},
    {"lang", 'l', "en|zh", 0, "language of the statement and of what is printed (default: en)", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'f':
        arguments->force = true;
        return 0;
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "one EXERCISE and one DIR at most");
        *(state->arg_num == 0 ? &arguments->id : &arguments->directory) = value;
        if (state->arg_num == 1 && strlen(value) > 3 &&
            strcmp(value + strlen(value) - 3, ".cu") == 0)
            argp_error(state, "DIR is a folder; the file in it is named after the exercise");
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which EXERCISE? `warpgrade list` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status refuse_to_overwrite(const char *path, struct error *error) {
    enum status status = error_set(error, STATUS_INVALID, "%s is there already", path);
    error_hint(error, "--force overwrites it; another DIR keeps both.");
    return status;
}

/* What the skeleton may include, beside it. One that is there already as it is stays. */
static enum status write_header(const struct source_header *header, const char *directory,
                                bool force, struct error *error) {
    cleanup_free char *path =
        directory ? file_join(directory, header->name) : mem_strdup(header->name);
    cleanup_free char *there = NULL;
    size_t length;
    struct stat info;
    if (!force && lstat(path, &info) == 0) {
        bool same = S_ISREG(info.st_mode) &&
                    file_read(path, strlen(header->text) + 1, &there, &length, NULL) == STATUS_OK &&
                    strcmp(there, header->text) == 0;
        return same ? STATUS_OK : refuse_to_overwrite(path, error);
    }
    return file_write(path, header->text, strlen(header->text), error);
}

static enum status write_skeleton(const struct exercise *exercise, const char *path, bool force,
                                  struct error *error) {
    struct stat info;
    if (!force && lstat(path, &info) == 0)
        return refuse_to_overwrite(path, error);
    cleanup_free char *text = NULL;
    size_t length;
    enum status status = file_read(exercise->skeleton, MAX_SKELETON_BYTES, &text, &length, error);
    return status == STATUS_OK ? file_write(path, text, length, error) : status;
}

static char *path_in(const char *directory, const char *name) {
    return directory ? file_join(directory, name) : mem_strdup(name);
}

/* *written: false where the folder has settings already. */
static enum status write_settings(const struct exercise *exercise,
                                  const struct arguments *arguments, bool *written,
                                  struct error *error) {
    cleanup_free char *settings = path_in(arguments->directory, LEARN_SETTINGS_FILE);
    cleanup_free char *statement = path_in(arguments->directory, "statement.md");
    const char *text = exercise->statement[arguments->language];
    cleanup_text struct text yaml = {0};
    struct stat info;
    *written = arguments->force || (lstat(settings, &info) != 0 && lstat(statement, &info) != 0);
    if (!*written)
        return STATUS_OK;
    learn_settings_write(exercise->id, arguments->language, &yaml);
    enum status status = file_write(statement, text, strlen(text), error);
    return status == STATUS_OK ? file_write(settings, text_string(&yaml), yaml.length, error)
                               : status;
}

static void say_next(const struct arguments *arguments, const char *path, bool has_settings) {
    bool zh = arguments->language == LANGUAGE_ZH, goes_there = has_settings && arguments->directory;
    cleanup_text struct text word = {0}, folder = {0}, out = {0};
    learn_append_word(&word, goes_there ? file_base_name(path) : path);
    learn_append_word(&folder, arguments->directory ? arguments->directory : ".");
    text_printf(&out, WORDS(arguments->language, wrote_skeleton), path);
    if (goes_there)
        text_printf(&out, "  cd %s\n", text_string(&folder));
    text_printf(&out, "  warpgrade show %s%s    # %s\n  ${EDITOR:-vi} %s\n  warpgrade grade",
                zh ? "--lang zh " : "", arguments->id, WORDS(arguments->language, what_to_write),
                text_string(&word));
    if (has_settings)
        text_append(&out, zh ? "    # " LEARN_SETTINGS_FILE " 说明评什么；题目在 statement.md\n"
                             : "    # " LEARN_SETTINGS_FILE " says what; the statement is in "
                               "statement.md, too\n");
    else
        text_printf(&out,
                    zh ? " --lang zh %1$s\n\n这个文件夹里已有设置或题目，保持不变：`warpgrade new "
                         "%2$s %2$s` 为练习另建一个文件夹\n"
                       : " %1$s\n\nThe folder has settings or a statement already, which "
                         "stay: `warpgrade new %2$s %2$s`\ngives the exercise a folder of its "
                         "own.\n",
                    text_string(&word), arguments->id);
    cleanup_text struct text safe = {0};
    escape_terminal(&safe, text_string(&out), out.length, false);
    fputs(text_string(&safe), stdout);
}

int command_new(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "EXERCISE [DIR]",
        .doc = "Writes the skeleton of an exercise, which a student fills in, to DIR (default: "
               "here), and beside it the headers that it may include, the statement and the "
               "settings with which `warpgrade grade` needs no arguments there.",
        .children = command_home_children};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    struct exercise *exercise;
    struct error error = {0};
    enum status status = exercise_find(arguments.id, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    cleanup_free char *name = mem_printf("%s.cu", exercise->id);
    cleanup_free char *path = path_in(arguments.directory, name);
    bool has_settings = false;
    if (arguments.directory)
        status = file_make_directories(arguments.directory, &error);
    if (status == STATUS_OK)
        status = write_skeleton(exercise, path, arguments.force, &error);
    for (size_t i = 0; i < exercise->header_count && status == STATUS_OK; i++)
        status = write_header(&exercise->headers[i], arguments.directory, arguments.force, &error);
    if (status == STATUS_OK)
        status = write_settings(exercise, &arguments, &has_settings, &error);
    if (status == STATUS_OK)
        say_next(&arguments, path, has_settings);
    exercise_free(exercise);
    return status == STATUS_OK ? STATUS_OK : command_fail_in(arguments.language, status, &error);
}
