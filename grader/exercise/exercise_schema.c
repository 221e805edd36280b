/* Checks the form of exercise.yaml against the table in exercise.def.
 *
 * The walk knows nothing of exercises: it takes a node and a row and compares. Messages name the
 * value by its path in the file ("params[0].shape[1]"). Whether the parts fit together (names in
 * expressions, sizes for every case) is exercise_check.c's business. */
#include "grader/exercise/exercise_schema.h"

#include "grader/exercise/exercise.h"
#include "grader/exercise/exercise_advice.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/types.h"
#include "sandbox/base/verdict.h"

#include <ctype.h>
#include <string.h>

const struct schema_object_info schema_objects[SCHEMA_OBJECT_COUNT] = {
#define MAPPING         .one_of = false
#define ONE_OF_OR(list) .one_of = true, .words = CHOICE_##list
#define OBJECT(ID, LABEL, SHAPE, DOC)                                                              \
    [SCHEMA_##ID] = {.id = #ID, .label = LABEL, SHAPE, .doc = DOC},
#define KEY(object, name, value, need, fallback, doc)
#include "grader/exercise/exercise.def"
#undef KEY
#undef OBJECT
};

const struct schema_key schema_keys[] = {
#define TEXT                     .type = SCHEMA_TYPE_TEXT
#define NAME                     .type = SCHEMA_TYPE_NAME
#define ID                       .type = SCHEMA_TYPE_ID
#define PATH                     .type = SCHEMA_TYPE_PATH
#define EXPR                     .type = SCHEMA_TYPE_EXPR
#define REAL                     .type = SCHEMA_TYPE_REAL
#define FORMULA                  .type = SCHEMA_TYPE_FORMULA
#define BOOLEAN                  .type = SCHEMA_TYPE_BOOLEAN
#define INTEGER(low, high)       .type = SCHEMA_TYPE_INTEGER, .minimum = low, .maximum = high
#define NUMBER(low, high)        .type = SCHEMA_TYPE_NUMBER, .minimum = low, .maximum = high
#define CHOICE(words)            .type = SCHEMA_TYPE_CHOICE, .choice = CHOICE_##words
#define SUB(id)                  .type = SCHEMA_TYPE_SUB, .sub = SCHEMA_##id
#define LIST(value, least, most) value, .list = true, .list_least = least, .list_most = most
#define REQUIRED                 .required = true
#define OPTIONAL                 .required = false
#define TOGETHER                 .together = true
#define OBJECT(id, label, shape, doc)
#define KEY(OBJECT_ID, KEY_NAME, VALUE, NEED, FALLBACK, DOC)                                       \
    {.object = SCHEMA_##OBJECT_ID, .name = KEY_NAME, VALUE, NEED, .fallback = FALLBACK, .doc = DOC},
#include "grader/exercise/exercise.def"
#undef KEY
#undef OBJECT
};
const size_t schema_key_count = ARRAY_LENGTH(schema_keys);

static const char *const type_names[] = {
#define ELEMENT(id, bytes, is_float, is_signed, c_name) #id,
#include "sandbox/base/element.def"
#undef ELEMENT
};
static const char *const hazard_names[] = {
#define HAZARD(ID, name, ...) name,
#include "sandbox/base/hazard.def"
#undef HAZARD
};
static const char *const cause_names[] = {
#define CAUSE(ID, name, en, zh) name,
#include "grader/exercise/cause.def"
#undef CAUSE
};
static const char *const verdict_names[] = {
#define VERDICT(ID, name, severity, label, summary) name,
#include "sandbox/base/verdict.def"
#undef VERDICT
};
/* What a launch with a device profile tells; any of them also with tuned_ in front. */
static const char *const measure_names[] = {
    "ratio_to_tuned", "ratio_to_reference",   "fraction_of_baseline",  "fraction_of_roof",
    "time_ms",        "registers_per_thread", "theoretical_occupancy",
#define METRIC(id, kind, numerator, denominator, empty, unit, summary) #id,
#include "sandbox/base/metric.def"
#undef METRIC
#define COUNTER(id, kind, metric, summary) #id,
#include "sandbox/base/counter.def"
#undef COUNTER
};
/* In the order of the enums in exercise.h. */
static const char *const kind_names[] = {"kernel", "host", "program"};
static const char *const pointer_names[] = {"device", "host"};
static const char *const computer_names[] = {"kernel", "host"};
static const char *const role_names[] = {"in", "out", "inout", "size", "scalar"};
static const char *const fill_names[] = {"zero", "iota", "uniform", "permutation"};
static const char *const tolerance_names[] = {"exact", "ignored"};
static const char *const level_names[] = {"error", "warning", "ignore"};
static const char *const engine_names[] = {"any", "sim", "cuda"};
static const char *const when_names[] = {"hazard"};
static const char *const condition_names[] = {"correctness", "boundary",  "generated",
                                              "speed",       "essential", "right"};
const char *const case_group_names[GROUP_COUNT] = {"correctness", "boundary", "generated", "speed"};

#define WORDS(names)                                                                               \
    { names, ARRAY_LENGTH(names) }
const struct schema_words schema_choices[CHOICE_COUNT] = {
    [CHOICE_kinds] = WORDS(kind_names),
    [CHOICE_pointers] = WORDS(pointer_names),
    [CHOICE_computers] = WORDS(computer_names),
    [CHOICE_types] = WORDS(type_names),
    [CHOICE_roles] = WORDS(role_names),
    [CHOICE_fills] = WORDS(fill_names),
    [CHOICE_tolerances] = WORDS(tolerance_names),
    [CHOICE_levels] = WORDS(level_names),
    [CHOICE_engines] = WORDS(engine_names),
    [CHOICE_measures] = WORDS(measure_names),
    [CHOICE_conditions] = WORDS(condition_names),
    [CHOICE_baselines] = {baseline_names + 1, BASELINE_COUNT - 1}, /* without "none" */
    [CHOICE_whens] = WORDS(when_names),
    [CHOICE_verdicts] = WORDS(verdict_names),
    [CHOICE_hazards] = WORDS(hazard_names),
    [CHOICE_causes] = WORDS(cause_names),
};

const struct schema_key *schema_key_find(enum schema_object object, const char *name) {
    const struct schema_key *any = NULL;
    for (size_t i = 0; i < schema_key_count; i++) {
        if (schema_keys[i].object != object)
            continue;
        if (strcmp(schema_keys[i].name, name) == 0)
            return &schema_keys[i];
        if (strcmp(schema_keys[i].name, "*") == 0)
            any = &schema_keys[i];
    }
    return any;
}

struct schema_walk {
    const struct yaml_document *document;
    struct text path; /* "params[0].shape" */
    struct error *error;
};

static enum status check_object(struct schema_walk *walk, const struct yaml_node *node,
                                enum schema_object object);

static bool all_of(const char *text, bool (*accepts)(char c)) {
    for (; *text; text++)
        if (!accepts(*text))
            return false;
    return true;
}

static bool in_name(char c) {
    return c == '_' || (!((unsigned char)c & 0x80) && isalnum((unsigned char)c));
}

static bool in_id(char c) {
    return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool in_path(char c) {
    return in_name(c) || c == '-' || c == '.' || c == '/';
}

static bool valid_name(const char *text) {
    return !isdigit((unsigned char)text[0]) && strlen(text) <= 63 && all_of(text, in_name);
}

static enum status check_word(struct schema_walk *walk, const struct yaml_node *node,
                              enum schema_type type) {
    const char *text;
    enum status status =
        yaml_string(walk->document, node, text_string(&walk->path), &text, walk->error);
    if (status != STATUS_OK)
        return status;
    const char *expected = NULL;
    if (type == SCHEMA_TYPE_TEXT && text[strspn(text, " \t\n")] == '\0')
        expected = "some text";
    if (type == SCHEMA_TYPE_NAME && !(text[0] && valid_name(text)))
        expected = "a name of letters, digits and _ (at most 63)";
    if (type == SCHEMA_TYPE_ID &&
        !(text[0] != '-' && in_id(text[0]) && strlen(text) <= 63 && all_of(text, in_id)))
        expected = "a name of small letters, digits and hyphens (at most 63)";
    if (type == SCHEMA_TYPE_PATH && (text[0] == '/' || text[0] == '\0' || strstr(text, "..") ||
                                     strlen(text) > 200 || !all_of(text, in_path)))
        expected = "a relative path of letters, digits, - _ . and /";
    if (!expected)
        return STATUS_OK;
    char found[YAML_DESCRIPTION_BYTES];
    return yaml_error(walk->document, node, walk->error, "%s: expected %s, found %s",
                      text_string(&walk->path), expected, yaml_describe(node, found));
}

void schema_place_expression(const struct yaml_document *document, const struct yaml_node *node,
                             struct error *error) {
    if (!error)
        return;
    /* After an opening quote, and only where the text is one line without escapes; elsewhere the
     * start of the value is the best place there is. */
    unsigned inside = error->column ? error->column - 1 + (node->plain ? 0 : 1) : 0;
    if (strchr(node->text, '\n') || strchr(node->text, '\\'))
        inside = 0;
    error_place(error, document->file, node->line, node->column + inside, document->source,
                document->source_length);
}

/* [ceil_div(n, 256)] is two values to YAML: `ceil_div(n` and `256)`. */
static bool cut_at_comma(const char *text) {
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open > 0;
}

static enum status check_expression(struct schema_walk *walk, const struct yaml_node *node,
                                    enum schema_type type) {
    const char *text;
    enum status status =
        yaml_string(walk->document, node, text_string(&walk->path), &text, walk->error);
    if (status != STATUS_OK)
        return status;
    struct error inner = {0};
    struct expr *expr = NULL;
    status = type == SCHEMA_TYPE_EXPR ? expr_parse(text, &expr, &inner)
                                      : expr_parse_real(text, &expr, &inner);
    expr_free(expr);
    if (status == STATUS_OK)
        return status;
    error_set(walk->error, status, "%s: %.900s", text_string(&walk->path), inner.message);
    if (walk->error) {
        walk->error->column = inner.column;
        error_hint(walk->error, "%s", inner.hint);
        if (node->plain && cut_at_comma(text))
            advise_comma(walk->document, node, walk->error);
    }
    schema_place_expression(walk->document, node, walk->error);
    return status;
}

static enum status check_choice(struct schema_walk *walk, const struct yaml_node *node,
                                enum schema_choice choice) {
    const struct schema_words *words = &schema_choices[choice];
    enum status status = yaml_choice(walk->document, node, text_string(&walk->path), words->names,
                                     words->count, &(size_t){0}, walk->error);
    if (status != STATUS_OK)
        advise_word(choice, node, walk->error);
    return status;
}

static enum status check_value(struct schema_walk *walk, const struct yaml_node *node,
                               const struct schema_key *key) {
    const char *what = text_string(&walk->path);
    switch (key->type) {
    case SCHEMA_TYPE_TEXT:
    case SCHEMA_TYPE_NAME:
    case SCHEMA_TYPE_ID:
    case SCHEMA_TYPE_PATH:
        return check_word(walk, node, key->type);
    case SCHEMA_TYPE_EXPR:
    case SCHEMA_TYPE_REAL:
    case SCHEMA_TYPE_FORMULA:
        return check_expression(walk, node, key->type);
    case SCHEMA_TYPE_BOOLEAN:
        return yaml_boolean(walk->document, node, what, &(bool){0}, walk->error);
    case SCHEMA_TYPE_INTEGER:
        return yaml_integer(walk->document, node, what, (int64_t)key->minimum,
                            (int64_t)key->maximum, &(int64_t){0}, walk->error);
    case SCHEMA_TYPE_NUMBER:
        return yaml_number(walk->document, node, what, key->minimum, key->maximum, &(double){0},
                           walk->error);
    case SCHEMA_TYPE_CHOICE:
        return check_choice(walk, node, key->choice);
    case SCHEMA_TYPE_SUB:
        return check_object(walk, node, key->sub);
    }
    return STATUS_INVALID;
}

static void path_cut(struct text *path, size_t length) {
    path->length = length;
    if (path->data)
        path->data[length] = '\0';
}

static enum status check_list(struct schema_walk *walk, const struct yaml_node *node,
                              const struct schema_key *key) {
    const char *what = text_string(&walk->path);
    enum status status = yaml_expect(walk->document, node, YAML_SEQUENCE, what, walk->error);
    if (status != STATUS_OK) {
        if (node->kind == YAML_SCALAR && walk->error)
            error_hint(walk->error, "Write a list of one value as [value].");
        return status;
    }
    if (node->count < key->list_least || node->count > key->list_most) {
        if (key->list_least == key->list_most)
            return yaml_error(walk->document, node, walk->error,
                              "%s: expected %u values, found %zu", what, key->list_least,
                              node->count);
        return yaml_error(walk->document, node, walk->error,
                          "%s: expected %u to %u entries, found %zu", what, key->list_least,
                          key->list_most, node->count);
    }
    size_t length = walk->path.length;
    for (size_t i = 0; i < node->count && status == STATUS_OK; i++) {
        text_printf(&walk->path, "[%zu]", i);
        status = check_value(walk, node->items[i], key);
        path_cut(&walk->path, length);
    }
    return status;
}

static enum status check_key_names(struct schema_walk *walk, const struct yaml_node *node,
                                   enum schema_object object) {
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < schema_key_count && count < ARRAY_LENGTH(names); i++)
        if (schema_keys[i].object == object)
            names[count++] = schema_keys[i].name;
    const char *what = walk->path.length ? text_string(&walk->path) : schema_objects[object].label;
    if (strcmp(names[0], "*") != 0) {
        enum status status = yaml_check_keys(walk->document, node, what, names, count, walk->error);
        /* {formula: max(1, n)} is a value and one more key to YAML. */
        for (size_t i = 0; status != STATUS_OK && node->kind == YAML_MAPPING && i < node->count;
             i++)
            if (node->items[i]->kind == YAML_SCALAR && node->items[i]->plain &&
                cut_at_comma(node->items[i]->text))
                advise_comma(walk->document, node->items[i], walk->error);
        return status;
    }
    enum status status = yaml_expect(walk->document, node, YAML_MAPPING, what, walk->error);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        if (!valid_name(node->keys[i]->text))
            status = yaml_error(walk->document, node->keys[i], walk->error,
                                "%s: %.63s is not a parameter's name", what, node->keys[i]->text);
    return status;
}

/* How many ways of saying it the mapping holds: keys that stand together are one. */
static size_t count_choices(const struct yaml_node *node, enum schema_object object) {
    size_t together = 0;
    for (size_t i = 0; i < node->count; i++)
        together += schema_key_find(object, node->keys[i]->text)->together;
    return node->count - (together ? together - 1 : 0);
}

static enum status check_count(struct schema_walk *walk, const struct yaml_node *node,
                               enum schema_object object) {
    const struct schema_object_info *info = &schema_objects[object];
    const char *what = walk->path.length ? text_string(&walk->path) : info->label;
    if (info->one_of && count_choices(node, object) != 1)
        return yaml_error(walk->document, node, walk->error,
                          "%s: expected exactly one key, found %zu", what, node->count);
    for (size_t i = 0; i < schema_key_count; i++) {
        const struct schema_key *key = &schema_keys[i];
        if (key->object != object || !key->required || yaml_get(node, key->name))
            continue;
        enum status status = yaml_error(walk->document, node, walk->error,
                                        "%s: the key %s is missing", what, key->name);
        error_hint(walk->error, "%s: %s", key->name, key->doc);
        return status;
    }
    return STATUS_OK;
}

static enum status check_object(struct schema_walk *walk, const struct yaml_node *node,
                                enum schema_object object) {
    const struct schema_words *words = &schema_choices[schema_objects[object].words];
    if (words->count && node->kind == YAML_SCALAR)
        return check_choice(walk, node, schema_objects[object].words);
    enum status status = check_key_names(walk, node, object);
    if (status != STATUS_OK && object == SCHEMA_localized)
        advise_language(text_string(&walk->path), node, walk->error);
    if (status == STATUS_OK)
        status = check_count(walk, node, object);
    size_t length = walk->path.length;
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++) {
        const struct schema_key *key = schema_key_find(object, node->keys[i]->text);
        text_printf(&walk->path, "%s%s", length ? "." : "", node->keys[i]->text);
        status = key->list ? check_list(walk, node->items[i], key)
                           : check_value(walk, node->items[i], key);
        path_cut(&walk->path, length);
    }
    return status;
}

enum status schema_check(const struct yaml_document *document, enum schema_object root,
                         struct error *error) {
    struct schema_walk walk = {.document = document, .error = error};
    enum status status = check_object(&walk, document->root, root);
    text_free(&walk.path);
    return status;
}
