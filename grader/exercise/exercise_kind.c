/* Kinds of exercises: a kernel, which warpgrade launches; a function of the host that launches
 * kernels of its own; a whole program. What they have in common (parameters, data, cases, results)
 * is in exercise_build.c: what differs is here. */
#include "grader/exercise/exercise_check.h"

#include "grader/exercise/exercise_schema.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = 1 << EXERCISE_KERNEL, HOST = 1 << EXERCISE_HOST, PROGRAM = 1 << EXERCISE_PROGRAM };

/* Keys that belong to some kinds only, and those that must be there. */
static const struct kind_rule {
    const char *key, *below; /* of the file, or of the mapping with this key */
    unsigned allowed, required;
} rules[] = {
    {"kernel", NULL, KERNEL, KERNEL},
    {"launch", NULL, KERNEL, KERNEL},
    {"constants", NULL, KERNEL, 0},
    {"tuned", NULL, KERNEL, 0},
    {"function", NULL, HOST, HOST},
    {"pointers", NULL, HOST, 0},
    {"program", NULL, PROGRAM, PROGRAM},
    {"reference", NULL, KERNEL | HOST | PROGRAM, HOST | PROGRAM},
    {"launch", "reference", KERNEL | HOST | PROGRAM, HOST | PROGRAM},
    {"measured_sizes", "speed", KERNEL, 0},
    {"modelled_sizes", "speed", KERNEL, 0},
    {"sample", "speed", KERNEL, 0},
    {"baseline", "speed", KERNEL, 0},
    {"bytes", "speed", KERNEL, 0},
    {"flops", "speed", KERNEL, 0},
};

static const char *kind_word(enum exercise_kind kind) {
    return schema_choices[CHOICE_kinds].names[kind];
}

static enum exercise_kind kind_of(const struct yaml_node *root) {
    const struct yaml_node *node = yaml_get(root, "kind");
    for (unsigned i = 0; node && i < EXERCISE_KIND_COUNT; i++)
        if (strcmp(node->text, kind_word((enum exercise_kind)i)) == 0)
            return (enum exercise_kind)i;
    return EXERCISE_KERNEL;
}

static enum status check_rule(const struct check *check, const struct kind_rule *rule,
                              enum exercise_kind kind) {
    const struct yaml_node *root = check->document->root;
    const struct yaml_node *below = rule->below ? yaml_get(root, rule->below) : root;
    const struct yaml_node *found = yaml_get(below, rule->key);
    unsigned bit = 1u << kind;
    enum schema_object object = !rule->below                            ? SCHEMA_exercise
                                : strcmp(rule->below, "reference") == 0 ? SCHEMA_reference
                                                                        : SCHEMA_speed;
    if (found && !(rule->allowed & bit))
        return FAIL(check, found, "%s: an exercise of kind %s has no such key", rule->key,
                    kind_word(kind));
    if (found || !(rule->required & bit))
        return STATUS_OK;
    enum status status = FAIL(check, below, "%s: the key %s is missing",
                              rule->below ? rule->below : "exercise", rule->key);
    error_hint(check->error, "%s: %s", rule->key, schema_key_find(object, rule->key)->doc);
    return status;
}

static enum status check_params(const struct check *check, enum exercise_kind kind) {
    const struct yaml_node *params = root_get(check, "params");
    for (size_t i = 0; i < params->count; i++) {
        const struct yaml_node *constant = yaml_get(params->items[i], "constant_memory");
        const struct yaml_node *computed = yaml_get(params->items[i], "computed_by");
        if (kind == EXERCISE_KERNEL && computed)
            return FAIL(check, computed,
                        "computed_by: an exercise of kind kernel has no host code");
        const struct yaml_node *partly = yaml_get(params->items[i], "read_partly");
        if (kind == EXERCISE_KERNEL && partly)
            return FAIL(check, partly,
                        "read_partly: in an exercise of kind kernel nothing asks what is read");
        if (kind != EXERCISE_KERNEL && constant && strcmp(constant->text, "true") == 0)
            return FAIL(check, constant,
                        "constant_memory: only an exercise of kind kernel fills it");
    }
    return STATUS_OK;
}

enum status exercise_check_kind(const struct yaml_document *document, struct error *error) {
    const struct check check = {document, NULL, error};
    enum exercise_kind kind = kind_of(document->root);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(rules) && status == STATUS_OK; i++)
        status = check_rule(&check, &rules[i], kind);
    return status == STATUS_OK ? check_params(&check, kind) : status;
}

/* ---- building ---------------------------------------------------------------------------------
 */

static size_t find_param(const struct exercise *exercise, const char *name, size_t length) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (strlen(exercise->params[i].name) == length &&
            memcmp(exercise->params[i].name, name, length) == 0)
            return i;
    return SIZE_MAX;
}

