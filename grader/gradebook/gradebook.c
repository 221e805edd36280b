/* The gradebook in SQLite: opening, versions, one transaction an attempt.
 *
 * The file says what it is by application_id and which schema it has by user_version; both are read
 * before anything is written, so a foreign database is never touched. Schema changes are steps in a
 * table, each applied with its new version number in one transaction. WAL with synchronous=FULL:
 * an attempt that was stored survives a crash of the program and of the machine. */
#include "grader/gradebook/gradebook.h"

#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x57475242 /* "WGRB" */, BUSY_TIMEOUT_MS = 15000, RETRY_MS = 20 };

/* Step i brings version i to version i + 1. Never change a step that has been released. */
static const char *const schema_steps[] = {
    "CREATE TABLE attempt ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  student TEXT NOT NULL,"
    "  student_name TEXT NOT NULL,"
    "  exercise TEXT NOT NULL,"
    "  repository TEXT NOT NULL,"
    "  branch TEXT NOT NULL,"
    "  commit_id TEXT NOT NULL,"
    "  path TEXT NOT NULL,"
    "  committed_at INTEGER NOT NULL,"
    "  graded_at INTEGER NOT NULL,"
    "  submission_sha256 TEXT NOT NULL,"
    "  exercise_sha256 TEXT NOT NULL,"
    "  seed INTEGER NOT NULL,"
    "  engine TEXT NOT NULL,"
    "  tool_version TEXT NOT NULL,"
    "  score REAL NOT NULL,"
    "  max_score REAL NOT NULL,"
    "  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),"
    "  verdict TEXT NOT NULL,"
    "  message TEXT NOT NULL,"
    "  report TEXT NOT NULL," /* JSON, as `grade --report json` writes it */
    "  UNIQUE (student, exercise, commit_id, path, submission_sha256, exercise_sha256, seed,"
    "          engine, tool_version));"
    "CREATE TABLE case_result ("
    "  attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  name TEXT NOT NULL,"
    "  case_group TEXT NOT NULL,"
    "  verdict TEXT NOT NULL,"
    "  score REAL NOT NULL,"
    "  max_score REAL NOT NULL,"
    "  message TEXT NOT NULL,"
    "  PRIMARY KEY (attempt_id, position)) WITHOUT ROWID;",
    "ALTER TABLE attempt ADD COLUMN jail TEXT NOT NULL DEFAULT '';",
};

struct gradebook {
    sqlite3 *database;
    char *path;
    bool busy; /* the last error was a lock that another process holds */
};

static enum status book_error(struct gradebook *book, enum status status, const char *what,
                              struct error *error) {
    status = error_set(error, status, "the gradebook %s: %s", what, sqlite3_errmsg(book->database));
    error_place(error, book->path, 0, 0, NULL, 0);
    book->busy = (sqlite3_errcode(book->database) & 0xff) == SQLITE_BUSY;
    return status;
}

/* ---- opening ------------------------------------------------------------------------------ */

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

