/* Reads .warpgrade/ci.yaml. Its text has come out of a repository: all of it is checked, and no
 * value of it names a file of this machine. */
#include "grader/ci/rules.h"

#include "grader/exercise/yaml.h"
#include "grader/repo/repo.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    const struct yaml_document *document;
    struct ci_rules *rules;
    struct error *error;
};

static enum status read_percent(struct parser *parser, const struct yaml_node *node, bool *has,
                                double *percent) {
    *has = true;
    return yaml_number(parser->document, node, "pass_mark", 0, 100, percent, parser->error);
}

static enum status read_pass_mark(struct parser *parser, const struct yaml_node *node) {
    return read_percent(parser, node, &parser->rules->has_pass_mark, &parser->rules->pass_mark);
}

static enum status read_word(struct parser *parser, const struct yaml_node *node, const char *key,
                             const char *const *words, size_t count, size_t *index) {
    return yaml_choice(parser->document, node, key, words, count, index, parser->error);
}

static enum status read_grade(struct parser *parser, const struct yaml_node *node) {
    static const char *const words[] = {"changed", "all"};
    size_t index = 0;
    enum status status = read_word(parser, node, "grade", words, ARRAY_LENGTH(words), &index);
    parser->rules->grades_all = index == 1;
    return status;
}

static enum status read_require(struct parser *parser, const struct yaml_node *node) {
    static const char *const words[] = {"namespaces"};
    size_t index;
    parser->rules->require_namespaces = true;
    return read_word(parser, node, "require", words, ARRAY_LENGTH(words), &index);
}

