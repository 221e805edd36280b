/* What the files of the gradebook's room share; not a door. */
#ifndef WARPGRADE_GRADER_GRADEBOOK_GRADEBOOK_PRIVATE_H
#define WARPGRADE_GRADER_GRADEBOOK_GRADEBOOK_PRIVATE_H

#include "grader/gradebook/gradebook.h"

#include <sqlite3.h>

enum { GRADEBOOK_STATEMENTS = 64, GRADEBOOK_MAX_REPORT_BYTES = 64 << 20 };

/* A statement that is kept for the next time. */
struct gradebook_statement {
    const char *sql; /* compared as an address: a string that stays */
    sqlite3_stmt *statement;
};

struct gradebook {
    sqlite3 *database;
    char *path;
    bool busy; /* the last error was a lock that another process holds */
    struct gradebook_statement statements[GRADEBOOK_STATEMENTS];
    size_t statement_count;
};

enum status book_error(struct gradebook *book, enum status status, const char *what,
                       struct error *error);
/* Fills the error with the gradebook's place. */
__attribute__((format(printf, 4, 5))) enum status book_refuse(struct gradebook *book,
                                                              enum status status,
                                                              struct error *error,
                                                              const char *format, ...);

/* ---- query.c -------------------------------------------------------------------------------- */

/* A statement with its parameters bound by name; the first thing that fails stays in code. */
struct query {
    struct gradebook *book;
    sqlite3_stmt *statement;
    int code;
};

enum status book_execute(struct gradebook *book, const char *sql, struct error *error);
/* Begins a transaction that writes; book_end() commits it where the status is STATUS_OK. */
enum status book_begin(struct gradebook *book, struct error *error);
enum status book_end(struct gradebook *book, enum status status, struct error *error);

/* `sql` is a string that stays: its statement is kept. */
struct query query_prepare(struct gradebook *book, const char *sql);
void query_text(struct query *query, const char *name, const char *value); /* NULL: "" */
void query_integer(struct query *query, const char *name, int64_t value);
void query_time(struct query *query, const char *name, int64_t value); /* 0: NULL */
void query_real(struct query *query, const char *name, double value);
void query_blob(struct query *query, const char *name, const void *data, size_t length);
void query_null(struct query *query, const char *name);
bool query_next(struct query *query); /* false at the end, and after an error */
/* For one that reads: whatever went wrong is the status. */
enum status query_end(struct query *query, struct error *error);
/* For one that writes: steps it, and ends it. */
enum status query_run(struct query *query, struct error *error);
/* The columns of a row. */
const char *query_string(const struct query *query, int column); /* never NULL; until next */
char *query_copy(const struct query *query, int column);         /* the caller frees */
void query_fill(const struct query *query, int column, char *out, size_t size);

/* ---- schema.c ------------------------------------------------------------------------------- */

/* Brings the file to GRADEBOOK_SCHEMA and refuses what is none of ours. */
enum status schema_apply(struct gradebook *book, struct error *error);

/* ---- copy.c --------------------------------------------------------------------------------- */

/* Copies the file at `path` into an open, empty database; leaves file and folder as they are. */
enum status copy_into(const char *path, sqlite3 *memory, struct error *error);

/* ---- penalty.c ------------------------------------------------------------------------------ */

/* Adds nothing where it is the attempt's penalty already. */
enum status book_add_penalty(struct gradebook *book, int64_t attempt,
                             const struct gradebook_penalty *penalty, int64_t run, int64_t at,
                             struct error *error);

/* ---- packed.c ------------------------------------------------------------------------------- */

/* zlib's format; the caller frees. */
void *packed_make(const char *text, size_t length, size_t *packed_length);
/* Exactly `length` bytes, NUL-terminated, come out of it, or NULL. */
char *packed_open(const void *packed, size_t packed_length, size_t length);

/* ---- schema/ -------------------------------------------------------------------------------- */

struct gradebook_schema {
    const char *name; /* of the file without .sql; NULL ends the table */
    const char *text;
};
extern const struct gradebook_schema gradebook_schemas[];

#endif
