/* The table of exercise.def as data: what checks exercise.yaml and describes it to editors and
 * readers. Private to the exercise room. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXERCISE_SCHEMA_H
#define WARPGRADE_GRADER_EXERCISE_EXERCISE_SCHEMA_H

#include "grader/exercise/expr.h"
#include "grader/exercise/yaml.h"
#include "sandbox/base/text.h"

enum schema_object {
#define OBJECT(id, label, shape, doc) SCHEMA_##id,
#define KEY(object, name, value, need, fallback, doc)
#include "grader/exercise/exercise.def"
#undef KEY
#undef OBJECT
    SCHEMA_OBJECT_COUNT
};

/* The closed lists of words. */
enum schema_choice {
    CHOICE_none,
    CHOICE_kinds,
    CHOICE_pointers,
    CHOICE_computers,
    CHOICE_types,
    CHOICE_roles,
    CHOICE_fills,
    CHOICE_tolerances,
    CHOICE_levels,
    CHOICE_engines,
    CHOICE_measures, /* the names of REAL values, besides sizes and constants */
    CHOICE_baselines,
    CHOICE_conditions,
    CHOICE_whens,
    CHOICE_verdicts,
    CHOICE_hazards,
    CHOICE_causes,
    CHOICE_COUNT
};

enum schema_type {
    SCHEMA_TYPE_TEXT,
    SCHEMA_TYPE_NAME,    /* a C identifier */
    SCHEMA_TYPE_ID,      /* small letters, digits, hyphens */
    SCHEMA_TYPE_PATH,    /* relative, stays below its folder */
    SCHEMA_TYPE_EXPR,    /* of sizes, in whole numbers */
    SCHEMA_TYPE_REAL,    /* of metrics, in doubles */
    SCHEMA_TYPE_FORMULA, /* of sizes and indices, in doubles */
    SCHEMA_TYPE_BOOLEAN,
    SCHEMA_TYPE_INTEGER,
    SCHEMA_TYPE_NUMBER,
    SCHEMA_TYPE_CHOICE,
    SCHEMA_TYPE_SUB,
};

struct schema_key {
    enum schema_object object;
    const char *name; /* "*": any name */
    enum schema_type type;
    double minimum, maximum; /* INTEGER, NUMBER */
    enum schema_choice choice;
    enum schema_object sub;
    bool list;
    unsigned list_least, list_most;
    bool required;
    bool together; /* with the others of its object, where exactly one key is allowed */
    const char *fallback;
    const char *doc;
};

struct schema_object_info {
    const char *id;
    const char *label;
    bool one_of;
    enum schema_choice words; /* a scalar of these words is accepted too */
    const char *doc;
};

struct schema_words {
    const char *const *names;
    size_t count;
};

extern const struct schema_object_info schema_objects[SCHEMA_OBJECT_COUNT];
extern const struct schema_key schema_keys[];
extern const size_t schema_key_count;
extern const struct schema_words schema_choices[CHOICE_COUNT];

/* Checks the whole tree, whose root is an object of this kind: keys, types, ranges, words, that
 * expressions parse. What comes out of it well can be read without further checks of form. */
enum status schema_check(const struct yaml_document *document, enum schema_object root,
                         struct error *error);
/* The row of a key; the key must exist. */
const struct schema_key *schema_key_find(enum schema_object object, const char *name);
/* Moves an error inside an expression's text to its place in the file. */
void schema_place_expression(const struct yaml_document *document, const struct yaml_node *node,
                             struct error *error);

/* JSON Schema, draft 7, of files whose root is an object of this kind. */
void schema_write_json(enum schema_object root, struct text *out);
void schema_write_markdown(struct text *out); /* one table an object */

#endif
