/* See document.h. Files that are given by mistake are told apart, because each has another remedy:
 * one that was cut off, one of another command, one of another version, one that is no JSON. */
#include "reports/stored/document.h"

#include "reports/json_parts.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

/* A report of the largest exercise holds some 10,000 values, nested 8 deep. */
enum { MOST_VALUES = 4 << 20, DEEPEST = 64 };

/* What jansson would have to allocate, counted before it does: brackets, commas and colons outside
 * of texts. What is no JSON is left to jansson. */
struct extent {
    size_t values, deepest;
};

static struct extent measure(const char *text, size_t length) {
    struct extent extent = {0};
    size_t depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (in_text) {
            i += c == '\\';
            in_text = c != '"';
            continue;
        }
        in_text = c == '"';
        extent.values += c == ',' || c == '[' || c == '{';
        depth += c == '[' || c == '{';
        depth -= (c == ']' || c == '}') && depth;
        extent.deepest = depth > extent.deepest ? depth : extent.deepest;
    }
    return extent;
}

static enum status refuse_extent(const struct extent *extent, const char *name,
                                 struct error *error) {
    if (extent->deepest > DEEPEST)
        error_set(error, STATUS_INVALID, "nests %zu deep: this is no report of warpgrade",
                  extent->deepest);
    else
        error_set(error, STATUS_INVALID, "holds %zu values; at most %d are read", extent->values,
                  MOST_VALUES);
    error_place(error, name, 0, 0, NULL, 0);
    return STATUS_INVALID;
}

/* The column in bytes, as excerpts count them: jansson counts characters. */
static unsigned column_of(const char *text, size_t length, int position) {
    size_t end = position > 0 ? (size_t)position : 0;
    end = end < length ? end : length;
    size_t start = end;
    while (start && text[start - 1] != '\n')
        start--;
    return (unsigned)(end - start);
}

/* The end is the first thing that is wrong, be it in the middle of a number or of a character. */
static bool is_cut_off(const json_error_t *problem, const char *text, size_t length) {
    enum { LONGEST_CHARACTER = 4 };
    enum json_error_code code = json_error_code(problem);
    size_t reach = (size_t)problem->position;
    if (code == json_error_invalid_utf8)
        reach += LONGEST_CHARACTER - 1;
    return code == json_error_premature_end_of_input ||
           (text[strspn(text, " \t\r\n")] == '{' && problem->position >= 0 && reach >= length);
}

static enum status refuse_syntax(const json_error_t *problem, const char *text, size_t length,
                                 const char *name, struct error *error) {
    if (is_cut_off(problem, text, length)) {
        error_set(error, STATUS_INVALID, "the report is cut off: it ends in line %d, in the middle",
                  problem->line);
        error_hint(error, "Was the disk full, or the copy stopped? `warpgrade grade` writes a "
                          "report whole or not at all.");
        error_place(error, name, 0, 0, NULL, 0);
        return STATUS_INVALID;
    }
    error_set(error, STATUS_INVALID, "this is no JSON: %s", problem->text);
    error_hint(error, "`warpgrade grade --report json=FILE` writes what is read here.");
    error_place(error, name, problem->line > 0 ? (unsigned)problem->line : 1,
                column_of(text, length, problem->position), text, length);
    return STATUS_INVALID;
}

enum status document_parse(const char *text, size_t length, const char *name, json_t **root,
                           struct error *error) {
    if (strspn(text, " \t\r\n") >= length) {
        error_set(error, STATUS_INVALID, "the file is empty");
        error_place(error, name, 0, 0, NULL, 0);
        return STATUS_INVALID;
    }
    struct extent extent = measure(text, length);
    if (extent.deepest > DEEPEST || extent.values > MOST_VALUES)
        return refuse_extent(&extent, name, error);
    json_error_t problem;
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &problem);
    if (!*root)
        return refuse_syntax(&problem, text, length, name, error);
    if (json_is_object(*root))
        return STATUS_OK;
    json_decref(*root);
    error_set(error, STATUS_INVALID, "this is JSON, and no report of warpgrade: it is a list");
    error_place(error, name, 0, 0, NULL, 0);
    return STATUS_INVALID;
}

/* ---- whose it is ----------------------------------------------------------------------------- */

void document_check_schema(struct member_reader *reader, const json_t *object) {
    int64_t schema =
        member_integer(reader, object, "schema", MEMBER_REQUIRED, INT64_MIN, INT64_MAX);
    if (reader->failed || (schema >= REPORT_OLDEST_SCHEMA && schema <= REPORT_SCHEMA))
        return;
    const json_t *version = json_object_get(json_object_get(object, "tool"), "version");
    member_fail(reader, "",
                "another version wrote this report: its schema is %" PRId64
                ", and this program reads %d to %d",
                schema, REPORT_OLDEST_SCHEMA, REPORT_SCHEMA);
    if (json_is_string(version))
        error_hint(reader->error, "It is of warpgrade %.40s; this is " WARPGRADE_VERSION ".",
                   json_string_value(version));
}

/* Other JSON of warpgrade's, by a member that only it has. */
static const struct kind {
    const char *member, *writer;
} kinds[] = {
    {"roofline", "warpgrade profile --json"},
    {"optimised_away", "warpgrade sim --json"},
    {"exercises", "warpgrade list --json"},
};

bool document_is_report(struct member_reader *reader, const json_t *object) {
    if (json_object_get(object, "tool") || json_object_get(object, "submission")) {
        document_check_schema(reader, object);
        return !reader->failed;
    }
    const char *writer = NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(kinds) && !writer; i++)
        writer = json_object_get(object, kinds[i].member) ? kinds[i].writer : NULL;
    if (writer)
        member_fail(reader, "", "this is what `%s` writes, not a report of `warpgrade grade`",
                    writer);
    else
        member_fail(reader, "",
                    "this is JSON of something else, not a report of `warpgrade grade`");
    return false;
}
