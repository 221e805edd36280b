/* What a run writes for a student, when it writes that anew, and that a dry run writes nothing. */
#include "tests/unit/batch/class_fixture.h"

#include "sandbox/base/hash.h"

#include <fts.h>
#include <sys/stat.h>

/* ---- renewed ------------------------------------------------------------------------------ */

static const char *const formats[] = {"json", "txt", "html"};

static char *file_of(const char *who, const char *format) {
    cleanup_free char *name = mem_printf("out/%s/dot.%s", who, format);
    return read_text(name);
}

/* In the student's files, or in none of them; the page says it in words of its own. */
static void assert_in_files(const char *who, const char *word, bool there) {
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++) {
        cleanup_free char *text = file_of(who, formats[i]);
        if (!strstr(text, word) == there && (!there || i < 2))
            fail_msg("\"%s\" is%s in %s's %s", word, there ? " not" : "", who, formats[i]);
    }
}

#define ONE_STUDENT(terms) COURSE terms "students: [{id: ada, repository: ada, mail: a@b.org}]\n"

static void run_course(const char *course, size_t newly_judged) {
    size_t before = judged;
    write_file("COURSE.yaml", course);
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(judged - before, newly_judged);
}

static void visibility_renews_files(void **state) {
    (void)state;
    student("ada", "score 50", NULL);
    run_course(ONE_STUDENT(), 1);
    assert_in_files("ada", "=1+1 is a message", true);
    run_course(ONE_STUDENT("visibility: {hide: [one]}\n"), 0);
    assert_in_files("ada", "=1+1 is a message", false);
    assert_in_files("ada", "a case that the course does not show", true);
    run_course(ONE_STUDENT("visibility: {show: [one]}\n"), 0);
    assert_in_files("ada", "=1+1 is a message", true);
}

static void the_language_renews_files(void **state) {
    (void)state;
    student("ada", "score 50", NULL);
    run_course(ONE_STUDENT(), 1);
    run_course(ONE_STUDENT("language: zh\n"), 0);
    cleanup_free char *html = file_of("ada", "html"), *json = file_of("ada", "json");
    assert_non_null(strstr(html, "lang=\"zh"));
    assert_non_null(strstr(json, "\"language\": \"zh\""));
    run_course(ONE_STUDENT("language: zh\nvisibility: {hide: [one]}\n"), 0);
    assert_in_files("ada", "课程未公开的用例", true);
}

/* The first attempt was better; then the last one counts; and a new one is judged meanwhile. */
static void what_counts_renews_files(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    run_course(ONE_STUDENT(), 1);
    commit_again("ada", &(struct fixture_file){"dot.cu", "score 50"});
    run_course(ONE_STUDENT(), 1);
    cleanup_free char *best = file_of("ada", "json");
    assert_non_null(strstr(best, "\"score\": 90"));
    run_course(ONE_STUDENT("attempts: {count: last}\n"), 0);
    cleanup_free char *last = file_of("ada", "json");
    assert_non_null(strstr(last, "\"score\": 50"));
    run_course(ONE_STUDENT("attempts: {count: best}\n"), 0);
    cleanup_free char *again = file_of("ada", "json");
    assert_string_equal(again, best);
}

static bool was_written(const char *name, const struct timespec *before) {
    struct stat info;
    assert_int_equal(stat(in_folder(name), &info), 0);
    return info.st_mtim.tv_sec != before->tv_sec || info.st_mtim.tv_nsec != before->tv_nsec;
}

static void only_what_changed_is_written(void **state) {
    (void)state;
    struct stat info;
    student("ada", "score 90", NULL);
    run_course(ONE_STUDENT(), 1);
    assert_int_equal(stat(in_folder("out/ada/dot.html"), &info), 0);
    run_course(ONE_STUDENT(), 0);
    assert_false(was_written("out/ada/dot.html", &info.st_mtim));
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++) { /* whichever of them is deleted */
        cleanup_free char *path = mem_printf("%s/out/ada/dot.%s", folder, formats[i]);
        assert_int_equal(unlink(path), 0);
        run_course(ONE_STUDENT(), 0);
        assert_true(file_exists(path));
    }
    /* a mail goes with the address */
    assert_true(file_exists(in_folder("out/ada/summary.eml")));
    run_course(COURSE "students: [{id: ada, repository: ada}]\n", 0);
    assert_false(file_exists(in_folder("out/ada/summary.eml")));
    assert_true(file_exists(in_folder("out/ada/summary.txt")));
}

/* ---- a dry run ---------------------------------------------------------------------------- */

