/* The roster as a CSV file, the way spreadsheets and learning platforms export it.
 *
 * RFC 4180 with what is met in practice: UTF-16 (course_decode.c), a byte order mark, CRLF or LF,
 * comma, semicolon or tab (whichever the header uses), quoted fields with "" and line ends inside,
 * empty lines. The header names the columns; a column with a name close to one that is known is
 * taken for a slip, any other is kept for exports. Each wrong row is an error with its line. */
#include "grader/course/course_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 128, NO_COLUMN = -1 };

struct roster {
    const char *path, *data, *end;
    const char *next; /* the first byte that has not been read */
    unsigned line;    /* of next */
    char separator;
    char *fields[MAX_COLUMNS];
    unsigned columns[MAX_COLUMNS]; /* byte columns at which the fields begin */
    size_t count;
    unsigned record_line;
    int places[COLUMN_COUNT]; /* index of each known column, or NO_COLUMN */
    size_t kept[MAX_COLUMNS]; /* index among the course's columns; COURSE_NONE without a name */
    size_t width;             /* fields of the header */
    struct error *error;
};

static enum status place(struct roster *roster, unsigned line, unsigned column) {
    error_place(roster->error, roster->path, line, column, roster->data,
                (size_t)(roster->end - roster->data));
    return STATUS_INVALID;
}

static void clear_fields(struct roster *roster) {
    while (roster->count)
        free(roster->fields[--roster->count]);
}

/* ---- records ------------------------------------------------------------------------------ */

static bool at_line_end(const struct roster *roster) {
    return roster->next == roster->end || *roster->next == '\n' ||
           (*roster->next == '\r' && (roster->next + 1 == roster->end || roster->next[1] == '\n'));
}

static enum status read_quoted(struct roster *roster, struct text *field, unsigned column) {
    unsigned line = roster->line;
    for (roster->next++; roster->next < roster->end; roster->next++) {
        if (*roster->next == '"' && roster->next + 1 < roster->end && roster->next[1] == '"') {
            roster->next++;
        } else if (*roster->next == '"') {
            roster->next++;
            if (at_line_end(roster) || *roster->next == roster->separator)
                return STATUS_OK;
            error_set(roster->error, STATUS_INVALID, "text after the closing quote of a field");
            error_hint(roster->error, "a quote inside a quoted field is written twice: \"\"");
            return place(roster, roster->line, line == roster->line ? column : 0);
        }
        roster->line += *roster->next == '\n';
        text_append_char(field, *roster->next);
    }
    error_set(roster->error, STATUS_INVALID, "the quoted field is never closed");
    return place(roster, line, column);
}

static bool is_space(char character) {
    return character == ' ' || character == '\t';
}

static void trim(struct text *field) {
    size_t start = 0;
    while (start < field->length && is_space(field->data[start]))
        start++;
    while (field->length > start && is_space(field->data[field->length - 1]))
        field->length--;
    if (start) {
        memmove(field->data, field->data + start, field->length - start);
        field->length -= start;
    }
    if (field->data)
        field->data[field->length] = '\0';
}

static enum status read_field(struct roster *roster, const char *line_start) {
    struct text field = {0};
    unsigned column = (unsigned)(roster->next - line_start) + 1;
    enum status status = STATUS_OK;
    if (roster->next < roster->end && *roster->next == '"') {
        status = read_quoted(roster, &field, column);
    } else {
        while (!at_line_end(roster) && *roster->next != roster->separator)
            text_append_char(&field, *roster->next++);
        trim(&field);
    }
    if (status == STATUS_OK && roster->count == MAX_COLUMNS) {
        error_set(roster->error, STATUS_INVALID, "more than %d columns", MAX_COLUMNS);
        status = place(roster, roster->record_line, column);
    }
    if (status != STATUS_OK) {
        text_free(&field);
        return status;
    }
    roster->columns[roster->count] = column;
    roster->fields[roster->count++] = text_steal(&field);
    return STATUS_OK;
}

/* Reads one record into fields; none at the end of the file. Empty lines are passed over. */
static enum status read_record(struct roster *roster) {
    clear_fields(roster);
    while (roster->next < roster->end && at_line_end(roster)) {
        roster->line += *roster->next == '\n';
        roster->next++;
    }
    if (roster->next == roster->end)
        return STATUS_OK;
    roster->record_line = roster->line;
    const char *line_start = roster->next;
    for (;;) {
        enum status status = read_field(roster, line_start);
        if (status != STATUS_OK || at_line_end(roster))
            return status;
        roster->next++; /* the separator */
    }
}

/* ---- the header --------------------------------------------------------------------------- */

/* The first one of the header that no quotes hide. */
static char find_separator(const struct roster *roster) {
    bool quoted = false;
    for (const char *mark = roster->next; mark < roster->end && *mark != '\n'; mark++) {
        quoted ^= *mark == '"';
        if (!quoted && strchr(",;\t", *mark))
            return *mark;
    }
    return ',';
}

