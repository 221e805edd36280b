/* `warpgrade author new ID --from KERNEL.cu`: an exercise's folders, drafted; then what of it is
 * proved already, and what its author has still to write. */
#include "grader/cli/author/author_cli.h"
#include "grader/cli/progress.h"

#include "grader/author/new.h"
#include "grader/validate/validate.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_FROM = 256, OPTION_KERNEL, OPTION_BLOCK, OPTION_SHARED, OPTION_INTO, OPTION_SEED };

struct arguments {
    const char *id, *from, *kernel, *into;
    unsigned block, shared_bytes;
    struct grade_options grade;
    struct progress progress;
};

static const struct argp_option options[] = {
    {"from", OPTION_FROM, "KERNEL.cu", 0, "the kernel, which works; it becomes tuned.cu", 0},
    {"kernel", OPTION_KERNEL, "NAME", 0, "which of several kernels of the file", 0},
    {"block", OPTION_BLOCK, "N", 0,
     "threads of a block, or of one side of a square one; default: what the code multiplies "
     "blockIdx with, else 256 or 16",
     0},
    {"shared", OPTION_SHARED, "BYTES", 0,
     "dynamic shared memory of a block; default: found, where the code has `extern __shared__`", 0},
    {"into", OPTION_INTO, "DIR", 0,
     "where exercises/ID and reference/ID are made (default: here); WARPGRADE_HOME=DIR then finds "
     "them",
     0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {0}};

static bool is_id(const char *text) {
    for (const char *at = text; *at; at++)
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) && *at != '-')
            return false;
    return *text && *text != '-' && strlen(text) <= 63;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_FROM:
        arguments->from = value;
        return 0;
    case OPTION_KERNEL:
        arguments->kernel = value;
        return 0;
    case OPTION_BLOCK:
        arguments->block = (unsigned)command_number_option(state, "--block", value, 1, 1024);
        return 0;
    case OPTION_SHARED:
        arguments->shared_bytes =
            (unsigned)command_number_option(state, "--shared", value, 1, 227 << 10);
        return 0;
    case OPTION_INTO:
        arguments->into = value;
        return 0;
    case OPTION_SEED:
        arguments->grade.seed = command_seed_option(state, value);
        arguments->grade.has_seed = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->id)
            argp_error(state, "one ID at a time");
        if (!is_id(value))
            argp_error(state, "an ID has small letters, digits and hyphens, at most 63: \"%.80s\"",
                       value);
        arguments->id = value;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->id || !arguments->from)
            argp_error(state,
                       "which exercise, from which kernel? `author new ID --from KERNEL.cu`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void append_params(const struct draft *draft, struct text *out) {
    static const char *const roles[] = {"in", "out", "inout", "size", "scalar"};
    text_printf(out, "%s of %s, launched with", draft->kernel->name, draft->file);
    text_printf(out, " %s", draft->grid[0]);
    if (draft->axes == 2)
        text_printf(out, " x %s blocks of %u x %u threads\n", draft->grid[1], draft->block[0],
                    draft->block[1]);
    else
        text_printf(out, " blocks of %u threads\n", draft->block[0]);
    if (draft->shared_bytes)
        text_printf(out, "  with %u bytes of dynamic shared memory a block\n", draft->shared_bytes);
    for (size_t i = 0; i < draft->param_count; i++) {
        const struct draft_param *param = &draft->params[i];
        text_printf(out, "  %-6s %s", roles[param->role], param->declared);
        if (param->shape[0])
            text_printf(out, "  [%s]", param->shape);
        text_append_char(out, '\n');
    }
}

static void append_mutants(const struct new_mutants *mutants, struct text *out) {
    text_printf(
        out,
        "%zu mutants made: %zu do not compile, %zu are the same program, %zu are given away by a "
        "warning, %zu pass; %zu kept\n",
        mutants->made, mutants->not_compiled, mutants->equal, mutants->warned, mutants->survived,
        mutants->kept);
}

