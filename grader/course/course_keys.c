/* The table of course_keys.def at work: which keys a mapping may have, who reads them, and the list
 * of all keys that help texts print. */
#include "grader/course/course_private.h"

#include "sandbox/base/memory.h"

#include <string.h>

static const char *const labels[COURSE_OBJECT_COUNT] = {
#define OBJECT(id, label) [COURSE_OBJECT_##id] = label,
#define KEY(object, name, shown, need, value, doc)
#include "grader/course/course_keys.def"
#undef KEY
#undef OBJECT
};

static const char *const object_ids[COURSE_OBJECT_COUNT] = {
#define OBJECT(id, label) [COURSE_OBJECT_##id] = #id,
#define KEY(object, name, shown, need, value, doc)
#include "grader/course/course_keys.def"
#undef KEY
#undef OBJECT
};

static const struct course_row rows[] = {
#define REQUIRED                 true
#define OPTIONAL                 false
#define READ(reader)             .read = reader
#define AT(reader, type, member) .read = reader, .offset = offsetof(type, member)
#define TEXT(type, member)       AT(course_read_text, type, member)
#define INSTANT(type, member)    AT(course_read_instant, type, member)
#define DURATION(type, member)   AT(course_read_duration, type, member)
#define FLAG(type, member)       AT(course_read_flag, type, member)
#define NODE(type, member)       AT(course_read_node, type, member)
#define NUMBER(type, member, least, most)                                                          \
    AT(course_read_number, type, member), .low = least, .high = most
#define WHOLE(type, member, least, most)                                                           \
    AT(course_read_whole, type, member), .low = least, .high = most
#define STUDENT(column) AT(course_read_string, struct course_student_fields, known[column])
#define OBJECT(id, label)
#define KEY(OBJECT_ID, NAME, SHOWN, NEED, VALUE, DOC)                                              \
    {.object = COURSE_OBJECT_##OBJECT_ID,                                                          \
     .shown = {NAME, SHOWN, DOC, COURSE_OBJECT_##OBJECT_ID != COURSE_OBJECT_course},               \
     .required = NEED,                                                                             \
     VALUE},
#include "grader/course/course_keys.def"
#undef KEY
#undef OBJECT
};

/* ---- the list ----------------------------------------------------------------------------- */

size_t course_key_count(void) {
    return ARRAY_LENGTH(rows);
}

/* The rows of an object stand after the course's row of the same name. */
struct course_key course_key_at(size_t index) {
    for (size_t i = 0; i < ARRAY_LENGTH(rows) && rows[i].object == COURSE_OBJECT_course; i++) {
        if (index-- == 0)
            return rows[i].shown;
        for (size_t k = i + 1; k < ARRAY_LENGTH(rows); k++)
            if (rows[k].object != COURSE_OBJECT_course &&
                strcmp(object_ids[rows[k].object], rows[i].shown.name) == 0 && index-- == 0)
                return rows[k].shown;
    }
    return (struct course_key){0};
}

enum { HELP_WIDTH = 78, HELP_INDENT = 35 };

/* Words wrapped by hand: argp would begin the next line in column 0. */
static void append_wrapped(struct text *out, const char *words) {
    size_t column = HELP_INDENT;
    while (*words) {
        size_t length = strcspn(words, " ");
        if (column > HELP_INDENT && column + 1 + length > HELP_WIDTH) {
            text_append_char(out, '\n');
            text_append_repeated(out, ' ', HELP_INDENT);
            column = HELP_INDENT;
        } else if (column > HELP_INDENT) {
            text_append_char(out, ' ');
            column++;
        }
        text_append_bytes(out, words, length);
        column += length;
        words += length + strspn(words + length, " ");
    }
    text_append_char(out, '\n');
}

void course_append_keys(struct text *out) {
    text_append(out, "COURSE.yaml (paths in it are relative to its folder):\n\n");
    for (size_t i = 0; i < course_key_count(); i++) {
        struct course_key key = course_key_at(i);
        text_printf(out, "  %s%-*s %-12s ", key.inside ? "  " : "", key.inside ? 17 : 19, key.name,
                    key.value);
        append_wrapped(out, key.summary);
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

enum status course_read_rows(struct course_parser *parser, enum course_object object,
                             const struct yaml_node *node, void *target) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(rows) && status == STATUS_OK; i++) {
        if (rows[i].object != object)
            continue;
        const struct yaml_node *value = yaml_get(node, rows[i].shown.name);
        if (value)
            status = rows[i].read(parser, &rows[i], value, target);
        else if (rows[i].required)
            status = yaml_error(parser->document, node, parser->error, "%s: the key %s is missing",
                                labels[object], rows[i].shown.name);
    }
    return status;
}

enum status course_read_object(struct course_parser *parser, enum course_object object,
                               const struct yaml_node *node, void *target) {
    const char *names[ARRAY_LENGTH(rows)];
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (rows[i].object == object)
            names[count++] = rows[i].shown.name;
    enum status status =
        yaml_check_keys(parser->document, node, labels[object], names, count, parser->error);
    return status == STATUS_OK ? course_read_rows(parser, object, node, target) : status;
}

enum status course_read_list(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, bool or_one, size_t most,
                             course_reader *read_item, void *target) {
    if (or_one && node->kind == YAML_SCALAR)
        return read_item(parser, row, node, target);
    enum status status =
        yaml_expect(parser->document, node, YAML_SEQUENCE, row->shown.name, parser->error);
    if (status != STATUS_OK) {
        error_hint(parser->error, "write a list of one as [value]");
        return status;
    }
    if (node->count > most)
        return yaml_error(parser->document, node, parser->error,
                          "%s: expected at most %zu of them, found %zu", row->shown.name, most,
                          node->count);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        status = read_item(parser, row, node->items[i], target);
    return status;
}

enum status course_read_by_exercise(struct course_parser *parser, const struct course_row *row,
                                    const struct yaml_node *node, course_reader *read_item) {
    enum status status =
        yaml_expect(parser->document, node, YAML_MAPPING, row->shown.name, parser->error);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++) {
        size_t exercise;
        status = course_take_exercise(parser, row->shown.name, node->keys[i], &exercise);
        if (status == STATUS_OK)
            status = read_item(parser, row, node->items[i], &parser->course->exercises[exercise]);
    }
    return status;
}