static enum status name_column(struct roster *roster, size_t index) {
    const char *name = roster->fields[index];
    for (size_t i = 0; i < index && *name; i++)
        if (strcasecmp(name, roster->fields[i]) == 0) {
            error_set(roster->error, STATUS_INVALID, "there are two columns named %.80s", name);
            return place(roster, roster->record_line, roster->columns[index]);
        }
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (strcasecmp(name, course_column_names[i]) == 0)
            roster->places[i] = (int)index;
    return STATUS_OK;
}

static enum status check_slip(struct roster *roster, size_t index) {
    bool there[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (roster->places[i] == (int)index)
            return STATUS_OK;
        there[i] = roster->places[i] != NO_COLUMN;
    }
    const char *closest = course_column_slip(roster->fields[index], there);
    if (!closest)
        return STATUS_OK;
    error_set(roster->error, STATUS_INVALID, "unknown column %.80s", roster->fields[index]);
    error_hint(roster->error, "did you mean %s?", closest);
    return place(roster, roster->record_line, roster->columns[index]);
}

/* All columns with a name, in their order. */
static void keep_columns(struct roster *roster, struct course *course) {
    for (size_t i = 0; i < roster->count; i++)
        roster->kept[i] =
            *roster->fields[i] ? course_add_column(course, roster->fields[i]) : COURSE_NONE;
}

static enum status read_header(struct roster *roster, struct course *course, bool need_repository) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        roster->places[i] = NO_COLUMN;
    enum status status = read_record(roster);
    for (size_t i = 0; i < roster->count && status == STATUS_OK; i++)
        status = name_column(roster, i);
    for (size_t i = 0; i < roster->count && status == STATUS_OK; i++)
        status = check_slip(roster, i);
    if (status != STATUS_OK)
        return status;
    roster->width = roster->count;
    keep_columns(roster, course);
    static const enum course_column required[] = {COLUMN_ID, COLUMN_REPOSITORY};
    for (unsigned i = 0; i < ARRAY_LENGTH(required); i++) {
        if (roster->places[required[i]] != NO_COLUMN ||
            (required[i] == COLUMN_REPOSITORY && !need_repository))
            continue;
        error_set(roster->error, STATUS_INVALID, "the roster has no column %s",
                  course_column_names[required[i]]);
        error_hint(roster->error, "its first line names the columns: id,name,repository,branch");
        return place(roster, roster->count ? roster->record_line : 1, 0);
    }
    return STATUS_OK;
}

/* ---- the rows ----------------------------------------------------------------------------- */

static const char *value_of(const struct roster *roster, enum course_column column) {
    return roster->places[column] == NO_COLUMN ? "" : roster->fields[roster->places[column]];
}

static bool is_blank(const struct roster *roster) {
    for (size_t i = 0; i < roster->count; i++)
        if (*roster->fields[i])
            return false;
    return true;
}

static enum status read_row(struct roster *roster, struct course *course) {
    if (is_blank(roster))
        return STATUS_OK;
    if (roster->count != roster->width) {
        error_set(roster->error, STATUS_INVALID, "the row has %zu field%s, the header %zu",
                  roster->count, text_plural(roster->count), roster->width);
        return place(roster, roster->record_line, 0);
    }
    struct course_student_fields fields = {.line = roster->record_line};
    for (int i = 0; i < COLUMN_COUNT; i++)
        fields.known[i] = value_of(roster, (enum course_column)i);
    if (course_add_student(course, &fields, roster->error) != STATUS_OK)
        return place(roster, roster->record_line, roster->columns[roster->places[COLUMN_ID]]);
    for (size_t i = 0; i < roster->count; i++)
        if (roster->kept[i] != COURSE_NONE && *roster->fields[i])
            course_set_value(course, roster->kept[i], roster->fields[i],
                             roster->places[COLUMN_REPOSITORY] == (int)i);
    return STATUS_OK;
}

enum status course_read_roster(struct course *course, const char *path, bool need_repository,
                               struct error *error) {
    cleanup_free char *data = NULL;
    size_t length;
    enum status status = file_read(path, COURSE_MAX_ROSTER_BYTES, &data, &length, error);
    if (status != STATUS_OK) {
        if (error)
            error->line = 0;
        return status;
    }
    status = course_decode_text(path, &data, &length, error);
    if (status != STATUS_OK)
        return status;
    struct roster roster = {
        .path = path, .data = data, .end = data + length, .next = data, .line = 1, .error = error};
    roster.separator = find_separator(&roster);
    status = read_header(&roster, course, need_repository);
    while (status == STATUS_OK && roster.next < roster.end) {
        status = read_record(&roster);
        if (status == STATUS_OK && roster.count)
            status = read_row(&roster, course);
    }
    clear_fields(&roster);
    return status;
}
