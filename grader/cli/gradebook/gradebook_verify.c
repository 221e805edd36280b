/* `warpgrade gradebook verify`: what is damaged, row by row. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "grader/gradebook/inspect.h"
#include "reports/json_parts.h"

#include <argp.h>

struct complaints {
    const struct terminal *terminal; /* NULL: as JSON */
    json_t *list;
};

static void take(void *context, const char *where, const char *what) {
    struct complaints *complaints = context;
    if (!complaints->terminal) {
        json_t *row = json_object();
        json_object_set_new(row, "where", json_text(where));
        json_object_set_new(row, "what", json_text(what));
        json_array_append_new(complaints->list, row);
        return;
    }
    terminal_foreign(complaints->terminal, PEN_BOLD_RED, where);
    terminal_print(complaints->terminal, PEN_PLAIN, ": ");
    terminal_foreign(complaints->terminal, PEN_PLAIN, what);
    terminal_print(complaints->terminal, PEN_PLAIN, "\n");
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    (void)value;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

int gradebook_verify_command(int argc, char **argv) {
    static const struct argp_child children[] = {{&gradebook_argp, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        NULL,
        parse_option,
        "BOOK",
        "Checks the file, that every report is the one that was stored, and that points add up. "
        "Exit status: 0 all is well, 1 something is damaged, 2 it is no gradebook.",
        children,
        NULL,
        NULL};
    struct gradebook_arguments arguments = {0};
    struct gradebook_verified verified = {0};
    struct gradebook *book = NULL;
    struct error error = {0};
    command_parse(&parser, argc, argv, &arguments);
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(&arguments, &out);
    struct complaints complaints = {arguments.json ? NULL : &t, json_array()};
    enum status status = gradebook_cli_open(arguments.book, &book, &error);
    if (status == STATUS_OK)
        status = gradebook_verify(book, take, &complaints, &verified, &error);
    gradebook_close(book);
    if (arguments.json) {
        json_t *object = json_object();
        json_object_set(object, "damaged", complaints.list);
        json_object_set_new(object, "attempts", json_integer((json_int_t)verified.attempts));
        json_object_set_new(object, "gradings", json_integer((json_int_t)verified.gradings));
        json_append(&out, object);
    } else {
        terminal_printf(&t, verified.complaints ? PEN_RED : PEN_GREEN,
                        "%zu attempts, %zu gradings, %zu reports read: %zu faults\n",
                        verified.attempts, verified.gradings, verified.reports,
                        verified.complaints);
    }
    json_decref(complaints.list);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    gradebook_print(&out);
    return verified.complaints ? STATUS_BELOW_MARK : STATUS_OK;
}
