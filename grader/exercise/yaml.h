/* YAML files as a tree of nodes that know where they stand, for exercise.yaml and COURSE.yaml.
 *
 * Only the plain part of YAML is accepted: one document of mappings, sequences and scalars, UTF-8,
 * capped in size, depth and number of nodes; anchors, aliases, tags and duplicate keys are refused.
 * The accessors check type and range; each mistake is one positioned error that shows the source
 * line and says what was expected and what was found instead. A node lives as long as its
 * document. */
#ifndef WARPGRADE_GRADER_EXERCISE_YAML_H
#define WARPGRADE_GRADER_EXERCISE_YAML_H

#include "sandbox/base/error.h"

#include <stdint.h>

enum { YAML_MAX_BYTES = 4 << 20, YAML_MAX_DEPTH = 16, YAML_MAX_NODES = 200000 };

enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

struct yaml_node {
    enum yaml_kind kind;
    unsigned line, column; /* 1-based, in bytes */
    char *text;            /* scalar: its text, NUL-terminated, without NUL inside */
    bool plain;            /* scalar: not quoted, so it may be a number, a boolean or nothing */
    size_t count;          /* sequence: items, mapping: entries */
    /* Sequence: the items. Mapping: the values, with the scalar key in keys at the same index. */
    struct yaml_node **items;
    struct yaml_node **keys;
};

struct yaml_document {
    char *file; /* as messages call it */
    char *source;
    size_t source_length;
    struct yaml_node *root;
};

enum status yaml_load(const char *path, struct yaml_document **document, struct error *error);
/* The same from memory; `file` is the name for messages. */
enum status yaml_parse(const char *file, const char *source, size_t length,
                       struct yaml_document **document, struct error *error);
void yaml_document_free(struct yaml_document *document);

/* STATUS_INVALID at a node (NULL: the file as a whole), with the source line. */
__attribute__((format(printf, 4, 5))) enum status yaml_error(const struct yaml_document *document,
                                                             const struct yaml_node *node,
                                                             struct error *error,
                                                             const char *format, ...);
/* What a node is, in words: `a list`, `the text "sixteen"`, `nothing`. Never too long for a
 * message. */
enum { YAML_DESCRIPTION_BYTES = 96 };
const char *yaml_describe(const struct yaml_node *node, char buffer[YAML_DESCRIPTION_BYTES]);

/* The value of a key, or NULL; `mapping` may be NULL or of another kind (gives NULL). */
const struct yaml_node *yaml_get(const struct yaml_node *mapping, const char *key);
/* The value of a key that must be there; `what` names the mapping in the message. */
enum status yaml_require(const struct yaml_document *document, const struct yaml_node *mapping,
                         const char *what, const char *key, const struct yaml_node **value,
                         struct error *error);
/* Refuses a node that is no mapping, and keys outside the list, with "did you mean". */
enum status yaml_check_keys(const struct yaml_document *document, const struct yaml_node *mapping,
                            const char *what, const char *const *names, size_t name_count,
                            struct error *error);
enum status yaml_expect(const struct yaml_document *document, const struct yaml_node *node,
                        enum yaml_kind kind, const char *what, struct error *error);

/* `~`, `null` or an empty value: nothing. */
bool yaml_is_nothing(const struct yaml_node *node);
/* Scalars. A string may be any scalar but nothing; numbers and booleans must be unquoted.
 * Integers are decimal, with optional _ between digits; `what` names the value. */
enum status yaml_string(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, const char **value, struct error *error);
enum status yaml_integer(const struct yaml_document *document, const struct yaml_node *node,
                         const char *what, int64_t minimum, int64_t maximum, int64_t *value,
                         struct error *error);
enum status yaml_number(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, double minimum, double maximum, double *value,
                        struct error *error);
enum status yaml_boolean(const struct yaml_document *document, const struct yaml_node *node,
                         const char *what, bool *value, struct error *error);
/* One of a list of names; *index is its place in the list. */
enum status yaml_choice(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, const char *const *names, size_t name_count,
                        size_t *index, struct error *error);

#endif
