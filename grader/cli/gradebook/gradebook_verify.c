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

static json_t *summary_json(const struct gradebook_verified *verified, json_t *complaints) {
    json_t *object = json_object();
    json_object_set(object, "damaged", complaints);
    json_object_set_new(object, "attempts", json_integer((json_int_t)verified->attempts));
    json_object_set_new(object, "gradings", json_integer((json_int_t)verified->gradings));
    return object;
}

static enum status work(struct gradebook *book, void *input, struct error *error) {
    const struct gradebook_arguments *arguments = input;
    struct gradebook_verified verified = {0};
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(arguments, &out);
    struct complaints complaints = {arguments->json ? NULL : &t, json_array()};
    enum status status = gradebook_verify(book, take, &complaints, &verified, error);
    if (arguments->json)
        json_append(&out, summary_json(&verified, complaints.list));
    else
        terminal_printf(&t, verified.complaints ? PEN_RED : PEN_GREEN,
                        "%zu attempts, %zu gradings, %zu reports read: %zu faults\n",
                        verified.attempts, verified.gradings, verified.reports,
                        verified.complaints);
    json_decref(complaints.list);
    if (status != STATUS_OK)
        return status;
    gradebook_print(&out);
    return verified.complaints ? STATUS_BELOW_MARK : STATUS_OK;
}

int gradebook_verify_command(int argc, char **argv) {
    static const struct gradebook_command command = {
        .words = "BOOK",
        .about = "Checks the file, that every report is the one that was stored, and that points "
                 "add up. Exit status: 0 all is well, 1 something is damaged, 2 it is no "
                 "gradebook.",
        .shared = &gradebook_argp,
        .work = work};
    return gradebook_cli_run(&command, argc, argv, &(struct gradebook_arguments){0});
}
