/* See option_table.h. A command hands its table to argp inside its own function; what is done here
 * is to call that in a child, which ends where command_parse() is reached and sends the table as
 * JSON through a pipe. A command that never gets there (one that only chooses a subcommand) sends
 * nothing, and has no options. */
#include "grader/cli/install/option_table.h"

#include "grader/cli/command.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct subcommand {
    const char *command, *name;
} subcommands[] = {
#define SUBCOMMAND(command, name) {command, name},
#include "grader/cli/install/subcommand.def"
#undef SUBCOMMAND
};

const char *option_table_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- in the child ---------------------------------------------------------------------------- */

static void add_heading(json_t *options, const char *heading) {
    if (heading && *heading)
        json_array_append_new(options, json_pack("{s:s}", "heading", heading));
}

static void add_options(json_t *options, const struct argp *parser) {
    for (const struct argp_option *option = parser->options;
         option && (option->name || option->key || option->doc); option++) {
        if (option->flags & (OPTION_HIDDEN | OPTION_ALIAS))
            continue;
        if (!option->name && !option->key) {
            add_heading(options, option->doc);
            continue;
        }
        const char letter[2] = {
            isascii(option->key) && isgraph(option->key) ? (char)option->key : '\0', '\0'};
        json_array_append_new(options,
                              json_pack("{s:s, s:s, s:s, s:b, s:s}", "long",
                                        option->name ? option->name : "", "short", letter, "value",
                                        option->arg ? option->arg : "", "optional",
                                        (option->flags & OPTION_ARG_OPTIONAL) != 0, "about",
                                        option->doc ? option->doc : ""));
    }
    for (const struct argp_child *child = parser->children; child && child->argp; child++) {
        add_heading(options, child->header);
        add_options(options, child->argp);
    }
}

/* The text before or after the options, as `--help` shows it. */
static char *filtered(const struct argp *parser, int key, const char *text) {
    char *shown = parser->help_filter ? parser->help_filter(key, (char *)(uintptr_t)text, NULL)
                                      : (char *)(uintptr_t)text;
    return mem_strdup(shown ? shown : "");
}

static void send_table(const struct argp *parser, void *context) {
    const int *out = context;
    const char *doc = parser->doc ? parser->doc : "", *split = strchr(doc, '\v');
    cleanup_free char *head = split ? mem_strndup(doc, (size_t)(split - doc)) : mem_strdup(doc);
    cleanup_free char *about = filtered(parser, ARGP_KEY_HELP_PRE_DOC, head);
    cleanup_free char *after = filtered(parser, ARGP_KEY_HELP_POST_DOC,
                                        split                 ? split + 1
                                        : parser->help_filter ? ""
                                                              : NULL);
    json_t *options = json_array();
    add_options(options, parser);
    json_t *table =
        json_pack("{s:s, s:s, s:s, s:o}", "arguments", parser->args_doc ? parser->args_doc : "",
                  "about", about, "after", after, "options", options);
    char *text = json_dumps(table, 0);
    _exit(text && file_write_all(*out, text, strlen(text)) ? 0 : 1);
}

_Noreturn static void run_child(const struct command *command, const char *subcommand, int out) {
    cleanup_free char *program = mem_printf("warpgrade %s", command->name);
    char *argv[] = {program, (char *)(uintptr_t)subcommand, NULL};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    command_watch_options(send_table, &out);
    command->run(subcommand ? 2 : 1, argv);
    _exit(0);
}

/* ---- in the parent --------------------------------------------------------------------------- */

static void read_all(int from, struct text *out) {
    char buffer[4096];
    for (;;) {
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        text_append_bytes(out, buffer, (size_t)got);
    }
}

static enum status read_command(const struct command *command, const char *subcommand,
                                json_t *commands, struct error *error) {
    cleanup_text struct text received = {0};
    int ends[2], state = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "no pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(command, subcommand, ends[1]);
    close(ends[1]);
    if (child > 0)
        read_all(ends[0], &received);
    close(ends[0]);
    if (child < 0 || waitpid(child, &state, 0) != child || state != 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read the options of %s", command->name);
    json_t *table = received.length
                        ? json_loadb(received.data, received.length, 0, NULL)
                        : json_pack("{s:s, s:[]}", "arguments", command->arguments, "options");
    json_object_set_new(table, "name", json_string(subcommand ? subcommand : command->name));
    json_object_set_new(table, "summary", json_string(subcommand ? "" : command->summary));
    json_object_set_new(table, "parent", subcommand ? json_string(command->name) : json_null());
    json_array_append_new(commands, table);
    return STATUS_OK;
}

enum status option_table_read(json_t **commands, struct error *error) {
    enum status status = STATUS_OK;
    json_t *all = json_array();
    size_t count;
    const struct command *table = command_table(&count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct command *command = &table[i];
        if (!command->summary)
            continue;
        status = read_command(command, NULL, all, error);
        for (size_t j = 0; j < ARRAY_LENGTH(subcommands) && status == STATUS_OK; j++)
            if (strcmp(subcommands[j].command, command->name) == 0)
                status = read_command(command, subcommands[j].name, all, error);
    }
    if (status != STATUS_OK) {
        json_decref(all);
        return status;
    }
    *commands = all;
    return STATUS_OK;
}
