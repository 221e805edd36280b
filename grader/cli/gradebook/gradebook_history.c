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

static enum status work(struct gradebook *book, void *input, struct error *error) {
    const struct gradebook_arguments *arguments = input;
    struct gradebook_events events = {0};
    enum status status =
        gradebook_history(book, arguments->student, arguments->exercise, &events, error);
    if (status == STATUS_OK && arguments->json)
        print_json(&events);
    else if (status == STATUS_OK)
        print_text(arguments, &events);
    gradebook_events_free(&events);
    return status;
}

int gradebook_history_command(int argc, char **argv) {
    static const struct gradebook_command command = {
        .words = "BOOK",
        .about = "Lists runs, attempts, gradings, penalties, what could not be graded, overrides "
                 "and their withdrawals in the order of time.",
        .shared = &gradebook_filter_argp,
        .work = work};
    return gradebook_cli_run(&command, argc, argv, &(struct gradebook_arguments){0});
}
