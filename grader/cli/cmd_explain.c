/* `warpgrade explain [ID]`: the page of one hazard, verdict, counter or limiter, the glossary, or
 * the list of all. */
#include "grader/cli/command.h"
#include "reports/explain.h"

#include <argp.h>
#include <stdio.h>
#include <unistd.h>

struct arguments {
    const char *id;
    enum language language;
    enum color_choice color;
    bool list;
};

enum { KEY_LIST = 256 };

static const struct argp_option options[] = {
    {"lang", 'l', "en|zh", 0, "language of the page (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {"list", KEY_LIST, NULL, 0, "list all pages, as without an ID", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case KEY_LIST:
        arguments->list = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->id)
            argp_error(state, "one ID at a time, please");
        arguments->id = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->list && arguments->id)
            argp_error(state, "--list shows all pages: leave out the ID, or the option");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_explain(int argc, char **argv) {
    static const struct argp parser = {.options = options,
                                       .parser = parse_option,
                                       .args_doc = "[ID]",
                                       .doc = "What a hazard, a verdict, a counter or a limiter "
                                              "means, with an example and its fix; glossary: "
                                              "the terms of the field. Without an ID: the list "
                                              "of all."};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    bool color = command_color(arguments.color, STDOUT_FILENO);
    cleanup_text struct text out = {0};
    if (arguments.id) {
        struct explain_page page;
        struct error error = {0};
        enum status status = explain_find(arguments.id, &page, &error);
        if (status != STATUS_OK)
            return command_fail_in(arguments.language, status, &error);
        explain_translate(&page, arguments.language);
        explain_text(&page, color, command_terminal_width(), &out);
    } else {
        explain_list_text(arguments.language, color, command_terminal_width(), &out);
    }
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}