static void append_proof(const struct validate_result *result, struct text *out) {
    text_printf(out, "%zu of %zu proved\n", result->count - result->failed, result->count);
    for (size_t i = 0; i < result->count; i++)
        if (!result->rows[i].proved)
            text_printf(out, "  %s: expected %s, found %s\n", result->rows[i].subject,
                        result->rows[i].expected, result->rows[i].found);
}

static void append_rest(const struct arguments *arguments, const struct draft *draft,
                        struct text *out) {
    text_append(out, "\nLeft to its author:\n");
    const char *line = text_string(&draft->notes);
    for (const char *end; *line; line = end + 1) {
        end = strchrnul(line, '\n');
        text_printf(out, "  - %.*s\n", (int)(end - line), line);
        if (!*end)
            break;
    }
    text_printf(out, "Then: WARPGRADE_HOME=%s warpgrade validate %s\n", arguments->into,
                arguments->id);
}

static void print(const struct text *out) {
    cleanup_text struct text safe = {0};
    escape_terminal(&safe, text_string(out), out->length, false);
    fputs(text_string(&safe), stdout);
}

static enum status prove(const struct arguments *arguments, struct grade_session *session,
                         struct text *out, struct error *error) {
    cleanup_free char *folder = mem_printf("%s/exercises/%s", arguments->into, arguments->id);
    cleanup_free char *reference = mem_printf("%s/reference/%s", arguments->into, arguments->id);
    struct exercise *exercise;
    struct validate_result result = {0};
    enum status status = exercise_load(folder, reference, &exercise, error);
    if (status != STATUS_OK)
        return status;
    status = validate_exercise(session, exercise, false, &result, error);
    if (status == STATUS_OK)
        append_proof(&result, out);
    validate_result_free(&result);
    exercise_free(exercise);
    return status;
}

static enum status make(struct arguments *arguments, struct grade_session *session,
                        const char *source, size_t length, struct error *error) {
    struct draft draft = {
        .id = arguments->id, .file = arguments->from, .source = source, .length = length};
    struct new_mutants mutants;
    cleanup_text struct text out = {0};
    progress_begin(&arguments->progress, 1, "exercises", "mutants");
    progress_item(&arguments->progress, 0, arguments->id);
    enum status status = draft_read(&draft, arguments->kernel, error);
    if (status == STATUS_OK)
        status = draft_probe(&draft, arguments->block, arguments->shared_bytes, error);
    if (status == STATUS_OK)
        status = new_exercise(session, &draft, arguments->into, &mutants, error);
    if (status == STATUS_OK) {
        append_params(&draft, &out);
        text_printf(&out, "Wrote %s/exercises/%s and %s/reference/%s\n", arguments->into,
                    arguments->id, arguments->into, arguments->id);
        append_mutants(&mutants, &out);
        status = prove(arguments, session, &out, error);
    }
    progress_clear(&arguments->progress);
    if (status == STATUS_OK) {
        append_rest(arguments, &draft, &out);
        print(&out);
    }
    draft_free(&draft);
    return status;
}

int command_author_new(int argc, char **argv) {
    static const struct argp_child children[] = {COMMAND_JAIL_CHILD, {0}};
    static const struct argp parser = {
        options,
        parse_option,
        "ID --from KERNEL.cu",
        "Makes an exercise from a kernel that works: its signature from the code, the roles and "
        "shapes of buffers and the launch from running it on the simulated GPU, cases, a "
        "statement, "
        "a skeleton, and mutants by breaking it in one place at a time.\v"
        "What it cannot know is said in the end. Exit status: 0 the folders are there, 2 the "
        "kernel "
        "does not do.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.into = ".", .grade = {.engine = GRADE_ENGINE_SIM}};
    arguments.grade.progress = progress_part;
    arguments.grade.progress_context = &arguments.progress;
    struct error error = {0};
    struct grade_session *session;
    cleanup_free char *source = NULL;
    size_t length;
    command_parse(&parser, argc, argv, &arguments);
    enum status status =
        file_read(arguments.from, GRADE_MAX_SOURCE_BYTES, &source, &length, &error);
    if (status == STATUS_OK)
        status = grade_open(&arguments.grade, &session, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    status = make(&arguments, session, source, length, &error);
    grade_close(session);
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
