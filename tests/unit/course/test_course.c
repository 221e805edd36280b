/* COURSE.yaml and rosters: what they mean, and that each mistake is reported at its place. */
#include "course_fixture.h"
#include "tests/source_folder.h"

static void assert_in_folder(const char *got, const char *name) {
    char *wanted = mem_printf("%s/%s", folder, name);
    assert_string_equal(got, wanted);
    free(wanted);
}

#define SHORT "course: c\nexercises: [dot]\n"

static void reads_everything(void **state) {
    (void)state;
    struct course *course = load("course: CUDA 2026\n"
                                 "exercises: [dot, saxpy]\n"
                                 "paths: {dot: week1/dot.cu}\n"
                                 "branch: submit\n"
                                 "output: /srv/out\n"
                                 "gradebook: book.db\n"
                                 "seed: 9223372036854775807\n"
                                 "jobs: 3\n"
                                 "pass_mark: 62.5\n"
                                 "fetch_time_limit: 5\n"
                                 "students:\n"
                                 "  - {id: ada, name: \"Ada, L.\", repository: ../ada, branch: x}\n"
                                 "  - {id: 1234, repository: https://host/bob.git}\n");
    assert_string_equal(course->name, "CUDA 2026");
    assert_int_equal(course->exercise_count, 2);
    assert_int_equal(course->exercises[0].path_count, 1);
    assert_string_equal(course->exercises[0].paths[0], "week1/dot.cu");
    assert_string_equal(course->exercises[1].paths[0], "saxpy.cu");
    assert_string_equal(course->exercises[1].paths[1], "saxpy/saxpy.cu");
    assert_string_equal(course->output, "/srv/out");
    assert_in_folder(course->gradebook, "book.db");
    assert_true(course->has_seed && course->seed == INT64_MAX);
    assert_int_equal(course->jobs, 3);
    assert_true(course->has_pass_mark && course->pass_mark == 62.5);
    assert_true(course->fetch_time_limit_seconds == 5);
    assert_int_equal(course->student_count, 2);
    assert_string_equal(course->students[0].name, "Ada, L.");
    assert_string_equal(course->students[0].branch, "x");
    assert_in_folder(course->students[0].repository, "../ada");
    assert_string_equal(course->students[1].id, "1234");
    assert_string_equal(course->students[1].name, "1234");
    assert_string_equal(course->students[1].branch, "submit");
    assert_string_equal(course->students[1].repository, "https://host/bob.git");
    course_free(course);
}

static void has_defaults(void **state) {
    (void)state;
    struct course *course = load(SHORT "students: [{id: ada, repository: r}]\n");
    assert_in_folder(course->output, "reports");
    assert_in_folder(course->gradebook, "gradebook.sqlite");
    assert_false(course->has_seed || course->has_pass_mark);
    assert_null(course->students[0].branch);
    course_free(course);
}

static void a_course_in_the_working_directory(void **state) {
    (void)state;
    write_named("COURSE.yaml", SHORT "students: [{id: a, repository: r}]\n",
                strlen(SHORT) + strlen("students: [{id: a, repository: r}]\n"));
    char *old = getcwd(NULL, 0);
    assert_int_equal(chdir(folder), 0);
    struct course *course;
    assert_int_equal(course_load("COURSE.yaml", &course, NULL), STATUS_OK);
    assert_int_equal(chdir(old), 0);
    free(old);
    assert_string_equal(course->students[0].repository, "r");
    assert_string_equal(course->output, "reports");
    course_free(course);
}