static int by_name(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Every name below the folder with the hash of what is there; caller frees. */
static char *tree(void) {
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    struct text out = {0};
    for (FTSENT *entry; (entry = fts_read(walk));) {
        if (entry->fts_info == FTS_DP)
            continue;
        text_printf(&out, "%s %o", entry->fts_path, entry->fts_statp->st_mode);
        char *data = NULL, hex[65];
        size_t length;
        if (entry->fts_info == FTS_F) {
            assert_int_equal(file_read(entry->fts_path, 1 << 26, &data, &length, NULL), STATUS_OK);
            struct sha256 hash = hash_bytes(data, length);
            hash_hex(&hash, hex);
            text_printf(&out, " %s", hex);
        }
        free(data);
        text_append_char(&out, '\n');
    }
    fts_close(walk);
    return text_steal(&out);
}

/* Caller frees what it says. */
static char *dry_run(void) {
    cleanup_free char *before = tree();
    struct run run = run_with((struct batch_options){.dry_run = true});
    assert_int_equal(run.ran, STATUS_OK);
    cleanup_free char *after = tree();
    assert_string_equal(before, after);
    return run.summary;
}

static unsigned mode_of(const char *name) {
    struct stat info;
    assert_int_equal(stat(in_folder(name), &info), 0);
    return info.st_mode & 0777;
}

/* Everybody's grades are for nobody else on the machine, unless somebody wants that. */
static void results_are_closed_to_others(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(mode_of("out"), 0700);
    assert_int_equal(mode_of("gradebook.sqlite"), 0600);
    assert_int_equal(chmod(in_folder("out"), 0750), 0);
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(mode_of("out"), 0750);
}

static void a_dry_run_writes_nothing(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    cleanup_free char *fresh = dry_run();
    assert_non_null(strstr(fresh, "ada dot: commit "));
    assert_non_null(strstr(fresh, ": to be graded\n"));
    assert_non_null(strstr(fresh, "ada saxpy: there is no saxpy.cu"));
    assert_non_null(strstr(fresh, "1 submission to be graded"));
    assert_int_equal(judged, 0);
    free(run_batch(NULL, NULL).summary);
    cleanup_free char *graded = dry_run();
    assert_non_null(strstr(graded, ": graded already\n"));
    struct run run = run_with((struct batch_options){.dry_run = true, .since = "yesterday"});
    assert_int_equal(run.opened, STATUS_INVALID);
}

/* The log of a program that was killed holds grades, too. */
static void a_dry_run_reads_the_log(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct gradebook *book;
    struct gradebook_row row;
    assert_int_equal(gradebook_open(in_folder("gradebook.sqlite"), &book, NULL), STATUS_OK);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL), STATUS_OK);
    free(run_batch(NULL, NULL).summary);
    assert_true(file_exists(in_folder("gradebook.sqlite-wal")));
    cleanup_free char *graded = dry_run();
    assert_non_null(strstr(graded, ": graded already\n"));
    gradebook_close(book);
}

static void a_dry_run_upgrades_nothing(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    cleanup_free char *command = mem_printf(
        "sqlite3 %s 'CREATE TABLE attempt (id INTEGER PRIMARY KEY AUTOINCREMENT, student TEXT,"
        " student_name TEXT, exercise TEXT, repository TEXT, branch TEXT, commit_id TEXT,"
        " path TEXT, committed_at INTEGER, graded_at INTEGER, submission_sha256 TEXT,"
        " exercise_sha256 TEXT, seed INTEGER, engine TEXT, tool_version TEXT, score REAL,"
        " max_score REAL, passed INTEGER, verdict TEXT, message TEXT, report TEXT);"
        "CREATE TABLE case_result (attempt_id INTEGER, position INTEGER, name TEXT,"
        " case_group TEXT, verdict TEXT, score REAL, max_score REAL, message TEXT);"
        "PRAGMA application_id = 1464291906; PRAGMA user_version = 1'",
        in_folder("gradebook.sqlite"));
    assert_int_equal(system(command), 0);
    cleanup_free char *old = dry_run();
    assert_non_null(strstr(old, ": to be graded\n"));
    write_file("gradebook.sqlite", "no database");
    struct run run = run_with((struct batch_options){.dry_run = true});
    assert_int_equal(run.opened, STATUS_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(visibility_renews_files),    TEST(the_language_renews_files),
        TEST(what_counts_renews_files),   TEST(only_what_changed_is_written),
        TEST(a_dry_run_writes_nothing),   TEST(a_dry_run_reads_the_log),
        TEST(a_dry_run_upgrades_nothing), TEST(results_are_closed_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
