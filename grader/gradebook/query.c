/* Statements of SQLite with the house's errors and text. Each is prepared once in the life of an
 * open gradebook: a second run over a class asks thousands of times for little. */
#include "grader/gradebook/gradebook_private.h"

#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

enum status book_refuse(struct gradebook *book, enum status status, struct error *error,
                        const char *format, ...) {
    cleanup_text struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&message, format, arguments);
    va_end(arguments);
    error_set(error, status, "%s", text_string(&message));
    error_place(error, book->path, 0, 0, NULL, 0);
    return status;
}

enum status book_error(struct gradebook *book, enum status status, const char *what,
                       struct error *error) {
    book->busy = (sqlite3_errcode(book->database) & 0xff) == SQLITE_BUSY;
    return book_refuse(book, status, error, "the gradebook %s: %s", what,
                       sqlite3_errmsg(book->database));
}

enum status book_execute(struct gradebook *book, const char *sql, struct error *error) {
    if (sqlite3_exec(book->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return STATUS_OK;
    return book_error(book, STATUS_ENVIRONMENT, "cannot be written", error);
}

enum status book_begin(struct gradebook *book, struct error *error) {
    return book_execute(book, "BEGIN IMMEDIATE", error);
}

enum status book_end(struct gradebook *book, enum status status, struct error *error) {
    if (status == STATUS_OK)
        status = book_execute(book, "COMMIT", error);
    if (status != STATUS_OK)
        sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

struct query query_prepare(struct gradebook *book, const char *sql) {
    struct query query = {.book = book};
    for (size_t i = 0; i < book->statement_count; i++)
        if (book->statements[i].sql == sql) {
            query.statement = book->statements[i].statement;
            return query;
        }
    query.code = sqlite3_prepare_v3(book->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                    &query.statement, NULL);
    if (query.code == SQLITE_OK && book->statement_count < GRADEBOOK_STATEMENTS)
        book->statements[book->statement_count++] =
            (struct gradebook_statement){sql, query.statement};
    return query;
}

/* ---- parameters --------------------------------------------------------------------------- */

static int parameter(struct query *query, const char *name) {
    return sqlite3_bind_parameter_index(query->statement, name);
}

void query_text(struct query *query, const char *name, const char *value) {
    cleanup_text struct text clean = {0};
    escape_utf8(&clean, value ? value : "", value ? strlen(value) : 0);
    if (query->code == SQLITE_OK)
        query->code =
            sqlite3_bind_text64(query->statement, parameter(query, name), text_string(&clean),
                                clean.length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void query_integer(struct query *query, const char *name, int64_t value) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, parameter(query, name), value);
}

void query_time(struct query *query, const char *name, int64_t value) {
    if (value)
        query_integer(query, name, value);
    else
        query_null(query, name);
}

void query_real(struct query *query, const char *name, double value) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_double(query->statement, parameter(query, name), value);
}

void query_blob(struct query *query, const char *name, const void *data, size_t length) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_blob64(query->statement, parameter(query, name), data, length,
                                          SQLITE_TRANSIENT);
}

void query_null(struct query *query, const char *name) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_null(query->statement, parameter(query, name));
}

/* ---- running ------------------------------------------------------------------------------ */

bool query_next(struct query *query) {
    if (query->code == SQLITE_OK || query->code == SQLITE_ROW)
        query->code = sqlite3_step(query->statement);
    return query->code == SQLITE_ROW;
}

/* Back to where it can be used again; what is not kept goes. */
static void put_back(struct query *query) {
    struct gradebook *book = query->book;
    for (size_t i = 0; i < book->statement_count; i++)
        if (book->statements[i].statement == query->statement) {
            sqlite3_reset(query->statement);
            sqlite3_clear_bindings(query->statement);
            return;
        }
    sqlite3_finalize(query->statement);
}

static enum status end(struct query *query, const char *what, struct error *error) {
    enum status status = STATUS_OK;
    if ((query->code & 0xff) == SQLITE_CORRUPT || query->code == SQLITE_NOTADB)
        status = book_error(query->book, STATUS_INVALID, "is damaged", error);
    else if (query->code != SQLITE_DONE && query->code != SQLITE_ROW && query->code != SQLITE_OK)
        status = book_error(query->book, STATUS_ENVIRONMENT, what, error);
    put_back(query);
    return status;
}

enum status query_end(struct query *query, struct error *error) {
    return end(query, "cannot be read", error);
}

enum status query_run(struct query *query, struct error *error) {
    query_next(query);
    return end(query, "cannot be written", error);
}

/* ---- columns ------------------------------------------------------------------------------ */

const char *query_string(const struct query *query, int column) {
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text ? (const char *)text : "";
}

char *query_copy(const struct query *query, int column) {
    return mem_strdup(query_string(query, column));
}

void query_fill(const struct query *query, int column, char *out, size_t size) {
    snprintf(out, size, "%s", query_string(query, column));
}
