/* `warpgrade new EXERCISE [DIR]`: writes DIR/<id>.cu and says what to do next.
 *
 * A student's file is the one thing here that cannot be had again: what exists is left alone unless
 * --force is given, also when it is a dangling symbolic link. */
#include "grader/cli/command.h"
#include "grader/exercise/exercise.h"
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
    {"lang", 'l', "en|zh", 0, "language of what is printed (default: en)", 0},
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

/* A path as a shell takes it: quoted where it holds more than plain characters. */
static void append_shell_word(struct text *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+,:@%";
    if (word[strspn(word, plain)] == '\0') {
        text_append(out, word);
        return;
    }
    text_append_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            text_append(out, "'\\'");
        text_append_char(out, *word);
    }
    text_append_char(out, '\'');
}

static void say_next(enum language language, const char *id, const char *path) {
    cleanup_text struct text word = {0}, out = {0};
    append_shell_word(&word, path);
    text_printf(&out, WORDS(language, wrote_skeleton), path);
    text_printf(&out,
                language == LANGUAGE_ZH ? "  warpgrade show --lang zh %s" : "  warpgrade show %s",
                id);
    text_printf(&out, "    # %s\n  ${EDITOR:-vi} %s\n  warpgrade grade %s%s\n",
                WORDS(language, what_to_write), text_string(&word),
                language == LANGUAGE_ZH ? "--lang zh " : "", text_string(&word));
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
               "here), and beside it the headers that it may include."};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    struct exercise *exercise;
    struct error error = {0};
    enum status status = exercise_find(arguments.id, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    cleanup_free char *name = mem_printf("%s.cu", exercise->id);
    cleanup_free char *path =
        arguments.directory ? file_join(arguments.directory, name) : mem_strdup(name);
    if (arguments.directory)
        status = file_make_directories(arguments.directory, &error);
    if (status == STATUS_OK)
        status = write_skeleton(exercise, path, arguments.force, &error);
    for (size_t i = 0; i < exercise->header_count && status == STATUS_OK; i++)
        status = write_header(&exercise->headers[i], arguments.directory, arguments.force, &error);
    if (status == STATUS_OK)
        say_next(arguments.language, exercise->id, path);
    exercise_free(exercise);
    return status == STATUS_OK ? STATUS_OK : command_fail_in(arguments.language, status, &error);
}
