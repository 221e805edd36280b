/* The schema: which one a file has, how it comes to ours, and whether it is ours.
 *
 * The file says what it is by application_id and which schema it has by user_version; both are read
 * before anything is written, so a foreign database is never touched. A new file gets
 * schema/schema.sql; an older one is rebuilt by it and schema/take_over.sql, with its new version
 * number, in one transaction. A gradebook that came from somebody else may hold triggers that write
 * and views that lie: what the file has of our names must be what we would have made, and triggers
 * and indexes of other names are refused. Other tables and views harm nobody and are left alone. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { APPLICATION_ID = 0x57475242 /* "WGRB" */ };

static const char *schema_text(const char *name) {
    const struct gradebook_schema *row = gradebook_schemas;
    while (strcmp(row->name, name) != 0)
        row++;
    return row->text;
}

static enum status read_integer(struct gradebook *book, const char *sql, int64_t *value,
                                struct error *error) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(book->database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    enum status status = STATUS_OK;
    if (code == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT)
        status = book_error(book, STATUS_INVALID, "is damaged or no SQLite database", error);
    else if (code != SQLITE_ROW)
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be read", error);
    sqlite3_finalize(statement);
    return status;
}

/* Reads which schema the file has; refuses what is not ours or is newer than we are. To be called
 * in a transaction: the three answers must be of one moment. */
static enum status read_version(struct gradebook *book, int64_t *version, struct error *error) {
    int64_t application, tables;
    enum status status = read_integer(book, "PRAGMA application_id", &application, error);
    if (status == STATUS_OK)
        status = read_integer(book, "PRAGMA user_version", version, error);
    if (status == STATUS_OK)
        status = read_integer(book, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status != STATUS_OK)
        return status;
    bool fresh = application == 0 && *version == 0 && tables == 0;
    if (!fresh && (application != APPLICATION_ID || *version < 1)) {
        status = book_refuse(book, STATUS_INVALID, error,
                             "this is an SQLite database of another program, not a gradebook");
        error_hint(error, "name another file for the gradebook");
    } else if (*version > GRADEBOOK_SCHEMA) {
        status = book_refuse(book, STATUS_INVALID, error,
                             "the gradebook has schema version %" PRId64
                             "; this warpgrade knows versions up to %d",
                             *version, GRADEBOOK_SCHEMA);
        error_hint(error, "a newer warpgrade wrote it: use that one, or name another file");
    }
    return status;
}

/* ---- older versions ----------------------------------------------------------------------- */

static void sql_pack(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    size_t packed_length;
    void *packed =
        packed_make(text ? text : "", (size_t)sqlite3_value_bytes(values[0]), &packed_length);
    sqlite3_result_blob64(context, packed, packed_length, free);
}

static void sql_sha256(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    char hex[65];
    const struct sha256 hash = hash_bytes(text ? text : "", (size_t)sqlite3_value_bytes(values[0]));
    hash_hex(&hash, hex);
    sqlite3_result_text(context, hex, -1, SQLITE_TRANSIENT);
}

static enum status take_over(struct gradebook *book, int64_t version, struct error *error) {
    int64_t strange;
    enum status status = read_integer(
        book,
        "SELECT count(*) FROM sqlite_master WHERE NOT (name LIKE 'sqlite\\_%' ESCAPE '\\' OR"
        " (type = 'table' AND name IN ('attempt', 'case_result')))",
        &strange, error);
    if (status != STATUS_OK)
        return status;
    if (strange)
        return book_refuse(book, STATUS_INVALID, error,
                           "this gradebook of an older version holds what warpgrade did not make: "
                           "%" PRId64 " tables, views, indexes or triggers",
                           strange);
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC;
    sqlite3_create_function(book->database, "warpgrade_pack", 1, flags, NULL, sql_pack, NULL, NULL);
    sqlite3_create_function(book->database, "warpgrade_sha256", 1, flags, NULL, sql_sha256, NULL,
                            NULL);
    if (version == 1)
        status = book_execute(book, "ALTER TABLE attempt ADD COLUMN jail TEXT NOT NULL DEFAULT ''",
                              error);
    if (status == STATUS_OK)
        status = book_execute(book,
                              "ALTER TABLE attempt RENAME TO old_attempt;"
                              "ALTER TABLE case_result RENAME TO old_case_result",
                              error);
    if (status == STATUS_OK)
        status = book_execute(book, schema_text("schema"), error);
    return status == STATUS_OK ? book_execute(book, schema_text("take_over"), error) : status;
}

