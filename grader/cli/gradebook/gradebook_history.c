/* `warpgrade gradebook history`: all that happened, a line each. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "grader/gradebook/inspect.h"
#include "reports/json_parts.h"

#include <argp.h>
#include <string.h>

static void print_text(const struct gradebook_arguments *arguments,
                       const struct gradebook_events *events) {
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(arguments, &out);
    for (size_t i = 0; i < events->count; i++) {
        const struct gradebook_event *event = &events->rows[i];
        terminal_printf(&t, PEN_DIM, "%-23s  ", gradebook_moment(event->at).text);
        terminal_cell(&t, PEN_BOLD, event->kind, 10);
        terminal_print(&t, PEN_PLAIN, "  ");
        if (*event->student) { /* a run is nobody's */
            terminal_foreign(&t, PEN_PLAIN, event->student);
            terminal_print(&t, PEN_PLAIN, " ");
            terminal_foreign(&t, PEN_PLAIN, event->exercise);
            terminal_print(&t, PEN_PLAIN, ": ");
        }
        terminal_foreign(&t, PEN_PLAIN, event->what);
        if (*event->who) {
            terminal_print(&t, PEN_PLAIN, " (");
            terminal_foreign(&t, PEN_CYAN, event->who);
            terminal_print(&t, PEN_PLAIN, ")");
        }
        terminal_print(&t, PEN_PLAIN, "\n");
    }
    gradebook_print(&out);
}

static void print_json(const struct gradebook_events *events) {
    json_t *list = json_array();
    for (size_t i = 0; i < events->count; i++) {
        const struct gradebook_event *event = &events->rows[i];
        json_t *row = json_object();
        json_object_set_new(row, "at", json_integer(event->at));
        json_object_set_new(row, "kind", json_text(event->kind));
        json_object_set_new(row, "student", json_text(event->student));
        json_object_set_new(row, "exercise", json_text(event->exercise));
        json_object_set_new(row, "what", json_text(event->what));
        json_object_set_new(row, "who", json_text(event->who));
        json_array_append_new(list, row);
    }
    cleanup_text struct text out = {0};
    json_append(&out, list);
    gradebook_print(&out);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    (void)value;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

int gradebook_history_command(int argc, char **argv) {
    static const struct argp_child children[] = {{&gradebook_filter_argp, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        NULL,
        parse_option,
        "BOOK",
        "Lists runs, attempts, gradings, penalties, what could not be graded, overrides and their "
        "withdrawals in the order of time.",
        children,
        NULL,
        NULL};
    struct gradebook_arguments arguments = {0};
    struct gradebook_events events = {0};
    struct gradebook *book = NULL;
    struct error error = {0};
    command_parse(&parser, argc, argv, &arguments);
    enum status status = gradebook_cli_open(arguments.book, &book, &error);
    if (status == STATUS_OK)
        status = gradebook_history(book, arguments.student, arguments.exercise, &events, &error);
    if (status == STATUS_OK && arguments.json)
        print_json(&events);
    else if (status == STATUS_OK)
        print_text(&arguments, &events);
    gradebook_events_free(&events);
    gradebook_close(book);
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