static enum status unknown_param(const struct check *check, const struct yaml_node *node,
                                 const char *name) {
    const char *names[64];
    size_t count = 0;
    for (; count < check->exercise->param_count && count < ARRAY_LENGTH(names); count++)
        names[count] = check->exercise->params[count].name;
    enum status status = FAIL(check, node, "%s is no parameter", name);
    const char *closest = text_closest(name, names, count);
    if (closest)
        error_hint(check->error, "did you mean %s?", closest);
    return status;
}

/* Names of parameters as their numbers. */
static enum status build_names(const struct check *check, const struct yaml_node *list, bool output,
                               size_t **out, size_t *count) {
    if (!list)
        return STATUS_OK;
    *out = mem_calloc(list->count + 1, sizeof **out);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *name = list->items[i];
        size_t found = find_param(check->exercise, name->text, strlen(name->text));
        if (found == SIZE_MAX)
            return unknown_param(check, name, name->text);
        enum exercise_role role = check->exercise->params[found].role;
        if (output && role != ROLE_OUT)
            return FAIL(check, name, "%s is no parameter of role out: a program prints those",
                        name->text);
        if (!output && role == ROLE_OUT)
            return FAIL(check, name, "%s is of role out: a program does not read it", name->text);
        (*out)[(*count)++] = found;
    }
    return STATUS_OK;
}

/* Each {name} of a word must be a size, a scalar, input or output. */
static enum status check_word(const struct check *check, const struct yaml_node *node) {
    for (const char *at = node->text; (at = strchr(at, '{')); at++) {
        size_t length = strcspn(at + 1, "}");
        cleanup_free char *name = mem_strndup(at + 1, length);
        if (!at[1 + length])
            return FAIL(check, node, "arguments: { without }");
        if (strcmp(name, "input") == 0 || strcmp(name, "output") == 0)
            continue;
        size_t found = find_param(check->exercise, name, length);
        if (found == SIZE_MAX)
            return unknown_param(check, node, name);
        if (exercise_param_is_buffer(&check->exercise->params[found]))
            return FAIL(check, node, "arguments: %s is a buffer: it can be read from the input",
                        name);
    }
    return STATUS_OK;
}

static enum status build_program(const struct check *check, const struct yaml_node *node,
                                 struct exercise_program *program) {
    const struct yaml_node *arguments = yaml_get(node, "arguments");
    program->arguments =
        mem_calloc((arguments ? arguments->count : 0) + 1, sizeof *program->arguments);
    for (size_t i = 0; arguments && i < arguments->count; i++) {
        enum status status = check_word(check, arguments->items[i]);
        if (status != STATUS_OK)
            return status;
        program->arguments[program->argument_count++] = mem_strdup(arguments->items[i]->text);
    }
    enum status status =
        build_names(check, yaml_get(node, "input"), false, &program->inputs, &program->input_count);
    if (status == STATUS_OK)
        status = build_names(check, yaml_get(node, "output"), true, &program->outputs,
                             &program->output_count);
    return status;
}

/* What is judged must be printed. */
static enum status check_outputs(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    for (size_t i = 0; i < exercise->param_count; i++) {
        bool printed = !exercise_param_is_output(&exercise->params[i]);
        for (size_t j = 0; j < exercise->program.output_count; j++)
            printed |= exercise->program.outputs[j] == i;
        if (!printed)
            return FAIL(check, root_get(check, "program"),
                        "output: %s is judged, and the program does not print it",
                        exercise->params[i].name);
    }
    return STATUS_OK;
}

enum status exercise_build_kind(const struct yaml_document *document, struct exercise *exercise,
                                struct error *error) {
    const struct check check = {document, exercise, error};
    const struct yaml_node *root = document->root, *params = yaml_get(root, "params");
    const struct yaml_node *pointers = yaml_get(root, "pointers");
    exercise->kind = kind_of(root);
    exercise->host_pointers = pointers && strcmp(pointers->text, "host") == 0;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct yaml_node *computed = yaml_get(params->items[i], "computed_by");
        exercise->params[i].computed_by_host = computed && strcmp(computed->text, "host") == 0;
        const struct yaml_node *partly = yaml_get(params->items[i], "read_partly");
        exercise->params[i].read_partly = partly && strcmp(partly->text, "true") == 0;
    }
    if (exercise->kind != EXERCISE_PROGRAM)
        return STATUS_OK;
    enum status status = build_program(&check, yaml_get(root, "program"), &exercise->program);
    return status == STATUS_OK ? check_outputs(&check) : status;
}

void exercise_free_kind(struct exercise *exercise) {
    struct exercise_program *program = &exercise->program;
    for (size_t i = 0; i < program->argument_count; i++)
        free(program->arguments[i]);
    free(program->arguments);
    free(program->inputs);
    free(program->outputs);
}
