/* The table of exercise.def in two other forms: a JSON Schema (draft 7) with which editors complete
 * and check exercise.yaml, and the Markdown tables of exercises/README.md.
 *
 * Both are pure functions of the table; a test keeps the files in exercises/ equal to them. */
#include "grader/exercise/exercise_schema.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char name_pattern[] = "^[A-Za-z_][A-Za-z0-9_]{0,62}$";
static const char id_pattern[] = "^[a-z0-9][a-z0-9-]{0,62}$";
static const char path_pattern[] = "^(?!.*\\.\\.)[A-Za-z0-9_.-][A-Za-z0-9_./-]{0,199}$";

static json_t *words_json(enum schema_choice choice) {
    json_t *words = json_array();
    for (size_t i = 0; i < schema_choices[choice].count; i++)
        json_array_append_new(words, json_string(schema_choices[choice].names[i]));
    return json_pack("{s:o}", "enum", words);
}

static json_t *number_json(double value) {
    return value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value)
                                                         : json_real(value);
}

static json_t *scalar_json(const struct schema_key *key) {
    switch (key->type) {
    case SCHEMA_TYPE_TEXT:
        return json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
    case SCHEMA_TYPE_NAME:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", name_pattern);
    case SCHEMA_TYPE_ID:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", id_pattern);
    case SCHEMA_TYPE_PATH:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", path_pattern);
    case SCHEMA_TYPE_EXPR:
        return json_pack("{s:[ss]}", "type", "string", "integer");
    case SCHEMA_TYPE_REAL:
    case SCHEMA_TYPE_FORMULA:
        return json_pack("{s:[ss]}", "type", "string", "number");
    case SCHEMA_TYPE_BOOLEAN:
        return json_pack("{s:s}", "type", "boolean");
    case SCHEMA_TYPE_INTEGER:
    case SCHEMA_TYPE_NUMBER:
        return json_pack("{s:s, s:o, s:o}", "type",
                         key->type == SCHEMA_TYPE_INTEGER ? "integer" : "number", "minimum",
                         number_json(key->minimum), "maximum", number_json(key->maximum));
    case SCHEMA_TYPE_CHOICE:
        return words_json(key->choice);
    case SCHEMA_TYPE_SUB:
        break;
    }
    /* Draft 7 ignores what stands beside $ref, so that the description needs the allOf. */
    cleanup_free char *reference = mem_printf("#/definitions/%s", schema_objects[key->sub].id);
    return json_pack("{s:[{s:s}]}", "allOf", "$ref", reference);
}

static json_t *value_json(const struct schema_key *key) {
    json_t *value = scalar_json(key);
    if (key->list)
        value = json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", value, "minItems",
                          (int)key->list_least, "maxItems", (int)key->list_most);
    json_object_set_new(value, "description", json_string(key->doc));
    if (key->list || key->fallback[0] == '\0' || key->type == SCHEMA_TYPE_SUB)
        return value;
    /* Numbers and booleans as such; words as strings; "the exercise's" is no value. */
    json_t *fallback = json_loads(key->fallback, JSON_DECODE_ANY, NULL);
    if (!fallback && !strchr(key->fallback, ' ') && !strchr(key->fallback, '\''))
        fallback = json_string(key->fallback);
    if (fallback)
        json_object_set_new(value, "default", fallback);
    return value;
}

/* Exactly one key; or only such as stand together. */
static void add_one_of(enum schema_object object, json_t *result) {
    json_t *together = json_array();
    for (size_t i = 0; i < schema_key_count; i++)
        if (schema_keys[i].object == object && schema_keys[i].together)
            json_array_append_new(together, json_string(schema_keys[i].name));
    json_object_set_new(result, "minProperties", json_integer(1));
    if (json_array_size(together) == 0) {
        json_object_set_new(result, "maxProperties", json_integer(1));
        json_decref(together);
        return;
    }
    json_t *names = json_pack("{s:{s:o}}", "propertyNames", "enum", together);
    json_object_set_new(result, "anyOf", json_pack("[{s:i}, o]", "maxProperties", 1, names));
}

static json_t *object_json(enum schema_object object) {
    const struct schema_object_info *info = &schema_objects[object];
    json_t *result = json_pack("{s:s, s:s, s:b}", "description", info->doc, "type", "object",
                               "additionalProperties", 0);
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < schema_key_count; i++) {
        const struct schema_key *key = &schema_keys[i];
        if (key->object != object)
            continue;
        if (strcmp(key->name, "*") == 0) {
            json_object_set_new(result, "propertyNames",
                                json_pack("{s:s}", "pattern", name_pattern));
            json_object_set_new(result, "additionalProperties", value_json(key));
            continue;
        }
        json_object_set_new(properties, key->name, value_json(key));
        if (key->required)
            json_array_append_new(required, json_string(key->name));
    }
    json_object_set_new(result, "properties", properties);
    json_object_set_new(result, "required", required);
    if (info->one_of)
        add_one_of(object, result);
    return info->words ? json_pack("{s:[oo]}", "oneOf", words_json(info->words), result) : result;
}

/* Marks the object and what its keys refer to. */
static void mark_reachable(enum schema_object object, bool reachable[SCHEMA_OBJECT_COUNT]) {
    if (reachable[object])
        return;
    reachable[object] = true;
    for (size_t i = 0; i < schema_key_count; i++)
        if (schema_keys[i].object == object && schema_keys[i].type == SCHEMA_TYPE_SUB)
            mark_reachable(schema_keys[i].sub, reachable);
}