static void mistakes_have_a_place(void **state) {
    (void)state;
    const struct {
        const char *text;
        unsigned line, column;
        const char *message, *hint;
    } rows[] = {
        {"course: c\nexercise: [dot]\n", 2, 1, "unknown key exercise", "did you mean exercises?"},
        {"course: c\n", 1, 1, "the key exercises is missing", ""},
        {"exercises: [dot]\n", 1, 1, "the key course is missing", ""},
        {SHORT, 0, 0, "no students", "roster"},
        {SHORT "students: []\n", 0, 0, "no students", "roster"},
        {"course: c\nexercises: []\n", 2, 12, "expected 1 to 128", ""},
        {"course: c\nexercises: [dot, dot]\n", 2, 18, "already in line 2", ""},
        {"course: c\nexercises: [../x]\n", 2, 13, "begin with a letter", ""},
        {"course: c\nexercises: dot\n", 2, 12, "expected a list", ""},
        {SHORT "students: [{id: a}]\n", 3, 12, "the key repository is missing", ""},
        {SHORT "students: [{repository: a}]\n", 3, 12, "the key id is missing", ""},
        {SHORT "students: [{id: a, repositry: r}]\n", 3, 20, "unknown key", "repository"},
        {SHORT "students: [{id: ../a, repository: r}]\n", 3, 12, "begin with a letter", "folder"},
        {SHORT "students: [{id: a/b, repository: r}]\n", 3, 12, "only letters", "folder"},
        {SHORT "students: [{id: Grades.csv, repository: r}]\n", 3, 12, "result file", ""},
        {SHORT "students: [{id: a, repository: r},\n  {id: A, repository: q}]\n", 4, 3,
         "already in line 3", ""},
        {SHORT "students: [{id: a, repository: r, name: \"x\\e[31m\"}]\n", 3, 12, "the name of a",
         ""},
        {SHORT "paths: {dto: a.cu}\n", 3, 9, "not among the exercises", "did you mean dot?"},
        {SHORT "paths: {dot: ../a.cu}\n", 3, 14, "mean nothing inside", ""},
        {SHORT "paths: {dot: []}\n", 3, 14, "expected 1 to 4", ""},
        {SHORT "paths: {dot: [a, b, c, d, e]}\n", 3, 14, "expected 1 to 4", ""},
        {SHORT "seed: -1\n", 3, 7, "seed", ""},
        {SHORT "seed: 18446744073709551616\n", 3, 7, "seed", ""},
        {SHORT "jobs: 0\n", 3, 7, "jobs", ""},
        {SHORT "pass_mark: 101\n", 3, 12, "pass_mark", ""},
        {SHORT "output: \"\"\n", 3, 9, "output", ""},
        {SHORT "roster: nowhere.csv\n", 3, 9, "cannot open", ""},
        {SHORT "students: [{id: a, repository: r}]\nroster: r.csv\n", 4, 9, "not both", ""},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++)
        assert_wrong(rows[i].text, "COURSE.yaml", rows[i].line, rows[i].column, rows[i].message,
                     rows[i].hint);
}

static struct course *load_roster(const char *csv, size_t length) {
    write_named("roster.csv", csv, length);
    return load(SHORT "branch: submit\nroster: roster.csv\n");
}

static void reads_rosters(void **state) {
    (void)state;
    const char csv[] = "\xef\xbb\xbfrepository,Group,ID,name\r\n"
                       "repos/ada,7, ada ,\"Lovelace, \"\"Ada\"\"\nCountess\"\r\n"
                       "\r\n"
                       ",,,\r\n"
                       "https://host/bob,8,bob@example.org,\xe6\x9d\x8e\xe9\x9b\xb7\r\n"
                       ",,carl,";
    write_named("roster.csv", csv, sizeof csv - 1);
    /* A line end inside a name is read, and then refused like any character that cannot be shown.
     */
    assert_wrong(SHORT "roster: roster.csv\n", "roster.csv", 2, 13, "the name of ada", "");
    char *fixed = mem_strdup(csv);
    *strstr(fixed, "\nCountess") = ' ';
    struct course *course = load_roster(fixed, sizeof csv - 1);
    free(fixed);
    assert_int_equal(course->student_count, 3);
    assert_string_equal(course->students[0].id, "ada");
    assert_string_equal(course->students[0].name, "Lovelace, \"Ada\" Countess");
    assert_string_equal(course->students[0].branch, "submit");
    assert_in_folder(course->students[0].repository, "repos/ada");
    assert_int_equal(course->students[1].line, 5);
    assert_string_equal(course->students[1].name, "\xe6\x9d\x8e\xe9\x9b\xb7");
    assert_string_equal(course->students[2].repository, "");
    course_free(course);
}

static void reads_other_separators(void **state) {
    (void)state;
    const char *rosters[] = {"id;repository;branch\na;\"r;1\";week1\n",
                             "id\trepository\tbranch\na\tr;1\tweek1"};
    for (unsigned i = 0; i < ARRAY_LENGTH(rosters); i++) {
        struct course *course = load_roster(rosters[i], strlen(rosters[i]));
        assert_int_equal(course->student_count, 1);
        assert_in_folder(course->students[0].repository, "r;1");
        assert_string_equal(course->students[0].branch, "week1");
        course_free(course);
    }
}