/* Another process may do the same: the lock comes before the look. */
static enum status upgrade(struct gradebook *book, struct error *error) {
    int64_t version;
    enum status status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    status = read_version(book, &version, error);
    if (status == STATUS_OK && version == 0)
        status = book_execute(book, schema_text("schema"), error);
    else if (status == STATUS_OK && version < GRADEBOOK_SCHEMA)
        status = take_over(book, version, error);
    if (status == STATUS_OK) {
        cleanup_free char *marks =
            mem_printf("PRAGMA application_id = %d; PRAGMA user_version = %d", (int)APPLICATION_ID,
                       GRADEBOOK_SCHEMA);
        status = book_execute(book, marks, error);
    }
    return book_end(book, status, error);
}

/* ---- is it ours? -------------------------------------------------------------------------- */

static const char *const objects = "SELECT name, type, tbl_name, sql FROM sqlite_master"
                                   " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";

static bool same_object(sqlite3_stmt *left, sqlite3_stmt *right) {
    for (int i = 1; i < 4; i++) {
        const char *a = (const char *)sqlite3_column_text(left, i);
        const char *b = (const char *)sqlite3_column_text(right, i);
        if (!a || !b || strcmp(a, b) != 0)
            return false;
    }
    return true;
}

static bool may_be_added(sqlite3_stmt *object) {
    const char *type = (const char *)sqlite3_column_text(object, 1);
    return type && (strcmp(type, "table") == 0 || strcmp(type, "view") == 0);
}

/* Both lists are sorted by name; NULL: theirs has all of ours and adds nothing that acts. */
static char *find_strange(sqlite3_stmt *ours, sqlite3_stmt *theirs) {
    bool more = sqlite3_step(theirs) == SQLITE_ROW;
    while (sqlite3_step(ours) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(ours, 0);
        int order = -1;
        while (more) {
            const char *other = (const char *)sqlite3_column_text(theirs, 0);
            order = strcmp(other ? other : "", name);
            if (order >= 0)
                break;
            if (!may_be_added(theirs))
                return mem_strdup(other ? other : "");
            more = sqlite3_step(theirs) == SQLITE_ROW;
        }
        if (!more || order != 0 || !same_object(ours, theirs))
            return mem_strdup(name);
        more = sqlite3_step(theirs) == SQLITE_ROW;
    }
    for (; more; more = sqlite3_step(theirs) == SQLITE_ROW)
        if (!may_be_added(theirs))
            return mem_strdup((const char *)sqlite3_column_text(theirs, 0));
    return NULL;
}

static enum status check_schema(struct gradebook *book, struct error *error) {
    sqlite3 *plain = NULL;
    sqlite3_stmt *ours = NULL, *theirs = NULL;
    enum status status = STATUS_OK;
    if (sqlite3_open(":memory:", &plain) != SQLITE_OK ||
        sqlite3_exec(plain, schema_text("schema"), NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(plain, objects, -1, &ours, NULL) != SQLITE_OK)
        status = book_refuse(book, STATUS_ENVIRONMENT, error, "SQLite cannot make the schema: %s",
                             sqlite3_errmsg(plain));
    else if (sqlite3_prepare_v2(book->database, objects, -1, &theirs, NULL) != SQLITE_OK)
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be read", error);
    if (status == STATUS_OK) {
        cleanup_free char *strange = find_strange(ours, theirs);
        if (strange) {
            status = book_refuse(book, STATUS_INVALID, error,
                                 "the gradebook's schema was changed: %s is not as warpgrade makes "
                                 "it",
                                 strange);
            error_hint(error, "its grades cannot be trusted: use a copy that only warpgrade wrote");
        }
    }
    sqlite3_finalize(ours);
    sqlite3_finalize(theirs);
    sqlite3_close(plain);
    return status;
}

enum status schema_apply(struct gradebook *book, struct error *error) {
    int64_t version;
    enum status status = book_execute(book, "BEGIN", error);
    if (status != STATUS_OK)
        return status;
    status = read_version(book, &version, error);
    sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    if (status == STATUS_OK && version < GRADEBOOK_SCHEMA)
        status = upgrade(book, error);
    return status == STATUS_OK ? check_schema(book, error) : status;
}
