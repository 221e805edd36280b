/* Takes the shell out of share/ci/, as a CI system would run it, so that tests run these very
 * lines.
 *
 *     ci_steps FILE STEP [NAME=VALUE ...]   prints STEP as a script: of an action or a workflow the
 *                                           step of that name, of a GitLab template the job. NAME
 *                                           is what stands in ${{ }}, `inputs.base` for example;
 *                                           inputs have their defaults
 *     ci_steps check ACTION FILE ...        no script holds an expression, which would be code
 *                                           there, and inputs that a FILE gives to ACTION exist
 *
 * What it does not know, an expression without a value for example, is an error. */
#include "grader/exercise/yaml.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *what, const char *which) {
    fprintf(stderr, "ci_steps: %s: %s\n", what, which);
    exit(1);
}

static struct yaml_document *load(const char *path) {
    struct yaml_document *document;
    struct error error;
    if (yaml_load(path, &document, &error) != STATUS_OK)
        give_up(path, error.message);
    return document;
}

static const char *string(const struct yaml_node *node, const char *key) {
    const struct yaml_node *value = yaml_get(node, key);
    return value && value->kind == YAML_SCALAR ? value->text : "";
}

/* ---- expressions ----------------------------------------------------------------------------- */

struct values {
    const struct yaml_node *inputs; /* of an action */
    char **given;                   /* NAME=VALUE */
    size_t count;
};

static const char *value_of(const struct values *values, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < values->count; i++)
        if (strncmp(values->given[i], name, length) == 0 && values->given[i][length] == '=')
            return values->given[i] + length + 1;
    const struct yaml_node *input =
        strncmp(name, "inputs.", 7) == 0 ? yaml_get(values->inputs, name + 7) : NULL;
    if (!yaml_get(input, "default"))
        give_up("no value for", name);
    return string(input, "default");
}

static char *evaluated(const struct values *values, const char *text) {
    struct text out = {0};
    for (const char *open; (open = strstr(text, "${{")); text = strstr(open, "}}") + 2) {
        const char *close = strstr(open, "}}");
        if (!close)
            give_up("an expression without an end", text);
        cleanup_free char *name = mem_strndup(open + 3, (size_t)(close - open) - 3);
        text_append_bytes(&out, text, (size_t)(open - text));
        text_append(&out, value_of(values, strtok(name, " ")));
    }
    text_append(&out, text);
    return text_steal(&out);
}

static void print_quoted(const char *text) {
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* ---- scripts --------------------------------------------------------------------------------- */

static void print_step(const struct yaml_node *step, const struct values *values) {
    const struct yaml_node *environment = yaml_get(step, "env");
    if (strcmp(string(step, "shell"), "bash") != 0)
        give_up("not for bash", string(step, "name"));
    for (size_t i = 0; environment && i < environment->count; i++) {
        cleanup_free char *value = evaluated(values, environment->items[i]->text);
        printf("export %s=", environment->keys[i]->text);
        print_quoted(value);
        putchar('\n');
    }
    fputs(string(step, "run"), stdout);
}

static bool print_if_named(const struct yaml_node *steps, const char *name,
                           const struct values *values) {
    for (size_t i = 0; steps && i < steps->count; i++)
        if (strcmp(string(steps->items[i], "name"), name) == 0) {
            print_step(steps->items[i], values);
            return true;
        }
    return false;
}

static void print_lines(const struct yaml_node *lines) {
    for (size_t i = 0; lines && i < lines->count; i++)
        printf("%s\n", lines->items[i]->text);
}

/* A variable that is set already is a project's, and stays. */
static void print_job(const struct yaml_node *job) {
    const struct yaml_node *variables = yaml_get(job, "variables");
    for (size_t i = 0; variables && i < variables->count; i++) {
        const char *name = variables->keys[i]->text;
        printf("%s=\"${%s-%s}\"; export %s\n", name, name, variables->items[i]->text, name);
    }
    print_lines(yaml_get(job, "before_script"));
    print_lines(yaml_get(job, "script"));
}

static bool print_script(const struct yaml_node *root, const char *name,
                         const struct values *values) {
    const struct yaml_node *runs = yaml_get(root, "runs"), *jobs = yaml_get(root, "jobs");
    if (runs)
        return print_if_named(yaml_get(runs, "steps"), name, values);
    for (size_t i = 0; jobs && i < jobs->count; i++)
        if (print_if_named(yaml_get(jobs->items[i], "steps"), name, values))
            return true;
    const struct yaml_node *job = jobs ? NULL : yaml_get(root, name);
    if (job)
        print_job(job);
    return job != NULL;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check_step(const struct yaml_node *step, const struct yaml_node *inputs) {
    const struct yaml_node *with = yaml_get(step, "with");
    if (strstr(string(step, "run"), "${{"))
        give_up("an expression inside a script", string(step, "name"));
    for (size_t i = 0; with && i < with->count && strstr(string(step, "uses"), "/ci/github@"); i++)
        if (!yaml_get(inputs, with->keys[i]->text))
            give_up("the action has no input", with->keys[i]->text);
}

static void check_steps(const struct yaml_node *steps, const struct yaml_node *inputs) {
    for (size_t i = 0; steps && i < steps->count; i++)
        check_step(steps->items[i], inputs);
}

static int check(const char *action_path, char **paths, size_t count) {
    struct yaml_document *action = load(action_path);
    const struct yaml_node *inputs = yaml_get(action->root, "inputs");
    check_steps(yaml_get(yaml_get(action->root, "runs"), "steps"), inputs);
    for (size_t i = 0; i < count; i++) {
        struct yaml_document *document = load(paths[i]);
        const struct yaml_node *jobs = yaml_get(document->root, "jobs");
        if (!jobs)
            give_up("no jobs", paths[i]);
        for (size_t k = 0; k < jobs->count; k++)
            check_steps(yaml_get(jobs->items[k], "steps"), inputs);
        yaml_document_free(document);
    }
    yaml_document_free(action);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        give_up("usage", "ci_steps FILE STEP [NAME=VALUE ...] | check ACTION FILE ...");
    if (strcmp(argv[1], "check") == 0)
        return check(argv[2], argv + 3, (size_t)argc - 3);
    struct yaml_document *document = load(argv[1]);
    const struct values values = {
        .inputs = yaml_get(document->root, "inputs"), .given = argv + 3, .count = (size_t)argc - 3};
    if (!print_script(document->root, argv[2], &values))
        give_up("no such step", argv[2]);
    yaml_document_free(document);
    return 0;
}