static void wrong_rows_have_a_place(void **state) {
    (void)state;
    const struct {
        const char *csv;
        unsigned line, column;
        const char *message, *hint;
    } rows[] = {
        {"", 1, 0, "no column id", "id,name,repository,branch"},
        {"id,name\na,b\n", 1, 0, "no column repository", "id,name"},
        {"id,repositry\na,b\n", 1, 4, "unknown column repositry", "did you mean repository?"},
        {"id,repo\na,b\n", 1, 4, "unknown column repo", "did you mean repository?"},
        {"id,repository,brnach\na,b,c\n", 1, 15, "unknown column", "did you mean branch?"},
        {"id,repository,ID\na,b,c\n", 1, 15, "two columns named ID", ""},
        {"id,repository\na\n", 2, 0, "1 field, the header 2", ""},
        {"id,repository\na,b,c\n", 2, 0, "3 fields, the header 2", ""},
        {"id,repository\n\n\na,b\na,c\n", 5, 1, "already in line 4", ""},
        {"id,repository\na,\"b\n\n", 2, 3, "never closed", ""},
        {"id,repository\na,\"b\"c\n", 2, 3, "after the closing quote", "\"\""},
        {"repository,id\nr,../../etc\n", 2, 3, "begin with a letter", "folder"},
        {"repository,id\nr,\n", 2, 3, "it is empty", ""},
        {"repository,id\nr\033[2J,a\n", 2, 7, "the repository of a", ""},
        {"repository,id,name\nr,a,\xff\xfe\n", 2, 5, "0xff, is no UTF-8", "save the file as UTF-8"},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        write_named("roster.csv", rows[i].csv, strlen(rows[i].csv));
        assert_wrong(SHORT "roster: roster.csv\n", "roster.csv", rows[i].line, rows[i].column,
                     rows[i].message, rows[i].hint);
    }
    write_named("roster.csv", "id,repository\na,\0\n", 17);
    assert_wrong(SHORT "roster: roster.csv\n", "roster.csv", 2, 3, "NUL byte", "");
}

static void too_many_columns_are_refused(void **state) {
    (void)state;
    char csv[2000] = "id,repository";
    for (int i = 0; i < 200; i++)
        strcat(csv, ",x");
    write_named("roster.csv", csv, strlen(csv));
    assert_wrong(SHORT "roster: roster.csv\n", "roster.csv", 1, 267, "more than 128 columns", "");
}

static void ids_are_folder_names(void **state) {
    (void)state;
    const char *good[] = {"ada", "1234567", "a.b-c_d+e@f.org", "A"};
    for (unsigned i = 0; i < ARRAY_LENGTH(good); i++)
        assert_null(course_id_problem(good[i]));
    char long_id[COURSE_MAX_ID + 2];
    memset(long_id, 'a', sizeof long_id);
    long_id[COURSE_MAX_ID + 1] = '\0';
    const char *bad[] = {"",    ".",    "..",   ".hidden",  "-x",        "a/b",
                         "a b", "a\nb", "a\\b", "\xc3\xa9", "junit.xml", long_id};
    for (unsigned i = 0; i < ARRAY_LENGTH(bad); i++)
        assert_non_null(course_id_problem(bad[i]));
}

/* The folder of a student would stand where the batch writes its file, once all is graded. */
static void result_files_are_no_students(void **state) {
    (void)state;
    for (int i = 0; i < COURSE_RESULT_COUNT; i++)
        assert_non_null(course_id_problem(course_result_files[i]));
    assert_non_null(course_id_problem("Index.HTML"));
    assert_wrong("course: C\nexercises: [summary]\n", "COURSE.yaml", 2, 13,
                 "the exercise \"summary\": a result file has this name", "");
}

static void the_example_has_every_key(void **state) {
    (void)state;
    const char *example = WARPGRADE_SOURCE_DIR "/tests/samples/course/COURSE.yaml";
    struct course *course;
    struct error error;
    if (course_load(example, &course, &error) != STATUS_OK)
        fail_msg("%s:%u: %s", error.file, error.line, error.message);
    assert_int_equal(course->student_count, 6);
    assert_string_equal(course->students[1].name, "Hopper, Grace");
    assert_string_equal(course->students[2].branch, "hand-in");
    assert_string_equal(course->students[3].branch, "main");
    course_free(course);
    char *text;
    size_t length;
    assert_int_equal(file_read(example, 1 << 16, &text, &length, NULL), STATUS_OK);
    for (size_t i = 0; i < course_key_count(); i++) {
        char *key = mem_printf("%s:", course_key_at(i).name);
        if (!strstr(text, key))
            fail_msg("the example does not show %s", key);
        free(key);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_everything),
        TEST(has_defaults),
        TEST(a_course_in_the_working_directory),
        TEST(mistakes_have_a_place),
        TEST(reads_rosters),
        TEST(reads_other_separators),
        TEST(wrong_rows_have_a_place),
        TEST(too_many_columns_are_refused),
        TEST(ids_are_folder_names),
        TEST(result_files_are_no_students),
        TEST(the_example_has_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