static enum status read_language(struct parser *parser, const struct yaml_node *node) {
    static const char *const words[] = {[LANGUAGE_EN] = "en", [LANGUAGE_ZH] = "zh"};
    size_t index = 0;
    enum status status = read_word(parser, node, "language", words, ARRAY_LENGTH(words), &index);
    parser->rules->language = (enum language)index;
    return status;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static enum status read_pattern(struct parser *parser, const struct yaml_node *node,
                                const char *key, char ***patterns, size_t *count) {
    const char *text;
    enum status status = yaml_string(parser->document, node, key, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    const char *problem = repo_path_problem(text);
    if (problem)
        return yaml_error(parser->document, node, parser->error,
                          "not a path from the repository's root: %s", problem);
    if (*count >= CI_MAX_PATTERNS)
        return yaml_error(parser->document, node, parser->error, "%s has more than %d paths", key,
                          CI_MAX_PATTERNS);
    *patterns = mem_realloc(*patterns, *count + 1, sizeof **patterns);
    (*patterns)[(*count)++] = mem_strdup(text);
    return STATUS_OK;
}

/* One, or a list. */
static enum status read_patterns(struct parser *parser, const struct yaml_node *node,
                                 const char *key, char ***patterns, size_t *count) {
    enum status status = STATUS_OK;
    if (node->kind != YAML_SEQUENCE)
        return read_pattern(parser, node, key, patterns, count);
    for (size_t i = 0; i < node->count && status == STATUS_OK; i++)
        status = read_pattern(parser, node->items[i], key, patterns, count);
    return status;
}

static enum status read_ignored(struct parser *parser, const struct yaml_node *node) {
    return read_patterns(parser, node, "ignore", &parser->rules->ignored,
                         &parser->rules->ignored_count);
}

/* ---- exercises ------------------------------------------------------------------------------- */

static enum status find_exercise(struct parser *parser, const struct yaml_node *node,
                                 struct ci_exercise *entry) {
    const char *id;
    struct error cause = {0};
    const struct ci_rules *rules = parser->rules;
    enum status status = yaml_string(parser->document, node, "id", &id, parser->error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < rules->exercise_count; i++)
        if (rules->exercises[i].exercise && strcmp(rules->exercises[i].exercise->id, id) == 0)
            return yaml_error(parser->document, node, parser->error, "%.64s stands here twice", id);
    status = exercise_find(id, &entry->exercise, &cause);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (cause.file[0]) { /* the exercise itself is wrong */
        if (parser->error)
            *parser->error = cause;
        return status;
    }
    yaml_error(parser->document, node, parser->error, "%s", cause.message);
    error_hint(parser->error, "%s", cause.hint);
    return status;
}

static enum status read_entry(struct parser *parser, const struct yaml_node *node,
                              struct ci_exercise *entry) {
    static const char *const keys[] = {
#define RULE(name, reader, type, summary)
#define ENTRY(name, type, summary) name,
#include "grader/ci/rules_key.def"
#undef RULE
#undef ENTRY
    };
    const struct yaml_document *document = parser->document;
    const struct yaml_node *id = NULL, *value;
    bool has_mark = parser->rules->has_pass_mark;
    double mark = parser->rules->pass_mark;
    enum status status =
        yaml_check_keys(document, node, "an exercise", keys, ARRAY_LENGTH(keys), parser->error);
    if (status == STATUS_OK)
        status = yaml_require(document, node, "an exercise", "id", &id, parser->error);
    if (status == STATUS_OK)
        status = find_exercise(parser, id, entry);
    if (status == STATUS_OK && (value = yaml_get(node, "paths")))
        status = read_patterns(parser, value, "paths", &entry->paths, &entry->path_count);
    if (status == STATUS_OK && (value = yaml_get(node, "required")))
        status = yaml_boolean(document, value, "required", &entry->required, parser->error);
    if (status == STATUS_OK && (value = yaml_get(node, "pass_mark")))
        status = read_percent(parser, value, &has_mark, &mark);
    if (status == STATUS_OK && has_mark)
        entry->exercise->pass_mark_percent = mark;
    return status;
}

static enum status read_exercises(struct parser *parser, const struct yaml_node *node) {
    struct ci_rules *rules = parser->rules;
    enum status status =
        yaml_expect(parser->document, node, YAML_SEQUENCE, "exercises", parser->error);
    if (status != STATUS_OK)
        return status;
    rules->exercises = mem_calloc(node->count + 1, sizeof *rules->exercises);
    for (size_t i = 0; i < node->count && status == STATUS_OK; i++) {
        struct ci_exercise *entry = &rules->exercises[rules->exercise_count++];
        entry->required = true;
        if (node->items[i]->kind == YAML_MAPPING) {
            status = read_entry(parser, node->items[i], entry);
            continue;
        }
        status = find_exercise(parser, node->items[i], entry);
        if (status == STATUS_OK && rules->has_pass_mark)
            entry->exercise->pass_mark_percent = rules->pass_mark;
    }
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Read in this order, not the file's: the exercises take the pass mark. */
static const struct key {
    const char *name;
    enum status (*read)(struct parser *parser, const struct yaml_node *node);
} keys[] = {
#define RULE(name, reader, type, summary) {name, reader},
#define ENTRY(name, type, summary)
#include "grader/ci/rules_key.def"
#undef RULE
#undef ENTRY
};

enum status ci_rules_parse(const char *file, const char *source, size_t length,
                           struct ci_rules *rules, struct error *error) {
    struct yaml_document *document;
    const char *names[ARRAY_LENGTH(keys)];
    *rules = (struct ci_rules){.language = LANGUAGE_EN};
    enum status status = yaml_parse(file, source, length, &document, error);
    if (status != STATUS_OK)
        return status;
    struct parser parser = {document, rules, error};
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        names[i] = keys[i].name;
    status =
        yaml_check_keys(document, document->root, "the file", names, ARRAY_LENGTH(names), error);
    for (size_t i = 0; i < ARRAY_LENGTH(keys) && status == STATUS_OK; i++) {
        const struct yaml_node *node = yaml_get(document->root, keys[i].name);
        if (node && !yaml_is_nothing(node))
            status = keys[i].read(&parser, node);
    }
    yaml_document_free(document);
    return status;
}

static void free_strings(char **strings, size_t count) {
    while (count)
        free(strings[--count]);
    free(strings);
}

void ci_rules_free(struct ci_rules *rules) {
    for (size_t i = 0; i < rules->exercise_count; i++) {
        exercise_free(rules->exercises[i].exercise);
        free_strings(rules->exercises[i].paths, rules->exercises[i].path_count);
    }
    free(rules->exercises);
    free_strings(rules->ignored, rules->ignored_count);
    *rules = (struct ci_rules){0};
}

void ci_rules_append_keys(struct text *out) {
#define RULE(name, reader, type, summary)                                                          \
    text_printf(out, "  %-10s %-14s %s\n", name, type, summary);
#define ENTRY(name, type, summary)
#include "grader/ci/rules_key.def"
#undef RULE
#undef ENTRY
    text_append(out, "\nOf an exercise:\n");
#define RULE(name, reader, type, summary)
#define ENTRY(name, type, summary) text_printf(out, "  %-10s %-14s %s\n", name, type, summary);
#include "grader/ci/rules_key.def"
#undef RULE
#undef ENTRY
}