static enum status execute(struct gradebook *book, const char *sql, struct error *error) {
    if (sqlite3_exec(book->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return STATUS_OK;
    return book_error(book, STATUS_ENVIRONMENT, "cannot be written", error);
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
    const int64_t newest = (int64_t)ARRAY_LENGTH(schema_steps);
    if (!fresh && (application != APPLICATION_ID || *version < 1)) {
        status = error_set(error, STATUS_INVALID,
                           "this is an SQLite database of another program, not a gradebook");
        error_hint(error, "name another file for the gradebook");
    } else if (*version > newest) {
        status = error_set(error, STATUS_INVALID,
                           "the gradebook has schema version %" PRId64
                           "; this warpgrade knows versions up to %" PRId64,
                           *version, newest);
        error_hint(error, "a newer warpgrade wrote it: use that one, or name another file");
    }
    if (status != STATUS_OK)
        error_place(error, book->path, 0, 0, NULL, 0);
    return status;
}

/* Applies what is missing. Another process may do the same: the lock comes before the look. */
static enum status upgrade(struct gradebook *book, struct error *error) {
    int64_t version;
    enum status status = execute(book, "BEGIN IMMEDIATE", error);
    if (status != STATUS_OK)
        return status;
    status = read_version(book, &version, error);
    for (size_t i = (size_t)version; status == STATUS_OK && i < ARRAY_LENGTH(schema_steps); i++)
        status = execute(book, schema_steps[i], error);
    if (status == STATUS_OK) {
        cleanup_free char *marks =
            mem_printf("PRAGMA application_id = %d; PRAGMA user_version = %zu; COMMIT",
                       (int)APPLICATION_ID, ARRAY_LENGTH(schema_steps));
        status = execute(book, marks, error);
    }
    if (status != STATUS_OK)
        sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Makes an empty file that only its owner can read: SQLite itself would follow the umask, and its
 * journal files take over the mode. */
static enum status make_file(const char *path, struct error *error) {
    struct stat info;
    enum status status = STATUS_OK;
    cleanup_fd int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0 && errno != EEXIST)
        status = error_set(error, STATUS_ENVIRONMENT, "the gradebook cannot be made: %s",
                           strerror(errno));
    else if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        status = error_set(error, STATUS_INVALID, "the gradebook is not a regular file");
    if (status != STATUS_OK)
        error_place(error, path, 0, 0, NULL, 0);
    return status;
}

static enum status set_up_once(struct gradebook *book, struct error *error) {
    int64_t version;
    enum status status = execute(book, "BEGIN", error);
    if (status != STATUS_OK)
        return status;
    status = read_version(book, &version, error);
    sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    if (status == STATUS_OK && version < (int64_t)ARRAY_LENGTH(schema_steps))
        status = upgrade(book, error);
    if (status == STATUS_OK)
        status = execute(book,
                         "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                         "PRAGMA foreign_keys = ON",
                         error);
    return status;
}

/* The change to WAL does not wait for other processes as statements do, so all of it is tried
 * again. */
static enum status set_up(struct gradebook *book, struct error *error) {
    sqlite3_busy_timeout(book->database, BUSY_TIMEOUT_MS);
    sqlite3_db_config(book->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(book->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    for (unsigned waited_ms = 0;; waited_ms += RETRY_MS) {
        book->busy = false;
        enum status status = set_up_once(book, error);
        if (status == STATUS_OK || !book->busy || waited_ms >= BUSY_TIMEOUT_MS)
            return status;
        usleep(RETRY_MS * 1000);
    }
}

enum status gradebook_open(const char *path, struct gradebook **out, struct error *error) {
    *out = NULL;
    enum status status = make_file(path, error);
    if (status != STATUS_OK)
        return status;
    struct gradebook *book = mem_zalloc(sizeof *book);
    book->path = mem_strdup(path);
    if (sqlite3_open_v2(path, &book->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be opened", error);
    else
        status = set_up(book, error);
    if (status != STATUS_OK) {
        gradebook_close(book);
        return status;
    }
    *out = book;
    return STATUS_OK;
}

void gradebook_close(struct gradebook *book) {
    if (!book)
        return;
    sqlite3_close(book->database);
    free(book->path);
    free(book);
}

/* ---- storing ------------------------------------------------------------------------------ */

/* A statement with its parameters bound by name; the first thing that fails stays in code. */
struct query {
    sqlite3_stmt *statement;
    int code;
};

static int parameter(struct query *query, const char *name) {
    return sqlite3_bind_parameter_index(query->statement, name);
}

static void bind_text(struct query *query, const char *name, const char *value) {
    cleanup_text struct text clean = {0};
    escape_utf8(&clean, value ? value : "", value ? strlen(value) : 0);
    if (query->code == SQLITE_OK)
        query->code =
            sqlite3_bind_text64(query->statement, parameter(query, name), text_string(&clean),
                                clean.length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind_integer(struct query *query, const char *name, int64_t value) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, parameter(query, name), value);
}

static void bind_real(struct query *query, const char *name, double value) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_double(query->statement, parameter(query, name), value);
}

static struct query prepare(struct gradebook *book, const char *sql) {
    struct query query = {0};
    query.code = sqlite3_prepare_v2(book->database, sql, -1, &query.statement, NULL);
    return query;
}

static enum status finish(struct gradebook *book, struct query *query, struct error *error) {
    if (query->code == SQLITE_OK)
        query->code = sqlite3_step(query->statement);
    enum status status = STATUS_OK;
    if (query->code != SQLITE_DONE)
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be written", error);
    sqlite3_finalize(query->statement);
    return status;
}

static void bind_identity(struct query *query, const struct gradebook_attempt *attempt) {
    bind_text(query, ":student", attempt->student);
    bind_text(query, ":exercise", attempt->exercise);
    bind_text(query, ":commit", attempt->commit);
    bind_text(query, ":path", attempt->path);
    bind_text(query, ":submission", attempt->submission_sha256);
    bind_text(query, ":definition", attempt->exercise_sha256);
    bind_integer(query, ":seed", (int64_t)attempt->seed);
    bind_text(query, ":engine", attempt->engine);
    bind_text(query, ":version", attempt->tool_version);
}

static enum status forget_same(struct gradebook *book, const struct gradebook_attempt *attempt,
                               struct error *error) {
    struct query query = prepare(
        book, "DELETE FROM attempt WHERE student = :student AND exercise = :exercise"
              " AND commit_id = :commit AND path = :path AND submission_sha256 = :submission"
              " AND exercise_sha256 = :definition AND seed = :seed AND engine = :engine"
              " AND tool_version = :version");
    bind_identity(&query, attempt);
    return finish(book, &query, error);
}

static enum status store_attempt(struct gradebook *book, const struct gradebook_attempt *attempt,
                                 struct error *error) {
    struct query query = prepare(
        book, "INSERT INTO attempt (student, student_name, exercise, repository, branch, commit_id,"
              " path, committed_at, graded_at, submission_sha256, exercise_sha256, seed, engine,"
              " tool_version, score, max_score, passed, verdict, message, report, jail)"
              " VALUES (:student, :name, :exercise, :repository, :branch, :commit, :path,"
              " :committed, :graded, :submission, :definition, :seed, :engine, :version, :score,"
              " :max_score, :passed, :verdict, :message, :report, :jail)");
    bind_identity(&query, attempt);
    bind_text(&query, ":name", attempt->student_name);
    bind_text(&query, ":repository", attempt->repository);
    bind_text(&query, ":branch", attempt->branch);
    bind_integer(&query, ":committed", attempt->committed_at);
    bind_integer(&query, ":graded", attempt->graded_at);
    bind_real(&query, ":score", attempt->score);
    bind_real(&query, ":max_score", attempt->max_score);
    bind_integer(&query, ":passed", attempt->passed);
    bind_text(&query, ":verdict", attempt->verdict);
    bind_text(&query, ":message", attempt->message);
    bind_text(&query, ":report", attempt->report_json);
    bind_text(&query, ":jail", attempt->jail);
    return finish(book, &query, error);
}

static enum status store_case(struct gradebook *book, int64_t attempt, size_t position,
                              const struct gradebook_case *item, struct error *error) {
    struct query query = prepare(
        book, "INSERT INTO case_result (attempt_id, position, name, case_group, verdict, score,"
              " max_score, message) VALUES (:attempt, :position, :name, :group, :verdict, :score,"
              " :max_score, :message)");
    bind_integer(&query, ":attempt", attempt);
    bind_integer(&query, ":position", (int64_t)position);
    bind_text(&query, ":name", item->name);
    bind_text(&query, ":group", item->group);
    bind_text(&query, ":verdict", item->verdict);
    bind_real(&query, ":score", item->score);
    bind_real(&query, ":max_score", item->max_score);
    bind_text(&query, ":message", item->message);
    return finish(book, &query, error);
}

enum status gradebook_store(struct gradebook *book, const struct gradebook_attempt *attempt,
                            struct error *error) {
    enum status status = execute(book, "BEGIN IMMEDIATE", error);
    if (status != STATUS_OK)
        return status;
    status = forget_same(book, attempt, error);
    if (status == STATUS_OK)
        status = store_attempt(book, attempt, error);
    int64_t id = sqlite3_last_insert_rowid(book->database);
    for (size_t i = 0; i < attempt->case_count && status == STATUS_OK; i++)
        status = store_case(book, id, i, &attempt->cases[i], error);
    if (status == STATUS_OK)
        status = execute(book, "COMMIT", error);
    if (status != STATUS_OK)
        sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- asking ------------------------------------------------------------------------------- */

static void copy_column(sqlite3_stmt *statement, int column, char *out, size_t size) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    snprintf(out, size, "%s", text ? (const char *)text : "");
}

enum status gradebook_find(struct gradebook *book, const char *student, const char *exercise,
                           enum gradebook_choice choice, struct gradebook_row *row,
                           struct error *error) {
    static const char *const queries[] = {
        [GRADEBOOK_LATEST] = "ORDER BY graded_at DESC, id DESC",
        [GRADEBOOK_BEST] = "ORDER BY CASE WHEN max_score > 0 THEN score / max_score ELSE 0 END"
                           " DESC, graded_at, id",
    };
    *row = (struct gradebook_row){0};
    cleanup_free char *sql =
        mem_printf("SELECT score, max_score, passed, verdict, commit_id, committed_at, graded_at,"
                   " seed, count(*) OVER (), message, branch, path, jail FROM attempt"
                   " WHERE student = :student AND exercise = :exercise %s LIMIT 1",
                   queries[choice]);
    struct query query = prepare(book, sql);
    bind_text(&query, ":student", student);
    bind_text(&query, ":exercise", exercise);
    if (query.code == SQLITE_OK)
        query.code = sqlite3_step(query.statement);
    enum status status = STATUS_OK;
    if (query.code == SQLITE_ROW) {
        row->score = sqlite3_column_double(query.statement, 0);
        row->max_score = sqlite3_column_double(query.statement, 1);
        row->passed = sqlite3_column_int(query.statement, 2) != 0;
        copy_column(query.statement, 3, row->verdict, sizeof row->verdict);
        copy_column(query.statement, 4, row->commit, sizeof row->commit);
        row->committed_at = sqlite3_column_int64(query.statement, 5);
        row->graded_at = sqlite3_column_int64(query.statement, 6);
        row->seed = (uint64_t)sqlite3_column_int64(query.statement, 7);
        row->attempts = (size_t)sqlite3_column_int64(query.statement, 8);
        copy_column(query.statement, 9, row->message, sizeof row->message);
        copy_column(query.statement, 10, row->branch, sizeof row->branch);
        copy_column(query.statement, 11, row->path, sizeof row->path);
        copy_column(query.statement, 12, row->jail, sizeof row->jail);
    } else if (query.code != SQLITE_DONE) {
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be read", error);
    }
    sqlite3_finalize(query.statement);
    return status;
}