void schema_write_json(enum schema_object root_object, struct text *out) {
    json_t *root = object_json(root_object), *definitions = json_object();
    cleanup_free char *title = mem_printf("warpgrade %s", schema_objects[root_object].label);
    bool reachable[SCHEMA_OBJECT_COUNT] = {false};
    mark_reachable(root_object, reachable);
    json_object_set_new(root, "$schema", json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(root, "title", json_string(title));
    for (unsigned i = 0; i < SCHEMA_OBJECT_COUNT; i++)
        if (i != root_object && reachable[i])
            json_object_set_new(definitions, schema_objects[i].id,
                                object_json((enum schema_object)i));
    json_object_set_new(root, "definitions", definitions);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    text_append(out, dump);
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}

static const struct schema_words *inline_words(enum schema_choice choice) {
    return schema_choices[choice].count <= 6 ? &schema_choices[choice] : NULL;
}

static void write_words(struct text *out, const struct schema_words *words) {
    for (size_t i = 0; i < words->count; i++)
        text_printf(out, "%s`%s`", i ? ", " : "", words->names[i]);
}

static const char *const choice_titles[CHOICE_COUNT] = {
    [CHOICE_types] = "types",     [CHOICE_measures] = "metrics", [CHOICE_verdicts] = "verdicts",
    [CHOICE_hazards] = "hazards", [CHOICE_causes] = "causes",
};

static void write_range(struct text *out, const struct schema_key *key) {
    text_append(out, key->type == SCHEMA_TYPE_INTEGER ? "integer" : "number");
    if (fabs(key->minimum) < 1e15 && fabs(key->maximum) < 1e15)
        text_printf(out, ", %s to %s", decimal(key->minimum, 15).text,
                    decimal(key->maximum, 15).text);
    else if (fabs(key->minimum) < 1e15)
        text_printf(out, ", at least %s", decimal(key->minimum, 15).text);
}

static void write_value(struct text *out, const struct schema_key *key) {
    static const char *const words[] = {
        [SCHEMA_TYPE_TEXT] = "text",
        [SCHEMA_TYPE_NAME] = "name",
        [SCHEMA_TYPE_ID] = "id",
        [SCHEMA_TYPE_PATH] = "path",
        [SCHEMA_TYPE_EXPR] = "expression",
        [SCHEMA_TYPE_REAL] = "[metric expression](#metrics)",
        [SCHEMA_TYPE_FORMULA] = "[formula](#data)",
        [SCHEMA_TYPE_BOOLEAN] = "`true`, `false`",
    };
    if (key->list && key->list_least == key->list_most)
        text_printf(out, "list of %u: ", key->list_most);
    else if (key->list)
        text_printf(out, "list of %u to %u: ", key->list_least, key->list_most);
    if (key->type == SCHEMA_TYPE_SUB)
        text_printf(out, "[%s](#%s)", schema_objects[key->sub].id, schema_objects[key->sub].id);
    else if (key->type == SCHEMA_TYPE_INTEGER || key->type == SCHEMA_TYPE_NUMBER)
        write_range(out, key);
    else if (key->type != SCHEMA_TYPE_CHOICE)
        text_append(out, words[key->type]);
    else if (inline_words(key->choice))
        write_words(out, inline_words(key->choice));
    else
        text_printf(out, "one of the [%s](#words)", choice_titles[key->choice]);
}

static void write_default(struct text *out, const struct schema_key *key) {
    bool code = key->fallback[0] && !strchr(key->fallback, ' ') && !strchr(key->fallback, '\'');
    if (key->required)
        text_append(out, "**required**");
    else if (code || key->fallback[0] == '[')
        text_printf(out, "`%s`", key->fallback);
    else
        text_append(out, key->fallback);
}

/* A | would end the cell. */
static void write_cell(struct text *out, const char *doc) {
    for (; *doc; doc++) {
        if (*doc == '|')
            text_append_char(out, '\\');
        text_append_char(out, *doc);
    }
}

static void write_together(struct text *out, enum schema_object object) {
    const char *lead = " (";
    for (size_t i = 0; i < schema_key_count; i++) {
        if (schema_keys[i].object != object || !schema_keys[i].together)
            continue;
        text_printf(out, "%s`%s`", lead, schema_keys[i].name);
        lead = " and ";
    }
    text_append(out, lead[1] == 'a' ? " may stand together)" : "");
}

static void write_object(struct text *out, enum schema_object object) {
    const struct schema_object_info *info = &schema_objects[object];
    text_printf(out, "\n### %s\n\n", info->id);
    char first = info->doc[0];
    if (first >= 'a' && first <= 'z')
        first = (char)(first - 'a' + 'A');
    text_printf(out, "%c%s", first, info->doc + 1);
    if (info->one_of) {
        text_append(out, ". Exactly one of these keys");
        write_together(out, object);
        text_printf(out, ", or the word%s ", text_plural(schema_choices[info->words].count));
        write_words(out, &schema_choices[info->words]);
    }
    text_append(out, ".\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < schema_key_count; i++) {
        const struct schema_key *key = &schema_keys[i];
        if (key->object != object)
            continue;
        text_printf(out, "| `%s` | ", strcmp(key->name, "*") == 0 ? "<parameter>" : key->name);
        write_value(out, key);
        text_append(out, " | ");
        write_default(out, key);
        text_append(out, " | ");
        write_cell(out, key->doc);
        text_append(out, " |\n");
    }
}

void schema_write_markdown(struct text *out) {
    for (unsigned i = 0; i < SCHEMA_OBJECT_COUNT; i++)
        write_object(out, (enum schema_object)i);
    text_append(out, "\n### Words\n\n| list | words |\n|---|---|\n");
    for (unsigned i = 0; i < CHOICE_COUNT; i++) {
        if (!choice_titles[i])
            continue;
        text_printf(out, "| %s | ", choice_titles[i]);
        write_words(out, &schema_choices[i]);
        text_append(out, " |\n");
    }
}
