/* The built program on a course of real kernels: three students who have handed in, and every kind
 * of repository that cannot be graded. What the judge says about kernels is tested elsewhere. */
#include "tests/source_folder.h"
#include "tests/support/git_fixture.h"

#include "sandbox/base/text.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static int make_folder(void **state) {
    (void)state;
    folder = fixture_folder();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static char *in_folder(const char *name) {
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static char *read_whole(const char *path) {
    char *data;
    size_t length;
    struct error error;
    if (file_read(path, 1 << 24, &data, &length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return data;
}

static char *sample(const char *name) {
    cleanup_free char *path = mem_printf("%s/tests/samples/%s", WARPGRADE_SOURCE_DIR, name);
    return read_whole(path);
}

static void write_file(const char *name, const char *text) {
    assert_int_equal(file_write(in_folder(name), text, strlen(text), NULL), STATUS_OK);
}

/* Runs the program in the folder; its output goes to the files out and err. */
static int run_program(const char *arguments) {
    const char *binary = getenv("WARPGRADE_BINARY");
    cleanup_free char *command =
        mem_printf("cd '%s' && '%s' %s >out 2>err", folder, binary, arguments);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void student(const char *name, const char *dot, const char *saxpy) {
    cleanup_free char *dot_text = dot ? sample(dot) : NULL;
    cleanup_free char *saxpy_text = saxpy ? sample(saxpy) : NULL;
    struct fixture_file files[2];
    size_t count = 0;
    if (dot)
        files[count++] = (struct fixture_file){"dot/dot.cu", dot_text};
    if (saxpy)
        files[count++] = (struct fixture_file){"saxpy.cu", saxpy_text};
    fixture_repository(in_folder(name), true, files, count);
}

static void make_broken_repositories(void) {
    git_repository_free(fixture_init(in_folder("empty"), true));
    const struct fixture_file link[] = {{"dot.cu", "/etc/passwd", GIT_FILEMODE_LINK},
                                        {"saxpy.cu", NULL, GIT_FILEMODE_COMMIT}};
    fixture_repository(in_folder("link"), false, link, ARRAY_LENGTH(link));
    size_t length = 10 << 20;
    cleanup_free char *zeros = mem_zalloc(length);
    const struct fixture_file strange[] = {{"dot.cu", zeros, 0, length},
                                           {"saxpy.cu",
                                            "\x7f"
                                            "ELF\0\0\0\1",
                                            0, 8}};
    fixture_repository(in_folder("strange"), true, strange, ARRAY_LENGTH(strange));
    write_file("file", "not a folder");
}

static const char course[] = "course: Parallel programming\n"
                             "exercises: [dot, saxpy]\n"
                             "seed: 7\n"
                             "roster: roster.csv\n";
static const char roster[] = "id,name,repository,branch\n"
                             "gone,,nowhere,\n"
                             "ada,\"=HYPERLINK(\"\"http://x\"\")\",ada,\n"
                             "empty,,empty,\n"
                             "ben,Ben,file://%s/ben,main\n"
                             "link,,link,\n"
                             "file,,file,\n"
                             "none,,,\n"
                             "branch,,ada,week1\n"
                             "strange,,strange,\n"
                             "cy,Cy,cy/.git,\n";

static void make_course(void) {
    student("ada", "dot/good.cu", "saxpy/good.cu");
    student("ben", "dot/divergent-barrier.cu", "saxpy/good.cu");
    fixture_repository(in_folder("cy"), false, NULL, 0);
    git_repository *repository;
    assert_git(git_repository_open(&repository, in_folder("cy")));
    cleanup_free char *kernel = sample("saxpy/broken.cu");
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"saxpy/saxpy.cu", kernel}, 1);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
    make_broken_repositories();
    write_file("COURSE.yaml", course);
    cleanup_free char *text = mem_printf(roster, folder);
    write_file("roster.csv", text);
}

static void assert_row(const char *csv, const char *student_id, const char *exercise,
                       const char *beginning) {
    cleanup_free char *start = mem_printf("\"%s\",", student_id);
    cleanup_free char *middle = mem_printf("\",%s,%s", exercise, beginning);
    const char *row = csv;
    while ((row = strstr(row, start))) {
        size_t length = strcspn(row, "\r");
        const char *found = strstr(row, middle);
        if ((row == csv || row[-1] == '\n') && found && found < row + length)
            return;
        row += length;
    }
    fail_msg("no row of %s, %s with %s in\n%s", student_id, exercise, beginning, csv);
}

static int64_t count_attempts(void) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(in_folder("gradebook.sqlite"), &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(database, "SELECT count(*) FROM attempt", -1, &statement, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

static void grades_what_can_be_graded(void **state) {
    (void)state;
    make_course();
    int code = run_program("batch COURSE.yaml");
    cleanup_free char *messages = read_whole(in_folder("err"));
    cleanup_free char *summary = read_whole(in_folder("out"));
    if (code != 1)
        fail_msg("exit %d: %s%s", code, messages, summary);
    /* Where there is no terminal, at most a line every few seconds; none of them moves a cursor. */
    assert_true(!*messages || strstr(messages, " of 10 students"));
    assert_null(strpbrk(messages, "\r\033"));
    cleanup_free char *csv = read_whole(in_folder("reports/grades.csv"));
    assert_row(csv, "ada", "dot", "graded,100,100,yes,pass");
    assert_row(csv, "ada", "saxpy", "graded,100,100,yes,pass");
    assert_row(csv, "ben", "dot", "graded,");
    assert_row(csv, "ben", "saxpy", "graded,100,100,yes,pass");
    assert_row(csv, "cy", "saxpy", "graded,0,100,no,compile-error");
    assert_row(csv, "cy", "dot", "not-submitted,0,100,no");
    assert_row(csv, "strange", "dot", "refused,0,100,no");
    assert_row(csv, "strange", "saxpy", "graded,0,100,no,compile-error");
    assert_row(csv, "link", "dot", "refused");
    assert_row(csv, "link", "saxpy", "refused");
    const char *unreadable[] = {"gone", "empty", "file", "none", "branch"};
    for (unsigned i = 0; i < ARRAY_LENGTH(unreadable); i++)
        assert_row(csv, unreadable[i], "dot", "unreadable,,100,,");
    assert_null(strstr(csv, ",\"=")); /* no formula */
    cleanup_free char *report = read_whole(in_folder("reports/ben/dot.txt"));
    assert_non_null(strstr(report, "barrier"));
    assert_non_null(strstr(summary, "5 repositories cannot be read"));
    assert_int_equal(count_attempts(), 6);
}

static void the_same_seed_gives_the_same_grades(void **state) {
    (void)state;
    student("ben", "dot/divergent-barrier.cu", "saxpy/off-by-one.cu");
    write_file("COURSE.yaml", "course: C\nexercises: [dot, saxpy]\nseed: 7\n"
                              "students: [{id: ben, repository: ben}]\n");
    assert_int_equal(run_program("batch COURSE.yaml --jobs 1"), 0);
    cleanup_free char *first = read_whole(in_folder("reports/ben/saxpy.json"));
    assert_int_equal(run_program("batch COURSE.yaml --jobs 2 --output again"), 0);
    cleanup_free char *second = read_whole(in_folder("again/ben/saxpy.json"));
    assert_int_equal(count_attempts(), 2);
    /* Times differ from run to run; everything else must not. */
    const char *fields[] = {"\"score\"", "\"verdict\"", "\"actual\"", "\"message\""};
    for (unsigned i = 0; i < ARRAY_LENGTH(fields); i++)
        for (char *a = strstr(first, fields[i]), *b = strstr(second, fields[i]); a || b;
             a = strstr(a + 1, fields[i]), b = strstr(b + 1, fields[i])) {
            assert_true(a && b);
            size_t length = strcspn(a, "\n");
            assert_int_equal(length, strcspn(b, "\n"));
            assert_memory_equal(a, b, length);
        }
}

static void mistakes_of_the_course_are_usage_errors(void **state) {
    (void)state;
    write_file("COURSE.yaml", "course: C\nexercise: [dot]\n");
    assert_int_equal(run_program("batch COURSE.yaml"), 2);
    cleanup_free char *messages = read_whole(in_folder("err"));
    assert_non_null(strstr(messages, "COURSE.yaml:2:1"));
    assert_non_null(strstr(messages, "did you mean exercises?"));
    assert_int_equal(run_program("batch"), 2);
    assert_int_equal(run_program("batch nowhere.yaml"), 2);
    assert_int_equal(run_program("batch --seed -1 COURSE.yaml"), 2);
    assert_int_equal(run_program("batch --help"), 0);
    cleanup_free char *help = read_whole(in_folder("out"));
    assert_non_null(strstr(help, "fetch_time_limit"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void) {
    if (!getenv("WARPGRADE_BINARY")) {
        puts("WARPGRADE_BINARY names the program to test; ctest sets it");
        return 1;
    }
    const struct CMUnitTest tests[] = {
        TEST(grades_what_can_be_graded),
        TEST(the_same_seed_gives_the_same_grades),
        TEST(mistakes_of_the_course_are_usage_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
